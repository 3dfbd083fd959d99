//! An adapter that misbehaves in a way that its argument names, but only for cases whose name begins with `bad`.
//! For all others it is the toy of the tests, and without an argument it is nothing else.
//!
//! `misbehaving MODE [lines|frames] [DETAIL]`

use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::time::Duration;
use std::{env, fs, process, thread};

use seedproof_wire::{Framing, serve};
use toy::Toy;

#[path = "../tests/wire/toy.rs"]
mod toy;

fn main() -> io::Result<()> {
    let args: Vec<String> = env::args().skip(1).collect();
    let arg = |n: usize| args.get(n).map_or("", String::as_str);
    let framing = if arg(1) == "frames" {
        Framing::Frames
    } else {
        Framing::Lines
    };
    match arg(0) {
        "" | "good" => serve(&Toy::new(), framing, io::stdin().lock(), io::stdout().lock()),
        "pipe" => pipe(),
        "script" => script(arg(1), arg(2)),
        mode => Misbehaving {
            mode,
            framing,
            detail: arg(2),
            hello: Vec::new(),
        }
        .run(),
    }
}

/// No adapter at all: for a number in eight bytes, that many bytes. What a pipe costs.
fn pipe() -> io::Result<()> {
    let mut length = [0; 8];
    let mut bytes = Vec::new();
    while io::stdin().read_exact(&mut length).is_ok() {
        bytes.resize(
            usize::try_from(u64::from_le_bytes(length)).map_err(io::Error::other)?,
            7,
        );
        io::stdout().write_all(&bytes)?;
        io::stdout().flush()?;
    }
    Ok(())
}

/// Writes some bytes, given in hex, at some moment, and otherwise answers well.
fn script(moment: &str, hex: &str) -> io::Result<()> {
    let digit = |b: u8| {
        char::from(b)
            .to_digit(16)
            .and_then(|d| u8::try_from(d).ok())
            .unwrap_or(0)
    };
    let bytes: Vec<u8> = hex
        .as_bytes()
        .chunks(2)
        .map(|pair| pair.iter().fold(0, |n, &b| n << 4 | digit(b)))
        .collect();
    let say = |now: &str| {
        if moment == now {
            say(&bytes)?;
        }
        Ok::<_, io::Error>(moment == now)
    };
    say("first")?;
    for (count, line) in io::stdin().lock().split(b'\n').enumerate() {
        let line = line?;
        let instead = (count == 0 && say("hello")?) || (count == 1 && say("reply")?);
        if !instead {
            serve(&Toy::new(), Framing::Lines, line.as_slice(), io::stdout().lock())?;
        }
        if count == 0 {
            say("idle")?;
        }
        if count == 1 {
            say("after")?;
        }
    }
    Ok(())
}

fn say(bytes: &[u8]) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes)?;
    stdout.flush()
}

struct Misbehaving<'a> {
    mode: &'a str,
    framing: Framing,
    detail: &'a str,
    hello: Vec<u8>,
}

