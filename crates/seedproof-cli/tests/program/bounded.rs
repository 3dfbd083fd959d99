//! Whatever an input of a megabyte claims, the program answers soon, in little memory, and repeats little of it.

use std::fs::File;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::corpus::TWO;
use crate::{EXAMPLE, Place};

const INPUT: usize = 1 << 20;
/// Of processor time, and not on the clock: the other tests may have the processors for a while.
const TIME: Duration = Duration::from_secs(20);
/// On the clock, for what hangs and takes no processor time.
const PATIENCE: Duration = Duration::from_mins(2);
const KILOBYTES: u64 = 200 << 10;
/// What may be written to standard error: a thousand short lines.
const MESSAGE: u64 = 256 << 10;

/// The processor time of all threads of a process so far, in the units of a hundredth of a second that Linux counts.
fn processor_time(process: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name of the program, in parentheses, may have spaces.
    let fields = stat
        .rsplit_once(')')
        .map_or("", |(_, rest)| rest)
        .split_whitespace();
    let ticks = fields
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<u64>().ok());
    Duration::from_millis(10 * ticks.sum::<u64>())
}

/// Runs the program and holds it to the bounds. Its peak of memory and its time are read while it runs.
#[track_caller]
fn is_bounded(place: &Place, args: &[&str], input: &str) {
    let shown: Vec<&str> = args.iter().map(|it| &it[..it.len().min(40)]).collect();
    place.write("input", input);
    let mut child = place
        .command(args)
        .stdin(File::open(place.file("input")).unwrap())
        .stdout(File::create(place.file("printed")).unwrap())
        .stderr(File::create(place.file("message")).unwrap())
        .spawn()
        .unwrap();
    let started = Instant::now();
    let (mut peak, mut took) = (0, Duration::ZERO);
    let status = loop {
        took = took.max(processor_time(child.id()));
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let high = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let high = high.and_then(|text| text.trim().strip_suffix(" kB")?.parse().ok());
        peak = peak.max(high.unwrap_or(0));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if started.elapsed() > PATIENCE || took > TIME || peak > KILOBYTES {
            let _ = child.kill();
        }
        sleep(Duration::from_millis(1));
    };
    let message = place.file("message").metadata().unwrap().len();
    assert!(
        started.elapsed() < PATIENCE && took < TIME && peak < KILOBYTES && message < MESSAGE,
        "{shown:?}: {took:?}, {peak} kB, a message of {message} bytes"
    );
    let code = status.code().unwrap_or(-1);
    assert!((0..=5).contains(&code), "{shown:?} ends with {code}");
}

/// A text again and again, as long as an input is here.
fn much(text: &str) -> String {
    text.repeat(INPUT / text.len())
}

/// A corpus of two cases with one thing in place of another.
fn corpus(place: &Place, from: &str, to: &str) {
    assert!(TWO.contains(from), "{from}");
    place.corpus("few", &TWO.replacen(from, to, 1));
}

#[test]
fn corpus_of_anything_is_bounded() {
    let place = Place::new();
    let digits = much("1");
    let sizes = "output_sizes: [1]";
    let names: String = (0..INPUT / 9).map(|n| format!("a.b{n:05}, ")).collect();
    for (from, to) in [
        (sizes, format!("output_sizes: [{digits}]")),
        (sizes, format!("output_sizes: \"{digits}\"")),
        (sizes, format!("output_sizes: [{}1]", much("1,"))),
        (sizes, much("[")),
        ("schema: 2", format!("schema: {digits}")),
        ("schema: 2", much("a")),
        ("cases:", format!("cases:\n{}", much("  - {}\n"))),
        ("    attrs:", format!("    flags: [{names}]\n    attrs:")),
        ("    attrs:", format!("    clauses: [{names}]\n    attrs:")),
    ] {
        corpus(&place, from, &to);
        is_bounded(&place, &["list", "--corpus", "few"], "");
    }
}

