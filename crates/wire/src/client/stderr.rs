//! Collects the end of what a child writes to its standard error.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The bytes that are kept for each request: the last ones, since a program prints the reason for its failure last.
const KEPT: usize = 64 << 10;

#[derive(Default)]
struct Heard {
    last: VecDeque<u8>,
    dropped: u64,
    ended: bool,
}

/// The standard error of a child. A thread reads it all the time: once a pipe is full, the child
/// would block in its next write.
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
        seedproof_ops::thread()
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

    /// Takes the text since the last call.
    pub(super) fn take(&self) -> String {
        Self::text(self.lock())
    }

    /// As [`Self::take`] for a child that has ended, after waiting for the end of the stream.
    pub(super) fn take_last(&self) -> String {
        // With a limit: a descendant that was not found and killed may hold the stream open for good.
        self.wait(Duration::from_millis(200), |heard| !heard.ended)
    }

    /// As [`Self::take`] for a failure, after waiting up to 10 ms for the first byte. A child writes the explanation
    /// before its reply, but the two streams are read by two threads.
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
    /// A reader that returns the pieces sent to it, and ends when the sender is dropped.
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
            std::thread::yield_now();
        }
        assert!(!stderr.lock().ended);
        sender.send(b"second").unwrap();
        drop(sender);
        while !stderr.lock().ended {
            std::thread::yield_now();
        }
        assert_eq!(stderr.take_soon(), "first second");
    }
}
