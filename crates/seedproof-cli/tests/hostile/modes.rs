//! The modes: what each does in place of the right reply, and the outcomes that its cases have.

use super::texts::texts;

/// What a mode does with a request.
#[derive(Clone)]
pub(crate) enum Act {
    /// Replies rightly, with the first of these texts in place of the second.
    Edit(&'static str, &'static str),
    /// Replies with this line, in which `SEQ` is the sequence number.
    Line(String),
    /// As [`Self::Line`], after this was written to standard error.
    Says(String, String),
    /// Writes these bytes, and waits for the next request.
    Bytes(Vec<u8>),
    /// What [`super::adapter`] does by the name of the mode.
    Named,
}

/// A way of being hostile.
#[derive(Clone)]
pub(crate) struct Mode {
    pub(crate) name: String,
    /// The outcomes of its cases, sorted.
    pub(crate) outcomes: &'static [&'static str],
    pub(crate) act: Act,
}

const BROKEN: &[&str] = &["protocol-error"];
const WRONG: &[&str] = &["fail"];
const RIGHT: &[&str] = &["pass"];

/// Edits of a right reply. `,"hex"` and the rest stand in each of them.
const EDITS: &[(&str, &str, &str, &[&str])] = &[
    ("seq-ahead", "\"seq\":", "\"seq\":1", BROKEN),
    ("seq-text", "\"seq\":", "\"seq\":\"7\",\"x\":", BROKEN),
    ("seq-negative", "\"seq\":", "\"seq\":-", BROKEN),
    ("seq-real", "\"seq\":", "\"seq\":0.5e0,\"x\":", BROKEN),
    (
        "seq-huge",
        "\"seq\":",
        "\"seq\":1180591620717411303424,\"x\":",
        BROKEN,
    ),
    ("seq-null", "\"seq\":", "\"seq\":null,\"x\":", BROKEN),
    ("seq-missing", "\"seq\":", "\"sequence\":", BROKEN),
    ("seq-twice", "\"seq\":", "\"seq\":0,\"seq\":", BROKEN),
    ("status-capital", "\"status\":\"ok\"", "\"status\":\"OK\"", BROKEN),
    (
        "status-unknown",
        "\"status\":\"ok\"",
        "\"status\":\"fine\"",
        BROKEN,
    ),
    ("status-number", "\"status\":\"ok\"", "\"status\":0", BROKEN),
    ("status-null", "\"status\":\"ok\"", "\"status\":null", BROKEN),
    ("status-missing", "\"status\":\"ok\",", "", BROKEN),
    (
        "status-twice",
        "\"status\":\"ok\"",
        "\"status\":\"ok\",\"status\":\"ok\"",
        BROKEN,
    ),
    (
        "status-of-a-refusal",
        "\"status\":\"ok\"",
        "\"status\":\"rejected\"",
        BROKEN,
    ),
    (
        "field-unknown",
        "\"status\":\"ok\"",
        "\"status\":\"ok\",\"verdict\":\"pass\"",
        BROKEN,
    ),
    ("outputs-missing", "\"outputs\":", "\"results\":", BROKEN),
    ("outputs-null", "\"outputs\":", "\"outputs\":null,\"x\":", BROKEN),
    ("outputs-empty", "\"outputs\":", "\"outputs\":{},\"x\":", BROKEN),
    ("outputs-list", "\"outputs\":{", "\"outputs\":[{", BROKEN),
    (
        "output-unknown",
        "\"outputs\":{",
        "\"outputs\":{\"more\":{\"dtype\":\"u8\",\"shape\":[0],\"hex\":\"\"},",
        BROKEN,
    ),
    ("dtype-capital", "\"dtype\":\"", "\"dtype\":\"F", BROKEN),
    (
        "dtype-of-numpy",
        "\"dtype\":\"",
        "\"dtype\":\"float32\",\"x\":\"",
        BROKEN,
    ),
    ("dtype-number", "\"dtype\":", "\"dtype\":32,\"x\":", BROKEN),
    (
        "dtype-wider",
        "\"dtype\":\"",
        "\"dtype\":\"f64\",\"x\":\"",
        BROKEN,
    ),
    ("shape-missing", "\"shape\":", "\"extents\":", BROKEN),
    ("shape-text", "\"shape\":", "\"shape\":\"[3]\",\"x\":", BROKEN),
    ("shape-negative", "\"shape\":[", "\"shape\":[-1,", BROKEN),
    ("shape-real", "\"shape\":[", "\"shape\":[1.0,", BROKEN),
    ("shape-larger", "\"shape\":[", "\"shape\":[2,", BROKEN),
    ("shape-empty", "\"shape\":[", "\"shape\":[0,", BROKEN),
    (
        "shape-huge",
        "\"shape\":[",
        "\"shape\":[18446744073709551615,18446744073709551615,",
        BROKEN,
    ),
    (
        "shape-overflows",
        "\"shape\":[",
        "\"shape\":[18446744073709551616,",
        BROKEN,
    ),
    ("shape-of-another-rank", "\"shape\":[", "\"shape\":[1,1,", WRONG),
    ("hex-odd", "\"hex\":\"", "\"hex\":\"0", BROKEN),
    ("hex-long", "\"hex\":\"", "\"hex\":\"00000000", BROKEN),
    ("hex-prefixed", "\"hex\":\"", "\"hex\":\"0x", BROKEN),
    ("hex-spaced", "\"hex\":\"", "\"hex\":\" ", BROKEN),
    ("hex-wide", "\"hex\":\"", "\"hex\":\"０", BROKEN),
    ("hex-empty", "\"hex\":\"", "\"hex\":\"\",\"x\":\"", BROKEN),
    ("hex-missing", "\"hex\":\"", "\"bits\":\"", BROKEN),
    ("hex-null", "\"hex\":\"", "\"hex\":null,\"x\":\"", BROKEN),
    (
        "hex-and-a-span",
        "\"hex\":\"",
        "\"offset\":0,\"length\":4,\"hex\":\"",
        BROKEN,
    ),
    (
        "window-unasked",
        "\"hex\":\"",
        "\"window\":[0,1],\"hex\":\"",
        BROKEN,
    ),
    ("chunks-unasked", "\"hex\":\"", "\"chunks\":[],\"hex\":\"", BROKEN),
    ("time-negative", "\"elapsed_ns\":", "\"elapsed_ns\":-", BROKEN),
    (
        "time-huge",
        "\"elapsed_ns\":",
        "\"elapsed_ns\":1180591620717411303424,\"x\":",
        BROKEN,
    ),
    ("mark-of-order", "{\"seq\":", "\u{feff}{\"seq\":", BROKEN),
    ("prefix", "{\"seq\":", "INFO {\"seq\":", BROKEN),
    ("list", "{\"seq\":", "[{\"seq\":", BROKEN),
    ("spaces", "{\"seq\":", "   \t{  \"seq\":", RIGHT),
];

