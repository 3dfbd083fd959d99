use std::sync::Mutex;

use seedproof_ops::{
    Alignment, Attribute, Backend, BackendId, Dtype, Failure, Kind, Multinomial, RandomUniform, Response,
    Shape, Tensor, Types,
};
use serde_json::json;

use super::*;
use crate::requests::{dml, draws, multinomial, uniform};
use crate::toy::Toy;

fn announced(list: &Value) -> Result<Capabilities, InvalidCapability> {
    let list: Vec<Map<String, Value>> = serde_json::from_value(list.clone()).unwrap();
    Capabilities::from_json(&list)
}

fn no(capabilities: &Capabilities, request: &Request) -> String {
    match capabilities.support(request) {
        Support::Unsupported(reason) => reason,
        Support::Supported => panic!("{request:?} is covered"),
    }
}

fn random_uniform(edit: impl FnOnce(&mut RandomUniform)) -> Request {
    let Request::RandomUniform(mut request) = uniform(1) else {
        unreachable!("it is one");
    };
    edit(&mut request);
    Request::RandomUniform(request)
}

#[test]
fn capabilities_restrict_what_they_name() {
    let list = json!([{"op": "openvino.RandomUniform-8", "alignment": ["TENSORFLOW"], "output_type": ["f32", "i32"]}]);
    let capabilities = announced(&list).unwrap();
    assert_eq!(capabilities.support(&uniform(1)), Support::Supported);
    let pytorch = random_uniform(|r| r.alignment = Alignment::Pytorch.into());
    assert_eq!(
        no(&capabilities, &pytorch),
        "alignment \"PYTORCH\" is not announced"
    );
    let f64 = random_uniform(|r| r.output_type = Dtype::F64.into());
    assert_eq!(no(&capabilities, &f64), "output_type \"f64\" is not announced");
    let jax = random_uniform(|r| r.alignment = Attribute::Unknown("JAX".into()));
    assert!(no(&capabilities, &jax).contains("JAX"));
    assert_eq!(
        no(&capabilities, &dml(false)),
        "directml.RandomGenerator is not announced"
    );
    assert_eq!(serde_json::to_value(capabilities.to_json()).unwrap(), list);
}

#[test]
fn capabilities_of_one_op_add_up() {
    let capabilities = announced(&json!([
        {"op": "openvino.RandomUniform-8", "alignment": ["TENSORFLOW"], "output_type": ["f32"]},
        {"op": "openvino.RandomUniform-8", "alignment": ["PYTORCH"], "output_type": ["f64"], "features": ["digest"]},
    ]))
    .unwrap();
    let both = |alignment: Alignment, dtype: Dtype| {
        random_uniform(|r| (r.alignment, r.output_type) = (alignment.into(), dtype.into()))
    };
    let pytorch = both(Alignment::Pytorch, Dtype::F64);
    assert_eq!(capabilities.support(&pytorch), Support::Supported);
    assert_eq!(
        no(&capabilities, &both(Alignment::Tensorflow, Dtype::F64)),
        "output_type \"f64\" is not announced"
    );
    assert!(capabilities.offers(&pytorch, DIGEST));
    assert!(
        !capabilities.offers(&uniform(1), DIGEST),
        "the other entry has it"
    );
}

#[test]
fn capabilities_restrict_inputs_by_type_and_flags_by_value() {
    let capabilities = announced(&json!([
        {"op": "openvino.Multinomial-13", "probs": ["f32"], "with_replacement": [false], "features": ["draws"]},
    ]))
    .unwrap();
    let Request::Multinomial(plain) = multinomial(None) else {
        unreachable!("it is one");
    };
    assert_eq!(
        no(&capabilities, &multinomial(None)),
        "with_replacement true is not announced"
    );
    let without = Multinomial {
        with_replacement: false,
        ..plain
    };
    assert_eq!(
        no(&capabilities, &Request::Multinomial(without)),
        "probs \"f64\" is not announced"
    );
}

#[test]
fn capabilities_need_a_feature_for_each_extra() {
    let plain = announced(&json!([
        {"op": "openvino.Multinomial-13", "features": ["digest"]},
        {"op": "openvino.RandomUniform-8"},
        {"op": "directml.RandomGenerator"},
    ]))
    .unwrap();
    assert_eq!(
        no(&plain, &multinomial(Some(draws()))),
        "the feature draws is not announced"
    );
    assert_eq!(
        no(&plain, &dml(true)),
        "the feature output_state is not announced"
    );
    assert_eq!(
        no(&plain, &random_uniform(|r| r.execution = 1)),
        "the feature execution is not announced"
    );
    let Request::Multinomial(again) = multinomial(Some(draws())) else {
        unreachable!("it is one");
    };
    let again = Request::Multinomial(Multinomial {
        execution: 2,
        ..again
    });
    let one = announced(&json!([{"op": "openvino.Multinomial-13", "features": ["execution"]}])).unwrap();
    assert_eq!(no(&one, &again), "the feature draws is not announced");
    let two =
        announced(&json!([{"op": "openvino.Multinomial-13", "features": ["execution", "draws"]}])).unwrap();
    assert_eq!(two.support(&again), Support::Supported);
}