#[test]
fn files_of_anything_are_bounded() {
    let place = Place::new();
    let header = |text: &str| {
        let length = u32::try_from(text.len()).unwrap().to_le_bytes();
        [b"\x93NUMPY\x02\x00", length.as_slice(), text.as_bytes()].concat()
    };
    for file in [
        header(&format!("{{'descr': {}", much("{"))),
        header(&format!(
            "{{'descr': '<f4', 'fortran_order': False, 'shape': ({}), }}",
            much("1,")
        )),
        header("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 9223372036854775807), }"),
        b"\x93NUMPY\x02\x00\xff\xff\xff\xff".to_vec(),
        much("0.5 ").into_bytes(),
        much("5").into_bytes(),
    ] {
        place.write("dump.npy", file);
        is_bounded(&place, &["explain", "--actual", "dump.npy", EXAMPLE], "");
        is_bounded(&place, &["whois", "dump.npy", "--seed", "42"], "");
        is_bounded(&place, &["words", "philox4x32-10", "--key", "1", "dump.npy"], "");
    }
    let entry = |outcome: &str| format!("  - match: [\"*\"]\n    outcome: {outcome}\n    reason: none\n");
    for entries in [
        much(&entry("crash")),
        entry(&much("a")),
        much("  - {}\n"),
        much("["),
    ] {
        place.write("expected.yaml", format!("schema: 1\nexpectations:\n{entries}"));
        is_bounded(
            &place,
            &[
                "run",
                "--backend",
                "reference",
                "--expect",
                "expected.yaml",
                EXAMPLE,
            ],
            "",
        );
    }
    for (name, file) in [
        (
            "model.xml",
            format!(
                "<net {}/>",
                (0..INPUT / 9).map(|n| format!("a{n}='' ")).collect::<String>()
            ),
        ),
        ("model.xml", much("<a>")),
        ("model.onnx", much("\n\u{7f}\u{7f}\u{7f}\u{7f}\u{7}")),
    ] {
        place.write(name, file);
        is_bounded(&place, &["convert", name], "");
    }
}

/// An array of noise, which every reading and mistake is tried on.
#[test]
fn noise_is_bounded() {
    let place = Place::new();
    let mut state = 1_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        state.to_be_bytes()[0]
    })
    .take(INPUT / 2)
    .collect();
    let text = format!(
        "{{'descr': '<f4', 'fortran_order': False, 'shape': ({},), }}",
        noise.len() / 4
    );
    let length = u16::try_from(text.len()).unwrap().to_le_bytes();
    place.write(
        "noise.npy",
        [b"\x93NUMPY\x01\x00", length.as_slice(), text.as_bytes(), &noise].concat(),
    );
    is_bounded(&place, &["whois", "noise.npy", "--seed", "42"], "");
}

#[test]
fn logs_of_anything_are_bounded() {
    let place = Place::new();
    let backend = ["run", "--backend", "readings/openvino-cpu-2026.4"];
    let queries = ["ru8/tensorflow/f32/range-*", "--events", "log.jsonl"];
    place.seedproof(&[backend.as_slice(), &queries].concat()).exits(1);
    let log = place.read("log.jsonl");
    let first = log.lines().next().unwrap();
    for log in [
        slow(&log),
        format!("{first}\n{{\"event\":\"{}\"}}", much("e")),
        format!("{first}\n{}", much("[")),
        format!("{first}\n{}", much("9")),
        much(&format!("{first}\n")),
    ] {
        place.write("odd.jsonl", log);
        let report = [
            "report",
            "odd.jsonl",
            "-o",
            "o.html",
            "--junit",
            "o.xml",
            "--json",
            "o.json",
        ];
        is_bounded(&place, &report, "");
        is_bounded(&place, &["diff", "log.jsonl", "odd.jsonl"], "");
    }
}

/// A log whose findings took longer than a time can be.
fn slow(log: &str) -> String {
    let mut parts = log.split("\"micros\":");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str("\"micros\":18446744073709551615");
        out.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit()));
    }
    out
}

