//! The languages of starters: how each declares the arguments of a kernel, and reads them from a request.

use clap::ValueEnum;
use seedproof_ops::{AttributeInfo, InputInfo, Kind, Op};

use super::argument::{Argument, Listed, listed, names};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// Python 3, no packages
    Python,
    /// C11
    C,
    /// C++17
    #[value(alias = "c++")]
    Cpp,
    /// Rust
    Rust,
    /// JavaScript for Node 16, no packages
    #[value(alias = "js", alias = "node")]
    Javascript,
    /// Go 1.18, no modules
    Go,
}

impl Language {
    /// A name of the op's document as the language writes it.
    pub(super) fn name(self, name: &str) -> String {
        let is_camel = matches!(self, Self::Javascript | Self::Go);
        // JAX and PyTorch use keywords of Rust and of Python.
        match (self, name) {
            (Self::Rust, "impl") => return "r#impl".to_owned(),
            (Self::Python, "from") => return "from_".to_owned(),
            _ => {}
        }
        let mut words = name.split('_');
        let first = words.next().unwrap_or_default().to_owned();
        words.fold(first, |text, word| match word.split_at_checked(1) {
            Some((initial, rest)) if is_camel => text + &initial.to_uppercase() + rest,
            _ => text + "_" + word,
        })
    }

    /// The op and its extras as a capability. In C it stands in a string.
    pub(super) fn capability(self, op: &Op) -> String {
        let features: Vec<String> = op.features().map(|name| format!("\"{name}\"")).collect();
        let features = match (features.join(", "), self) {
            (list, _) if list.is_empty() => String::new(),
            (list, Self::Go) => format!(", \"features\": []string{{{list}}}"),
            (list, Self::Javascript) => format!(", features: [{list}]"),
            (list, _) => format!(", \"features\": [{list}]"),
        };
        match self {
            Self::Javascript => format!("{{ op: \"{}\"{features} }}", op.name),
            Self::C => format!("{{\"op\": \"{}\"{features}}}", op.name).replace('"', "\\\""),
            _ => format!("{{\"op\": \"{}\"{features}}}", op.name),
        }
    }

    /// The fields of a structure of the arguments, each under its comment. Python and JavaScript have none.
    pub(super) fn declarations(self, arguments: &[Argument]) -> Vec<String> {
        let each = arguments.iter().flat_map(|argument| {
            let document = argument.document();
            let comment = match self {
                Self::C => format!("/* {document} */"),
                Self::Cpp | Self::Rust => format!("/// {document}"),
                _ => format!("// {document}"),
            };
            let name = self.name(argument.name());
            let declared = match (self, argument) {
                (Self::C, Argument::Attribute(info)) => in_c(info),
                (Self::Cpp, Argument::Attribute(info)) => in_cpp(info),
                (Self::C | Self::Cpp, Argument::Input(_)) => format!("sp_tensor {name};"),
                (Self::Rust, argument) => format!("{name}: {},", in_rust(argument)),
                (Self::Go, argument) => format!("{name} {}", in_go(argument)),
                (Self::Python | Self::Javascript, _) => return Vec::new(),
            };
            let declared = declared.lines().map(str::to_owned);
            [comment].into_iter().chain(declared).collect()
        });
        each.collect()
    }

    /// The lines that read the arguments, attributes first.
    pub(super) fn readings(self, arguments: &[Argument]) -> Vec<String> {
        let lengths = arguments.iter().map(|argument| self.name(argument.name()).len());
        // As gofmt has it: the values stand in one column.
        let width = lengths.max().unwrap_or(0) + 1;
        let each = arguments.iter().map(|argument| {
            let read = match argument {
                Argument::Attribute(info) => self.attribute(info),
                Argument::Input(info) => self.input(info),
            };
            let name = self.name(argument.name());
            match self {
                Self::Python => format!("{name}={read},"),
                Self::C | Self::Cpp => match argument {
                    Argument::Attribute(info) if self == Self::C && matches!(info.kind, Kind::Extents(_)) => {
                        format!("a.{name}_rank = {read};")
                    }
                    _ => format!("a.{name} = {read};"),
                },
                Self::Rust | Self::Javascript => format!("{name}: {read},"),
                Self::Go => format!("{:width$} {read},", name + ":"),
            }
        });
        each.collect()
    }

