//! What is refused, what an implementation has, and what a second execution draws.

use std::collections::BTreeSet;

use seedproof_ops::{Attribute, Named as _, OpName};

use super::{Answer as _, NoSuch, Subject, question, subject};

question! {
    /// Which bounds of floats are accepted.
    FloatBounds {
        /// minval < maxval.
        #[default]
        Less = "min < max",
        /// minval <= maxval.
        LessOrEqual = "min <= max",
        /// minval <= maxval once both are rounded to f32. ONNX Runtime.
        LessOrEqualAsF32 = "min <= max as f32",
        /// Not minval >= maxval: NaN is let through.
        NotGreaterOrEqual = "not min >= max",
        /// All. `tf.random.uniform` checks nothing for floats.
        Any = "any",
        /// Finite ones with minval <= maxval and a finite difference. PyTorch.
        FiniteLessOrEqual = "finite, min <= max",
    }
}

question! {
    /// Which bounds of integers are accepted.
    IntegerBounds {
        /// minval < maxval.
        #[default]
        Less = "min < max",
        /// minval <= maxval.
        LessOrEqual = "min <= max",
        /// minval < maxval once both are rounded to f64. OpenVINO, when it builds the node.
        LessAsF64 = "min < max as f64",
    }
}

question! {
    /// Which shape a bound may have.
    BoundForm {
        /// `[]` or `[1]`.
        #[default]
        ScalarOrOne = "[] or [1]",
        /// `[]`.
        Scalar = "[]",
    }
}

question! {
    /// Which types the input `shape` may have.
    ShapeType {
        #[default]
        I32OrI64 = "i32 or i64",
        I64 = "i64",
    }
}

question! {
    /// Which extents an output without elements may have.
    Strides {
        #[default]
        Any = "any",
        /// Those whose product up to the first zero fits in 64 bits, and whose strides fit in 63. PyTorch.
        Fit = "that fit in 64 bits",
    }
}

question! {
    /// Whether bounds of integers are looked at where the output has no element.
    EmptyOutput {
        /// They are.
        #[default]
        Checked = "checked",
        /// They are not. TensorFlow.
        Unchecked = "not checked",
    }
}

question! {
    /// Which types `num_samples` may have.
    SamplesType {
        #[default]
        I32OrI64 = "i32 or i64",
        /// Any integer. OpenVINO's CPU plugin.
        Integer = "any integer",
    }
}

question! {
    /// Whether probabilities are looked at.
    Probabilities {
        /// Each is finite and not negative, and the sum neither zero nor infinite.
        #[default]
        Checked = "checked",
        /// No. OpenVINO.
        Unchecked = "not checked",
        /// The sum is not.
        SumUnchecked = "the sum is not checked",
    }
}

question! {
    /// How many samples may be asked for without replacement.
    SampleCount {
        /// As many as there are classes of a weight over zero.
        #[default]
        NonZeroClasses = "non-zero classes",
        /// As many as there are classes.
        Classes = "classes",
        /// Any number. OpenVINO.
        Any = "any",
        /// Any number over zero, of a row and a class at least. ONNX Runtime.
        Positive = "any over zero, of classes and rows",
    }
}

question! {
    /// Which given draws are accepted.
    DrawRange {
        /// `[0, 1]`.
        #[default]
        Closed = "[0, 1]",
        /// `[0, 1)`.
        HalfOpen = "[0, 1)",
        /// All.
        Any = "any",
    }
}

question! {
    /// What a known value of `alignment` does.
    AlignmentRead {
        /// It chooses the generator.
        #[default]
        Chosen = "chooses",
        /// Nothing: Philox is drawn from.
        Tensorflow = "TENSORFLOW whatever it says",
        /// Nothing: MT19937 is drawn from.
        Pytorch = "PYTORCH whatever it says",
    }
}

subject! {
    /// What is refused.
    Validation as "validation" {
        /// Which bounds of floats are accepted.
        float_bounds: FloatBounds,
        /// Which bounds of integers are accepted.
        integer_bounds: IntegerBounds,
        /// Whether bounds of integers are looked at where the output has no element.
        empty_output: EmptyOutput,
        /// Which shape a bound may have.
        bound_form: BoundForm,
        /// Which types `shape` may have.
        shape_type: ShapeType,
        /// Which extents an output without elements may have.
        strides: Strides,
        /// Whether probabilities are looked at.
        probabilities: Probabilities,
        /// Which types `num_samples` may have.
        samples_type: SamplesType,
        /// How many samples may be asked for.
        samples: SampleCount,
        /// Which given draws are accepted.
        draws: DrawRange,
        /// Which generator `alignment` chooses.
        alignment: AlignmentRead,
    }
}

