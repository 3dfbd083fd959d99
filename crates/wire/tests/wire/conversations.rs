//! Arbitrary bytes from an adapter at any moment of a conversation.

use std::time::Duration;

use proptest::prelude::*;
use seedproof_ops::{Backend, Failure, FaultKind};
use seedproof_wire::{AdapterBackend, Options};

use crate::common::misbehaving;
use crate::requests::uniform;
use crate::toy::Toy;

proptest! {
    // Each case starts processes, and those whose bytes look like the beginning of a line wait for its end.
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn conversation_with_arbitrary_bytes_comes_to_an_end(
        moment in prop::sample::select(vec!["first", "hello", "idle", "reply", "after"]),
        bytes in prop_oneof![
            prop::collection::vec(any::<u8>(), 0..100),
            "\\PC{0,40}\n".prop_map(String::into_bytes),
            Just(b"{\"seq\":1,\"status\":\"ok\"}\n".to_vec()),
        ],
    ) {
        use std::fmt::Write as _;
        let hex = bytes.iter().fold(String::new(), |mut hex, byte| {
            write!(hex, "{byte:02x}").expect("a string takes all that is written");
            hex
        });
        let options = Options {
            deadline: Duration::from_millis(150),
            handshake: Duration::from_millis(150),
            ..Options::default()
        };
        let Ok(adapter) = AdapterBackend::start(misbehaving(&["script", moment, &hex]), options) else {
            prop_assert!(["first", "hello", "idle"].contains(&moment), "it says hello before {}", moment);
            return Ok(());
        };
        let right = Toy::new().run(&uniform(7));
        for _ in 0..2 {
            match adapter.run(&uniform(7)) {
                Err(Failure::Broken(fault)) => prop_assert!(fault.kind != FaultKind::Infrastructure, "{}", fault),
                result => prop_assert_eq!(&result, &right),
            }
        }
    }
}
