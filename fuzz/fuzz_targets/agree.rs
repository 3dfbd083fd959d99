//! The oracle, the second engine under `spec`, and the CPU's kernels without and with vectors answer a request alike. The
//! bytes are what the request is drawn from, and words by chance after they have ended.
#![no_main]

#[path = "../../harness/src/agree.rs"]
#[expect(dead_code, reason = "the harness runs whole series")]
mod agree;

use std::sync::LazyLock;

use agree::{ENTROPY, LIMITS, Reply, reply};
use libfuzzer_sys::fuzz_target;
use seedproof_ops::requests::short_request;
use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{Backend, Support};
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

fuzz_target!(|bytes: &[u8]| {
    let mut words = bytes.chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().expect("eight")));
    let mut after = fastrand::Rng::with_seed(bytes.len() as u64);
    let request = short_request(&mut || words.next().unwrap_or_else(|| after.u64(..)));
    let expected = reply(&ENGINES.oracle, &request);
    for other in &ENGINES.others {
        // A processor has kernels for some of the ops.
        if matches!(expected, Reply::Unsupported) || other.supports(&request) != Support::Supported {
            continue;
        }
        assert_eq!(reply(other.as_ref(), &request), expected, "{}: {request:?}", other.id());
    }
});
