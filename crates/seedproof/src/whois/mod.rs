//! Who drew an array: the readings, mistakes and streams that reproduce it from a seed.
//!
//! An array and a seed do not determine a request. Every op is therefore asked in every way that its description allows
//! ([`Sought::requests`]). Each reading answers, and those that reproduce every element are named. An agreement is
//! evidence only if it has more bits than the logarithm of the number of attempts, so that an array of few bits has no
//! certain answer.

mod answer;
mod arranged;
mod asked;
mod begun;
mod bounds;
mod cards;
mod choice;
mod compared;
mod conversion;
mod derived;
mod edits;
mod elements;
mod evidence;
mod first;
mod flax;
mod generator;
mod known;
mod nearest;
mod numbers;
mod pairs;
mod parts;
mod python;
mod requests;
mod sampled;
mod scaled;
mod scan;
mod search;
mod seen;
mod shuffled;
mod slices;
mod sought;
mod source;
mod sources;
mod standard_library;
mod streams;
#[cfg(test)]
mod tests;
mod token_keys;
mod token_shares;
mod tokens;
mod twister;
mod values;
mod who;
mod zeroed;

pub use answer::{Answer, Draw, Near, outside};
pub use asked::{who_drew, who_drew_parts};
pub use evidence::lacking;
pub use known::{diagnosed, is_decided, likeliest, narrowed, of_request, streams_of};
pub use parts::MOST_ELEMENTS;
pub use sampled::{Sampled, SampledWith};
pub use scan::Searched;
pub use search::{MAX_SEEDS_ASKED, beside, search};
pub use sought::{Known, Sought};
pub use streams::{Stream, streams};
pub use tokens::{NearSampler, Sampler, Samplers, who_sampled};
pub use values::{in_type, looks_normal, types};