/// What stands in place of a reply.
const LINES: &[(&str, &str, &[&str])] = &[
    ("line-empty", "{}", BROKEN),
    ("line-null", "null", BROKEN),
    ("line-number", "1e999", BROKEN),
    ("line-text", "\"ok\"", BROKEN),
    (
        "line-surrogate",
        "{\"seq\":SEQ,\"status\":\"error\",\"message\":\"\\ud800\"}",
        BROKEN,
    ),
    (
        "line-nan",
        "{\"seq\":SEQ,\"status\":\"ok\",\"outputs\":NaN}",
        BROKEN,
    ),
    (
        "refusal-without-a-reason",
        "{\"seq\":SEQ,\"status\":\"rejected\"}",
        BROKEN,
    ),
    (
        "refusal-of-no-kind",
        "{\"seq\":SEQ,\"status\":\"rejected\",\"kind\":\"mood\",\"reason\":\"x\"}",
        BROKEN,
    ),
    (
        "refusal-with-a-value",
        "{\"seq\":SEQ,\"status\":\"rejected\",\"reason\":\"x\",\"outputs\":{}}",
        BROKEN,
    ),
    (
        "refusal",
        "{\"seq\":SEQ,\"status\":\"rejected\",\"reason\":\"x\"}",
        &["rejects"],
    ),
    (
        "error-without-a-number",
        "{\"status\":\"error\",\"message\":\"x\"}",
        BROKEN,
    ),
    (
        "error-of-no-number",
        "{\"seq\":null,\"status\":\"error\",\"message\":\"x\"}",
        &["error"],
    ),
    (
        "claim-broken",
        "{\"seq\":SEQ,\"status\":\"unsupported\",\"reason\":\"x\"}",
        &["claim-broken"],
    ),
    ("echo-of-a-request", "{\"cmd\":\"run\",\"seq\":SEQ}", BROKEN),
    (
        "hello-again",
        "{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{\"name\":\"x\",\"version\":\"1\"},\"capabilities\":[]}",
        BROKEN,
    ),
];

/// What is done by the name of the mode alone.
const NAMED: &[(&str, &[&str])] = &[
    ("right", RIGHT),
    ("right-in-pieces", RIGHT),
    ("right-then-leaves-a-daemon", RIGHT),
    ("right-and-ignores-bye", RIGHT),
    ("right-and-dies-at-bye", RIGHT),
    ("right-and-floods-its-errors", RIGHT),
    ("right-and-removes-the-output", RIGHT),
    ("zeros", WRONG),
    ("one-bit", WRONG),
    ("reversed", WRONG),
    ("changes", &["not-repeatable"]),
    ("twice", BROKEN),
    ("answers-the-one-before", BROKEN),
    ("half-a-line", &["timeout"]),
    ("silent", &["timeout"]),
    ("blank-lines", BROKEN),
    ("nested", BROKEN),
    ("floods", BROKEN),
    ("exits", &["crash"]),
    ("exits-with-7", &["crash"]),
    ("aborts", &["crash"]),
    ("killed", &["crash"]),
    ("exits-in-a-line", &["crash"]),
    ("exits-and-leaves-a-shell", &["crash"]),
];

fn bytes(name: &str, bytes: &[u8]) -> Mode {
    Mode {
        name: name.to_owned(),
        outcomes: BROKEN,
        act: Act::Bytes(bytes.to_vec()),
    }
}

