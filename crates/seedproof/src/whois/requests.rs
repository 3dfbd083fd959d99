//! The requests that may have drawn an array, from the descriptions of the ops.

use seedproof_ops::{
    AttributeInfo, AttributeValue, Dtype, InputInfo, Kind, Named as _, Op, OpName, Request, Role, Scalar,
    Shape, Tensor, Types,
};

use super::sought::{Known, Sought};

/// The largest integer range that is guessed from the greatest element of an array. In a small range an array has many
/// elements of each value, so that its greatest element is the last of the range or nearly so.
const MAX_GUESSED_RANGE: i128 = 1 << 16;

/// The most requests of one op. The values of its attributes multiply.
const MAX_REQUESTS: usize = 256;

impl Sought {
    /// Every request whose output has the array's form. It has all values of the attributes that are not known, the
    /// bounds that the elements suggest, and the ways in which words are made of seeds.
    ///
    /// ```
    /// use seedproof::ops::Tensor;
    /// use seedproof::whois::Sought;
    ///
    /// let sought = Sought::new(Tensor::vector(&[0.25_f32, 0.5]), 42, 0);
    /// let ops: Vec<String> = sought.requests().iter().map(|request| request.op().to_string()).collect();
    /// assert!(ops.contains(&"openvino.RandomUniform-8".to_owned()));
    /// ```
    pub fn requests(&self) -> Vec<Request> {
        self.requests_within(&Suggested::of(&self.actual))
    }

    /// [`Self::requests`] with what the array suggests, for a caller that asks for the requests of many seeds.
    pub(super) fn requests_within(&self, suggested: &Suggested) -> Vec<Request> {
        let mut all = Vec::new();
        for request in OpName::ALL.iter().flat_map(|op| self.of_op(*op, suggested)) {
            if !all.contains(&request) {
                all.push(request);
            }
        }
        all
    }

