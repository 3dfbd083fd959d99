//! A reading: one answer to every question.

use std::borrow::Cow;

use seedproof_ops::{OpName, did_you_mean};

use crate::answers::{
    AngleIn, Answer as _, BitGenerator, Bound, BoxMuller, Curand, Dml, Executions, FirstOfPair, Functions,
    HalfSteps, Inductor, Integer, IntegerWords, JaxKeys, JaxNoise, JaxSorts, JaxValues, KeyValues, Lacks,
    Litert, Memory, Mt, MtConvert, Multinomial, Murmur, Nan, NoSuch, NormalAdvance, NormalFill, NormalScale,
    NumpyBits, NumpyDraws, NumpyLegacy, NumpyMethod, OnnxPrng, OnnxRandom, OnnxSession, Philox,
    PhiloxConvert, PhiloxKeys, Race, RadiusFrom, RadiusOf, Scale, Scope, SeedWidth, Seeds, Selection,
    Stateless, Stream, Subject, SumsIn, SumsOver, TensorflowSamplers, Threefry, TorchCuda, TorchFill,
    TorchMasks, Triton, Types, Validation, WordOrder,
};
use crate::noted::{Noted, Subjects};

/// The scale that rounds 16-bit types so.
fn half_steps(steps: HalfSteps) -> Scale {
    Scale {
        f16_steps: steps,
        bf16_steps: steps,
        ..Scale::default()
    }
}

