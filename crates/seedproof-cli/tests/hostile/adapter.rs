//! The adapter: it says hello, and then acts by its mode.

use std::io::{self, BufRead, Write as _};
use std::process::{Command, Stdio, abort, exit, id};
use std::thread::sleep;
use std::time::Duration;

use seedproof_ops::{Limits, Named as _, OpName};
use seedproof_reference::Reference;
use seedproof_wire::{Framing, serve};

use super::modes::{Act, HELLOS, modes};

const HELLO: &str = "{\"cmd\":\"hello\",\"protocol\":1,\"harness\":\"x\",\"max_body\":268435456}\n";
/// The mode that claims every op, and answers every case with texts at their limits.
pub(crate) const EVERYWHERE: &str = "everywhere";
/// The mode that claims every op, and answers every case wrongly, with more standard error than is kept.
pub(crate) const WRONG: &str = "everywhere-wrong";
const CLAIMS: &str = "{\"op\":\"openvino.RandomUniform-8\"},{\"op\":\"directml.RandomGenerator\",\"features\":[\"output_state\"]}";
/// Longer than any deadline here.
const LONG: Duration = Duration::from_mins(10);

/// What tells a process that a mode leaves behind from all others: its argument.
pub(crate) fn grandchild_mark() -> String {
    // A number of seconds that nobody else sleeps for.
    "86399.4710815".to_owned()
}

/// Speaks the protocol, as far as the mode lets it.
pub(crate) fn run(mode: &str) {
    let mut input = io::stdin().lock().lines().map_while(Result::ok);
    let Some(_) = input.next() else { return };
    if let Some(index) = mode
        .strip_prefix("hello-")
        .and_then(|index| index.parse::<usize>().ok())
    {
        say(format!("{}\n", HELLOS[index].0).as_bytes());
        input.for_each(drop);
        return;
    }
    let claims = if [EVERYWHERE, WRONG].contains(&mode) {
        let claims = OpName::ALL.iter().map(|op| format!("{{\"op\":\"{op}\"}}"));
        claims.collect::<Vec<_>>().join(",")
    } else {
        CLAIMS.to_owned()
    };
    say(format!(
        "{{\"protocol\":1,\"framing\":\"lines\",\"implementation\":{{\"name\":\"{mode}\",\"version\":\"1\"}},\"capabilities\":[{claims}]}}\n"
    )
    .as_bytes());
    if mode == "right-then-leaves-a-daemon" {
        // Two shells deep and in a session of its own, as a daemon makes itself; then without what marks it.
        let sleeps = format!("sleep {} </dev/null >/dev/null 2>&1", grandchild_mark());
        let line = format!(
            "(setsid {sleeps} &) & (setsid env -i {sleeps} &) & (setsid env -u SEEDPROOF_CHILD {sleeps} &) & \
             (env -i /bin/sh -c 'setsid {sleeps} &' &) &"
        );
        let _ = Command::new("/bin/sh")
            .args(["-c", &line])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status();
    }
    let act = modes()
        .into_iter()
        .find(|it| it.name == mode)
        .map_or(Act::Named, |mode| mode.act);
    let mut count = 0;
    for request in input {
        if request.contains("\"cmd\":\"bye\"") {
            break;
        }
        count += 1;
        perform(mode, &act, &request, count);
    }
    match mode {
        "right-and-ignores-bye" => sleep(LONG),
        "right-and-dies-at-bye" => abort(),
        _ => {}
    }
}

fn perform(mode: &str, act: &Act, request: &str, count: u32) {
    let seq = seq(request);
    match act {
        Act::Edit(from, to) => {
            let right = answer(request);
            assert!(right.contains(from), "{right} has no {from}");
            say(right.replacen(from, to, 1).as_bytes());
        }
        Act::Line(line) => say(format!("{}\n", line.replacen("SEQ", &seq, 1)).as_bytes()),
        Act::Says(line, words) => {
            let _ = io::stderr().write_all(words.as_bytes());
            say(format!("{}\n", line.replacen("SEQ", &seq, 1)).as_bytes());
        }
        Act::Bytes(bytes) => say(bytes),
        Act::Named => named(mode, request, &seq, count),
    }
}