question! {
    /// Whether an implementation has something.
    Availability {
        /// It does.
        #[default]
        Available = "yes",
        /// It does not: `unsupported`.
        Missing = "no",
        /// It leaves the output unwritten: `unsupported`.
        Unwritten = "unwritten",
    }
}

question! {
    /// The types of RandomUniform-8.
    UniformTypes {
        #[default]
        All = "all",
        /// f32 and f64. ONNX Runtime.
        Wide = "f32 and f64",
        /// f32. LiteRT.
        Single = "f32",
    }
}

question! {
    /// How many seeds a request may have.
    SeedCount {
        #[default]
        Two = "two",
        /// One: the other is zero. ONNX.
        One = "one",
    }
}

question! {
    /// The forms of Multinomial-13.
    Forms {
        #[default]
        All = "all",
        /// Logarithms in f32, with replacement. ONNX.
        Logarithms = "f32 logarithms, with replacement",
    }
}

/// The ops that an implementation does not have. Each op is a question of its own, which has its name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Lacks(pub BTreeSet<OpName>);

impl Subject for Lacks {
    fn questions(&self) -> Vec<(&'static str, String)> {
        let has = |op| {
            if self.0.contains(op) {
                Availability::Missing
            } else {
                Availability::Available
            }
        };
        OpName::ALL.iter().map(|op| (op.name(), has(op).name())).collect()
    }

    fn choices(&self) -> Vec<(&'static str, Vec<String>)> {
        let answers = || vec![Availability::Available.name(), Availability::Missing.name()];
        OpName::ALL.iter().map(|op| (op.name(), answers())).collect()
    }

    fn answer(&mut self, question: &str, answer: &str) -> Result<(), NoSuch> {
        let op = Attribute::<OpName>::parse(question)
            .known()
            .ok_or(NoSuch::Question)?;
        match Availability::parse(answer) {
            Some(Availability::Available) => self.0.remove(&op),
            Some(Availability::Missing) => self.0.insert(op),
            _ => return Err(NoSuch::Answer),
        };
        Ok(())
    }
}

subject! {
    /// What an implementation has of the ops that it has.
    Scope as "has" {
        /// RandomUniform-8 with TENSORFLOW alignment.
        tensorflow: Availability,
        /// RandomUniform-8 with PYTORCH alignment.
        pytorch: Availability,
        /// The types of RandomUniform-8.
        uniform_types: UniformTypes,
        /// How many seeds a request may have.
        seeds: SeedCount,
        /// Outputs of shape `[]`.
        scalar_shape: Availability,
        /// The forms of Multinomial-13.
        forms: Forms,
        /// The input `draws` of Multinomial.
        draws: Availability,
        /// The types of 64 bits of JAX's `jax.random`.
        jax_wide: Availability,
        /// Its types of 8 and 16 bits.
        jax_narrow: Availability,
        /// Its keys of Philox.
        jax_rbg: Availability,
        /// Ranges with a bound that is not finite.
        jax_infinite: Availability,
        /// The order of today's JAX.
        jax_partitionable: Availability,
        /// The order of JAX before.
        jax_original: Availability,
    }
}

question! {
    /// Where the second execution of one op instance begins.
    Execution {
        /// It is not specified: `unsupported`.
        #[default]
        Unspecified = "unspecified",
        /// Where the first began.
        Afresh = "afresh",
        /// Where the first ended. PyTorch.
        Continues = "continues",
        /// 256 blocks on for each block of the first; a carry out of n sets the counter to 1. OpenVINO core.
        Blocks256 = "256 for each block",
        /// 256 blocks on for each element of the first, n in 64 bits. The OpenVINO CPU plugin.
        Elements256 = "256 for each element",
        /// 256 blocks on for each element of the first, in 128 bits. TensorFlow.
        Elements256Wide = "256 for each element, 128 bits",
    }
}

subject! {
    /// What a second execution draws.
    Executions as "executions" {
        /// Of RandomUniform-8, TENSORFLOW.
        tensorflow: Execution,
        /// Of RandomUniform-8, PYTORCH.
        pytorch: Execution,
        /// Of Multinomial-13.
        multinomial: Execution,
    }
}
