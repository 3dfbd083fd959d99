//! `seedproof libm`: which known sequences a machine's `logf`, `sinf` and `cosf` are.

use std::fmt::Write as _;

use seedproof::libm::{Apart, Comparison, Function, compare};
use seedproof_ops::{Dtype, Shape};
use seedproof_report::plural;

use crate::args::{FunctionArg, LibmArgs};
use crate::dump::{self, Form};
use crate::exit::{CommandResult, Error, Exit};
use crate::io;
use seedproof_read::npy;

/// `seedproof libm`.
pub(crate) fn libm(args: &LibmArgs) -> CommandResult {
    if let (Some(function), Some(path)) = (args.function, &args.file) {
        let (name, file) = io::file(path)?;
        let usage = |what| Error::Usage(format!("failed to read {name}: {what}"));
        let pairs = pairs(function.function(), &file).map_err(usage)?;
        let count = u64::try_from(pairs.len()).unwrap_or(u64::MAX);
        let pair = |k: u64| pairs[usize::try_from(k).expect("less than their number")];
        return Ok(answer(&[(
            function.function(),
            compare(function.function(), count, &pair),
        )]));
    }
    let functions = args
        .function
        .map_or(Function::ALL.to_vec(), |function| vec![function.function()]);
    let of_this_machine = |function: Function| {
        let real = function.of_this_machine();
        let found = if args.all {
            let (count, input) = function.every_input();
            compare(function, count, &|k| (input(k), real(input(k))))
        } else {
            compare(function, 1 << 24, &|k| {
                (function.input(k), real(function.input(k)))
            })
        };
        (function, found)
    };
    Ok(answer(
        &functions.into_iter().map(of_this_machine).collect::<Vec<_>>(),
    ))
}

impl FunctionArg {
    const fn function(self) -> Function {
        match self {
            Self::Logf => Function::Logf,
            Self::Sinf => Function::Sinf,
            Self::Cosf => Function::Cosf,
        }
    }
}

/// Prints the result for each function. A function that matches no known sequence sets the exit status to 1.
fn answer(found: &[(Function, Vec<Comparison>)]) -> Exit {
    let mut text = String::new();
    for (function, comparisons) in found {
        text.push_str(&words(*function, comparisons));
    }
    io::print(&text);
    let known =
        |(_, comparisons): &(Function, Vec<Comparison>)| comparisons.iter().any(|it| it.differing == 0);
    if found.iter().all(known) {
        Exit::Conforms
    } else {
        Exit::DoesNotConform
    }
}

fn words(function: Function, comparisons: &[Comparison]) -> String {
    let name = function.name();
    let (same, others): (Vec<_>, Vec<_>) = comparisons.iter().partition(|it| it.differing == 0);
    let mut text = match same.first() {
        None => format!("{name} matches none of the known sequences\n"),
        Some(first) => {
            // Few inputs do not tell all sequences apart.
            let names: Vec<&str> = same.iter().map(|it| it.sequence).collect();
            format!(
                "{name} is that of {}, on all {} inputs\n",
                names.join("; or of "),
                first.compared
            )
        }
    };
    for other in others {
        let Some(first) = &other.first else { continue };
        let (sequence, differing, compared) = (other.sequence, other.differing, other.compared);
        writeln!(
            text,
            "  not {sequence}: {differing} of {compared} differ, the first {}",
            apart(name, first)
        )
        .expect("a String takes every write");
    }
    text
}

/// `logf(0.5) = -0.6931472 (0xbf317218), there -0.6931471 (0xbf317217), 1 ulp`.
fn apart(name: &str, apart: &Apart) -> String {
    let Apart {
        input, given, known, ..
    } = apart;
    // Floats of one sign are in the order of their bits.
    let distance = if given.is_nan() || known.is_nan() || given.is_sign_negative() != known.is_sign_negative()
    {
        String::new()
    } else {
        let ulps = given.to_bits().abs_diff(known.to_bits());
        format!(", {ulps} {}", plural(ulps, ["ulp", "ulps"]))
    };
    let (given_bits, known_bits) = (given.to_bits(), known.to_bits());
    format!(
        "{name}({input:?}) = {given:?} ({given_bits:#010x}), there {known:?} ({known_bits:#010x}){distance}"
    )
}

/// The pairs of a file.
fn pairs(function: Function, file: &[u8]) -> Result<Vec<(f32, f32)>, String> {
    let text = str::from_utf8(file).ok().filter(|text| !text.contains('\0'));
    let elements = match (npy::read(file), text) {
        (Ok(array), _) => array.tensor.count(),
        (_, Some(text)) => text
            .split(|c: char| c.is_whitespace() || "[](),".contains(c))
            .filter(|word| !word.is_empty())
            .count(),
        _ => file.len() / 4,
    };
    if elements == 0 || !elements.is_multiple_of(2) {
        return Err(format!(
            "{elements} numbers: expected pairs of an input and its result"
        ));
    }
    let extents = [elements / 2, 2].map(|extent| u64::try_from(extent).unwrap_or(u64::MAX));
    let shape = Shape::new(&extents).map_err(|error| error.to_string())?;
    let read = dump::read(
        file,
        &Form {
            dtype: Dtype::F32,
            shape: &shape,
        },
    )?;
    if read.within.is_some() {
        // Sequences differ in the last bit, which a rounded decimal has lost.
        io::note("the numbers are taken for the nearest f32: print nine digits, as %.9g does, or their bits");
    } else {
        for note in &read.notes {
            io::note(note);
        }
    }
    let elements: Vec<f32> = read.output.elements().expect("it was read as f32").collect();
    let pairs: Vec<(f32, f32)> = elements
        .as_chunks()
        .0
        .iter()
        .map(|&[input, result]| (input, result))
        .collect();
    match pairs.iter().position(|(input, _)| !function.takes(*input)) {
        Some(index) => Err(format!(
            "input {index} is {:?}, where no sequence of {} is known",
            pairs[index].0,
            function.name()
        )),
        None => Ok(pairs),
    }
}
