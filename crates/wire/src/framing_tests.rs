use std::io::BufReader;

use proptest::prelude::*;

use super::*;

const LIMITS: Limits = Limits {
    message: 4096,
    body: 1024,
};

/// A stream that counts what is taken from it and hands it out in small pieces.
struct Counted<'a> {
    rest: &'a [u8],
    taken: usize,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let piece = buffer.len().min(17);
        let read = self.rest.read(&mut buffer[..piece])?;
        self.taken += read;
        Ok(read)
    }
}

fn written(framing: Framing, header: &[u8], parts: &[&[u8]]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let message = Outgoing {
        header: header.to_vec(),
        // A line has no body, and these headers no tensors.
        parts: if framing == Framing::Frames {
            parts.to_vec()
        } else {
            Vec::new()
        },
    };
    message.write(framing, &mut bytes).unwrap();
    bytes
}

fn frame(header: u32, body: u64) -> Vec<u8> {
    [MAGIC.as_slice(), &header.to_le_bytes(), &body.to_le_bytes()].concat()
}

#[test]
fn framing_frame_is_laid_out_as_documented() {
    let bytes = written(Framing::Frames, b"{}", &[b"abc", b"", b"defg"]);
    let mut expected = b"SPW1\x02\0\0\0\x0c\0\0\0\0\0\0\0{}".to_vec();
    expected.extend(b"abc\0\0\0\0\0defg");
    assert_eq!(bytes, expected);
    let message = read(Framing::Frames, &mut bytes.as_slice(), LIMITS)
        .unwrap()
        .unwrap();
    assert_eq!(
        (message.header.as_slice(), message.body.as_slice()),
        (b"{}".as_slice(), &expected[18..])
    );
}

#[test]
fn framing_lines_are_read_one_by_one() {
    let mut input = b"{}\n\n[1]\nrest".as_slice();
    for line in [b"{}".as_slice(), b"", b"[1]"] {
        assert_eq!(
            read(Framing::Lines, &mut input, LIMITS).unwrap().unwrap().header,
            line
        );
    }
    assert!(
        matches!(read(Framing::Lines, &mut input, LIMITS), Err(ReadError::Truncated(line)) if line == b"rest")
    );
    assert!(read(Framing::Lines, &mut input, LIMITS).unwrap().is_none());
}

#[test]
fn framing_line_may_be_as_long_as_the_limit() {
    let line = |length| [vec![b'x'; length], b"\nnext\n".to_vec()].concat();
    let fits = line(4096);
    let message = read(Framing::Lines, &mut fits.as_slice(), LIMITS)
        .unwrap()
        .unwrap();
    assert_eq!(message.header.len(), 4096);
    let long = line(4097);
    let mut input = long.as_slice();
    let error = read(Framing::Lines, &mut input, LIMITS).unwrap_err();
    let quoted = "x".repeat(64);
    assert_eq!(
        error.to_string(),
        format!("read a line of over 4096 bytes: the limit is 4096; it begins with \"{quoted}…\"")
    );
    let ReadError::TooLarge { rest, .. } = error else {
        panic!("it is too long: {error}");
    };
    skip(&mut input, rest).unwrap();
    assert_eq!(input, b"next\n");
}

#[test]
fn framing_lengths_beyond_the_limits_are_refused_unread() {
    let with_header = |body| [frame(2, body), b"{}".to_vec()].concat();
    for (bytes, what) in [
        (
            frame(u32::MAX, 0),
            "header of 4294967295 bytes: the limit is 4096",
        ),
        (frame(4097, 0), "header of 4097 bytes"),
        (
            with_header(u64::MAX),
            "body of 18446744073709551615 bytes: the limit is 1024",
        ),
        (with_header(1025), "body of 1025 bytes"),
        (
            [frame(100, 1025), vec![b'h'; 100]].concat(),
            &format!("begins with \"{}…\"", "h".repeat(64)),
        ),
    ] {
        let error = read(Framing::Frames, &mut bytes.as_slice(), LIMITS)
            .unwrap_err()
            .to_string();
        assert!(error.contains(what), "{error}");
    }
    let tight = Limits {
        message: 10,
        body: 1024,
    };
    let error = read(Framing::Frames, &mut with_header(9).as_slice(), tight)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("body of 9 bytes: the limit is 8"),
        "header and body share a limit: {error}"
    );
}

#[test]
fn framing_lengths_at_the_limits_are_read() {
    for (header, body) in [(4096_usize, 0_usize), (2, 1024), (3072, 1024)] {
        let claimed = frame(u32::try_from(header).unwrap(), u64::try_from(body).unwrap());
        let bytes = [claimed, vec![0; 5000]].concat();
        let message = read(Framing::Frames, &mut bytes.as_slice(), LIMITS)
            .unwrap()
            .unwrap();
        assert_eq!((message.header.len(), message.body.len()), (header, body));
    }
}

