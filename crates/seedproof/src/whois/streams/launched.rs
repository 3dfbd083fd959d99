//! Streams in another order: launches of CUDA kernels.

use seedproof_transcend::cuda;

use super::{Search, Told};
use crate::whois::cards::CARDS;
use crate::whois::generator::{High, philox};
use crate::whois::numbers::as_f64;
use crate::whois::seen::Seen;
use crate::whois::values::rounded;

/// The number of threads of the card whose draws were captured: an H200, under PyTorch 2.11.0.
const CAPTURED: usize = 270_336;

/// The distance within which normals are taken for those of an emulation, which computes in double on a CPU. Among four
/// million pairs of words the distance to a GPU's normals is below 1e-6 for 99.5 %, and 3e-5 at most. It is larger
/// where the uniform number rounds to one, as one word in 2^25 does.
const EMULATED: f64 = 1e-4;

/// The place of a draw: its thread, the block of the thread, and the part of the block.
type Place = (usize, u128, usize);

impl Search<'_> {
    /// Elements as the threads of a CUDA kernel draw them. Each thread has a subsequence of its own, and its four
    /// elements of a block stand a whole launch apart.
    pub(super) fn launched(&mut self) {
        let key = self.sought.seed;
        // The launch is described once its number of threads is known.
        let of = |name: &str, what: String, bits: f64, is_usual: bool| Told {
            name: name.to_owned(),
            source: String::new(),
            what,
            rest: String::new(),
            is_usual,
            bits,
            parameters: 0,
        };
        for way in self.ways.clone() {
            let each = way.words();
            let gives = |seen: &Seen, i: usize, (thread, block, part): Place| {
                seen.is(i, way.drawn(&block_of(key, thread, block)[part * each..]))
            };
            let bits = self.whole_bits(&way);
            let is_usual = way.conversion.is_usual_with("cuda-launch");
            let told = of("cuda-launch", way.sentence(), bits, is_usual);
            self.launch(&told, 4 / each, &gives);
        }
        let dtype = self.seen.dtype;
        // An emulation on a CPU computes in f64, so its printed digits are f64's.
        if !dtype.is_float() {
            return;
        }
        // The bits of a GPU come first, because an exact match is better evidence than one within a tolerance.
        for (tolerance, whose) in [
            (
                0.0,
                " (bit for bit on an H200; the functions of other generations were not captured)",
            ),
            (
                EMULATED,
                ", within 1e-4: with other functions, as emulations on a CPU have them",
            ),
        ] {
            let gives = |seen: &Seen, i: usize, (thread, block, part): Place| {
                let normal = rounded(dtype, f64::from(normals(block_of(key, thread, block))[part]));
                seen.distance(i, normal) <= tolerance
            };
            // Nearly all normals lie in a range of 8. A value agrees by chance within the tolerance to either side, and
            // printed digits allow as much again.
            let most = if tolerance > 0.0 {
                8.0 / (4.0 * tolerance)
            } else {
                f64::from(1 << 24)
            };
            let bits = self.seen.bits(8.0, most.log2()) * as_f64(self.seen.count());
            let what = format!("normals by Box and Muller, as torch.randn on CUDA{whose}");
            if self.launch(&of("cuda-normal", what, bits, false), 4, &gives) {
                return;
            }
        }
    }

    /// Keeps the elements as a launch if they are one, and returns whether they are. `told` lacks what is said of the launch.
    fn launch(&mut self, told: &Told, per: usize, gives: &dyn Fn(&Seen, usize, Place) -> bool) -> bool {
        const CALLS: u128 = 16;
        let n = self.seen.count();
        let key = self.sought.seed;
        let mut any = false;
        for call in 0..CALLS {
            self.attempts += 1.0;
            if !(0..n.min(8)).all(|i| gives(self.seen, i, (i, call, 0))) {
                continue;
            }
            let same = (0..n).take_while(|&i| gives(self.seen, i, (i, call, 0))).count();
            // After one element for each thread, the threads begin again with the next word of their block. The first
            // element of that round shows the number of threads, which is a multiple of 256, the size of a thread
            // block. An element of the round may be right by chance.
            let threads = if same == n { n } else { same / 256 * 256 };
            let is_right = |i: usize| {
                let lap = u128::try_from(i / (per * threads)).unwrap_or(0);
                let place = (i % threads, call + lap, i % (per * threads) / threads);
                gives(self.seen, i, place)
            };
            if threads == 0 || !(same..n).all(is_right) {
                continue;
            }
            let launch = if same == n {
                format!("up to {n} threads, where every card draws the same")
            } else {
                let card = CARDS.iter().find(|card| card.threads() == threads);
                let cards = card.map_or_else(String::new, |card| format!(", as on {}", card.name));
                // A number of two words is one of the two pairs of a block.
                let taken = if per == 4 { "word" } else { "the pair of words" };
                let first = if call == 0 {
                    String::new()
                } else {
                    format!("{call} + ")
                };
                format!(
                    "{threads} threads{cards}: element i takes {taken} (i mod {}) div {threads} of the block of counter \
                     ({first}i div {0}, 0, i mod {threads}, 0)",
                    per * threads
                )
            };
            let after = if call == 0 {
                String::new()
            } else {
                format!(", after {call} blocks of each thread")
            };
            let source =
                format!("Philox4x32-10 of key {key:#x} as CUDA's kernels draw it, {launch}{after}: ");
            let note = if same == n || threads == CAPTURED {
                ""
            } else {
                " (a prediction: of the cards, an H200 alone was captured)"
            };
            self.keep_told(Told {
                source,
                rest: note.to_owned(),
                ..told.clone()
            });
            any = true;
        }
        any
    }
}

