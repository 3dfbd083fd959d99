//! Mistakes that act in a part of an output: a multiplication that is fused in the vector body and not in the elements
//! after it, or words that are zero after the last complete group. The part is read off and not guessed: it contains
//! the elements that only the mistake's own stream predicts.

use std::sync::Arc;

use seedproof_ops::{Backend, BackendId, Failure, Request, Response, Scalar, Support, Tensor};

use super::hypothesis::Hypothesis;
use super::score::{SCREENED_ABOVE, baseline};
use super::search::{Search, log2, spend};
use super::singles::Source;
use super::stage::Stage;
use crate::model::exchange::{as_u64, ask};
use crate::model::ulp::ulps;
use crate::search::structure::{Acts, Layout, Mask, ORDER_BITS, Structure, View, bits_of, mostly, of_shape};

/// The number of mistakes of the whole output beside which another one may act in a part: those that come nearest.
const BASES: usize = 4;

/// The number of orders that are tried together with a mask: those that explain most elements.
const ORDERS: usize = 4;

/// The most hypotheses of a case that no passing case contradicts. Several sizes of a group, of several axes, fit a single case.
const MAX_KEPT_OF_A_CASE: usize = 24;

/// The most hypotheses of a case that are held to the passing cases, for which both streams are drawn again for each.
const MAX_TRIED_OF_A_CASE: usize = 96;

/// The most hypotheses of this stage in a diagnosis, because each of them is tried on every case.
const KEPT: usize = 128;

/// The distance in ulps below which two elements come from the same word. Which of the two the implementation has is
/// then one bit of evidence, and not as many as an element has.
const NEAR: u64 = 16;

/// Two backends as one: the first in the elements of the mask, the second in all others.
struct Parted<'a> {
    id: BackendId,
    inside: Source<'a>,
    outside: Source<'a>,
    mask: Mask,
}

impl Backend for Parted<'_> {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &Request) -> Support {
        self.inside.get().supports(request)
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        let inside = self.inside.get().run_supported(request)?;
        let outside = self.outside.get().run_supported(request)?;
        Ok(mixed(inside, outside, &self.mask))
    }
}

/// A response with the elements of the mask from `inside`, and all other elements and the further outputs from
/// `outside`.
fn mixed(inside: Response, outside: Response, mask: &Mask) -> Response {
    let (a, b) = (&inside.output, &outside.output);
    if (a.dtype(), a.shape()) != (b.dtype(), b.shape()) {
        return inside;
    }
    let layout = Layout::plain(a);
    let size = a.dtype().size();
    let pairs = a.bytes().chunks(size).zip(b.bytes().chunks(size)).enumerate();
    let bytes = pairs.flat_map(|(i, (a, b))| if mask.holds(&layout, i) { a } else { b }.iter().copied());
    let output = Tensor::new(a.dtype(), a.shape().clone(), bytes.collect());
    Response {
        output: output.expect("there are as many elements as before"),
        more: outside.more,
    }
}

/// The backend of these mistakes together, the last of which acts where the mask says. Without mistakes it is the
/// oracle.
pub(crate) fn source<'a>(search: &Search<'a>, members: &[usize], mask: Option<&Mask>) -> Option<Source<'a>> {
    let inside = search.together(members)?;
    let Some(mask) = mask else { return Some(inside) };
    let (_, others) = members.split_last()?;
    Some(Source::Owned(Arc::new(Parted {
        id: BackendId::new("partly"),
        outside: search.together(others)?,
        inside,
        mask: mask.clone(),
    })))
}

/// Mistakes, the part of the output in which the last of them acts, and the order of the output if it is not the stream's own.
type Placed = (Vec<usize>, Mask, Option<Structure>);

impl<'a> Search<'a> {
    /// Tries each mistake in a part of the output: alone, beside another mistake, and in an output of another order.
    pub(crate) fn try_partly(&mut self, case: usize, acting: &[usize]) -> bool {
        let Some(oracle) = self.suspects.oracle else {
            return false;
        };
        let Some(view) = View::new(self.cases[case], Some(oracle)) else {
            return false;
        };
        let kept = self.found.iter().filter(|it| it.mask.is_some() && !it.is_each);
        let is_told = view.evidence(view.count()) >= ORDER_BITS;
        if self.cases[case].request.work() > SCREENED_ABOVE || !is_told || kept.count() >= KEPT {
            return false;
        }
        let Some(right) = self.stream(oracle, case, &view) else {
            return false;
        };
        self.note(Stage::Partly, case, acting.len());
        let streams: Vec<(usize, Vec<u64>)> = acting
            .iter()
            .filter_map(|&i| Some((i, self.stream(self.singles[i].backend.get(), case, &view)?)))
            .collect();
        // In order of complexity, since only the first of these are taken.
        let mut found = parts_of_singles(&view, &right, &streams);
        found.extend(self.parts_of_pairs(case, acting, &view, &streams));
        self.keep_parts(found, oracle)
    }