#[test]
fn framing_skips_a_frame_that_is_too_large() {
    let bytes = [frame(5000, 2000), vec![0; 7000], b"next".to_vec()].concat();
    let mut input = bytes.as_slice();
    let Err(ReadError::TooLarge { rest, .. }) = read(Framing::Frames, &mut input, LIMITS) else {
        panic!("it is too large");
    };
    skip(&mut input, rest).unwrap();
    assert_eq!(input, b"next");
}

#[test]
fn framing_what_is_no_frame_is_quoted() {
    for (bytes, quoted) in [
        (b"hello\n".as_slice(), r#""hello\n""#),
        (b"SPx", r#""SPx""#),
        (&[b'z'; 100], "zzz…\""),
    ] {
        let error = read(Framing::Frames, &mut &bytes[..], LIMITS).unwrap_err();
        assert!(matches!(error, ReadError::Magic(_)));
        assert!(error.to_string().contains(quoted), "{error}");
    }
}

#[test]
fn framing_stream_that_ends_within_a_frame_is_truncated() {
    let whole = written(Framing::Frames, b"{}", &[b"12"]);
    assert_eq!(read(Framing::Frames, &mut io::empty(), LIMITS).unwrap(), None);
    for length in 1..whole.len() {
        let error = read(Framing::Frames, &mut &whole[..length], LIMITS).unwrap_err();
        assert!(matches!(error, ReadError::Truncated(_)), "{length}: {error}");
    }
}

#[test]
fn framing_makes_room_for_what_arrives_and_not_for_what_is_claimed() {
    let limits = Limits {
        message: 1 << 40,
        body: 1 << 40,
    };
    let claimed = [frame(0, 1 << 30), vec![0; 100_000]].concat();
    let error = read(Framing::Frames, &mut claimed.as_slice(), limits).unwrap_err();
    let ReadError::Truncated(read) = error else {
        panic!("it breaks off: {error}");
    };
    assert_eq!(read.len(), 100_000);
    assert!(read.capacity() <= 1 << 18, "{} bytes", read.capacity());
}

#[test]
fn framing_quotes_sixty_four_bytes() {
    assert_eq!(quote(b"a\"\xff"), r#""a\"\xff""#);
    assert_eq!(quote(&[b'a'; 64]), format!("\"{}\"", "a".repeat(64)));
    assert_eq!(quote(&[b'a'; 65]), format!("\"{}…\"", "a".repeat(64)));
}

fn framings() -> impl Strategy<Value = Framing> {
    prop_oneof![Just(Framing::Lines), Just(Framing::Frames)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn framing_goes_there_and_back(
        framing in framings(),
        header in "[ -~]{0,80}",
        part in prop::collection::vec(any::<u8>(), 0..100),
    ) {
        let bytes = written(framing, header.as_bytes(), &[&part]);
        let message = read(framing, &mut bytes.as_slice(), LIMITS).unwrap().unwrap();
        prop_assert_eq!(message.header, header.into_bytes());
        let body = if framing == Framing::Lines { Vec::new() } else { part };
        prop_assert_eq!(message.body, body);
    }

    #[test]
    fn framing_takes_and_keeps_no_more_than_the_limit(
        framing in framings(),
        mut bytes in prop::collection::vec(any::<u8>(), 0..12_000),
        magic in any::<bool>(),
    ) {
        if magic && bytes.len() >= 16 {
            bytes[..4].copy_from_slice(&MAGIC);
            bytes[6..8].fill(0);
            bytes[10..16].fill(0);
        }
        let mut input = BufReader::with_capacity(32, Counted { rest: &bytes, taken: 0 });
        if let Ok(Some(message)) = read(framing, &mut input, LIMITS) {
            prop_assert!(message.header.capacity() + message.body.capacity() <= 4096 + 1);
        }
        prop_assert!(input.get_ref().taken <= 16 + 4096 + 1 + 32);
    }

    #[test]
    fn framing_edited_streams_come_to_an_end(
        framing in framings(),
        at in 0_usize..200,
        byte in any::<u8>(),
        cut in 0_usize..200,
    ) {
        let mut bytes = written(framing, br#"{"cmd":"bye"}"#, &[&[7; 50]]).repeat(2);
        let end = bytes.len();
        bytes[at % end] = byte;
        bytes.truncate(cut);
        let mut input = bytes.as_slice();
        let mut messages = 0;
        while let Ok(Some(_)) = read(framing, &mut input, LIMITS) {
            messages += 1;
        }
        prop_assert!(messages <= 5, "{messages} messages in {} bytes", bytes.len());
    }
}
