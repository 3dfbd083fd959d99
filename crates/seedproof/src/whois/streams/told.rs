//! What is said of a stream in which an array stands.

use crate::whois::numbers::EVIDENCE;
use crate::whois::source::Named;

/// A stream in which an array stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Stream {
    /// A short name: `mt19937 + words dropped`.
    pub name: String,
    /// The generator with its seed, the conversion, and what else happened to the stream.
    pub sentence: String,
    /// The number of elements that it explains.
    pub elements: usize,
    /// The number of elements of the array.
    pub of: usize,
    /// Whether the array follows the stream to its end, with the edits that the sentence names.
    pub is_followed: bool,
    /// The number of other conversions that have the same elements.
    pub ties: usize,
    /// The bits of agreement, less those of parameters that were computed from the array.
    pub bits: f64,
    /// The number of attempts up to this one.
    pub attempts: f64,
    /// The numbers that were read off the array: a place in the stream, bounds, a mean. Of two explanations of equally many
    /// elements, the one with fewer parameters comes first.
    pub parameters: usize,
}

impl Stream {
    /// A stream that explains all `of` elements. Of the two numbers the first is the bits of agreement, and the second the attempts.
    pub(in crate::whois) const fn whole(
        name: String,
        sentence: String,
        of: usize,
        [bits, attempts]: [f64; 2],
        parameters: usize,
    ) -> Self {
        Self {
            name,
            sentence,
            elements: of,
            of,
            is_followed: true,
            ties: 0,
            bits,
            attempts,
            parameters,
        }
    }

    /// Whether the agreement is more than chance could produce in this number of attempts.
    pub fn is_certain(&self) -> bool {
        self.bits > EVIDENCE + self.attempts.max(1.0).log2()
    }

    /// Whether every element is explained.
    pub const fn is_whole(&self) -> bool {
        self.elements == self.of
    }
}

/// A stream with all elements, in the parts of its sentence.
#[derive(Clone)]
pub(super) struct Told {
    pub(super) name: String,
    /// The generator with its seed.
    pub(super) source: String,
    /// The conversion to elements.
    pub(super) what: String,
    /// What else happened to the stream.
    pub(super) rest: String,
    /// Whether the conversion is that of the generator's framework.
    pub(super) is_usual: bool,
    pub(super) bits: f64,
    pub(super) parameters: usize,
}

impl Told {
    pub(super) fn of(named: &Named, kind: &str, what: String, bits: f64, parameters: usize) -> Self {
        Self {
            name: format!("{}{kind}", named.name),
            source: format!("{}: ", named.sentence),
            what,
            rest: String::new(),
            is_usual: false,
            bits,
            parameters,
        }
    }
}