/// The subjects of a reading, in the order of reports: each with its type, its name, and its answers under `spec` where
/// they are not the defaults.
macro_rules! subjects {
    ($($(#[$doc:meta])* $field:ident: $type:ident as $name:literal $(= $spec:expr)?,)*) => {
        #[expect(non_camel_case_types, reason = "the names of fields")]
        enum At { $($field),* }

        // A shift by 64 or more would set the bit of another subject, and a mistake would not be tried where it acts.
        const _: () = assert!([$(At::$field as u32),*].len() <= 64, "a set of subjects has 64 bits");

        /// One answer to every question. Any combination is legal; [`crate::Engine`] answers requests by it.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct Reading {
            /// `spec`, `torch-2.12`, or a reading with the mistakes made to it, ` + ` between.
            pub name: Cow<'static, str>,
            /// The implementation, with its versions, that was observed.
            pub observed: Cow<'static, str>,
            $($(#[$doc])* pub $field: Noted<$type, { At::$field as u32 }>,)*
        }

        impl Reading {
            /// The reading `spec`: the adopted answers.
            pub fn spec() -> Self {
                Self {
                    name: Cow::Borrowed("spec"),
                    observed: Cow::Borrowed("the documents, read with their errata"),
                    $($field: Noted::new(subjects!(@spec $type $(, $spec)?)),)*
                }
            }

            /// The subjects in which two readings differ.
            pub fn differing(&self, other: &Self) -> Subjects {
                let bit = |differs: bool, at: At| u64::from(differs) << at as u32;
                Subjects(0 $(| bit(self.$field != other.$field, At::$field))*)
            }

            fn subjects(&self) -> Vec<(&'static str, &dyn Subject)> {
                vec![$(($name, &*self.$field as &dyn Subject)),*]
            }

            fn subjects_mut(&mut self) -> Vec<(&'static str, &mut dyn Subject)> {
                vec![$(($name, &mut *self.$field as &mut dyn Subject)),*]
            }
        }
    };
    (@spec $type:ident) => { $type::default() };
    (@spec $type:ident, $spec:expr) => { $spec };
}

subjects! {
    /// What it has of the others.
    scope: Scope as "has",
    /// The ops that the implementation does not have.
    lacks: Lacks as "has",
    /// The requests that are refused.
    validation: Validation as "validation",
    /// The way from seeds to key and counter.
    seeds: Seeds as "seeds",
    /// The block function.
    philox: Philox as "philox",
    /// Blocks to a stream.
    stream: Stream as "stream",
    /// TENSORFLOW: words to the unit interval.
    philox_convert: PhiloxConvert as "tensorflow.convert",
    /// TENSORFLOW: floats into the range.
    philox_scale: Scale as "tensorflow.scale",
    /// TENSORFLOW: integers into the range.
    philox_integer: Integer as "tensorflow.integer",
    /// The Mersenne Twister.
    mt: Mt as "mt",
    /// PYTORCH: words to the unit interval.
    mt_convert: MtConvert as "pytorch.convert",
    /// PYTORCH: floats into the range.
    mt_scale: Scale as "pytorch.scale" = half_steps(HalfSteps::RangeAndEnd),
    /// PYTORCH: integers into the range.
    mt_integer: Integer as "pytorch.integer" = Integer {
        words: IntegerWords::I64OverBounds,
        order: WordOrder::HighFirst,
        ..Integer::default()
    },
    /// The types that elements are computed in.
    types: Types as "types",
    /// The bits of a NaN result.
    nan: Nan as "result",
    /// Multinomial-13.
    multinomial: Multinomial as "multinomial",
    /// DirectML's RandomGenerator.
    dml: Dml as "dml",
    /// The block function of THREE_FRY.
    threefry: Threefry as "threefry",
    /// StableHLO's rng_bit_generator.
    bit_generator: BitGenerator as "stablehlo",
    /// TensorFlow's stateless ops.
    stateless: Stateless as "tensorflow.stateless",
    /// The keys of `torch.func._random`.
    philox_keys: PhiloxKeys as "torch.keys",
    /// What is drawn by them.
    key_values: KeyValues as "torch.values",
    /// Words to the unit interval, drawn by them.
    key_convert: MtConvert as "torch.convert",
    /// Floats into the range, drawn by them.
    key_scale: Scale as "torch.scale" = half_steps(HalfSteps::RangeAndEnd),
    /// Integers into the range, drawn by them.
    key_integer: Integer as "torch.integer" = Integer {
        order: WordOrder::HighFirst,
        ..Integer::default()
    },
    /// JAX's keys and bits.
    jax_keys: JaxKeys as "jax.keys",
    /// Numbers and flags that are drawn by them.
    jax_values: JaxValues as "jax.values",
    /// Permutations.
    jax_sorts: JaxSorts as "jax.values",
    /// Noise.
    jax_noise: JaxNoise as "jax.values",
    /// ONNX's generator that is named, and its generator states.
    onnx_prng: OnnxPrng as "onnx",
    /// Its ops without one.
    onnx_random: OnnxRandom as "onnx.random",
    /// What a session of ONNX Runtime draws.
    onnx_session: OnnxSession as "onnx.session",
    /// A pair of TensorFlow's normals.
    tensorflow_normal: BoxMuller as "tensorflow.normal",
    /// An output of them.
    normal_fill: NormalFill as "tensorflow.normal-fill",
    /// A pair of the normals of PyTorch's normal_.
    torch_normal: BoxMuller as "pytorch.normal" = BoxMuller {
        first: FirstOfPair::Cosine,
        radius: RadiusOf::Complement,
        scale: NormalScale::Once,
        ..BoxMuller::default()
    },
    /// A pair of those that are made one by one, in double.
    torch_single: BoxMuller as "pytorch.normal-single" = BoxMuller {
        first: FirstOfPair::Cosine,
        radius: RadiusOf::Log1p,
        from: RadiusFrom::Second,
        ..BoxMuller::default()
    },
    /// An output of them.
    torch_fill: TorchFill as "pytorch.normal-fill",
    /// A pair of PyTorch's normals by key.
    philox_normal: BoxMuller as "philox_keys.normal" = BoxMuller {
        first: FirstOfPair::Cosine,
        radius: RadiusOf::Number,
        angle: AngleIn::Single,
        ..BoxMuller::default()
    },
    /// LiteRT's uniform numbers and normals.
    litert: Litert as "litert" = Litert {
        seeds: SeedWidth::SignExtended32,
        advance: NormalAdvance::Blocks,
        ..Litert::default()
    },
    /// cuRAND's Philox4_32_10.
    curand: Curand as "curand",
    /// A pair of its normals.
    curand_normal: BoxMuller as "curand.normal" = BoxMuller {
        radius: RadiusOf::Number,
        ..BoxMuller::default()
    },
    /// The hash of servers' samplers.
    murmur: Murmur as "murmur",
    /// Races of weights and noise.
    race: Race as "race",
    /// Triton's draws, and those of PyTorch's compiler.
    triton: Triton as "triton",
    /// Normals of PyTorch's compiler.
    inductor: Inductor as "inductor",
    /// Selections by searches, races and shuffles.
    selection: Selection as "selection",
    /// Selections of TensorFlow's samplers.
    tensorflow_selection: Selection as "tensorflow.selection" = Selection {
        bound: Bound::Upper,
        over: SumsOver::Nothing,
        sums: SumsIn::F64,
        ..Selection::default()
    },
    /// TensorFlow's samplers.
    tensorflow_samplers: TensorflowSamplers as "tensorflow.samplers" = TensorflowSamplers {
        shuffle: NormalAdvance::Blocks,
        ..TensorflowSamplers::default()
    },
    /// PyTorch's masks and exponentials.
    torch_masks: TorchMasks as "torch.masks",
    /// PyTorch's draws on CUDA.
    torch_cuda: TorchCuda as "torch_cuda",
    /// A pair of its normals there.
    cuda_normal: BoxMuller as "torch_cuda.normal" = BoxMuller {
        radius: RadiusOf::Number,
        functions: Functions::Cuda,
        scale: NormalScale::Once,
        ..BoxMuller::default()
    },
    /// NumPy's bit generators.
    numpy_bits: NumpyBits as "numpy.bits",
    /// What its `Generator` makes of their words.
    numpy_draws: NumpyDraws as "numpy.draws",
    /// What its `RandomState` does otherwise.
    numpy_legacy: NumpyLegacy as "numpy.legacy" = NumpyLegacy {
        method: NumpyMethod::Mask,
        ..NumpyLegacy::default()
    },
    /// The draws of a second execution.
    executions: Executions as "executions",
    /// Words and outputs in memory.
    memory: Memory as "memory",
}

impl Subject for Nan {
    fn questions(&self) -> Vec<(&'static str, String)> {
        vec![("nan", self.name())]
    }

    fn choices(&self) -> Vec<(&'static str, Vec<String>)> {
        vec![("nan", Self::names())]
    }

    fn answer(&mut self, question: &str, answer: &str) -> Result<(), NoSuch> {
        if question != "nan" {
            return Err(NoSuch::Question);
        }
        *self = Self::parse(answer).ok_or(NoSuch::Answer)?;
        Ok(())
    }
}

/// A question with the answer of a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The question, `subject.question`.
    pub question: String,
    /// The reading's answer.
    pub answer: String,
    /// The answer of `spec`, if it differs.
    pub spec: Option<String>,
}

/// Every question with the answer of `reading`, subject by subject.
pub fn questions(reading: &Reading) -> Vec<Answered> {
    let list = |reading: &Reading| each(reading, |subject| subject.questions());
    list(reading)
        .into_iter()
        .zip(list(&Reading::spec()))
        .map(|((question, answer), (_, spec))| Answered {
            question,
            spec: (spec != answer).then_some(spec),
            answer,
        })
        .collect()
}

/// Every question with the names of its possible answers, subject by subject. The range of a parameter stands in its
/// place.
pub fn choices() -> Vec<(String, Vec<String>)> {
    each(&Reading::spec(), |subject| subject.choices())
}

fn each<T>(reading: &Reading, list: impl Fn(&dyn Subject) -> Vec<(&'static str, T)>) -> Vec<(String, T)> {
    let subjects = reading.subjects().into_iter();
    subjects
        .flat_map(|(name, subject)| {
            let named = move |(question, what)| (format!("{name}.{question}"), what);
            list(subject).into_iter().map(named)
        })
        .collect()
}

impl Reading {
    /// Of the subjects in which two readings differ, those in which they differ for an op. Each reading lacks other ops, and
    /// only whether it lacks this one changes an answer.
    ///
    /// ```
    /// use seedproof_ops::OpName;
    /// use seedproof_readings::{Reading, named};
    ///
    /// let spec = Reading::spec();
    /// let jax = named().into_iter().find(|it| it.name == "jax-0.10").expect("a named reading");
    /// let differing = jax.differing(&spec);
    /// assert_ne!(jax.differing_for(&spec, differing, OpName::JaxPermutation), differing);
    /// assert_eq!(jax.differing_for(&spec, differing, OpName::RandomUniform), differing);
    /// ```
    pub fn differing_for(&self, other: &Self, differing: Subjects, op: OpName) -> Subjects {
        let lacks = Subjects(1 << At::lacks as u32);
        if (differing & lacks).is_empty() || self.lacks.0.contains(&op) != other.lacks.0.contains(&op) {
            return differing;
        }
        Subjects(differing.bits() & !lacks.bits())
    }

    /// Answers a question, both by their names.
    ///
    /// ```
    /// use seedproof_readings::Reading;
    ///
    /// let mut reading = Reading::spec();
    /// reading.answer("stream.layout", "grid stride (threads = 512)").expect("a question and one of its answers");
    /// let wrong = reading.answer("stream.layuot", "in order").unwrap_err();
    /// assert_eq!(wrong, "find the question `stream.layuot`; did you mean `stream.layout`?");
    /// ```
    ///
    /// # Errors
    /// A fragment that fits "failed to …", with the nearest question, or with all answers to this one.
    pub fn answer(&mut self, question: &str, answer: &str) -> Result<(), String> {
        for (name, subject) in self.subjects_mut() {
            let Some(own) = question
                .strip_prefix(name)
                .and_then(|rest| rest.strip_prefix('.'))
            else {
                continue;
            };
            match subject.answer(own, answer) {
                Ok(()) => return Ok(()),
                Err(NoSuch::Answer) => return Err(no_answer(question, answer)),
                // Another subject may have the same name, or a longer one that begins alike.
                Err(NoSuch::Question) => {}
            }
        }
        let all = choices();
        let nearest = did_you_mean(question, all.iter().map(|(name, _)| name.as_str()));
        Err(format!("find the question `{question}`{nearest}"))
    }
}

fn no_answer(question: &str, answer: &str) -> String {
    let all = choices();
    let answers = all
        .iter()
        .find(|(name, _)| name == question)
        .map_or(&[][..], |(_, answers)| answers);
    // A number has no name that it may be a misspelling of.
    let names = answers.iter().filter(|name| !name.starts_with("a number"));
    let nearest = did_you_mean(answer, names.map(String::as_str));
    let end = if nearest.is_empty() { "." } else { "" };
    let listed: Vec<String> = answers.iter().map(|answer| format!("`{answer}`")).collect();
    format!(
        "answer `{question}` with `{answer}`{nearest}{end} Its answers are {}",
        listed.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_have_distinct_names_and_spec_differs_from_itself_nowhere() {
        let all = questions(&Reading::spec());
        assert!(all.len() > 70, "{}", all.len());
        assert!(all.iter().all(|answered| answered.spec.is_none()));
        let mut names: Vec<&str> = all.iter().map(|answered| answered.question.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len());
    }

    /// A reading is a file only if every answer that reports print can be read back.
    #[test]
    fn answers_are_found_by_the_names_that_they_have() {
        for known in crate::named() {
            let mut reading = Reading {
                name: known.name.clone(),
                observed: known.observed.clone(),
                ..Reading::spec()
            };
            for answered in questions(&known) {
                reading.answer(&answered.question, &answered.answer).unwrap();
            }
            assert_eq!(reading, known);
        }
        for (question, answers) in choices() {
            for answer in answers
                .iter()
                .filter(|answer| !answer.contains(" = ") && !answer.contains("number"))
            {
                Reading::spec().answer(&question, answer).unwrap();
            }
        }
    }

    #[test]
    fn answers_that_nobody_gives_are_refused_with_those_that_there_are() {
        let fails = |question, answer| Reading::spec().answer(question, answer).unwrap_err();
        assert_eq!(
            fails("stream.wrap", "zeroe"),
            "answer `stream.wrap` with `zeroe`; did you mean `zero`? Its answers are `zero`, `the last value again`"
        );
        assert_eq!(
            fails("philox.rounds", "1001"),
            "answer `philox.rounds` with `1001`. Its answers are `a number from 0 to 1000`"
        );
        for answer in [
            "lane by lane (lanes = 0)",
            "lane by lane (lanes = 08)",
            "lane by lane (lanes = 4294967295)",
        ] {
            assert!(
                fails("stream.layout", answer).contains("(lanes = a number from 1 to 1048576)"),
                "{answer}"
            );
        }
        for order in ["1123", "134", "0", "12345"] {
            let answer = format!("permuted (order = {order})");
            let fails = |question| Reading::spec().answer(question, &answer).unwrap_err();
            assert!(fails("philox.result_order").contains("the digits 1 to 4 in any order"));
        }
        assert_eq!(fails("quaternion", "zero"), "find the question `quaternion`");
    }

    #[test]
    fn questions_name_the_answer_that_differs() {
        let mut reading = Reading::spec();
        reading.stream.layout = crate::answers::Layout::GridStride(512);
        let differing: Vec<Answered> = questions(&reading)
            .into_iter()
            .filter(|answered| answered.spec.is_some())
            .collect();
        assert_eq!(differing.len(), 1);
        assert_eq!(differing[0].question, "stream.layout");
        assert_eq!(differing[0].answer, "grid stride (threads = 512)");
        assert_eq!(differing[0].spec.as_deref(), Some("in order"));
    }
}
