//! A reading: one answer to every question.

use std::borrow::Cow;

use seedproof_ops::did_you_mean;

use crate::answers::{
    AngleIn, Answer as _, BitGenerator, Bound, BoxMuller, Curand, Dml, Executions, FirstOfPair, Functions,
    HalfSteps, Inductor, Integer, IntegerWords, JaxKeys, JaxValues, KeyValues, Lacks, Litert, Memory, Mt,
    MtConvert, Multinomial, Murmur, Nan, NoSuch, NormalAdvance, NormalFill, NormalScale, NumpyBits,
    NumpyDraws, NumpyLegacy, NumpyMethod, OnnxPrng, OnnxRandom, Philox, PhiloxConvert, PhiloxKeys, Race,
    RadiusFrom, RadiusOf, Scale, Scope, SeedWidth, Seeds, Selection, Stateless, Stream, Subject, SumsIn,
    SumsOver, TensorflowSamplers, Threefry, TorchCuda, TorchFill, TorchMasks, Triton, Types, Validation,
    WordOrder,
};

/// One answer to every question. Any combination is legal; [`crate::Engine`] answers requests by it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// `spec`, `torch-2.12`, or a reading with the mistakes made to it, ` + ` between.
    pub name: Cow<'static, str>,
    /// The implementation, with its versions, that was observed.
    pub observed: Cow<'static, str>,
    /// The ops that the implementation does not have.
    pub lacks: Lacks,
    /// What it has of the others.
    pub scope: Scope,
    /// The requests that are refused.
    pub validation: Validation,
    /// The way from seeds to key and counter.
    pub seeds: Seeds,
    /// The block function.
    pub philox: Philox,
    /// Blocks to a stream.
    pub stream: Stream,
    /// The Mersenne Twister.
    pub mt: Mt,
    /// The types that elements are computed in.
    pub types: Types,
    /// TENSORFLOW: words to the unit interval.
    pub philox_convert: PhiloxConvert,
    /// TENSORFLOW: floats into the range.
    pub philox_scale: Scale,
    /// TENSORFLOW: integers into the range.
    pub philox_integer: Integer,
    /// PYTORCH: words to the unit interval.
    pub mt_convert: MtConvert,
    /// PYTORCH: floats into the range.
    pub mt_scale: Scale,
    /// PYTORCH: integers into the range.
    pub mt_integer: Integer,
    /// Multinomial-13.
    pub multinomial: Multinomial,
    /// DirectML's RandomGenerator.
    pub dml: Dml,
    /// The block function of THREE_FRY.
    pub threefry: Threefry,
    /// StableHLO's rng_bit_generator.
    pub bit_generator: BitGenerator,
    /// TensorFlow's stateless ops.
    pub stateless: Stateless,
    /// The keys of `torch.func._random`.
    pub philox_keys: PhiloxKeys,
    /// What is drawn by them.
    pub key_values: KeyValues,
    /// Words to the unit interval, drawn by them.
    pub key_convert: MtConvert,
    /// Floats into the range, drawn by them.
    pub key_scale: Scale,
    /// JAX's keys and bits.
    pub jax_keys: JaxKeys,
    /// What is drawn by them.
    pub jax_values: JaxValues,
    /// ONNX's generator that is named, and its generator states.
    pub onnx_prng: OnnxPrng,
    /// Its ops without one.
    pub onnx_random: OnnxRandom,
    /// A pair of TensorFlow's normals.
    pub tensorflow_normal: BoxMuller,
    /// An output of them.
    pub normal_fill: NormalFill,
    /// A pair of the normals of PyTorch's normal_.
    pub torch_normal: BoxMuller,
    /// A pair of those that are made one by one, in double.
    pub torch_single: BoxMuller,
    /// An output of them.
    pub torch_fill: TorchFill,
    /// A pair of PyTorch's normals by key.
    pub philox_normal: BoxMuller,
    /// LiteRT's uniform numbers and normals.
    pub litert: Litert,
    /// cuRAND's Philox4_32_10.
    pub curand: Curand,
    /// A pair of its normals.
    pub curand_normal: BoxMuller,
    /// The hash of servers' samplers.
    pub murmur: Murmur,
    /// Races of weights and noise.
    pub race: Race,
    /// Triton's draws, and those of PyTorch's compiler.
    pub triton: Triton,
    /// Normals of PyTorch's compiler.
    pub inductor: Inductor,
    /// Selections by searches, races and shuffles.
    pub selection: Selection,
    /// Selections of TensorFlow's samplers.
    pub tensorflow_selection: Selection,
    /// TensorFlow's samplers.
    pub tensorflow_samplers: TensorflowSamplers,
    /// PyTorch's masks and exponentials.
    pub torch_masks: TorchMasks,
    /// PyTorch's draws on CUDA.
    pub torch_cuda: TorchCuda,
    /// A pair of its normals there.
    pub cuda_normal: BoxMuller,
    /// NumPy's bit generators.
    pub numpy_bits: NumpyBits,
    /// What its `Generator` makes of their words.
    pub numpy_draws: NumpyDraws,
    /// What its `RandomState` does otherwise.
    pub numpy_legacy: NumpyLegacy,
    /// The draws of a second execution.
    pub executions: Executions,
    /// Words and outputs in memory.
    pub memory: Memory,
    /// The bits of a NaN result.
    pub nan: Nan,
}