#[test]
fn arguments_of_any_length_are_bounded() {
    // The most that one argument may have.
    const MAX_ARGUMENT_BYTES: usize = 120_000;
    let place = Place::new();
    let letters = "a".repeat(MAX_ARGUMENT_BYTES);
    let digits = "9".repeat(MAX_ARGUMENT_BYTES);
    let parts = "a/".repeat(MAX_ARGUMENT_BYTES / 2);
    let terms = vec!["op:rux"; MAX_ARGUMENT_BYTES / 7].join("+");
    for args in [
        &["list", &letters][..],
        &["list", &parts],
        &["list", &terms],
        &["show", &letters],
        &["clause", &letters],
        &["errata", &letters],
        &[&letters],
        &["run", "--backend", &letters],
        &["run", "--reading", &letters],
        &["run", "--jobs", &digits],
        &["run", "--adapter", &letters, EXAMPLE],
        &["draw", "ru8", "--dtype", "f32", "--shape", &digits],
    ] {
        is_bounded(&place, args, "");
    }
}

#[test]
fn requests_of_anything_are_bounded() {
    let place = Place::new();
    let hello = format!("{}\n", crate::serving::HELLO);
    let request = |to: &str| {
        let request = crate::serving::uniform(1, "f32", "TENSORFLOW", "0000803f").to_string();
        request.replace("\"150\"", to)
    };
    for line in [
        much("["),
        much("9"),
        format!("{{\"cmd\":\"run\",\"seq\":{}}}", much("9")),
        request(&format!("\"{}\"", much("9"))),
        request("\"150\"").replace("openvino.RandomUniform-8", &much("o")),
        request("\"150\"").replace("\"shape\":[1]", &format!("\"shape\":[{}1]", much("1,"))),
        request("\"150\"").replace("0300000000000000", "ffffffffffffff7f"),
        request("\"150\"").replace("0300000000000000", &"ffffffffffffff7f".repeat(60_000)),
    ] {
        is_bounded(&place, &["serve"], &format!("{hello}{line}\n"));
        let replies = place.file("printed").metadata().unwrap().len();
        assert!(replies < MESSAGE, "{line:.60}: {replies} bytes of replies");
    }
}

#[test]
fn adapters_that_claim_much_are_bounded() {
    let place = Place::new();
    let hello = |name: &str, capability: &str| {
        format!(
            "{{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{{\"name\":\"{name}\",\"version\":\"1\"}},\
             \"capabilities\":[{capability}]}}\n"
        )
    };
    let op = r#"{"op":"openvino.RandomUniform-8"}"#;
    for output in [
        hello(&much("n"), op),
        hello("x", &format!("{{\"op\":\"{}\"}}", much("o"))),
        hello("x", &vec![op; INPUT / op.len()].join(",")),
        much("["),
        format!("{}{}", hello("x", op), much("[")),
        format!("{}{{\"seq\":{}}}\n", hello("x", op), much("9")),
        format!(
            "{}{{\"seq\":1,\"status\":\"ok\",\"outputs\":{{\"output\":{{\"dtype\":\"f32\",\"shape\":[{}],\"hex\":\"\"}}}}}}\n",
            hello("x", op),
            u64::MAX
        ),
    ] {
        place.write("output", output);
        is_bounded(
            &place,
            &["run", "--adapter", "cat output", "--deadline", "5000", EXAMPLE],
            "",
        );
    }
}

/// A reply of 2^23 f32: the digits are twice as many bytes as the output, and are made as they are written.
#[test]
fn reply_in_lines_takes_little_more_than_its_output() {
    let place = Place::new();
    let hello = r#"{"cmd":"hello","protocol":1,"harness":"x","max_body":268435456}"#;
    let inputs = r#"{"shape":{"dtype":"i64","shape":[1],"hex":"0000800000000000"},"minval":{"dtype":"f32","shape":[],"hex":"00000000"},"maxval":{"dtype":"f32","shape":[],"hex":"0000803f"}}"#;
    let attrs = r#"{"output_type":"f32","global_seed":"150","op_seed":"10","alignment":"TENSORFLOW"}"#;
    let input = format!(
        "{hello}\n{{\"cmd\":\"run\",\"seq\":1,\"case\":\"x\",\"op\":\"openvino.RandomUniform-8\",\"attrs\":{attrs},\"inputs\":{inputs},\"execution\":0,\"want\":\"full\",\"deadline_ms\":60000}}\n"
    );
    is_bounded(&place, &["serve", "--backend", "cpu/scalar"], &input);
    let printed = std::fs::metadata(place.file("printed")).unwrap().len();
    assert!(printed > 64 << 20, "{printed} bytes");
}