/// All modes.
pub(crate) fn modes() -> Vec<Mode> {
    let named = |name: &str, outcomes, act| Mode {
        name: name.to_owned(),
        outcomes,
        act,
    };
    let mut modes: Vec<Mode> = Vec::new();
    modes.extend(
        EDITS
            .iter()
            .map(|(name, from, to, outcomes)| named(name, outcomes, Act::Edit(from, to))),
    );
    modes.extend(
        LINES
            .iter()
            .map(|(name, line, outcomes)| named(name, outcomes, Act::Line((*line).to_owned()))),
    );
    modes.extend(
        NAMED
            .iter()
            .map(|(name, outcomes)| named(name, outcomes, Act::Named)),
    );
    modes.push(bytes("no-text", b"\xff\xfe\x00\n"));
    modes.push(bytes("nul", b"\0\0\0\0\n"));
    modes.push(bytes("frame", b"SPW1\xff\xff\xff\xff\0\0\0\0\0\0\0\0\n"));
    modes.push(bytes("carriage-return", b"{}\r\n"));
    for (name, text) in texts() {
        let json = serde_json::to_string(&text).expect("a text is JSON");
        let line = |status: &str, field: &str, more: &str| {
            format!("{{\"seq\":SEQ,\"status\":\"{status}\",\"{field}\":{json}{more}}}")
        };
        let mode = |place: &str, outcomes, act| named(&format!("{place}-{name}"), outcomes, act);
        modes.push(mode(
            "refuses",
            &["rejects"],
            Act::Line(line("rejected", "reason", "")),
        ));
        modes.push(mode(
            "lacks",
            &["claim-broken"],
            Act::Line(line("unsupported", "reason", "")),
        ));
        let error = line("error", "message", "");
        modes.push(mode("fails", &["error"], Act::Says(error, text.clone())));
    }
    modes
}

/// The lines that an adapter may begin with, and whether each is taken.
pub(crate) const HELLOS: &[(&str, bool)] = &[
    (
        "{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{\"name\":\"x\",\"version\":\"1\"},\"capabilities\":[]}",
        true,
    ),
    (
        "{\"protocol\":2,\"framing\":\"lines\",\"implementation\":{\"name\":\"x\",\"version\":\"1\"},\"capabilities\":[]}",
        false,
    ),
    (
        "{\"protocol\":\"1\",\"framing\":\"lines\",\"implementation\":{\"name\":\"x\",\"version\":\"1\"},\"capabilities\":[]}",
        false,
    ),
    (
        "{\"protocol\":-1,\"framing\":\"lines\",\"implementation\":{\"name\":\"x\",\"version\":\"1\"},\"capabilities\":[]}",
        false,
    ),
    (
        "{\"protocol\":1,\"protocol\":1,\"framing\":\"lines\",\"implementation\":{\"name\":\"x\",\"version\":\"1\"},\"capabilities\":[]}",
        false,
    ),
    (
        "{\"protocol\":1,\"framing\":\"pipes\",\"implementation\":{\"name\":\"x\",\"version\":\"1\"},\"capabilities\":[]}",
        false,
    ),
    (
        "{\"protocol\":1,\"framing\":null,\"implementation\":{\"name\":\"x\",\"version\":\"1\"},\"capabilities\":[]}",
        false,
    ),
    (
        "{\"protocol\":1,\"framing\":\"lines\",\"implementation\":\"x\",\"capabilities\":[]}",
        false,
    ),
    (
        "{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{\"name\":1,\"version\":\"1\"},\"capabilities\":[]}",
        false,
    ),
    (
        "{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{\"name\":\"x\"},\"capabilities\":[]}",
        false,
    ),
    (
        "{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{\"name\":\"x\",\"version\":\"1\",\"mood\":\"good\"},\"capabilities\":[]}",
        false,
    ),
    (
        "{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{\"name\":\"\\ud800\",\"version\":\"1\"},\"capabilities\":[]}",
        false,
    ),
    (
        "{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{\"name\":\"x\",\"version\":\"1\"},\"capabilities\":{}}",
        false,
    ),
    (
        "{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{\"name\":\"x\",\"version\":\"1\"},\"capabilities\":[null]}",
        false,
    ),
    (
        "{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{\"name\":\"x\",\"version\":\"1\"},\"capabilities\":[{}]}",
        false,
    ),
    (
        "{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{\"name\":\"x\",\"version\":\"1\"},\"capabilities\":[{\"op\":\"none\"}]}",
        false,
    ),
    (
        "{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{\"name\":\"x\",\"version\":\"1\"},\"capabilities\":[],\"more\":1}",
        false,
    ),
    (
        "{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{\"name\":\"x\",\"version\":\"1\"}}",
        false,
    ),
    ("{}", false),
    ("[]", false),
    ("null", false),
    ("1", false),
    ("", false),
    ("hello", false),
    ("::stop-commands::x", false),
    ("\u{feff}{}", false),
    ("{\"protocol\":NaN}", false),
    ("{\"protocol\":1", false),
];
