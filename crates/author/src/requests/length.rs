//! Short requests with mistakes, and long ones without.

use proptest::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Length {
    /// A few elements, and mistakes.
    Short,
    /// Up to 70,000 elements, and no mistakes.
    Long,
}

/// Mostly `usual`, now and then something else, unless the request is a long one.
pub(super) fn mostly<T: std::fmt::Debug + Clone + 'static>(
    length: Length,
    usual: impl Strategy<Value = T> + 'static,
    other: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<T> {
    match length {
        Length::Short => prop_oneof![24 => usual, 1 => other].boxed(),
        Length::Long => usual.boxed(),
    }
}

/// A value, which may be absent where it is not required; a long request has it only where it must.
pub(super) fn optional<T: std::fmt::Debug + Clone + 'static>(
    required: bool,
    length: Length,
    value: BoxedStrategy<T>,
) -> BoxedStrategy<Option<T>> {
    match (required, length) {
        (true, _) => value.prop_map(Some).boxed(),
        (false, Length::Short) => prop::option::weighted(0.25, value).boxed(),
        (false, Length::Long) => Just(None).boxed(),
    }
}

pub(super) fn long_extent() -> impl Strategy<Value = u64> {
    prop_oneof![1..300_u64, 16_000..17_000_u64, 65_000..70_000_u64]
}