#[test]
fn capabilities_with_unknown_names_are_refused() {
    let table = [
        (
            json!([{}]),
            "`op` is one of openvino.RandomUniform-8, openvino.Multinomial-13",
        ),
        (json!([{"op": "RandomUniform"}]), "not \"RandomUniform\""),
        (
            json!([{"op": "directml.RandomGenerator", "alignment": ["PYTORCH"]}]),
            "directml.RandomGenerator has no attribute or input `alignment` (it has type, feature_level, output_sizes, \
             output_state, input_state)",
        ),
        (
            json!([{"op": "directml.RandomGenerator", "type": "PHILOX_4X32_10"}]),
            "`type` of directml.RandomGenerator: expected a list of values",
        ),
        (
            json!([{"op": "directml.RandomGenerator", "features": ["speed"]}]),
            "`features` is a list of data, digest, draws, execution, mean, offset, output_state, seed, stddev, window, not \"speed\"",
        ),
    ];
    for (list, words) in table {
        let error = announced(&list).unwrap_err().to_string();
        assert!(error.contains(words), "{list}: {error}");
    }
}

#[test]
fn capabilities_with_unknown_values_are_refused_with_the_nearest_right_one() {
    let table = [
        (
            json!([{"op": "openvino.RandomUniform-8", "alignment": ["tensorflow"]}]),
            "`alignment` of openvino.RandomUniform-8: expected one of TENSORFLOW, PYTORCH, not \"tensorflow\"; did \
             you mean `TENSORFLOW`?",
        ),
        (
            json!([{"op": "openvino.RandomUniform-8", "output_type": ["float32"]}]),
            "not \"float32\"; did you mean `f32`?",
        ),
        (
            json!([{"op": "openvino.Multinomial-13", "probs": ["bfloat16"]}]),
            "not \"bfloat16\"; did you mean `bf16`?",
        ),
        (
            json!([{"op": "openvino.Multinomial-13", "with_replacement": ["true"]}]),
            "expected true or false, not \"true\"",
        ),
        (
            json!([{"op": "openvino.RandomUniform-8", "op_seed": [0]}]),
            "expected a u64 as a decimal string, such as \"150\", not 0",
        ),
        (
            json!([{"op": "openvino.RandomUniform-8", "minval": {"values": ["none"]}}]),
            "decimals in quotation marks as values, such as \"1\", not \"none\"",
        ),
        (
            json!([{"op": "openvino.RandomUniform-8", "minval": {"value": ["0"]}}]),
            "an object with `types` and `values`",
        ),
        (
            json!([{"op": "openvino.RandomUniform-8", "rank": {"least": 1}}]),
            "an object with `min`, `max` or both",
        ),
        (json!([{"op": "openvino.RandomUniform-8", "rank": {}}]), "`rank`"),
        (
            json!([{"op": "RandomUniform-8"}]),
            "did you mean `openvino.RandomUniform-8`?",
        ),
        (
            json!([{"op": "directml.RandomGenerator", "features": ["output-state"]}]),
            "did you mean `output_state`?",
        ),
    ];
    for (list, words) in table {
        let error = announced(&list).unwrap_err().to_string();
        assert!(error.contains(words), "{list}: {error}");
    }
}

#[test]
fn capabilities_restrict_values_of_inputs_and_ranks() {
    let list = json!([{
        "op": "openvino.RandomUniform-8", "op_seed": ["0"], "minval": {"types": ["f32"], "values": ["0"]},
        "maxval": {"values": ["1"]}, "rank": {"min": 1, "max": 2},
    }]);
    let capabilities = announced(&list).unwrap();
    assert_eq!(serde_json::to_value(capabilities.to_json()).unwrap(), list);
    let unit = |edit: fn(&mut RandomUniform)| {
        random_uniform(|request| {
            request.op_seed = 0;
            request.minval = Tensor::scalar(0.0_f32);
            request.maxval = Tensor::scalar(1.0_f32);
            edit(request);
        })
    };
    assert_eq!(capabilities.support(&unit(|_| {})), Support::Supported);
    for (refused, words) in [
        (unit(|it| it.op_seed = 1), "op_seed \"1\" is not announced"),
        (
            unit(|it| it.minval = Tensor::scalar(-0.0_f32)),
            "minval with the value -0 is not announced",
        ),
        (
            unit(|it| it.minval = Tensor::scalar(0.0_f64)),
            "minval \"f64\" is not announced",
        ),
        (
            unit(|it| it.maxval = Tensor::vector(&[1.0_f32, 2.0])),
            "maxval with the value 2 is not announced",
        ),
        (
            unit(|it| it.shape = Tensor::vector(&[1_i64, 1, 1])),
            "rank 3 is not announced",
        ),
        (
            unit(|it| it.shape = Tensor::vector(&[-1_i64])),
            "rank an output without extents is not announced",
        ),
    ] {
        assert_eq!(no(&capabilities, &refused), words);
    }
}

