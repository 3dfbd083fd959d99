//! `seedproof same`: whether two arrays have the same bits, and where they part.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use seedproof_check::ulps;
use seedproof_ops::{NanRule, Scalar, Tensor};
use seedproof_report::plural;

use crate::exit::{CommandResult, Error, Exit};
use crate::nan::NanArgs;
use crate::{dump, io};
use seedproof_read::{self as read, Opened};

#[derive(Debug, Args)]
pub(crate) struct SameArgs {
    /// An array: .npy, .npz, .safetensors or .pt, `-` for standard input
    pub(crate) one: PathBuf,
    /// Another of its type and shape
    pub(crate) other: PathBuf,
    /// Print at most this many of the elements that differ
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) elements: usize,
    #[command(flatten)]
    pub(crate) nan: NanArgs,
}

/// `seedproof same`.
pub(crate) fn same(args: &SameArgs) -> CommandResult {
    let (one, other) = (array(&args.one)?, array(&args.other)?);
    if (one.dtype(), one.shape()) != (other.dtype(), other.shape()) {
        return Err(Error::Usage(format!(
            "the arrays differ in type or shape: {} is {}, {} is {}",
            args.one.display(),
            form(&one),
            args.other.display(),
            form(&other)
        )));
    }
    let text = compared(&one, &other, args.nan.rule(), args.elements);
    io::print(&text.clone().unwrap_or_else(|| alike(&one, &other)));
    Ok(if text.is_none() {
        Exit::Conforms
    } else {
        Exit::DoesNotConform
    })
}

/// What is said of arrays that do not differ under the rule for NaNs.
fn alike(one: &Tensor, other: &Tensor) -> String {
    let pairs = one.scalars().zip(other.scalars());
    let nans = pairs.filter(|(a, b)| a.bits() != b.bits()).count();
    let count = elements(one.count());
    if nans == 0 {
        return format!("the same bits: {count}\n");
    }
    format!(
        "the same values: {count}; the bits of {nans} NaN differ, which --strict-nan takes for a difference\n"
    )
}

fn array(file: &Path) -> Result<Tensor, Error> {
    let bytes = if file.as_os_str() == "-" {
        io::read_standard_input()?
    } else {
        io::read_bytes(file)?
    };
    // Text has no element type of its own, without which there are no bits to compare.
    let read = read::open(&bytes).and_then(|opened| match opened {
        Opened::Arrays(arrays) => dump::one(arrays, None),
        Opened::Text(_) | Opened::Bytes(_) => {
            Err("expected an array with a type: .npy, .npz, .safetensors or .pt".to_owned())
        }
    });
    Ok(read
        .map_err(|error| Error::Usage(format!("failed to read {}: {error}", file.display())))?
        .tensor)
}

fn form(tensor: &Tensor) -> String {
    format!("{} {:?}", tensor.dtype(), tensor.shape().dims())
}

/// Where two arrays of one type and shape differ: how many elements do, and the first of them with the bits and the values
/// of both. `None` if none does.
fn compared(one: &Tensor, other: &Tensor, nan: NanRule, shown: usize) -> Option<String> {
    let first = nan.first_difference(one, other)?;
    let pairs = (first..one.count()).filter_map(|at| Some((at, one.get(at)?, other.get(at)?)));
    let differing = pairs.filter(|(_, a, b)| !nan.same_element(*a, *b));
    let (mut count, mut most, mut rows) = (0_usize, Some(0), String::new());
    for (at, a, b) in differing {
        count += 1;
        let distance = ulps(a, b);
        most = most.zip(distance).map(|(most, distance)| distance.max(most));
        if count <= shown {
            let distance = distance.map_or(String::new(), |ulps| format!("  {}", counted(ulps)));
            let index = index(at, one.shape().dims());
            writeln!(rows, "  {index}  {}  {}{distance}", element(a), element(b))
                .expect("a String takes every write");
        }
    }
    let verb = plural(count, ["differs", "differ"]);
    let total = elements(one.count());
    let by = most.map_or(String::new(), |most| format!(", by at most {}", counted(most)));
    let mut text = format!("{count} of {total} {verb}{by}\n{rows}");
    if count > shown {
        writeln!(text, "  … and {} more", count - shown).expect("a String takes every write");
    }
    Some(text)
}

fn counted(ulps: u64) -> String {
    format!("{ulps} {}", plural(ulps, ["ulp", "ulps"]))
}

fn elements(count: usize) -> String {
    format!("{count} {}", plural(count, ["element", "elements"]))
}

fn element(scalar: Scalar) -> String {
    let digits = 2 * scalar.dtype().size();
    format!("{:0digits$x} {}", scalar.bits(), scalar.decimal())
}

/// The place of an element in its array: `[2, 0]`.
fn index(mut at: usize, dims: &[usize]) -> String {
    let mut places = Vec::new();
    for extent in dims.iter().rev() {
        places.push((at % extent).to_string());
        at /= extent;
    }
    places.reverse();
    format!("[{}]", places.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_that_differ_are_shown_where_they_part() {
        let one = Tensor::vector(&[1.0_f32, 2.0, 0.0]);
        let other = Tensor::vector(&[1.0_f32, 2.000_000_2, -0.0]);
        assert_eq!(
            compared(&one, &other, NanRule::Class, 1).as_deref(),
            Some(
                "2 of 3 elements differ, by at most 1 ulp\n  [1]  40000000 2  40000001 2.0000002  1 ulp\n  … and 1 more\n"
            )
        );
        assert_eq!(
            compared(&one, &other, NanRule::Class, 2).as_deref(),
            Some(
                "2 of 3 elements differ, by at most 1 ulp\n  [1]  40000000 2  40000001 2.0000002  1 ulp\n  \
                 [2]  00000000 0  80000000 -0  0 ulps\n"
            )
        );
        assert_eq!(compared(&one, &one, NanRule::Class, 1), None);
        assert_eq!(index(7, &[2, 3, 2]), "[1, 0, 1]");
        assert_eq!(index(0, &[]), "[]");
    }
}
