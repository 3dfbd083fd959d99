//! A fault of a kernel, and the names that say it.

use seedproof_ops::{Alignment, Backend, BackendId, Dtype, Failure, Limits, Request, Response, Support};
use seedproof_reference::Reference;

use super::classes::Classes;
use super::dml::Dml;
use super::twister::Twister;
use super::uniform::Uniform;

/// A fault of a kernel.
pub(crate) struct Fault {
    /// Its id.
    pub(crate) id: &'static str,
    /// Parts of the names of causes that are right, any of them.
    pub(crate) named: &'static [&'static str],
    pub(crate) kernel: Kernel,
}

/// A kernel of one op.
#[derive(Clone, Copy)]
pub(crate) enum Kernel {
    Uniform(Uniform),
    Dml(Dml),
    Twister(Twister),
    Classes(Classes),
}

impl Kernel {
    /// The answer to a request that it claims, whose right answer this is. Two seeds of zero ask for entropy.
    fn answer(self, request: &Request, right: Response) -> Response {
        match (self, request) {
            (Self::Uniform(kernel), Request::RandomUniform(op)) => kernel.run(op, right),
            (Self::Twister(kernel), Request::RandomUniform(op)) if (op.global_seed, op.op_seed) != (0, 0) => {
                kernel.run(op, &right)
            }
            (Self::Dml(kernel), Request::DmlRandomGenerator(op)) => kernel.run(op, &right),
            (Self::Classes(kernel), Request::Multinomial(op))
                if op.draws.is_some() || (op.global_seed, op.op_seed) != (0, 0) =>
            {
                kernel.run(op, &right)
            }
            _ => right,
        }
    }
}

/// A kernel as a backend. Requests that the op refuses are refused.
pub(crate) struct KernelBackend {
    id: BackendId,
    kernel: Kernel,
    reference: Reference,
}

impl KernelBackend {
    pub(crate) fn new(fault: &Fault) -> Self {
        Self {
            id: BackendId::new(format!("kernel/{}", fault.id)),
            kernel: fault.kernel,
            reference: Reference::new(Limits::default(), seedproof::judging::entropy),
        }
    }
}

impl Backend for KernelBackend {
    fn id(&self) -> &BackendId {
        &self.id
    }

    fn supports(&self, request: &Request) -> Support {
        match (self.kernel, request) {
            (Kernel::Uniform(_), Request::RandomUniform(op))
                if op.alignment.known() == Some(Alignment::Tensorflow)
                    && op.output_type.known() == Some(Dtype::F32)
                    && op.execution == 0 =>
            {
                Support::Supported
            }
            (Kernel::Twister(_), Request::RandomUniform(op))
                if op.alignment.known() == Some(Alignment::Pytorch) && op.execution == 0 =>
            {
                Support::Supported
            }
            (Kernel::Dml(_), Request::DmlRandomGenerator(_))
            | (Kernel::Classes(_), Request::Multinomial(_)) => Support::Supported,
            _ => Support::Unsupported("another op, type or execution".to_owned()),
        }
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        let right = self.reference.run(request)?;
        Ok(self.kernel.answer(request, right))
    }
}
