//! Names the samplers that draw tokens from logits and a seed.
//!
//! A token that nearly every seed would have drawn is evidence for none of them. An agreement therefore counts for the
//! surprisal of the tokens under the softmax of their logits, and not for their number.

use seedproof_ops::{Backend, OpName, Request, standard};

use super::answer::Draw;
use super::derived::eager_op_seeds;
use super::numbers::{EVIDENCE, as_f64, choices};
use super::sampled::{PROBED, Sampled, Way, drawn};
use super::streams::Stream;
use super::token_keys::of_keys;
use super::token_shares::of_shares;
use crate::judging::Catalogue;

/// Every candidate is asked for the first tokens with at least this surprisal. One in 2^24 wrong candidates agrees on them
/// by chance, so that few are asked for the rest.
const HEAD_BITS: f64 = 24.0;

/// The most groups of candidates that are asked for all tokens: the groups that agree best on the first tokens.
const MOST_WHOLE: usize = 16;

/// A candidate that draws most of the tokens.
#[derive(Clone, Debug)]
pub struct NearSampler {
    /// The reading or the mistake.
    pub name: String,
    /// The request.
    pub request: Request,
    /// How many tokens it draws.
    pub agreeing: usize,
    /// The others: their places, and the tokens that it draws there.
    pub others: Vec<(usize, u64)>,
}

/// The samplers that may have drawn tokens.
#[derive(Clone, Debug)]
pub struct Sampler {
    /// The candidates that draw every token: readings if there are any, else mistakes.
    pub draws: Vec<Draw>,
    /// The stream of a generator whose numbers choose every token among the probabilities, where no op draws them.
    pub stream: Option<Stream>,
    /// Whether the tokens have more bits than the attempts could match by chance.
    pub certain: bool,
    /// The candidate that draws most of them, if the agreement is more than chance.
    pub nearest: Option<NearSampler>,
    /// Whether each token has the greatest logit of its row.
    pub greedy: bool,
    /// The surprisal of the tokens in bits.
    pub bits: f64,
    /// Number of attempts: requests by readings and mistakes.
    pub attempts: usize,
}

impl Sampler {
    /// The answer in a word: `named`, `greedy` where each token is its row's greatest and has too few bits for more,
    /// `possible`, `nearest` or `unknown`.
    pub const fn word(&self) -> &'static str {
        match (self.draws.is_empty(), self.certain, self.greedy) {
            (false, true, _) => "named",
            _ if self.stream.is_some() => "named",
            (_, _, true) => "greedy",
            (false, false, false) => "possible",
            (true, ..) if self.nearest.is_some() => "nearest",
            (true, ..) => "unknown",
        }
    }
}

/// The answer of candidates that agree on a probe to a request for the first tokens.
struct Begun {
    way: Way,
    /// Index in the list of requests that `way` makes.
    index: usize,
    /// The bits on which it agrees.
    agreed: f64,
    candidates: Vec<usize>,
}

/// The candidates that are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Samplers {
    /// The readings, for one of this many seeds. The mistakes take ten times longer, which is too long for many seeds. The
    /// number of seeds counts as attempts.
    OfSeeds(u64),
    /// The readings for one seed, and the mistakes if no reading draws all tokens.
    WithMistakes,
}

/// Asks all samplers of the catalogue for tokens.
///
/// ```
/// use seedproof::judging::Catalogue;
/// use seedproof::ops::{Limits, Shape, Tensor};
/// use seedproof::whois::{Sampled, SampledWith, Samplers, who_sampled};
///
/// // One row of logits for all tokens: eight of 64 classes are a little more likely.
/// let row: Vec<f32> = (0..64).map(|class| if class < 8 { 0.5 } else { 0.0 }).collect();
/// let logits = Tensor::from_elements(Shape::new(&[1, 64])?, &row)?;
/// let tokens = Tensor::vector(&[63_i64, 61, 48, 18, 1, 14, 26, 21]);
/// let with = SampledWith { temperature: 1.0, seed: 42, op_seed: 0, position: 7 };
/// let sampled = Sampled::new(&tokens, &logits, with)?;
/// let answer = who_sampled(&sampled, Samplers::WithMistakes, &Catalogue::new(Limits::default()));
/// assert_eq!(answer.word(), "named");
/// assert_eq!(answer.draws[0].names, ["spec", "vllm-0.33"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn who_sampled(sampled: &Sampled, samplers: Samplers, catalogue: &Catalogue) -> Sampler {
    standard(|| answer(sampled, samplers, catalogue))
}

