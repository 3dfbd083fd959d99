//! The generated part of the corpus: requests on a grid, without their expectations.
//!
//! Each module makes the drafts of one op; the generator asks the oracle for the expectations and writes the
//! files. Nothing here is random and nothing reads a clock: the same build makes the same drafts. What does not
//! belong here is anything that somebody else computed; examples, known answers and captures are kept files.

mod bit_generator;
mod bit_generator_refusals;
mod dml;
mod draft;
mod exact_cases;
mod extents;
mod key_counter;
mod margin;
mod memory;
mod multinomial;
mod multinomial_exact;
mod pairwise;
mod philox_draws;
mod philox_keys;
mod philox_randint;
mod philox_uniform;
mod random_uniform;
mod ranges;
mod refusals;
mod request;
mod stateless;
mod stateless_streams;

pub use draft::{Draft, GridFile, Planned};
use seedproof_ops::{Backend, Request};

/// Every generated file. Margins are measured against the oracle's draws and samples.
pub fn files(oracle: &dyn Backend) -> Vec<GridFile> {
    let mut files = refusals::files();
    files.extend(random_uniform::files());
    files.extend(memory::files());
    files.extend(multinomial::files(oracle));
    files.push(multinomial_exact::file(oracle));
    files.extend(dml::files());
    files.extend(bit_generator::files());
    files.push(bit_generator_refusals::file());
    files.push(key_counter::file());
    files.extend(philox_keys::files());
    files.push(philox_uniform::file());
    files.push(philox_randint::file());
    files.extend(stateless::files());
    files
}

/// The parts of a case's id between the op and the topic, each where the request decides it.
pub(crate) fn id_parts(request: &Request) -> Vec<Option<String>> {
    match request {
        Request::RandomUniform(request) => random_uniform::id_parts(request),
        Request::Multinomial(request) => multinomial::id_parts(request),
        Request::DmlRandomGenerator(request) => dml::id_parts(request),
        Request::RngBitGenerator(request) => bit_generator::id_parts(request),
        Request::StatelessRandomGetKeyCounter(request) => key_counter::id_parts(request),
        Request::PhiloxUniform(request) => philox_draws::id_parts(&request.output_type),
        Request::PhiloxRandint(request) => philox_draws::id_parts(&request.output_type),
        Request::StatelessRandomUniform(request) => stateless::id_parts(&request.output_type),
        Request::StatelessRandomUniformInt(request) => stateless::id_parts(&request.output_type),
        Request::StatelessRandomUniformFullInt(request) => stateless::id_parts(&request.output_type),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use seedproof_ops::{BackendId, Failure, Response, Support};

    use super::*;

    /// Answers nothing, so that drafts are made without their margins.
    struct Silent(BackendId);

    impl Backend for Silent {
        fn id(&self) -> &BackendId {
            &self.0
        }

        fn supports(&self, _request: &Request) -> Support {
            Support::No("silent".to_owned())
        }

        fn run(&self, _request: &Request) -> Result<Response, Failure> {
            Err(Failure::Unsupported("silent".to_owned()))
        }
    }

    fn drafts() -> Vec<Draft> {
        files(&Silent(BackendId::new("silent")))
            .into_iter()
            .flat_map(|file| file.drafts)
            .collect()
    }

    #[test]
    fn grid_ids_are_unique() {
        let drafts = drafts();
        let ids: BTreeSet<_> = drafts.iter().map(|draft| &draft.id).collect();
        assert_eq!(ids.len(), drafts.len());
    }

    #[test]
    fn grid_ids_begin_with_their_op_and_type() {
        for draft in drafts() {
            let parts: Vec<&str> = draft.id.as_str().split('/').collect();
            assert_eq!(parts[0], draft.request.description().prefix, "{}", draft.id);
            let expected = id_parts(&draft.request);
            assert_eq!(parts.len(), expected.len() + 2, "{}", draft.id);
            for (part, expected) in parts[1..].iter().zip(expected) {
                assert!(expected.is_none_or(|expected| expected == *part), "{}", draft.id);
            }
            assert!(!draft.clauses.is_empty(), "{}", draft.id);
        }
    }

    #[test]
    fn grid_has_few_large_cases() {
        let large = drafts()
            .iter()
            .filter_map(|draft| draft.request.output_form())
            .filter(|(_, dims)| dims.iter().copied().fold(1, u64::saturating_mul) > 65_537)
            .count();
        assert!(large <= 20, "{large}");
    }

    #[test]
    fn grid_covers_every_type_in_every_size() {
        let drafts = drafts();
        for alignment in ["tensorflow", "pytorch"] {
            for dtype in ["f16", "bf16", "f32", "f64", "i32", "i64"] {
                for size in ["-0-", "-1-", "-623-", "-65537-", "-1000003-"] {
                    let start = format!("ru8/{alignment}/{dtype}/pairs-");
                    assert!(
                        drafts
                            .iter()
                            .any(|d| d.id.as_str().starts_with(&start) && d.id.as_str().contains(size)),
                        "{start}…{size}"
                    );
                }
            }
        }
    }
}
