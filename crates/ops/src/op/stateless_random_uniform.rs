//! TensorFlow's StatelessRandomUniformV2, StatelessRandomUniformIntV2 and StatelessRandomUniformFullIntV2.

use super::servers::unit;
use super::{ALGORITHMS, Distribution, Interface, Kind, Role, Types, op};
use crate::dtype::Dtype;
use crate::named::Attribute;
use crate::scalar::Scalar;
use crate::tensor::Tensor;

/// An op that draws from a key and a counter: the inputs that all of them have, and its own after them.
macro_rules! drawn_from_counter {
    (
        $(#[$doc:meta])*
        $op:ident {
            name: $name:literal,
            title: $title:literal,
            prefix: $prefix:literal,
            types: $types:expr,
            inputs: { $($inputs:tt)* },
        }
    ) => {
        op! {
            $(#[$doc])*
            $op {
                name: $name,
                title: $title,
                prefix: $prefix,
                attributes: {
                    /// The output's element type.
                    output_type: Attribute<Dtype> = Kind::Dtype($types),
                },
                inputs: {
                    /// The output's extents.
                    shape: Tensor = Role::Extents, Types::OneOf(&[Dtype::I64, Dtype::I32]), "[rank]", 1..=1;
                    /// The key.
                    key: Tensor = Role::Words(&[1]), Types::OneOf(&[Dtype::U64]), "[1]", 1..=1;
                    /// The counter, the low half first.
                    counter: Tensor = Role::Words(&[2]), Types::OneOf(&[Dtype::U64]), "[2]", 1..=1;
                    /// 1 for Philox, 2 for ThreeFry, 3 for whichever suits the device.
                    alg: Tensor = Role::Choice(ALGORITHMS), Types::OneOf(&[Dtype::I32]), "[]", 0..=0;
                    $($inputs)*
                },
                outputs: ["output": "of `output_type`, the extents in `shape`"],
            }
        }
    };
}
pub(super) use drawn_from_counter;

drawn_from_counter! {
    /// TensorFlow StatelessRandomUniformV2: floats in `[0, 1)` from a key and a counter.
    StatelessRandomUniform {
        name: "tensorflow.StatelessRandomUniformV2",
        title: "StatelessRandomUniformV2",
        prefix: "tfsu",
        types: &[Dtype::F16, Dtype::Bf16, Dtype::F32, Dtype::F64],
        inputs: {},
    }
}

drawn_from_counter! {
    /// TensorFlow StatelessRandomUniformIntV2: integers in a range from a key and a counter.
    StatelessRandomUniformInt {
        name: "tensorflow.StatelessRandomUniformIntV2",
        title: "StatelessRandomUniformIntV2",
        prefix: "tfsi",
        types: &[Dtype::I32, Dtype::I64, Dtype::U32, Dtype::U64],
        inputs: {
            /// Lower bound, inclusive.
            minval: Tensor = Role::Lower, Types::Attribute("output_type"), "[]", 0..=0;
            /// Upper bound, exclusive.
            maxval: Tensor = Role::Upper, Types::Attribute("output_type"), "[]", 0..=0;
        },
    }
}

drawn_from_counter! {
    /// TensorFlow StatelessRandomUniformFullIntV2: integers of all bits from a key and a counter.
    StatelessRandomUniformFullInt {
        name: "tensorflow.StatelessRandomUniformFullIntV2",
        title: "StatelessRandomUniformFullIntV2",
        prefix: "tfsf",
        types: &[Dtype::I32, Dtype::I64, Dtype::U32, Dtype::U64],
        inputs: {},
    }
}

/// The methods that the three ops share, and the distribution of each.
macro_rules! interfaces {
    ($($op:ident: |$request:ident| $distribution:expr;)*) => {$(
        impl Interface for $op {
            /// The algorithm.
            fn variant(&self) -> String {
                match self.alg.get(0).map(Scalar::to_i64) {
                    Some(1) => "Philox",
                    Some(2) => "ThreeFry",
                    Some(3) => "auto",
                    _ => "no algorithm",
                }
                .to_owned()
            }

            fn distribution(&self) -> Option<Distribution<'_>> {
                let $request = self;
                $distribution
            }

            /// The order in which ThreeFry fills narrow elements depends on the output's extents.
            fn grows(&self) -> bool {
                self.alg.get(0).map(Scalar::to_i64) != Some(2)
            }
        }
    )*};
}

interfaces! {
    StatelessRandomUniform: |request| unit(request.output_type.known()?);
    StatelessRandomUniformInt: |request| Some(Distribution::Uniform {
        lower: request.minval.get(0)?,
        upper: request.maxval.get(0)?,
    });
    StatelessRandomUniformFullInt: |_request| Some(Distribution::Bits);
}