fn answer(sampled: &Sampled, samplers: Samplers, catalogue: &Catalogue) -> Sampler {
    let surprisal = sampled.surprisal();
    let bits = surprisal.iter().sum();
    let mut found = Sampler {
        draws: Vec::new(),
        stream: None,
        certain: false,
        nearest: None,
        greedy: sampled.is_greedy(),
        bits,
        attempts: 0,
    };
    let readings = std::iter::once(("spec", catalogue.spec())).chain(catalogue.others());
    let seeds = match samplers {
        Samplers::OfSeeds(seeds) => as_f64(usize::try_from(seeds).unwrap_or(usize::MAX)),
        Samplers::WithMistakes => 1.0,
    };
    let search = Search {
        seeds,
        head: head(&surprisal),
        surprisal,
        probe: sampled.probe(),
        sampled,
        spec: catalogue.spec(),
        only: None,
    };
    let readings: Vec<_> = readings.collect();
    search.of_candidates(&readings, false, &mut found);
    if found.draws.is_empty() && !found.greedy && samplers == Samplers::WithMistakes && sampled.op_seed == 0 {
        of_eager_calls(&search, &readings, &mut found);
    }
    if found.draws.is_empty() && !found.greedy {
        let (attempts, draw) = of_keys(sampled, seeds < 2.0, &readings);
        found.attempts += attempts;
        found.draws.extend(draw);
    }
    // At temperature 0 no number chooses a token, and the bits are none.
    if found.draws.is_empty() && !found.greedy && bits > EVIDENCE {
        let (attempts, stream) = of_shares(sampled, seeds < 2.0, seeds);
        found.attempts += attempts;
        found.stream = stream;
        if found.stream.is_some() {
            found.nearest = None;
            return found;
        }
    }
    // A mistake that leaves the noise out draws the greatest logits, as a greedy server does.
    if found.draws.is_empty() && !found.greedy && samplers == Samplers::WithMistakes {
        let mistakes = catalogue
            .mistakes()
            .map(|(it, backend)| (it.id.as_str(), backend));
        search.of_candidates(&mistakes.collect::<Vec<_>>(), true, &mut found);
    }
    found.certain = bits > EVIDENCE + search.attempts(&found);
    found
}

/// `tf.random.categorical` after `tf.random.set_seed`, where it is given no seed of its own.
fn of_eager_calls(search: &Search<'_>, readings: &[(&str, &dyn Backend)], found: &mut Sampler) {
    for (call, op_seed) in (1_u32..).zip(eager_op_seeds(search.sampled.seed)) {
        let mut sampled = search.sampled.clone();
        sampled.op_seed = op_seed;
        let of_call = Search {
            surprisal: search.surprisal.clone(),
            probe: sampled.probe(),
            sampled: &sampled,
            only: Some(OpName::TensorflowMultinomial),
            ..*search
        };
        of_call.of_candidates(readings, false, found);
        if !found.draws.is_empty() {
            let from = format!(
                "the op seed of call {call} after tf.random.set_seed({})",
                sampled.seed
            );
            found
                .draws
                .iter_mut()
                .for_each(|draw| draw.from = Some(from.clone()));
            break;
        }
    }
}

/// How many of the first tokens have [`HEAD_BITS`].
fn head(surprisal: &[f64]) -> usize {
    let mut reached = 0.0;
    let head = surprisal.iter().take_while(|bits| {
        let is_short = reached < HEAD_BITS;
        reached += **bits;
        is_short
    });
    head.count()
}

/// The question to every candidate.
struct Search<'a> {
    /// The number of seeds of which this is one.
    seeds: f64,
    sampled: &'a Sampled,
    surprisal: Vec<f64>,
    head: usize,
    probe: Sampled,
    spec: &'a dyn Backend,
    /// The op that is asked; all if it is `None`.
    only: Option<OpName>,
}

