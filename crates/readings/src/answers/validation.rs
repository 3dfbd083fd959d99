//! What is refused, what an implementation has, and what a second execution draws.

use super::{question, subject};

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
    }
}

question! {
    /// Whether an implementation has something.
    Has {
        /// It does.
        #[default]
        Yes = "yes",
        /// It does not: `unsupported`.
        No = "no",
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

subject! {
    /// What an implementation has.
    Scope as "has" {
        /// RandomUniform-8 with TENSORFLOW alignment.
        tensorflow: Has,
        /// RandomUniform-8 with PYTORCH alignment.
        pytorch: Has,
        /// The types of RandomUniform-8.
        uniform_types: UniformTypes,
        /// How many seeds a request may have.
        seeds: SeedCount,
        /// Outputs of shape `[]`.
        scalar_shape: Has,
        /// Multinomial-13.
        multinomial: Has,
        /// Its forms.
        forms: Forms,
        /// The input `draws` of Multinomial.
        draws: Has,
        /// DirectML's RandomGenerator.
        dml: Has,
        /// StableHLO's rng_bit_generator.
        bit_generator: Has,
        /// TensorFlow's StatelessRandomGetKeyCounter.
        key_counter: Has,
        /// TensorFlow's three StatelessRandomUniform ops.
        stateless_uniform: Has,
        /// PyTorch's split, fold_in and uniform.
        philox_keys: Has,
        /// PyTorch's randint.
        philox_randint: Has,
        /// JAX's `jax.random`.
        jax: Has,
        /// Its types of 64 bits.
        jax_wide: Has,
        /// ONNX's generator that is named, and its generator states.
        onnx_prng: Has,
        /// TensorFlow's RandomStandardNormal and TruncatedNormal.
        normal: Has,
        /// TensorFlow's StatelessRandomNormalV2.
        stateless_normal: Has,
        /// TensorFlow's StatelessTruncatedNormalV2.
        stateless_truncated: Has,
        /// PyTorch's normal_.
        torch_normal: Has,
        /// PyTorch's normal by key.
        philox_normal: Has,
        /// vLLM's sampler.
        vllm: Has,
        /// SGLang's sampler.
        sglang: Has,
        /// Triton's draws.
        triton: Has,
        /// The integers of PyTorch's compiler.
        inductor: Has,
        /// PyTorch's samplers, masks and permutations.
        torch_samplers: Has,
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