impl Reading {
    /// The reading `spec`: the adopted answers.
    pub fn spec() -> Self {
        Self {
            name: Cow::Borrowed("spec"),
            observed: Cow::Borrowed("the documents, read with their errata"),
            lacks: Lacks::default(),
            scope: Scope::default(),
            validation: Validation::default(),
            seeds: Seeds::default(),
            philox: Philox::default(),
            stream: Stream::default(),
            mt: Mt::default(),
            types: Types::default(),
            philox_convert: PhiloxConvert::default(),
            philox_scale: Scale::default(),
            philox_integer: Integer::default(),
            mt_convert: MtConvert::default(),
            mt_scale: half_steps(HalfSteps::RangeAndEnd),
            mt_integer: Integer {
                words: IntegerWords::I64OverBounds,
                order: WordOrder::HighFirst,
                ..Integer::default()
            },
            multinomial: Multinomial::default(),
            dml: Dml::default(),
            threefry: Threefry::default(),
            bit_generator: BitGenerator::default(),
            stateless: Stateless::default(),
            philox_keys: PhiloxKeys::default(),
            key_values: KeyValues::default(),
            key_convert: MtConvert::default(),
            key_scale: half_steps(HalfSteps::RangeAndEnd),
            jax_keys: JaxKeys::default(),
            jax_values: JaxValues::default(),
            onnx_prng: OnnxPrng::default(),
            onnx_random: OnnxRandom::default(),
            tensorflow_normal: BoxMuller::default(),
            normal_fill: NormalFill::default(),
            torch_normal: BoxMuller {
                first: FirstOfPair::Cosine,
                radius: RadiusOf::Complement,
                scale: NormalScale::Once,
                ..BoxMuller::default()
            },
            torch_single: BoxMuller {
                first: FirstOfPair::Cosine,
                radius: RadiusOf::Log1p,
                from: RadiusFrom::Second,
                ..BoxMuller::default()
            },
            torch_fill: TorchFill::default(),
            philox_normal: BoxMuller {
                first: FirstOfPair::Cosine,
                radius: RadiusOf::Number,
                angle: AngleIn::Single,
                ..BoxMuller::default()
            },
            litert: Litert {
                seeds: SeedWidth::SignExtended32,
                advance: NormalAdvance::Blocks,
            },
            curand: Curand::default(),
            curand_normal: BoxMuller {
                radius: RadiusOf::Number,
                ..BoxMuller::default()
            },
            murmur: Murmur::default(),
            race: Race::default(),
            triton: Triton::default(),
            inductor: Inductor::default(),
            selection: Selection::default(),
            tensorflow_selection: Selection {
                bound: Bound::Upper,
                over: SumsOver::Nothing,
                sums: SumsIn::F64,
                ..Selection::default()
            },
            tensorflow_samplers: TensorflowSamplers {
                shuffle: NormalAdvance::Blocks,
                ..TensorflowSamplers::default()
            },
            torch_masks: TorchMasks::default(),
            torch_cuda: TorchCuda::default(),
            cuda_normal: BoxMuller {
                radius: RadiusOf::Number,
                functions: Functions::Cuda,
                scale: NormalScale::Once,
                ..BoxMuller::default()
            },
            numpy_bits: NumpyBits::default(),
            numpy_draws: NumpyDraws::default(),
            numpy_legacy: NumpyLegacy {
                method: NumpyMethod::Mask,
                ..NumpyLegacy::default()
            },
            executions: Executions::default(),
            memory: Memory::default(),
            nan: Nan::default(),
        }
    }
}