    fn known(&self, name: &str) -> Option<&Known> {
        self.known
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value)
    }

    /// The requests of one op, with what the array suggests. That is passed in because it takes a look at every element.
    pub(super) fn of_op(&self, op: OpName, suggested: &Suggested) -> Vec<Request> {
        let description = op.description();
        // An op without an attribute that is known cannot have drawn the array, nor can a stateless op in a later
        // execution.
        let has = |name: &str| description.names().any(|other| other == name);
        if !self.known.iter().all(|(name, _)| has(name)) || (self.execution > 0 && !description.successive) {
            return Vec::new();
        }
        let is_bound = |info: &AttributeInfo| matches!(info.kind, Kind::Number(_)) && is_lower(info.name);
        if self.range.is_none() && self.known.is_empty() && description.attributes.iter().any(is_bound) {
            // Whole words are those of a generator, whatever op passes them on.
            let is_narrow = |(low, high): &&(Scalar, Scalar)| {
                !low.dtype().is_float() && high.to_i128() - low.to_i128() < u32::MAX.into()
            };
            let with = |&range: &(Scalar, Scalar)| Self {
                range: Some(range),
                ..self.clone()
            };
            // An exclusive bound may lie one past the greatest value of the type: `randint(0, 256)` of bytes.
            let whole = self.actual.dtype().integers().and_then(|all| {
                let end = all.end().checked_add(1)?;
                Scalar::from_i128(Dtype::I64, *all.start()).zip(Scalar::from_i128(Dtype::I64, end))
            });
            // First, because a bound that is guessed from the greatest element draws the same array as often as not.
            let ranges = whole.iter().chain(&suggested.ranges);
            return ranges
                .filter(is_narrow)
                .flat_map(|range| with(range).of_op(op, suggested))
                .collect();
        }
        let mut seeds = 0;
        let attributes: Option<Vec<Vec<Option<AttributeValue>>>> = description
            .attributes
            .iter()
            .map(|info| self.attribute(info, &mut seeds, suggested))
            .collect();
        let Some(attributes) = attributes else {
            return Vec::new();
        };
        let mut requests = Vec::new();
        for attributes in product(&attributes) {
            let Some(inputs) = self.inputs(description, &attributes, suggested) else {
                continue;
            };
            for inputs in inputs {
                let mut given = attributes.iter();
                let mut tensors = inputs.into_iter();
                let built = Request::build(
                    op,
                    &mut |_| given.next().cloned().flatten(),
                    &mut |_| tensors.next().flatten(),
                    self.execution,
                );
                requests.extend(built.ok().filter(|request| self.has_form_of(request)));
            }
        }
        requests
    }

    fn has_form_of(&self, request: &Request) -> bool {
        let form = request.output_form();
        form == Some((self.actual.dtype(), self.actual.shape().to_u64()))
    }

    /// The values that an attribute may have; `None` if it is required and cannot be guessed.
    fn attribute(
        &self,
        info: &AttributeInfo,
        seeds: &mut usize,
        suggested: &Suggested,
    ) -> Option<Vec<Option<AttributeValue>>> {
        if let Some(known) = self.known(info.name) {
            return match known {
                Known::Attribute(value) => Some(vec![Some(value.clone())]),
                Known::Input(_) => None,
            };
        }
        let values = match info.kind {
            Kind::Enumeration(names) => names
                .iter()
                .map(|name| AttributeValue::Text((*name).to_owned()))
                .collect(),
            Kind::Dtype(dtypes) => {
                let dtype = self.actual.dtype();
                if !dtypes.contains(&dtype) {
                    return None;
                }
                vec![AttributeValue::Text(dtype.name().to_owned())]
            }
            Kind::Seed => {
                *seeds += 1;
                vec![AttributeValue::Seed(if *seeds == 1 {
                    self.seed
                } else {
                    self.op_seed
                })]
            }
            Kind::Boolean => vec![AttributeValue::Boolean(false), AttributeValue::Boolean(true)],
            // A further output changes nothing in the first one, which is all that is compared.
            Kind::WithOutput => vec![AttributeValue::Boolean(false)],
            Kind::Extents(_) => vec![AttributeValue::Extents(self.actual.shape().to_u64())],
            Kind::Number(_) => {
                let bound = self.range.and_then(|(low, high)| match info.name {
                    name if is_lower(name) => Some(low),
                    "high" | "maxval" => Some(high),
                    _ => None,
                });
                // `num` counts the elements of cuRAND's output, and `n` is the length of a permutation. The other
                // numbers of ops are not in an array.
                let known = bound.filter(|bound| !bound.dtype().is_float());
                let known = match (known, self.actual.shape().dims()) {
                    (Some(bound), _) => Some(AttributeValue::Number(bound.to_i128())),
                    (None, &[count]) if info.name == "num" || info.name == "n" && suggested.is_order => {
                        Some(AttributeValue::Number(i128::try_from(count).ok()?))
                    }
                    (None, _) if info.name == "seed" => Some(AttributeValue::Number(self.seed.into())),
                    (None, _) => None,
                };
                return (!info.required || known.is_some()).then(|| vec![known]);
            }
        };
        Some(values.into_iter().map(Some).collect())
    }

    /// The inputs that go with these attributes, one list for each combination; `None` if one is required and not
    /// known.
    fn inputs(
        &self,
        op: &Op,
        attributes: &[Option<AttributeValue>],
        suggested: &Suggested,
    ) -> Option<Vec<Vec<Option<Tensor>>>> {
        let mut bounds = None;
        let mut choices: Vec<Vec<Option<Tensor>>> = Vec::new();
        for info in op.inputs {
            let dtype = dtype_of(op, info, attributes)?;
            choices.push(match (self.known(info.name), info.role) {
                (Some(Known::Input(tensor)), _) => vec![Some(tensor.clone())],
                (None, Role::Extents) => vec![Some(extents(dtype, self.actual.shape().dims())?)],
                (None, Role::Count) => {
                    let count = self.actual.shape().dims().last()?;
                    vec![
                        Some(extents(dtype, &[*count])?)
                            .and_then(|it| it.get(0))
                            .map(Tensor::from_scalar),
                    ]
                }
                (None, Role::Lower | Role::Upper) => {
                    bounds = Some(dtype);
                    vec![None]
                }
                (None, role @ (Role::Words(_) | Role::Key { .. })) => {
                    let dims = role.words(|attribute| text_of(op, attribute, attributes))?;
                    self.words(role, dtype, &dims).into_iter().map(Some).collect()
                }
                (None, Role::Choice(choice)) => choice.iter().map(|it| Tensor::integer(dtype, *it)).collect(),
                (None, Role::Weights | Role::Draws | Role::Parameter(_)) if !info.required => vec![None],
                // What is shuffled is mostly the numbers from 0 on.
                (None, Role::Elements) if suggested.is_order => vec![Some(self.counted(info)?)],
                (None, Role::Parameter(usual)) => {
                    vec![Scalar::from_decimal(dtype, usual).map(Tensor::from_scalar)]
                }
                (Some(Known::Attribute(_)), _)
                | (None, Role::Weights | Role::Draws | Role::Probability | Role::PerRow | Role::Elements) => {
                    return None;
                }
            });
        }
        let combined = product(&choices);
        let Some(dtype) = bounds else {
            return Some(combined);
        };
        let mut all = Vec::new();
        let of_type = |(lower, upper): &(Scalar, Scalar)| lower.dtype() == dtype && upper.dtype() == dtype;
        let ranges = self
            .range
            .as_ref()
            .map_or(&suggested.ranges[..], std::slice::from_ref);
        for (lower, upper) in ranges.iter().copied().filter(of_type) {
            for inputs in &combined {
                let filled = op
                    .inputs
                    .iter()
                    .zip(inputs)
                    .map(|(info, tensor)| match info.role {
                        Role::Lower if tensor.is_none() => Some(Tensor::from_scalar(lower)),
                        Role::Upper if tensor.is_none() => Some(Tensor::from_scalar(upper)),
                        _ => tensor.clone(),
                    });
                all.push(filled.collect());
            }
        }
        Some(all)
    }

    /// The numbers from 0 on in the form of the array; `None` where the input has another element type.
    fn counted(&self, info: &InputInfo) -> Option<Tensor> {
        let dtype = self.actual.dtype();
        let Types::OneOf(dtypes) = info.dtypes else {
            return None;
        };
        let tensor = wholes(dtype, self.actual.shape(), 0..self.actual.count());
        tensor.filter(|_| dtypes.contains(&dtype))
    }

    /// The values of an input that consists of words of the seeds; none for other inputs.
    ///
    /// The words of a state are made in three ways: the other seeds and then the first one, as a counter before its
    /// key; the reverse; and the other seeds before the first one with its halves exchanged. A key is the halves of the
    /// first seed, the high one before the low one, repeated.
    pub(super) fn words(&self, role: Role, dtype: Dtype, dims: &[u64]) -> Vec<Tensor> {
        let Ok(shape) = Shape::new(dims) else {
            return Vec::new();
        };
        // ONNX writes a seed as a float.
        if dtype.is_float() && matches!(role, Role::Words(_)) {
            let seed = Scalar::from_decimal(dtype, &self.seed.to_string());
            return seed
                .filter(|_| dims.is_empty())
                .map(Tensor::from_scalar)
                .into_iter()
                .collect();
        }
        let size = shape.count() * dtype.size();
        let [first, other] = [self.seed, self.op_seed].map(u64::to_le_bytes);
        let halves = [&first[4..], &first[..4]].concat();
        match role {
            Role::Words(_) => {}
            Role::Key { .. } => {
                let bytes = halves.iter().copied().cycle().take(size).collect();
                return Tensor::new(dtype, shape, bytes).into_iter().collect();
            }
            _ => return Vec::new(),
        }
        let mut all: Vec<Tensor> = Vec::new();
        for (low, high) in [
            (&other[..], &first[..]),
            (&first[..], &other[..]),
            (&other[..], &halves[..]),
        ] {
            let mut bytes = vec![0; size.saturating_sub(low.len() + high.len())];
            bytes.extend(low);
            bytes.extend(high);
            let bytes = bytes.split_off(bytes.len() - size.min(bytes.len()));
            all.extend(Tensor::new(dtype, shape.clone(), bytes));
        }
        all
    }
}