fn block_of(key: u64, thread: usize, block: u128) -> [u32; 4] {
    philox(
        High::Whole,
        key,
        (u128::try_from(thread).unwrap_or(0) << 64) + block,
    )
}

/// The four normals of a block, with cuRAND's functions as they are compiled for a GPU.
#[expect(clippy::cast_precision_loss, reason = "the rounding of words is cuRAND's")]
fn normals([a, b, c, d]: [u32; 4]) -> [f32; 4] {
    const UNIT: f32 = f32::from_bits(0x2f80_0000);
    const STEP: f32 = UNIT * std::f32::consts::TAU;
    let pair = |x: u32, y: u32| {
        let radius = (-2.0 * cuda::logf((x as f32).mul_add(UNIT, UNIT / 2.0))).sqrt();
        let angle = (y as f32).mul_add(STEP, STEP / 2.0);
        [cuda::sin_approx(angle) * radius, cuda::cos_approx(angle) * radius]
    };
    let ([first, second], [third, fourth]) = (pair(a, b), pair(c, d));
    [first, second, third, fourth]
}

#[cfg(test)]
mod tests {
    use seedproof_ops::{Backend as _, Dtype, Request, Tensor, TorchCudaNormal};

    use crate::whois::Sought;
    use crate::whois::streams::{Stream, streams};

    /// The first stream of numbers that were printed with a number of decimals.
    fn first(numbers: &[f64], digits: i32, seed: u64) -> Option<Stream> {
        #[expect(
            clippy::cast_possible_truncation,
            reason = "nearest is what a printer starts from"
        )]
        let singles: Vec<f32> = numbers.iter().map(|&number| number as f32).collect();
        first_of(Tensor::vector(&singles), numbers, digits, seed)
    }

    fn first_of(actual: Tensor, numbers: &[f64], digits: i32, seed: u64) -> Option<Stream> {
        let half = 0.5 * 10.0_f64.powi(-digits);
        let sought = Sought {
            within: Some(numbers.iter().map(|&x| [x - half, x + half]).collect()),
            ..Sought::new(actual, seed, 0)
        };
        streams(&sought, &[]).into_iter().next()
    }

    #[test]
    fn published_draws_on_gpus_are_named() {
        // PyTorch's issue 47347, and tests of TensorRT-LLM.
        let rand = first(&[0.3990, 0.5167, 0.0249, 0.9401, 0.9459], 4, 0).expect("a stream");
        assert_eq!(rand.name, "cuda-launch");
        let rand = first(&[0.6130, 0.0101, 0.3984, 0.0403], 4, 42).expect("a stream");
        assert_eq!(rand.name, "cuda-launch");
        // PyTorch's issue 79496.
        let randn = first(&[-0.1029, 1.6810, -0.2708], 4, 10).expect("a stream");
        assert_eq!(randn.name, "cuda-normal");
        assert!(
            randn
                .sentence
                .contains("torch.randn on CUDA (bit for bit on an H200"),
            "{}",
            randn.sentence
        );
    }

    #[test]
    fn an_emulation_on_a_cpu_is_within_its_distance() {
        // The values that `rng_philox` of a web interface for diffusion models documents; it computes in double.
        let emulated = [
            -0.924_662_59,
            -0.425_344_15,
            -2.643_845_7,
            0.145_183_88,
            -0.120_866_47,
            -0.579_725_64,
            -0.622_851_22,
            -0.328_387_09,
            -1.074_542_31,
            -0.363_144_07,
            -1.671_050_67,
            2.265_504_97,
        ];
        let stream = first(&emulated, 8, 0).expect("a stream");
        assert_eq!(stream.name, "cuda-normal");
        assert!(stream.sentence.contains("within 1e-4"), "{}", stream.sentence);
        // No f32 is printed with these digits.
        let of_doubles = first_of(Tensor::vector(&emulated), &emulated, 8, 0).expect("a stream");
        assert_eq!(of_doubles.name, "cuda-normal");
        assert_eq!(first(&emulated.map(|x| x + 1e-3), 8, 0), None);
        assert_eq!(first(&emulated, 8, 1), None);
    }

    #[test]
    fn threads_of_a_card_are_read_off_normals() {
        let of = |multiprocessors: i128| {
            let request = Request::TorchCudaNormal(TorchCudaNormal {
                output_type: Dtype::F32.into(),
                output_sizes: vec![300_000],
                seed: 43,
                offset: 8,
                multiprocessors,
                threads_per_multiprocessor: 2048,
                mean: Tensor::scalar(0.0_f64),
                std: Tensor::scalar(1.0_f64),
            });
            let reading = seedproof_readings::named()
                .into_iter()
                .find(|it| it.name == "spec")
                .expect("spec is a reading");
            let engine = seedproof_readings::Engine::new(reading, seedproof_ops::Limits::default(), || 1);
            let actual = engine.run(&request).expect("it is answered").output;
            let sought = Sought::new(actual, 43, 0);
            streams(&sought, &[])
                .into_iter()
                .next()
                .expect("a stream")
                .sentence
        };
        let captured = of(132);
        assert!(
            captured.contains("270336 threads, as on an H100 SXM or H200"),
            "{captured}"
        );
        assert!(captured.contains("after 2 blocks of each thread"), "{captured}");
        assert!(!captured.contains("prediction"), "{captured}");
        assert!(of(108).contains("a prediction"), "an A100 was not captured");
    }
}