/// The last digits of the first output, and what each mode makes of a right answer.
fn named(mode: &str, request: &str, seq: &str, count: u32) {
    if mode == EVERYWHERE {
        // Each text is another one, and longer than what is kept of it.
        let text = format!("{count} {}", "<é".repeat(3_000));
        let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
        say(format!("{{\"seq\":{seq},\"status\":\"error\",\"message\":\"{text}\"}}\n").as_bytes());
        return;
    }
    let right = answer(request);
    let with_digits = |change: &dyn Fn(&str) -> String| {
        let start = right.find("\"hex\":\"").map_or(0, |at| at + 7);
        let end = start + right[start..].find('"').unwrap_or(0);
        format!(
            "{}{}{}",
            &right[..start],
            change(&right[start..end]),
            &right[end..]
        )
    };
    match mode {
        WRONG => {
            let words = format!("{count} {}\n", "<é".repeat(3_000));
            let _ = io::stderr().write_all(words.as_bytes());
            // The last element alone, which costs a comparison and a diagnosis the most.
            let wrong = |digits: &str| match digits.strip_suffix('0') {
                Some(rest) => format!("{rest}1"),
                None => format!("{}0", &digits[..digits.len() - 1]),
            };
            if right.contains("\"hex\":\"\"") || !right.contains("\"hex\"") {
                say(right.as_bytes());
            } else {
                say(with_digits(&wrong).as_bytes());
            }
        }
        "right-in-pieces" => right.as_bytes().chunks(7).for_each(say),
        "right-and-floods-its-errors" => {
            (0..64).for_each(|_| drop(io::stderr().write_all(&vec![b'e'; 1 << 18])));
            say(right.as_bytes());
        }
        "right-and-removes-the-output" => {
            let _ = std::fs::remove_dir_all("out");
            say(right.as_bytes());
        }
        "zeros" => say(with_digits(&|digits| "0".repeat(digits.len())).as_bytes()),
        "one-bit" => say(with_digits(&|digits| {
            let last = if digits.ends_with('0') { "1" } else { "0" };
            format!("{}{last}", &digits[..digits.len() - 1])
        })
        .as_bytes()),
        "reversed" => say(with_digits(&|digits| digits.chars().rev().collect()).as_bytes()),
        // Wrong in another way each time that it is asked.
        "changes" => say(with_digits(&|digits| format!("{:08x}{}", count, &digits[8..])).as_bytes()),
        "twice" => say(format!("{right}{right}").as_bytes()),
        "answers-the-one-before" => {
            let before = seq.parse::<u64>().map_or(0, |seq| seq.saturating_sub(1));
            let right = right.replacen(&format!("\"seq\":{seq}"), &format!("\"seq\":{before}"), 1);
            say(right.as_bytes());
        }
        "half-a-line" => {
            say(&right.as_bytes()[..right.len() / 2]);
            sleep(LONG);
        }
        "silent" => sleep(LONG),
        "blank-lines" => say("\n".repeat(1 << 20).as_bytes()),
        "nested" => say(format!("{}\n", "[".repeat(1 << 20)).as_bytes()),
        "floods" => loop {
            say(&vec![b'x'; 1 << 16]);
        },
        "exits" => exit(0),
        "exits-with-7" => exit(7),
        "aborts" => abort(),
        "killed" => {
            let _ = Command::new("kill").args(["-KILL", &id().to_string()]).status();
            sleep(LONG);
        }
        "exits-in-a-line" => {
            say(&right.as_bytes()[..right.len() / 2]);
            exit(0);
        }
        "exits-and-leaves-a-shell" => {
            // Its own shell lives on with the input alone.
            let _ = Command::new("/bin/sh")
                .args(["-c", "exec >&- 2>&-; sleep 600"])
                .stdin(Stdio::null())
                .spawn();
            exit(0);
        }
        _ => say(right.as_bytes()),
    }
}

/// The right reply, with its line end.
fn answer(request: &str) -> String {
    let backend = Reference::new(Limits::default(), || 1);
    let mut output = Vec::new();
    let asked = format!("{HELLO}{request}\n");
    serve(&backend, Framing::Lines, asked.as_bytes(), &mut output).expect("memory takes every write");
    let text = String::from_utf8(output).expect("replies are text");
    text.split_once('\n')
        .map_or(String::new(), |(_, reply)| reply.to_owned())
}

fn say(bytes: &[u8]) {
    let mut out = io::stdout().lock();
    // A harness that has gone needs no answer.
    if out.write_all(bytes).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

fn seq(request: &str) -> String {
    let (_, rest) = request.split_once("\"seq\":").unwrap_or_default();
    rest.chars().take_while(char::is_ascii_digit).collect()
}