impl Misbehaving<'_> {
    fn run(&mut self) -> io::Result<()> {
        let mut input = io::stdin().lock();
        if self.mode == "prints-first" {
            say(b"loading the model\n")?;
        }
        input.read_until(b'\n', &mut self.hello)?;
        match self.mode {
            "dies-first" => {
                eprintln!("no such device");
                process::exit(3);
            }
            "silent" => thread::sleep(Duration::from_hours(1)),
            _ => serve(
                &Toy::new(),
                self.framing,
                self.hello.as_slice(),
                io::stdout().lock(),
            )?,
        }
        while let Some(request) = self.request(&mut input)? {
            let bad = request.windows(11).any(|bytes| bytes == br#""case":"bad"#);
            if bad {
                self.misbehave(&request)?;
            } else {
                say(&self.answer(&request)?)?;
            }
        }
        // `stays` ignores bye and the end of its input.
        if self.mode == "stays" {
            thread::sleep(Duration::from_hours(1));
        }
        Ok(())
    }

    /// The next request as it travelled, or `None` at its end.
    fn request(&self, input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        if self.framing == Framing::Lines {
            input.read_until(b'\n', &mut bytes)?;
        } else {
            input.take(16).read_to_end(&mut bytes)?;
            if let [_, _, _, _, h0, h1, h2, h3, body @ ..] = bytes.as_slice()
                && let Ok(body) = body.try_into()
            {
                let header = u64::from(u32::from_le_bytes([*h0, *h1, *h2, *h3]));
                input
                    .take(header + u64::from_le_bytes(body))
                    .read_to_end(&mut bytes)?;
            }
        }
        Ok(Some(bytes).filter(|bytes| !bytes.is_empty() && !bytes.ends_with(b"{\"cmd\":\"bye\"}\n")))
    }

    /// The right reply, as it travels.
    fn answer(&self, request: &[u8]) -> io::Result<Vec<u8>> {
        let mut output = Vec::new();
        serve(
            &Toy::new(),
            self.framing,
            [&self.hello, request].concat().as_slice(),
            &mut output,
        )?;
        let hello = output.iter().position(|&b| b == b'\n').map_or(0, |end| end + 1);
        Ok(output.split_off(hello))
    }

    fn misbehave(&self, request: &[u8]) -> io::Result<()> {
        let right = self.answer(request)?;
        let edited = |from: &str, to: &str| {
            let text = String::from_utf8_lossy(&right).into_owned();
            assert!(text.contains(from), "{text} has no {from}");
            text.replacen(from, to, 1).into_bytes()
        };
        match self.mode {
            "prints" => {
                say(b"step 1 done\n")?;
                say(&right)
            }
            "prints-after" => say(&[right, b"done\n".to_vec()].concat()),
            "lies" => say(&edited("\"status\":\"ok\"", "\"status\":\"ok")),
            "claims" => {
                let seq = seq(request);
                say(format!(
                    "{{\"seq\":{seq},\"status\":\"unsupported\",\"reason\":\"f32\",\"issue\":\"x/1\"}}\n"
                )
                .as_bytes())
            }
            "fails" => {
                eprintln!("what the trace is about");
                let seq = seq(request);
                say(
                    format!("{{\"seq\":{seq},\"status\":\"error\",\"message\":\"no\",\"trace\":\"at f\"}}\n")
                        .as_bytes(),
                )
            }
            "short" => say(&edited("\"hex\":\"0a", "\"hex\":\"")),
            "odd" => say(&edited("\"hex\":\"0a", "\"hex\":\"a")),
            "other-shape" => say(&edited("\"shape\":[7]", "\"shape\":[8]")),
            "wrong-shape" => say(&edited("\"shape\":[7]", "\"shape\":[1,7]")),
            "seq" => say(&edited("\"seq\":", "\"seq\":1")),
            "twice" => say(&[right.clone(), right].concat()),
            "hangs" => loop {
                thread::sleep(Duration::from_hours(1));
            },
            "late" => {
                thread::sleep(Duration::from_millis(700));
                say(&right)
            }
            "aborts" => {
                eprintln!("about to abort");
                process::abort();
            }
            "exits" => process::exit(0),
            "half" => {
                say(&right[..right.len() / 2])?;
                process::exit(0)
            }
            "once" if Path::new(self.detail).exists() => say(&right),
            "once" => {
                fs::write(self.detail, "")?;
                process::abort();
            }
            "floods" => {
                let line = [b'x'; 1023].iter().chain(b"\n").copied().collect::<Vec<u8>>();
                (0..8192).try_for_each(|_| io::stderr().write_all(&line))?;
                say(&right)
            }
            "big-header" => {
                say(b"SPW1")?;
                say(&u32::MAX.to_le_bytes())?;
                say(&[0; 8])?;
                endless()
            }
            "big-body" => {
                let [_, _, _, _, h0, h1, h2, h3, ..] = right[..] else {
                    return Err(io::Error::other("not under frames"));
                };
                let header =
                    usize::try_from(u32::from_le_bytes([h0, h1, h2, h3])).map_err(io::Error::other)?;
                say(&right[..8])?;
                say(&10_000_000_000_u64.to_le_bytes())?;
                say(&right[16..16 + header])?;
                endless()
            }
            "endless" => endless(),
            "garbage" => {
                let noise = (0..3000_u32).map(|n| n.wrapping_mul(2_654_435_761).to_be_bytes()[0]);
                say(&noise.collect::<Vec<u8>>())
            }
            other => Err(io::Error::other(format!("no mode is called {other}"))),
        }
    }
}

/// Writes without end, and without an end of line.
fn endless() -> io::Result<()> {
    let zeros = vec![b'0'; 1 << 16];
    loop {
        say(&zeros)?;
    }
}

fn seq(request: &[u8]) -> String {
    let text = String::from_utf8_lossy(request);
    let (_, rest) = text.split_once("\"seq\":").unwrap_or_default();
    rest.chars().take_while(char::is_ascii_digit).collect()
}
