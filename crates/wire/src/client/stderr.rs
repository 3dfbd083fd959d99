//! What a child writes to its standard error, as much of it as is worth keeping.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The last bytes that are kept per request: 64 KiB. What went wrong is said last.
const KEPT: usize = 64 << 10;

#[derive(Default)]
struct Heard {
    last: VecDeque<u8>,
    dropped: u64,
    ended: bool,
}

/// The standard error of a child, read by a thread of its own so that a flood never stops the child.
pub(super) struct Stderr {
    shared: Arc<(Mutex<Heard>, Condvar)>,
}

impl Stderr {
    /// Starts to listen.
    ///
    /// # Errors
    /// If no thread can be started.
    pub(super) fn listen(mut stream: impl Read + Send + 'static) -> std::io::Result<Self> {
        let shared = Arc::<(Mutex<Heard>, Condvar)>::default();
        let theirs = Arc::clone(&shared);
        thread::Builder::new()
            .name("adapter-stderr".into())
            .spawn(move || {
                let mut buffer = [0; 8 << 10];
                loop {
                    let read = stream.read(&mut buffer).unwrap_or(0);
                    let mut heard = theirs.0.lock().unwrap_or_else(PoisonError::into_inner);
                    heard.last.extend(&buffer[..read]);
                    let excess = heard.last.len().saturating_sub(KEPT);
                    heard.last.drain(..excess);
                    heard.dropped += u64::try_from(excess).unwrap_or(0);
                    heard.ended = read == 0;
                    theirs.1.notify_all();
                    if read == 0 {
                        return;
                    }
                }
            })?;
        Ok(Self { shared })
    }

    /// Takes what was heard since the last time.
    pub(super) fn take(&self) -> String {
        Self::text(self.lock())
    }

    /// As [`Self::take`], after waiting a moment for the end of the stream: the child has ended.
    pub(super) fn take_last(&self) -> String {
        self.wait(Duration::from_millis(200), |heard| !heard.ended)
    }

    /// As [`Self::take`], after waiting a moment for the first words: there is a failure to explain, and the two
    /// streams of a child are not ordered.
    pub(super) fn take_soon(&self) -> String {
        self.wait(Duration::from_millis(10), |heard| {
            heard.last.is_empty() && !heard.ended
        })
    }

    fn lock(&self) -> MutexGuard<'_, Heard> {
        self.shared.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait(&self, time: Duration, unfinished: impl Fn(&mut Heard) -> bool) -> String {
        let waited = self.shared.1.wait_timeout_while(self.lock(), time, unfinished);
        Self::text(waited.unwrap_or_else(PoisonError::into_inner).0)
    }

    fn text(mut heard: MutexGuard<'_, Heard>) -> String {
        let bytes: Vec<u8> = heard.last.drain(..).collect();
        let dropped = std::mem::take(&mut heard.dropped);
        let text = String::from_utf8_lossy(&bytes);
        if dropped == 0 {
            text.into_owned()
        } else {
            format!("… {dropped} bytes before\n{text}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stderr_keeps_the_end_of_a_flood() {
        let mut flood = vec![b'a'; 3 * KEPT];
        flood.extend(b"the end\xff");
        let stderr = Stderr::listen(std::io::Cursor::new(flood)).unwrap();
        let text = stderr.take_last();
        assert!(
            text.starts_with(&format!("… {} bytes before\n", 2 * KEPT + 8)),
            "{}",
            &text[..40]
        );
        assert!(text.ends_with("the end\u{fffd}"));
        assert_eq!(stderr.take(), "", "each word is taken once");
    }
    /// A stream of pieces, which ends with the sender.
    struct Pieces(std::sync::mpsc::Receiver<&'static [u8]>);

    impl Read for Pieces {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let piece = self.0.recv().unwrap_or_default();
            buffer[..piece.len()].copy_from_slice(piece);
            Ok(piece.len())
        }
    }

    #[test]
    fn stderr_has_ended_with_its_stream_alone() {
        let (sender, pieces) = std::sync::mpsc::channel();
        let stderr = Stderr::listen(Pieces(pieces)).unwrap();
        sender.send(b"first ".as_slice()).unwrap();
        while stderr.lock().last.is_empty() {
            thread::yield_now();
        }
        assert!(!stderr.lock().ended);
        sender.send(b"second").unwrap();
        drop(sender);
        while !stderr.lock().ended {
            thread::yield_now();
        }
        assert_eq!(stderr.take_soon(), "first second");
    }
}
