//! The options of an op's request.

use clap::{Arg, ArgAction, Command};
use seedproof_ops::{AttributeInfo, InputInfo, Kind, Op, OpName, Role, Types, did_you_mean};

pub(super) const SEEDS: &str = "seeds";
pub(super) const RANGE: &str = "range";
const SHAPE: &str = "shape";
const DTYPE: &str = "dtype";
const SEED: &str = "seed";
pub(super) const EXECUTION: &str = "execution";

/// The command of an op: an option for every attribute and input.
pub(crate) fn command(op: OpName) -> Command {
    let description = op.description();
    let mut command = Command::new(description.prefix)
        .visible_alias(description.name)
        .about(description.title);
    for info in description.attributes {
        command = command.arg(attribute_option(description, info));
    }
    for info in description.inputs {
        command = command.arg(input_option(description, info));
    }
    let [seeds, bounds] = [seeds(description), bounds(description)];
    if seeds.len() > 1 {
        command = command.arg(
            option(SEEDS, "N,N")
                .help(format!("All seeds: {}", seeds.join(", ")))
                .conflicts_with_all(&seeds),
        );
    }
    if bounds.len() > 1 {
        command = command.arg(
            option(RANGE, "LOW,HIGH")
                .help(format!("Both bounds: {}", bounds.join(", ")))
                .conflicts_with_all(&bounds),
        );
    }
    if description.successive {
        command = command.arg(
            option(EXECUTION, "N")
                .help("Which successive execution of one op instance, from 0")
                .value_parser(clap::value_parser!(u32))
                .default_value("0"),
        );
    }
    command
}

fn option(name: &'static str, value: &'static str) -> Arg {
    // Numbers may be negative.
    Arg::new(name)
        .long(name)
        .value_name(value)
        .allow_hyphen_values(true)
}

/// The names of the seeds.
pub(super) fn seeds(op: &Op) -> Vec<&'static str> {
    let seeds = op.attributes.iter().filter(|info| info.kind == Kind::Seed);
    seeds.map(|info| info.name).collect()
}

/// The names of the lower and the upper bound; empty for an op that lacks one.
pub(super) fn bounds(op: &Op) -> Vec<&'static str> {
    let bound = |role| {
        op.inputs
            .iter()
            .find(|info| info.role == role)
            .map(|info| info.name)
    };
    // The integer ops of JAX, NumPy and PyTorch have their bounds as attributes.
    let named = |name: &str| op.attributes.iter().map(|info| info.name).find(|it| *it == name);
    let pairs = [("low", "high"), ("minval", "maxval"), ("from", "to")];
    let pairs = pairs
        .into_iter()
        .map(|(lower, upper)| (named(lower), named(upper)));
    let of_inputs = (bound(Role::Lower), bound(Role::Upper));
    match pairs
        .chain([of_inputs])
        .find_map(|(lower, upper)| lower.zip(upper))
    {
        Some((lower, upper)) => vec![lower, upper],
        None => Vec::new(),
    }
}

/// An option with the short name, if the op has no attribute or input of that name and no other that it would suit.
fn aliased(op: &Op, arg: Arg, alias: &'static str, suits: usize) -> Arg {
    if suits == 1 && op.names().all(|name| name != alias) {
        arg.visible_alias(alias)
    } else {
        arg
    }
}

/// The other spelling of a name: `output-type`.
fn hyphened(arg: Arg, name: &str) -> Arg {
    if name.contains('_') {
        arg.alias(name.replace('_', "-"))
    } else {
        arg
    }
}

fn attribute_option(op: &'static Op, info: &'static AttributeInfo) -> Arg {
    let arg = hyphened(Arg::new(info.name).long(info.name), info.name).help(info.doc.trim());
    let of_kind = |is: fn(Kind) -> bool| op.attributes.iter().filter(|info| is(info.kind)).count();
    match info.kind {
        // A single value needs not be named.
        Kind::Enumeration([only]) => named(arg, info, &[only]).default_value(*only),
        Kind::Enumeration(names) => named(arg, info, names).required(info.required),
        Kind::Dtype(dtypes) => {
            let names: Vec<&str> = dtypes.iter().map(|dtype| dtype.name()).collect();
            let arg = named(arg, info, &names).value_name("TYPE");
            let arg = arg.required(info.required);
            aliased(op, arg, DTYPE, of_kind(|kind| matches!(kind, Kind::Dtype(_))))
        }
        Kind::Boolean | Kind::WithOutput => arg
            .num_args(0..=1)
            .default_missing_value("true")
            .default_value("false")
            .value_parser(clap::value_parser!(bool))
            .action(ArgAction::Set)
            .require_equals(true),
        Kind::Seed => {
            let arg = arg.value_name("N").allow_hyphen_values(true);
            if !info.required {
                arg
            } else if seeds(op).len() > 1 {
                arg.required_unless_present(SEEDS)
            } else {
                arg.required(true)
            }
        }
        Kind::Number(_) => {
            let arg = arg.value_name("N").allow_hyphen_values(true);
            if bounds(op).contains(&info.name) && info.required {
                arg.required_unless_present(RANGE)
            } else {
                arg.required(info.required)
            }
        }
        Kind::Extents(_) => {
            let arg = arg.value_name("N,N").required(info.required);
            let inputs = op.inputs.iter().filter(|info| info.role == Role::Extents).count();
            let suits = inputs + of_kind(|kind| matches!(kind, Kind::Extents(_)));
            aliased(op, arg, SHAPE, suits)
        }
    }
}

/// An option of one of these values, in capitals or not.
fn named(arg: Arg, info: &AttributeInfo, names: &[&'static str]) -> Arg {
    let names = names.to_vec();
    let help = format!("{} One of {}", info.doc.trim(), names.join(", "));
    let parse = move |text: &str| -> Result<String, String> {
        let name = names.iter().find(|name| name.eq_ignore_ascii_case(text));
        name.map(|&name| name.to_owned()).ok_or_else(|| {
            let nearest = did_you_mean(text, names.iter().copied());
            format!("expected one of {}{nearest}", names.join(", "))
        })
    };
    arg.value_name("NAME").help(help).value_parser(parse)
}

fn input_option(op: &'static Op, info: &'static InputInfo) -> Arg {
    let types = match info.dtypes {
        Types::OneOf(dtypes) => dtypes
            .iter()
            .map(|dtype| dtype.name())
            .collect::<Vec<_>>()
            .join(" or "),
        Types::Attribute(name) => format!("of {name}"),
    };
    let help = format!("{} {types}, {}", info.doc.trim(), info.extents);
    let arg = hyphened(option(info.name, "VALUE|@FILE.npy"), info.name).help(help);
    let arg = if bounds(op).contains(&info.name) && info.required {
        arg.required_unless_present(RANGE)
    } else {
        arg.required(info.required)
    };
    let suits = op.inputs.iter().filter(|other| other.role == info.role).count();
    match info.role {
        Role::Extents => aliased(op, arg, SHAPE, suits),
        // A number in place of a key is the seed that the key is made of.
        Role::Key { .. } => aliased(op, arg, SEED, suits),
        _ => arg,
    }
}