impl Search<'_> {
    fn of_candidates(&self, candidates: &[(&str, &dyn Backend)], are_mistakes: bool, found: &mut Sampler) {
        let mut begun = self.begun(candidates, are_mistakes, found);
        begun.sort_by(|a, b| b.agreed.total_cmp(&a.agreed));
        // All tokens of a large vocabulary take seconds, so that only candidates of which no other is much better are asked.
        let most = begun.first().map_or(0.0, |it| it.agreed);
        begun.retain(|it| it.agreed > 0.0 && 2.0 * it.agreed >= most);
        begun.truncate(MOST_WHOLE);
        for one in begun {
            self.whole(candidates, &one, found);
        }
    }

    /// The binary logarithm of the number of attempts.
    fn attempts(&self, found: &Sampler) -> f64 {
        (as_f64(found.attempts) * self.seeds).log2()
    }

    /// Asks the candidates for the first tokens, in every way.
    fn begun(
        &self,
        candidates: &[(&str, &dyn Backend)],
        are_mistakes: bool,
        found: &mut Sampler,
    ) -> Vec<Begun> {
        let mut begun = Vec::new();
        let mut asked = Vec::new();
        let mut seen = Vec::new();
        let mut ways = self.sampled.ways();
        // A mistake at another position is two faults at once.
        ways.retain(|way| !are_mistakes || way.offset == 0);
        ways.retain(|way| self.only.is_none_or(|op| op == way.op));
        for way in ways {
            let first = self.sampled.requests(way, self.head);
            let probes = self.probe.requests(way, PROBED);
            for (index, (request, probe)) in first.iter().zip(&probes).enumerate() {
                // Two ways that make no difference to an op draw the same. One of them is enough. Nearly flat logits are
                // weights nearly like their probabilities, so that the probe alone would not tell these apart.
                let right = drawn(self.spec, probe, PROBED);
                let of_first = drawn(self.spec, request, self.head);
                let key = (way.op, right.clone(), of_first);
                if right.is_some() && asked.contains(&key) {
                    continue;
                }
                asked.push(key);
                for (tokens, group) in alike(candidates, probe) {
                    // Most mistakes are those of other ops.
                    let is_right = are_mistakes && right.as_ref() == Some(&tokens);
                    if is_right {
                        continue;
                    }
                    let drawn = drawn(candidates[group[0]].1, request, self.head);
                    let answer = (way.op, tokens, drawn.clone());
                    if seen.contains(&answer) {
                        continue;
                    }
                    seen.push(answer);
                    found.attempts += 1;
                    if let Some(tokens) = drawn {
                        begun.push(Begun {
                            way,
                            index,
                            agreed: self.agreement(&tokens).1,
                            candidates: group,
                        });
                    }
                }
            }
        }
        begun
    }

    /// Asks the candidates that begin well for all tokens.
    fn whole(&self, candidates: &[(&str, &dyn Backend)], begun: &Begun, found: &mut Sampler) {
        let count = self.sampled.tokens.len();
        let requests = self.sampled.requests(begun.way, count);
        let Some(request) = requests.get(begun.index) else {
            return;
        };
        let mut names = Vec::new();
        for (name, backend) in begun.candidates.iter().map(|&c| candidates[c]) {
            let Some(tokens) = drawn(backend, request, count) else {
                continue;
            };
            let (others, agreed) = self.agreement(&tokens);
            let chance = self.attempts(found) + choices(count, others.len());
            let is_nearer = |near: &NearSampler| near.others.len() > others.len();
            if others.is_empty() {
                names.push(name.to_owned());
            } else if agreed > EVIDENCE + chance && found.nearest.as_ref().is_none_or(is_nearer) {
                found.nearest = Some(NearSampler {
                    name: name.to_owned(),
                    request: request.clone(),
                    agreeing: count - others.len(),
                    others,
                });
            }
        }
        if !names.is_empty() {
            let request = request.clone();
            found.draws.push(Draw {
                names,
                from: None,
                request,
            });
        }
    }

    /// The tokens that differ, and the bits of those that agree.
    fn agreement(&self, drawn: &[u64]) -> (Vec<(usize, u64)>, f64) {
        let (mut others, mut bits) = (Vec::new(), 0.0);
        let all = drawn.iter().zip(&self.sampled.tokens).zip(&self.surprisal);
        for (place, ((&drawn, token), surprise)) in all.enumerate() {
            if drawn == *token {
                bits += surprise;
            } else {
                others.push((place, drawn));
            }
        }
        (others, bits)
    }
}