    /// What reads an attribute.
    fn attribute(self, info: &AttributeInfo) -> String {
        let name = info.name;
        if let Some(names) = names(info.kind) {
            let (quoted, spaced) = (quoted(&names), names.join(" "));
            return match self {
                Self::Python => format!("request.one_of(\"{name}\", {quoted})"),
                Self::C | Self::Cpp => format!("sp_one_of(request, reply, \"{name}\", \"{spaced}\")"),
                Self::Rust => format!("request.one_of(\"{name}\", &[{quoted}])?"),
                Self::Javascript => format!("oneOf(request, \"{name}\", {quoted})"),
                Self::Go => format!("request.OneOf(\"{name}\", {quoted})"),
            };
        }
        match (self, info.kind) {
            (Self::Python, Kind::Seed | Kind::Number(_)) => format!("request.number(\"{name}\")"),
            (Self::Javascript, Kind::Seed | Kind::Number(_)) => format!("number(request, \"{name}\")"),
            (Self::Python | Self::Javascript, _) => format!("request.attrs[\"{name}\"]"),
            (Self::C | Self::Cpp, Kind::Seed) => format!("sp_seed(request, \"{name}\")"),
            (Self::C | Self::Cpp, Kind::Number(_)) => format!("sp_text(request, \"{name}\")"),
            (Self::C, Kind::Extents(_)) => format!("sp_sizes(request, \"{name}\", a.{name})"),
            (Self::Cpp, Kind::Extents(_)) => format!("sizes(request, \"{name}\")"),
            (Self::C | Self::Cpp, _) => format!("sp_flag(request, \"{name}\")"),
            (Self::Rust, Kind::Seed) => format!("request.seed(\"{name}\")"),
            (Self::Rust, Kind::Number(_)) if info.required => format!("request.number(\"{name}\")?"),
            (Self::Rust, Kind::Number(_)) => format!("request.optional_number(\"{name}\")?"),
            (Self::Rust, Kind::Extents(_)) => format!("request.sizes(\"{name}\")"),
            (Self::Rust, _) => format!("request.flag(\"{name}\")"),
            (Self::Go, Kind::Seed) => format!("request.Seed(\"{name}\")"),
            (Self::Go, Kind::Number(_)) => format!("request.Number(\"{name}\")"),
            (Self::Go, Kind::Extents(_)) => format!("request.Sizes(\"{name}\")"),
            (Self::Go, _) => format!("request.Flag(\"{name}\")"),
        }
    }

    /// What reads an input of the op's types and numbers of extents.
    fn input(self, info: &InputInfo) -> String {
        let name = info.name;
        let (least, greatest) = (info.ranks.start(), info.ranks.end());
        let types = listed(info.dtypes);
        let c = if info.required { "sp_typed" } else { "sp_optional" };
        let rust = if info.required {
            "tensor"
        } else {
            "optional_tensor"
        };
        let (quoted, spaced) = match &types {
            Listed::Names(names) => (quoted(names), format!("\"{}\"", names.join(" "))),
            Listed::Attribute(of) => (
                match self {
                    Self::Rust => format!("request.text(\"{of}\")"),
                    Self::Go => format!("request.Text(\"{of}\")"),
                    _ => format!("request.attrs[\"{of}\"]"),
                },
                format!("sp_text(request, \"{of}\")"),
            ),
        };
        match self {
            Self::Python => format!("request.tensor(\"{name}\", [{quoted}], {least}, {greatest})"),
            Self::C | Self::Cpp => {
                format!("{c}(request, reply, \"{name}\", {spaced}, {least}, {greatest})")
            }
            Self::Rust => format!("request.{rust}(\"{name}\", &[{quoted}], {least}..={greatest})?"),
            Self::Javascript => format!("tensor(request, \"{name}\", [{quoted}], {least}, {greatest})"),
            Self::Go => format!("request.Tensor(\"{name}\", {least}, {greatest}, {quoted})"),
        }
    }
}

/// `"a", "b"`.
fn quoted(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    quoted.join(", ")
}

/// A number of 128 bits is decimal text here.
fn in_c(info: &AttributeInfo) -> String {
    let name = info.name;
    match info.kind {
        Kind::Seed => format!("uint64_t {name};"),
        Kind::Boolean | Kind::WithOutput => format!("int {name};"),
        Kind::Extents(_) => format!("uint64_t {name}[SP_MAX_RANK];\nsize_t {name}_rank;"),
        Kind::Enumeration(_) | Kind::Dtype(_) | Kind::Number(_) => format!("const char *{name};"),
    }
}

fn in_cpp(info: &AttributeInfo) -> String {
    let form = match info.kind {
        Kind::Seed => "uint64_t",
        Kind::Boolean | Kind::WithOutput => "bool",
        Kind::Extents(_) => "std::vector<uint64_t>",
        Kind::Enumeration(_) | Kind::Dtype(_) | Kind::Number(_) => "std::string",
    };
    format!("{form} {};", info.name)
}

const fn in_rust(argument: &Argument) -> &'static str {
    match argument {
        Argument::Attribute(info) => match (info.kind, info.required) {
            (Kind::Seed, _) => "u64",
            (Kind::Boolean | Kind::WithOutput, _) => "bool",
            (Kind::Extents(_), _) => "Vec<u64>",
            (Kind::Number(_), true) => "i128",
            (Kind::Number(_), false) => "Option<i128>",
            (Kind::Enumeration(_) | Kind::Dtype(_), _) => "String",
        },
        Argument::Input(info) if info.required => "seedproof_adapter::Tensor",
        Argument::Input(_) => "Option<seedproof_adapter::Tensor>",
    }
}

const fn in_go(argument: &Argument) -> &'static str {
    match argument {
        Argument::Attribute(info) => match info.kind {
            Kind::Seed => "uint64",
            Kind::Boolean | Kind::WithOutput => "bool",
            Kind::Extents(_) => "[]uint64",
            Kind::Number(_) => "Number",
            Kind::Enumeration(_) | Kind::Dtype(_) => "string",
        },
        Argument::Input(_) => "Tensor",
    }
}