/// Whether an attribute is a lower bound, by its name.
fn is_lower(name: &str) -> bool {
    matches!(name, "low" | "minval")
}

/// Whether a list is a permutation of the numbers below its length. Only then are the ops asked that draw permutations,
/// since they cost as much as all other ops.
pub(super) fn is_order(list: &Tensor) -> bool {
    if list.dtype().is_float() {
        return false;
    }
    let mut is_free = vec![true; list.count()];
    let takes = |number: Scalar| {
        let place = usize::try_from(number.to_i128()).ok();
        let place = place.and_then(|place| is_free.get_mut(place));
        place.is_some_and(std::mem::take)
    };
    list.scalars().all(takes)
}

/// The element type of an input, given the attributes of its op.
fn dtype_of(op: &Op, info: &InputInfo, attributes: &[Option<AttributeValue>]) -> Option<Dtype> {
    match info.dtypes {
        Types::OneOf(dtypes) => dtypes.first().copied(),
        Types::Attribute(name) => text_of(op, name, attributes)?.parse().ok(),
    }
}

/// The value of an attribute that is a name.
fn text_of(op: &Op, name: &str, attributes: &[Option<AttributeValue>]) -> Option<String> {
    let at = op.attributes.iter().position(|info| info.name == name)?;
    match attributes.get(at)? {
        Some(AttributeValue::Text(text)) => Some(text.clone()),
        _ => None,
    }
}

fn extents(dtype: Dtype, dims: &[usize]) -> Option<Tensor> {
    wholes(dtype, &Shape::vector(dims.len()), dims.iter().copied())
}

/// A tensor of counts; `None` where its type does not have one of them.
pub(super) fn wholes(
    dtype: Dtype,
    shape: &Shape,
    numbers: impl IntoIterator<Item = usize>,
) -> Option<Tensor> {
    let scalars = numbers
        .into_iter()
        .map(|number| Scalar::from_i128(dtype, i128::try_from(number).ok()?));
    Tensor::from_scalars(dtype, shape.clone(), scalars.collect::<Option<Vec<_>>>()?).ok()
}

