//! The oracle, the second engine under `spec`, and the CPU's kernels without and with vectors answer a request alike. The
//! bytes are what the generator of random requests draws from.
#![no_main]

#[path = "../../harness/src/agree.rs"]
#[expect(dead_code, reason = "the harness runs whole series")]
mod agree;

use std::sync::LazyLock;

use agree::{ENTROPY, LIMITS, Reply, reply};
use libfuzzer_sys::fuzz_target;
use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{Backend, Request, Support};
use seedproof_readings::{Engine, Reading};
use seedproof_reference::Reference;

struct Engines {
    oracle: Reference,
    others: Vec<Box<dyn Backend>>,
}

static ENGINES: LazyLock<Engines> = LazyLock::new(|| {
    let mut others: Vec<Box<dyn Backend>> = vec![Box::new(Engine::new(Reading::spec(), LIMITS, || ENTROPY))];
    for level in Level::detect() {
        others.push(Box::new(Cpu::new(level, LIMITS, || ENTROPY)));
    }
    Engines {
        oracle: Reference::new(LIMITS, || ENTROPY),
        others,
    }
});

thread_local! {
    static REQUESTS: BoxedStrategy<Request> = seedproof_author::requests::requests().boxed();
}

fuzz_target!(|bytes: &[u8]| {
    // Too few bytes draw zeros for ever.
    if bytes.len() < 64 {
        return;
    }
    let rng = TestRng::from_seed(RngAlgorithm::PassThrough, bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let Ok(tree) = REQUESTS.with(|requests| requests.new_tree(&mut runner)) else {
        return;
    };
    let request = tree.current();
    let expected = reply(&ENGINES.oracle, &request);
    for other in &ENGINES.others {
        // A processor has kernels for some of the ops.
        if matches!(expected, Reply::Unsupported) || other.supports(&request) != Support::Yes {
            continue;
        }
        assert_eq!(reply(other.as_ref(), &request), expected, "{}: {request:?}", other.id());
    }
});
