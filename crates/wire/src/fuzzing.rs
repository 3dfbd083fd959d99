//! Entry points for the fuzz targets. They exist only in builds of `cargo fuzz` and are not
//! part of the public interface.

use seedproof_ops::{Request, Want};

use crate::capabilities::Capabilities;
use crate::framing::{self, Framing, Limits, MAX_BODY, MAX_HEADER};
use crate::message::HelloReply;
use crate::reply::{self, Asked};
use crate::strict::Object;

/// One request for each form of outputs: a single one, integers, and a further one. Few elements keep inputs short.
fn requests() -> &'static [Request] {
    static REQUESTS: std::sync::OnceLock<Vec<Request>> = std::sync::OnceLock::new();
    REQUESTS.get_or_init(|| {
        vec![
            crate::requests::uniform(3),
            crate::requests::multinomial(None),
            crate::requests::dml(true),
        ]
    })
}

/// Decodes a reply to one of several requests, as a harness that asked for the whole output, a window or a digest.
pub fn reply(request: usize, want: u8, bytes: &[u8]) {
    let request = &requests()[request % requests().len()];
    let framing = if want & 1 == 0 {
        Framing::Lines
    } else {
        Framing::Frames
    };
    let want = match want >> 1 & 3 {
        0 | 1 => Want::Full,
        2 => Want::Digest,
        _ => Want::Window { start: 1, count: 2 },
    };
    let limits = reply::limits(framing, request, want, MAX_BODY);
    let mut input = bytes;
    while let Ok(Some(message)) = framing::read(framing, &mut input, limits) {
        let asked = Asked {
            seq: 1,
            want,
            outputs: request.outputs(),
        };
        let _ = reply::decode(framing, message, &asked);
    }
}

/// Decodes a hello line, and tests its capabilities against every request.
pub fn hello(line: &[u8]) {
    let limits = Limits {
        message: MAX_HEADER,
        body: 0,
    };
    let Ok(Some(message)) = framing::read(Framing::Lines, &mut &line[..], limits) else {
        return;
    };
    let Ok(Object(hello)) = serde_json::from_slice::<Object<HelloReply>>(&message.header) else {
        return;
    };
    let Ok(claims) = Capabilities::from_json(&hello.capabilities) else {
        return;
    };
    for request in requests() {
        let _ = claims.support(request);
        let _ = claims.offers(request, "digest");
    }
    let again = Capabilities::from_json(&claims.to_json()).expect("what is written is read");
    assert_eq!(again.to_json(), claims.to_json());
}
