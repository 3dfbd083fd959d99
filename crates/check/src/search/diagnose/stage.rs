/// A stage of the search for the causes of a case, in order of cost. Their order here is the one in which a diagnosis
/// lists what was tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    Readings,
    Mistakes,
    Members,
    Partly,
    Structures,
    Streams,
    Pairs,
    Triples,
}

impl Stage {
    pub(super) const fn what(self) -> &'static str {
        match self {
            Self::Readings => "readings",
            Self::Mistakes => "mistakes",
            Self::Members => "mistakes with a parameter",
            Self::Partly => "mistakes in a part of the output",
            Self::Structures => "sorts of structure",
            Self::Streams => "mistakes with a structure",
            Self::Pairs => "pairs of mistakes",
            Self::Triples => "triples of mistakes",
        }
    }
}