/// The scale that rounds 16-bit types so.
fn half_steps(steps: HalfSteps) -> Scale {
    Scale {
        f16_steps: steps,
        bf16_steps: steps,
        ..Scale::default()
    }
}

/// The subjects of a reading, in the order of reports.
macro_rules! subjects {
    ($($field:ident: $name:expr,)*) => {
        impl Reading {
            fn subjects(&self) -> Vec<(&'static str, &dyn Subject)> {
                vec![$(($name, &self.$field as &dyn Subject)),*]
            }

            fn subjects_mut(&mut self) -> Vec<(&'static str, &mut dyn Subject)> {
                vec![$(($name, &mut self.$field as &mut dyn Subject)),*]
            }
        }
    };
}

subjects! {
    scope: Scope::SUBJECT,
    lacks: Scope::SUBJECT,
    validation: Validation::SUBJECT,
    seeds: Seeds::SUBJECT,
    philox: Philox::SUBJECT,
    stream: Stream::SUBJECT,
    philox_convert: PhiloxConvert::SUBJECT,
    philox_scale: "tensorflow.scale",
    philox_integer: "tensorflow.integer",
    mt: Mt::SUBJECT,
    mt_convert: MtConvert::SUBJECT,
    mt_scale: "pytorch.scale",
    mt_integer: "pytorch.integer",
    types: Types::SUBJECT,
    nan: "result",
    multinomial: Multinomial::SUBJECT,
    dml: Dml::SUBJECT,
    threefry: Threefry::SUBJECT,
    bit_generator: BitGenerator::SUBJECT,
    stateless: Stateless::SUBJECT,
    philox_keys: PhiloxKeys::SUBJECT,
    key_values: KeyValues::SUBJECT,
    key_convert: "torch.convert",
    key_scale: "torch.scale",
    jax_keys: JaxKeys::SUBJECT,
    jax_values: JaxValues::SUBJECT,
    onnx_prng: OnnxPrng::SUBJECT,
    onnx_random: OnnxRandom::SUBJECT,
    tensorflow_normal: BoxMuller::SUBJECT,
    normal_fill: NormalFill::SUBJECT,
    torch_normal: "pytorch.normal",
    torch_single: "pytorch.normal-single",
    torch_fill: TorchFill::SUBJECT,
    philox_normal: "philox_keys.normal",
    litert: Litert::SUBJECT,
    curand: Curand::SUBJECT,
    curand_normal: "curand.normal",
    murmur: Murmur::SUBJECT,
    race: Race::SUBJECT,
    triton: Triton::SUBJECT,
    inductor: Inductor::SUBJECT,
    selection: Selection::SUBJECT,
    tensorflow_selection: "tensorflow.selection",
    tensorflow_samplers: TensorflowSamplers::SUBJECT,
    torch_masks: TorchMasks::SUBJECT,
    torch_cuda: TorchCuda::SUBJECT,
    cuda_normal: "torch_cuda.normal",
    numpy_bits: NumpyBits::SUBJECT,
    numpy_draws: NumpyDraws::SUBJECT,
    numpy_legacy: NumpyLegacy::SUBJECT,
    executions: Executions::SUBJECT,
    memory: Memory::SUBJECT,
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

/// A question with the answer that a reading gives to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answered {
    /// The question, `subject.question`.
    pub question: String,
    /// The reading's answer.
    pub answer: String,
    /// The answer of `spec`, where it is another.
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