    /// The parts in which a mistake acts beside one of the whole output. That one reproduces all elements outside of the part, which
    /// is most of them. It must do so better than the right output does.
    fn parts_of_pairs(
        &mut self,
        case: usize,
        acting: &[usize],
        view: &View,
        streams: &[(usize, Vec<u64>)],
    ) -> Vec<Placed> {
        let right = baseline(self.cases[case]);
        let is_base = |given: usize| {
            as_u64(given) > right && view.evidence(given) >= ORDER_BITS && given * 2 >= view.count()
        };
        let agreeing = |stream: &[u64]| stream.iter().zip(&view.actual).filter(|(a, b)| a == b).count();
        let given = streams.iter().map(|(_, stream)| agreeing(stream));
        let mut bases: Vec<(usize, usize)> = given.zip(0..).filter(|&(given, _)| is_base(given)).collect();
        bases.sort_unstable_by(|a, b| b.cmp(a));
        bases.truncate(BASES);
        let mut found = Vec::new();
        if !spend(&mut self.pairs, as_u64(bases.len() * acting.len())) {
            return found;
        }
        for (_, at) in bases {
            let (base, outside) = &streams[at];
            for &i in acting.iter().filter(|i| *i != base) {
                let members = vec![*base, i];
                let Some(both) = self.together(&members) else {
                    continue;
                };
                let Some(inside) = self.stream(both.get(), case, view) else {
                    continue;
                };
                let masks = masks(view, outside, &inside, Some);
                found.extend(masks.into_iter().map(|mask| (members.clone(), mask, None)));
            }
        }
        found
    }

    fn keep_parts(&mut self, found: Vec<Placed>, oracle: &'a dyn Backend) -> bool {
        let mut clear = false;
        let before = self.found.len();
        for (members, mask, order) in found.into_iter().take(MAX_TRIED_OF_A_CASE) {
            if self.found.len() >= before + MAX_KEPT_OF_A_CASE {
                break;
            }
            let Some(source) = source(self, &members, Some(&mask)) else {
                continue;
            };
            #[expect(clippy::cast_precision_loss, reason = "one or two")]
            let mistakes = members.len() as f64;
            let prior = mistakes * log2(self.singles.len())
                + mask.prior()
                + order.as_ref().map_or(0.0, Structure::prior);
            let structure = order.map(|order| (order, oracle));
            let hypothesis = Hypothesis::partly(&self.singles, members, mask, source, structure, prior);
            clear |= self.keep(hypothesis);
        }
        clear
    }

    /// The elements that a backend draws for a case's request, if they have the form of the answer.
    fn stream(&self, backend: &dyn Backend, case: usize, view: &View) -> Option<Vec<u64>> {
        let output = ask(backend, &self.cases[case].request)?.ok()?.output;
        let is_alike = output.dtype() == view.layout.dtype && output.shape().dims() == view.layout.dims;
        is_alike.then(|| bits_of(&output, view.nan))
    }
}

/// The parts in which a single mistake acts, in the stream's own order and in others.
fn parts_of_singles(view: &View, right: &[u64], streams: &[(usize, Vec<u64>)]) -> Vec<Placed> {
    let orders = mostly(view, &of_shape(&view.layout), right, ORDERS);
    let mut found: Vec<Placed> = Vec::new();
    for (i, stream) in streams {
        for mask in masks(view, right, stream, Some) {
            found.push((vec![*i], mask, None));
        }
        for order in &orders {
            for mask in masks(view, right, stream, |i| order.position(&view.layout, i)) {
                // Of this output the order may be the stream's own.
                let plain = (vec![*i], mask, None);
                if !found.contains(&plain) {
                    found.push((plain.0, plain.1, Some(order.clone())));
                }
            }
        }
    }
    found
}

/// The masks that make the actual output of two streams: `inside` in the mask and `outside` elsewhere. `position` maps
/// an element to its index in both streams. There is no mask where one stream suffices, and where too few elements tell
/// the two apart.
fn masks(
    view: &View,
    outside: &[u64],
    inside: &[u64],
    position: impl Fn(usize) -> Option<usize>,
) -> Vec<Mask> {
    let n = view.count();
    let mut acts = vec![Acts::Either; n];
    let (mut yes, mut evidence) = (0, 0.0);
    let dtype = view.layout.dtype;
    let is_near = |a: u64, b: u64| {
        let distance = ulps(Scalar::new(dtype, a), Scalar::new(dtype, b));
        dtype.is_float() && distance.is_some_and(|distance| distance < NEAR)
    };
    for (i, actual) in view.actual.iter().enumerate() {
        let Some(at) = position(i).filter(|&at| at < n) else {
            return Vec::new();
        };
        acts[at] = match (inside[at] == *actual, outside[at] == *actual) {
            (true, true) => Acts::Either,
            (true, false) => Acts::Yes,
            (false, true) => Acts::No,
            // Most candidates end here, after a few elements: neither stream predicts this one.
            (false, false) => return Vec::new(),
        };
        yes += usize::from(acts[at] == Acts::Yes);
        if acts[at] != Acts::Either {
            evidence += if is_near(inside[at], outside[at]) {
                1.0
            } else {
                view.bits
            };
        }
    }
    if yes == 0 || evidence < ORDER_BITS {
        return Vec::new();
    }
    Mask::read_off(&view.layout, &acts)
}