/// The candidates, grouped by their answers to a probe. Most readings agree on an op, so that one of each group is asked for
/// more tokens.
fn alike(candidates: &[(&str, &dyn Backend)], probe: &Request) -> Vec<(Vec<u64>, Vec<usize>)> {
    let mut alike: Vec<(Vec<u64>, Vec<usize>)> = Vec::new();
    for (c, (_, backend)) in candidates.iter().enumerate() {
        let Some(tokens) = drawn(*backend, probe, PROBED) else {
            continue;
        };
        match alike.iter_mut().find(|(other, _)| *other == tokens) {
            Some((_, group)) => group.push(c),
            None => alike.push((tokens, vec![c])),
        }
    }
    alike
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use seedproof_ops::{
        Limits, SglangMultinomialWithSeed, Shape, Tensor, TorchMultinomial, VllmGumbelSample,
    };

    use super::*;
    use crate::whois::sampled::{SampledWith, rounded};

    static BANK: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(Limits::default()));

    const WITH: SampledWith = SampledWith {
        temperature: 0.75,
        seed: (1 << 40) + 77,
        op_seed: 0,
        position: 1000,
    };

    /// Logits of classes that differ by up to four, in another order in each row.
    fn logits(rows: usize, classes: usize) -> Tensor {
        let elements: Vec<f32> = (0..rows * classes)
            .map(|i| f32::from(u16::try_from(i * 7919 % 1021).unwrap()) / 256.0)
            .collect();
        Tensor::from_elements(Shape::new(&[rows as u64, classes as u64]).unwrap(), &elements).unwrap()
    }

    /// What vLLM's sampler draws of these logits.
    fn by_vllm(logits: &Tensor, with: SampledWith, positions: &[i64], by: &dyn Backend) -> Tensor {
        let count = positions.len();
        let request = VllmGumbelSample {
            use_fp64: false,
            is_drafting: false,
            logits: logits.clone(),
            temperature: Tensor::vector(&vec![with.temperature; count]),
            seed: Tensor::vector(&vec![with.seed.cast_signed(); count]),
            pos: Tensor::vector(positions),
        };
        by.run(&Request::VllmGumbelSample(request)).unwrap().output
    }

    fn asked(tokens: &Tensor, logits: &Tensor, with: SampledWith) -> Sampler {
        who_sampled(
            &Sampled::new(tokens, logits, with).unwrap(),
            Samplers::WithMistakes,
            &BANK,
        )
    }

    #[test]
    fn tokens_of_servers_are_named() {
        let logits = logits(24, 300);
        let positions: Vec<i64> = (1000..1024).collect();
        let drawn = by_vllm(&logits, WITH, &positions, BANK.spec());
        let answer = asked(&drawn, &logits, WITH);
        assert_eq!(answer.word(), "named", "{answer:?}");
        assert_eq!(answer.draws[0].request.op(), OpName::VllmGumbelSample);
        // A step of 24 sequences, and positions that are counted from the token before.
        let drawn = by_vllm(&logits, WITH, &[999; 24], BANK.spec());
        assert_eq!(asked(&drawn, &logits, WITH).word(), "named");

        let sampled = Sampled::new(&drawn, &logits, WITH).unwrap();
        let logarithms = (0..24).flat_map(|place| sampled.log_softmax(sampled.row(place)));
        let logarithms: Vec<f32> = logarithms.map(rounded).collect();
        let request = SglangMultinomialWithSeed {
            logprobs: Tensor::from_elements(logits.shape().clone(), &logarithms).unwrap(),
            seed: Tensor::vector(&[WITH.seed.cast_signed(); 24]),
            positions: Tensor::vector(&positions),
        };
        let request = Request::SglangMultinomialWithSeed(request);
        let drawn = BANK.spec().run(&request).unwrap().output;
        let answer = asked(&drawn, &logits, WITH);
        assert_eq!(answer.word(), "named", "{answer:?}");
        assert_eq!(answer.draws[0].request.op(), OpName::SglangMultinomialWithSeed);
    }

    /// `torch.multinomial` takes probabilities, which negative logits are not.
    #[test]
    fn tokens_of_torch_are_named_from_negative_logits() {
        let logits = logits(24, 50);
        let lower: Vec<f32> = logits.elements::<f32>().unwrap().map(|it| it - 3.0).collect();
        let logits = Tensor::from_elements(logits.shape().clone(), &lower).unwrap();
        let with = SampledWith {
            temperature: 1.0,
            ..WITH
        };
        let sampled = Sampled::new(&Tensor::vector(&[0_i64; 24]), &logits, with).unwrap();
        let weights = (0..24).flat_map(|place| sampled.log_softmax(sampled.row(place)));
        let weights: Vec<f32> = weights.map(|it| rounded(it.exp())).collect();
        let request = Request::TorchMultinomial(TorchMultinomial {
            num_samples: 1,
            replacement: false,
            seed: WITH.seed,
            execution: 0,
            weights: Tensor::from_elements(logits.shape().clone(), &weights).unwrap(),
        });
        let drawn = BANK.spec().run(&request).unwrap().output;
        let answer = asked(&drawn, &logits, with);
        assert_eq!(answer.word(), "named", "{answer:?}");
        assert_eq!(answer.draws[0].request.op(), OpName::TorchMultinomial);
    }

    /// `tf.random.set_seed(42)`, and then `tf.random.categorical(logits, 1)` of TensorFlow 2.21, of these logits.
    #[test]
    fn tokens_of_tensorflow_are_named_by_its_global_seed() {
        let tokens = Tensor::vector(&[
            18_i64, 41, 12, 47, 39, 25, 3, 29, 2, 6, 38, 43, 11, 40, 38, 25, 21, 48, 39, 22, 44, 40, 24, 31,
        ]);
        let with = SampledWith {
            seed: 42,
            temperature: 1.0,
            ..WITH
        };
        let answer = asked(&tokens, &logits(24, 50), with);
        let draw = &answer.draws[0];
        assert_eq!(
            (answer.word(), draw.request.op()),
            ("named", OpName::TensorflowMultinomial)
        );
        assert_eq!(
            draw.from.as_deref(),
            Some("the op seed of call 1 after tf.random.set_seed(42)")
        );
        let other = SampledWith { seed: 43, ..with };
        assert_eq!(asked(&tokens, &logits(24, 50), other).word(), "unknown");
    }

    #[test]
    fn mistakes_are_named_and_two_other_tokens_are_told() {
        let logits = logits(24, 300);
        let positions: Vec<i64> = (1000..1024).collect();
        let (_, wrong) = BANK
            .mistakes()
            .find(|(it, _)| it.id == "hash-seed-32-bits")
            .unwrap();
        let answer = asked(&by_vllm(&logits, WITH, &positions, wrong), &logits, WITH);
        assert_eq!(answer.draws[0].names, ["hash-seed-32-bits"], "{answer:?}");

        let right: Vec<i64> = by_vllm(&logits, WITH, &positions, BANK.spec())
            .elements()
            .unwrap()
            .collect();
        let mut others = right.clone();
        others[3] = (others[3] + 1) % 300;
        others[20] = (others[20] + 1) % 300;
        let near = asked(&Tensor::vector(&others), &logits, WITH).nearest.unwrap();
        assert_eq!((near.name.as_str(), near.agreeing), ("spec", 22));
        let told = [3, 20].map(|place| (place, right[place].cast_unsigned()));
        assert_eq!(near.others, told);
    }

    #[test]
    fn tokens_of_few_bits_are_never_certain() {
        let logits = logits(24, 300);
        let rows = logits.elements::<f32>().unwrap().collect::<Vec<_>>();
        let greatest = |row: &[f32]| {
            let most = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            i64::try_from(row.iter().position(|&it| it >= most).unwrap()).unwrap()
        };
        let greedy: Vec<i64> = rows.chunks(300).map(greatest).collect();
        assert_eq!(asked(&Tensor::vector(&greedy), &logits, WITH).word(), "greedy");
        // No seed draws them.
        let odd: Vec<i64> = (0..24).map(|i| i * 11 % 300).collect();
        assert_eq!(asked(&Tensor::vector(&odd), &logits, WITH).word(), "unknown");
        // Two tokens have some ten bits.
        let two = Tensor::from_elements(Shape::new(&[2, 300]).unwrap(), &rows[..600]).unwrap();
        let answer = asked(&by_vllm(&two, WITH, &[1000, 1001], BANK.spec()), &two, WITH);
        assert_eq!(answer.word(), "possible", "{answer:?}");
    }

    #[test]
    fn what_is_no_row_for_each_token_is_refused() {
        let refused = |tokens: &[i64], logits: &Tensor| {
            Sampled::new(&Tensor::vector(tokens), logits, WITH).unwrap_err()
        };
        assert_eq!(
            refused(&[1, 2], &logits(3, 9)),
            "2 tokens have 3 rows of logits: expected a row for each token, or one for all"
        );
        assert_eq!(
            refused(&[9], &logits(1, 9)),
            "a token is not in the vocabulary of 9"
        );
        assert_eq!(
            refused(&[-1], &logits(1, 9)),
            "a token is not in the vocabulary of 9"
        );
        assert_eq!(
            refused(&[], &logits(1, 9)),
            "there are no tokens: expected whole numbers"
        );
        assert_eq!(
            refused(&[1], &Tensor::vector(&[1_i64])),
            "the logits are i64: expected floats"
        );
        assert_eq!(
            refused(&[1], &Tensor::scalar(1.0_f32)),
            "the logits have the shape []: expected [tokens, vocabulary]"
        );
    }
}
