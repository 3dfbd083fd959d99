//! The WGSL files, and which of them make a module.

use std::borrow::Cow;

/// A file of kernels and its text.
type File = (&'static str, Cow<'static, str>);

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        [$(($name, Cow::Borrowed(include_str!(concat!("wgsl/", $name))))),*]
    };
}

/// The kernels that a backend runs: those that ship, or others in their place, for measurements and for
/// backends that are wrong on purpose.
#[derive(Clone, Debug)]
pub struct Kernels(Vec<File>);

impl Kernels {
    /// The kernels that ship: `wgsl/*.wgsl`, without a floating-point type.
    pub fn shipped() -> Self {
        let files: [File; 20] = shipped![
            "bits.wgsl",
            "counted.wgsl",
            "fill.wgsl",
            "float16.wgsl",
            "float32.wgsl",
            "float64.wgsl",
            "fused.wgsl",
            "keyed.wgsl",
            "listed.wgsl",
            "mt19937.wgsl",
            "multinomial.wgsl",
            "one.wgsl",
            "pairs.wgsl",
            "philox.wgsl",
            "probe.wgsl",
            "rule.wgsl",
            "stored.wgsl",
            "stream.wgsl",
            "sums.wgsl",
            "threefry.wgsl",
        ];
        Self(files.into())
    }

    /// The files' names and texts.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().map(|(name, text)| (*name, text.as_ref()))
    }

    /// These kernels with another text for one file, made from the text that it has.
    ///
    /// # Panics
    /// If there is no such file.
    #[must_use]
    pub fn with(mut self, file: &str, change: impl FnOnce(&str) -> String) -> Self {
        let (_, text) = self
            .0
            .iter_mut()
            .find(|(name, _)| *name == file)
            .expect("the file is one of the kernels");
        *text = Cow::Owned(change(text));
        self
    }

    /// These kernels and one more file.
    #[cfg(test)]
    pub(crate) fn and(mut self, file: &'static str, text: String) -> Self {
        self.0.push((file, Cow::Owned(text)));
        self
    }

    /// The text of a module: its files one after another.
    pub(crate) fn source(&self, module: Module) -> String {
        let text = |name: &&str| self.files().find(|(file, _)| file == name).map(|(_, text)| text);
        let texts: Vec<&str> = module.files().concat().iter().filter_map(text).collect();
        texts.join("\n")
    }
}

/// Kernels that are compiled together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Module {
    /// Fills from one stream of Philox.
    Philox,
    /// Fills from sums of two streams of Philox.
    PhiloxSums,
    /// Fills from a stream of Philox for each of some keys.
    Keyed,
    /// Fills from Threefry in the order of XLA.
    Pairs,
    /// Fills from Threefry in the orders of JAX.
    Counted,
    /// Fills from sums of two streams of Threefry in the orders of JAX.
    CountedSums,
    /// Fills from a block of Threefry for each of some numbers.
    Listed,
    /// Fills from words that MT19937 has written.
    Stored,
    /// The words of MT19937.
    Mt19937,
    /// Sampling of classes.
    Multinomial,
    /// The number of steps that the driver lets a loop take.
    Probe,
    /// One function of the arithmetic, applied to every pair of two lists.
    #[cfg(test)]
    Applied,
}

/// The arithmetic of values: integers of 64 bits, and floats in integers.
const ARITHMETIC: &[&str] = &[
    "bits.wgsl",
    "float32.wgsl",
    "float16.wgsl",
    "float64.wgsl",
    "fused.wgsl",
];

/// Streams of Philox.
const PHILOX: &[&str] = &["philox.wgsl", "stream.wgsl"];

/// Streams of Threefry in the orders of JAX.
const COUNTED: &[&str] = &["threefry.wgsl", "counted.wgsl"];

/// The conversions, which every source of words shares.
const FILL: &[&str] = &["rule.wgsl", "fill.wgsl"];

impl Module {
    /// Its files, group after group.
    const fn files(self) -> &'static [&'static [&'static str]] {
        match self {
            Self::Philox => &[ARITHMETIC, PHILOX, &["one.wgsl"], FILL],
            Self::PhiloxSums => &[ARITHMETIC, PHILOX, &["sums.wgsl"], FILL],
            Self::Keyed => &[ARITHMETIC, &["philox.wgsl", "keyed.wgsl"], FILL],
            Self::Pairs => &[ARITHMETIC, &["threefry.wgsl", "pairs.wgsl"], FILL],
            Self::Counted => &[ARITHMETIC, COUNTED, &["one.wgsl"], FILL],
            Self::CountedSums => &[ARITHMETIC, COUNTED, &["sums.wgsl"], FILL],
            Self::Listed => &[ARITHMETIC, &["threefry.wgsl", "listed.wgsl"], FILL],
            Self::Stored => &[ARITHMETIC, &["stored.wgsl"], FILL],
            Self::Mt19937 => &[&["mt19937.wgsl"]],
            Self::Multinomial => &[&["bits.wgsl", "float64.wgsl", "multinomial.wgsl"]],
            Self::Probe => &[&["probe.wgsl"]],
            #[cfg(test)]
            Self::Applied => &[ARITHMETIC, &["applied.wgsl"]],
        }
    }
}

/// A kernel: an entry point of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Entry {
    pub(crate) module: Module,
    pub(crate) name: &'static str,
}
