//! A reading: one answer to every question.

use std::borrow::Cow;

use crate::answers::{
    AngleIn, Answer as _, BitGenerator, BoxMuller, Dml, Executions, FirstOfPair, HalfSteps, Integer,
    IntegerWords, JaxKeys, JaxValues, KeyValues, Memory, Mt, MtConvert, Multinomial, Murmur, Nan, NormalFill,
    NormalScale, OnnxPrng, OnnxRandom, Philox, PhiloxConvert, PhiloxKeys, Race, RadiusFrom, RadiusOf, Scale,
    Scope, Seeds, Selection, Stateless, Stream, Threefry, TorchFill, TorchMasks, Triton, Types, Validation,
    WordOrder,
};

/// One answer to every question. Any combination is legal; [`crate::Engine`] answers requests by it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// `spec`, `torch-2.12`, or a reading with the mistakes made to it, ` + ` between.
    pub name: Cow<'static, str>,
    /// The implementation, with its versions, that was observed.
    pub observed: &'static str,
    /// The ops and alignments that the implementation has.
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
    /// The hash of servers' samplers.
    pub murmur: Murmur,
    /// Races of weights and noise.
    pub race: Race,
    /// Triton's draws, and those of PyTorch's compiler.
    pub triton: Triton,
    /// Selections by searches, races and shuffles.
    pub selection: Selection,
    /// PyTorch's masks and exponentials.
    pub torch_masks: TorchMasks,
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
            observed: "the documents, read with their errata",
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
            mt_scale: Scale {
                f16_steps: HalfSteps::RangeAndEnd,
                bf16_steps: HalfSteps::RangeAndEnd,
                ..Scale::default()
            },
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
            murmur: Murmur::default(),
            race: Race::default(),
            triton: Triton::default(),
            selection: Selection::default(),
            torch_masks: TorchMasks::default(),
            executions: Executions::default(),
            memory: Memory::default(),
            nan: Nan::default(),
        }
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

fn list(reading: &Reading) -> Vec<(String, String)> {
    let subjects = [
        (Scope::SUBJECT, reading.scope.questions()),
        (Validation::SUBJECT, reading.validation.questions()),
        (Seeds::SUBJECT, reading.seeds.questions()),
        (Philox::SUBJECT, reading.philox.questions()),
        (Stream::SUBJECT, reading.stream.questions()),
        (PhiloxConvert::SUBJECT, reading.philox_convert.questions()),
        ("tensorflow.scale", reading.philox_scale.questions()),
        ("tensorflow.integer", reading.philox_integer.questions()),
        (Mt::SUBJECT, reading.mt.questions()),
        (MtConvert::SUBJECT, reading.mt_convert.questions()),
        ("pytorch.scale", reading.mt_scale.questions()),
        ("pytorch.integer", reading.mt_integer.questions()),
        (Types::SUBJECT, reading.types.questions()),
        ("result", vec![("nan", reading.nan.name())]),
        (Multinomial::SUBJECT, reading.multinomial.questions()),
        (Dml::SUBJECT, reading.dml.questions()),
        (Threefry::SUBJECT, reading.threefry.questions()),
        (BitGenerator::SUBJECT, reading.bit_generator.questions()),
        (Stateless::SUBJECT, reading.stateless.questions()),
        (PhiloxKeys::SUBJECT, reading.philox_keys.questions()),
        (KeyValues::SUBJECT, reading.key_values.questions()),
        (JaxKeys::SUBJECT, reading.jax_keys.questions()),
        (JaxValues::SUBJECT, reading.jax_values.questions()),
        (OnnxPrng::SUBJECT, reading.onnx_prng.questions()),
        (OnnxRandom::SUBJECT, reading.onnx_random.questions()),
        (BoxMuller::SUBJECT, reading.tensorflow_normal.questions()),
        (NormalFill::SUBJECT, reading.normal_fill.questions()),
        ("pytorch.normal", reading.torch_normal.questions()),
        ("pytorch.normal-single", reading.torch_single.questions()),
        (TorchFill::SUBJECT, reading.torch_fill.questions()),
        ("philox_keys.normal", reading.philox_normal.questions()),
        (Murmur::SUBJECT, reading.murmur.questions()),
        (Race::SUBJECT, reading.race.questions()),
        (Triton::SUBJECT, reading.triton.questions()),
        (Selection::SUBJECT, reading.selection.questions()),
        (TorchMasks::SUBJECT, reading.torch_masks.questions()),
        (Executions::SUBJECT, reading.executions.questions()),
        (Memory::SUBJECT, reading.memory.questions()),
    ];
    subjects
        .into_iter()
        .flat_map(|(subject, answers)| {
            answers
                .into_iter()
                .map(move |(question, answer)| (format!("{subject}.{question}"), answer))
        })
        .collect()
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