#[test]
fn capabilities_have_keys_of_their_own() {
    let mut names = OpName::ALL.iter().flat_map(|op| op.description().names());
    assert!(names.all(|name| !["op", "features", RANK].contains(&name)));
}

#[test]
fn capabilities_of_a_backend_that_does_all_have_no_restriction() {
    assert_eq!(Capabilities::of(&Toy::new()), Capabilities::full());
}

/// Claims PYTORCH in full, TENSORFLOW in f32 and f64, and Multinomial with replacement of probabilities.
struct Choosy(BackendId);

impl Backend for Choosy {
    fn id(&self) -> &BackendId {
        &self.0
    }

    fn supports(&self, request: &Request) -> Support {
        let claimed = match request {
            Request::RandomUniform(r) => {
                r.alignment == Alignment::Pytorch.into()
                    || r.output_type == Dtype::F32.into()
                    || r.output_type == Dtype::F64.into()
            }
            Request::Multinomial(r) => {
                r.with_replacement
                    && !r.log_probs
                    && (r.execution == 0 || r.convert_type == Dtype::I64.into())
            }
            _ => false,
        };
        if claimed {
            Support::Supported
        } else {
            Support::Unsupported("not this".into())
        }
    }

    fn run(&self, _: &Request) -> Result<Response, Failure> {
        Err(Failure::error("only asked what it supports"))
    }
}

#[test]
fn capabilities_of_a_backend_are_found_by_asking() {
    let capabilities = Capabilities::of(&Choosy(BackendId::new("choosy")));
    let expected = json!([
        {"op": "openvino.RandomUniform-8", "output_type": ["f16", "bf16", "i32", "i64"], "alignment": ["PYTORCH"],
         "features": ["digest", "execution", "window"]},
        {"op": "openvino.RandomUniform-8", "output_type": ["f32", "f64"],
         "features": ["digest", "execution", "window"]},
        {"op": "openvino.Multinomial-13", "convert_type": ["i32"], "with_replacement": [true], "log_probs": [false],
         "features": ["digest", "draws", "window"]},
        {"op": "openvino.Multinomial-13", "convert_type": ["i64"], "with_replacement": [true], "log_probs": [false],
         "features": ["digest", "draws", "execution", "window"]},
    ]);
    let found = serde_json::to_value(capabilities.to_json()).unwrap();
    assert_eq!(found, expected);
}

/// Supports everything, and keeps what it was asked about.
struct Recorder(BackendId, Mutex<Vec<Request>>);

impl Backend for Recorder {
    fn id(&self) -> &BackendId {
        &self.0
    }

    fn supports(&self, request: &Request) -> Support {
        self.1.lock().unwrap().push(request.clone());
        Support::Supported
    }

    fn run(&self, _: &Request) -> Result<Response, Failure> {
        Err(Failure::error("only asked what it supports"))
    }
}

#[test]
fn capabilities_are_asked_for_by_the_smallest_requests_of_the_right_form() {
    let recorder = Recorder(BackendId::new("recorder"), Mutex::default());
    assert_eq!(Capabilities::of(&recorder).0.len(), OpName::ALL.len());
    let requests = recorder.1.into_inner().unwrap();
    for op in OpName::ALL {
        let description = op.description();
        let optional: Vec<&str> = description.features().collect();
        let mut of_op = requests.iter().filter(|request| request.op() == *op).peekable();
        let first = of_op.peek().expect("each op is asked about");
        assert_eq!(features_of(first).next(), None, "the first has no feature");
        let mut asked = BTreeSet::new();
        for request in of_op {
            for (info, tensor) in request.inputs() {
                let is_typed = match info.dtypes {
                    Types::OneOf(list) => list.contains(&tensor.dtype()),
                    Types::Attribute(name) => {
                        request.attribute(name)
                            == Some(AttributeValue::Text(tensor.dtype().name().to_owned()))
                    }
                };
                let dims = tensor.shape().dims();
                let is_shaped = match info.role.words(|_| None) {
                    Some(words) => *tensor.shape() == Shape::new(&words).unwrap(),
                    None => info.ranks.contains(&dims.len()) && dims.iter().all(|&extent| extent == 1),
                };
                assert!(is_typed && is_shaped, "{}: {request:?}", info.name);
            }
            let features: Vec<&str> = features_of(request).collect();
            assert!(features.len() <= 1, "{features:?} at once");
            asked.extend(features.iter().filter(|feature| optional.contains(feature)));
            for (info, _) in request.attributes() {
                let is_asked = features.contains(&info.name);
                // Each name of an enumeration and each type is asked about, also where the attribute may be left out.
                let is_plain = matches!(
                    info.kind,
                    Kind::WithOutput | Kind::Enumeration(_) | Kind::Dtype(_)
                );
                assert!(info.required || is_asked || is_plain, "{request:?}");
            }
        }
        assert_eq!(asked, optional.iter().copied().collect(), "{op}");
    }
}