/// What the elements of an array suggest of the request that drew them.
#[derive(Default)]
pub(super) struct Suggested {
    ranges: Vec<(Scalar, Scalar)>,
    is_order: bool,
}

impl Suggested {
    pub(super) fn of(actual: &Tensor) -> Self {
        Self {
            ranges: suggested(actual),
            is_order: is_order(actual),
        }
    }
}

/// The bounds that the elements of an array suggest: round numbers around them.
pub(super) fn suggested(actual: &Tensor) -> Vec<(Scalar, Scalar)> {
    let dtype = actual.dtype();
    let pairs: Vec<(String, String)> = if dtype.is_float() {
        let (mut least, mut most) = (0.0_f64, 0.0_f64);
        for value in actual
            .scalars()
            .map(Scalar::to_f64)
            .filter(|value| value.is_finite())
        {
            least = least.min(value);
            most = most.max(value);
        }
        if least >= 0.0 && most <= 1.0 {
            vec![("0".to_owned(), "1".to_owned())]
        } else {
            let low = least.floor();
            // An element may be rounded up to the bound, so that a whole number is taken for the bound itself. The
            // second pair is symmetric, as most ranges around zero are: elements from -2.7 to 1.9 may be of [-3, 3).
            let mut pairs = vec![
                (low, most.ceil()),
                (-low.abs().max(most.ceil()), low.abs().max(most.ceil())),
            ];
            pairs.dedup();
            pairs
                .into_iter()
                .map(|(low, high)| (low.to_string(), high.to_string()))
                .collect()
        }
    } else {
        let values = || actual.scalars().map(Scalar::to_i128);
        let smallest = values().min().unwrap_or(0);
        let (least, most) = (smallest.min(0), values().max().unwrap_or(0).max(0));
        let Some(range) = dtype.integers() else {
            return Vec::new();
        };
        let tens = (0..19_u32).map(|power| 10_i128.pow(power));
        let twos = (0..63).map(|power| 1_i128 << power);
        let above = [
            tens.clone().find(|&it| it > most),
            twos.clone().find(|&it| it > most),
            // The greatest element of a small range is often its last one, or the one before.
            Some(most + 1).filter(|&it| it <= MAX_GUESSED_RANGE),
            Some(most + 2).filter(|&it| it <= MAX_GUESSED_RANGE),
            // Few elements end far below the last number of a range, which is mostly a round one: 43 is the greatest of 15 below 50.
            tens.clone()
                .rfind(|&it| it <= most)
                .map(|it| (most / it + 1) * it),
        ];
        let below = if least < 0 {
            vec![
                tens.clone().find(|&it| -it <= least).map(|it| -it),
                twos.clone().find(|&it| -it <= least).map(|it| -it),
                Some(least),
            ]
        } else {
            vec![Some(0)]
        };
        let mut pairs = Vec::new();
        // A die has the numbers from one on, and the least element of a small range is often its first one.
        let lows = [1, smallest]
            .into_iter()
            .filter(|&low| 0 < low && low <= smallest);
        for low in lows.filter(|_| most <= MAX_GUESSED_RANGE) {
            for high in [above[0], above[2]].iter().flatten() {
                pairs.push((low.to_string(), high.to_string()));
            }
        }
        for low in below.iter().flatten() {
            for high in above.iter().flatten().chain([range.end()]) {
                pairs.push((low.to_string(), high.to_string()));
            }
        }
        if least < 0 {
            // Numbers around zero are mostly drawn as far below it as above: those from -38 to 46 are of [-50, 50).
            let far = most.max(-least);
            let ten = tens.clone().rfind(|&it| it <= far).unwrap_or(1);
            let round = [far / ten * ten, (far / ten + 1) * ten];
            for bound in round.into_iter().filter(|&it| -it <= least && it >= most) {
                pairs.extend([bound, bound + 1].map(|high| ((-bound).to_string(), high.to_string())));
            }
        }
        pairs.push((range.start().to_string(), range.end().to_string()));
        pairs
    };
    let mut all: Vec<(Scalar, Scalar)> = Vec::new();
    for (low, high) in pairs {
        let bounds = Scalar::from_decimal(dtype, &low).zip(Scalar::from_decimal(dtype, &high));
        all.extend(bounds.filter(|bounds| !all.contains(bounds)));
    }
    all
}

/// All combinations with one of the options for each place, up to [`MAX_REQUESTS`].
fn product<T: Clone>(choices: &[Vec<T>]) -> Vec<Vec<T>> {
    let mut all: Vec<Vec<T>> = vec![Vec::new()];
    for options in choices {
        let longer = all.iter().flat_map(|begun| {
            options.iter().map(move |option| {
                let mut begun = begun.clone();
                begun.push(option.clone());
                begun
            })
        });
        all = longer.take(MAX_REQUESTS).collect();
    }
    all
}
