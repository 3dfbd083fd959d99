//! Batches of keys: each key draws a run of the output by itself, and a structure is then one of each run.

use seedproof_ops::{Request, Response, Shape, Tensor};

use crate::model::exchange::{FailedCase, PassedCase};
use crate::model::expected::Expected;

/// The failing case of each key of a batch; `None` where there is no batch, or an output has another form than is expected.
pub(super) fn failed(case: &FailedCase) -> Option<Vec<FailedCase>> {
    let requests = case.request.items()?;
    let (expected, actual) = case.values()?;
    let outputs = runs(&requests, &expected.output)?.into_iter();
    let pairs = outputs.zip(runs(&requests, &actual.output)?);
    let again = case.again.as_ref().map(|again| runs(&requests, &again.output));
    let mut again = again.unwrap_or_else(|| Some(Vec::new()))?.into_iter();
    let item = |(request, (expected, actual)): (Request, (Tensor, Tensor))| FailedCase {
        case: case.case.clone(),
        request,
        expected: Expected::Value(Response::of(expected)),
        actual: Ok(Response::of(actual)),
        again: again.next().map(Response::of),
        nan: case.nan,
    };
    Some(requests.into_iter().zip(pairs).map(item).collect())
}

/// The passing case of each key of a batch.
pub(super) fn passed(pass: &PassedCase) -> Option<Vec<PassedCase>> {
    let requests = pass.request.items()?;
    let outputs = runs(&requests, &pass.reply.as_ref().ok()?.output)?;
    let item = |(request, output): (Request, Tensor)| PassedCase {
        case: pass.case.clone(),
        request,
        reply: Ok(Response::of(output)),
        nan: pass.nan,
    };
    Some(requests.into_iter().zip(outputs).map(item).collect())
}

/// An output as what each of these requests asks for; `None` where they do not add up to it.
fn runs(requests: &[Request], output: &Tensor) -> Option<Vec<Tensor>> {
    let mut rest = output.bytes();
    let runs: Option<Vec<Tensor>> = requests
        .iter()
        .map(|request| {
            let (dtype, dims) = request.output_form()?;
            let shape = Shape::new(&dims).ok().filter(|_| dtype == output.dtype())?;
            let (bytes, others) = rest.split_at_checked(shape.count().checked_mul(dtype.size())?)?;
            rest = others;
            Tensor::new(dtype, shape, bytes.to_vec()).ok()
        })
        .collect();
    runs.filter(|_| rest.is_empty())
}
