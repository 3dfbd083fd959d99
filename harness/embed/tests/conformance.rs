//! The corpus over this crate's generator, as README has it.

mod mine;

use seedproof::ops::{Backend, BackendId, Failure, Request, Response, Support};

struct Mine(BackendId);

impl Backend for Mine {
    fn id(&self) -> &BackendId {
        &self.0
    }

    fn supports(&self, request: &Request) -> Support {
        mine::supports(request) // an unsupported request is listed, and is not a failure
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        mine::draw(request)
    }
}

fn main() -> std::process::ExitCode {
    seedproof::conformance_main(vec![Box::new(Mine(BackendId::new("mine")))])
}
