//! A line on standard error that says how far a command is.

use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(200);

/// Characters of a full bar.
const BAR: u64 = 40;

/// The progress line, until this is dropped. Nothing is shown if standard error is not a terminal.
pub(crate) struct Progress {
    done: Arc<AtomicU64>,
    line: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// A bar over this number of steps.
    pub(crate) fn new(what: &str, steps: impl TryInto<u64>) -> Self {
        let steps = steps.try_into().unwrap_or(u64::MAX);
        let done = Arc::new(AtomicU64::new(0));
        let line = std::io::stderr().is_terminal().then(|| {
            let (what, done) = (what.to_owned(), Arc::clone(&done));
            let (until, end) = mpsc::channel();
            let drawing =
                seedproof_ops::thread().spawn(move || draw(&what, &done, steps, &|| end.recv_timeout(TICK)));
            Some((until, drawing.ok()?))
        });
        Self {
            done,
            line: line.flatten(),
        }
    }

    /// One step more is done.
    pub(crate) fn step(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
    }

    /// So many steps are done.
    pub(crate) fn reach(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((until, drawing)) = self.line.take() {
            drop(until);
            drawing.join().ok();
        }
    }
}

/// Draws the line until `tick` says that its other end is gone, then wipes it. A terminal that takes nothing more loses
/// nothing but the line.
fn draw(what: &str, done: &AtomicU64, steps: u64, tick: &dyn Fn() -> Result<(), RecvTimeoutError>) {
    let began = Instant::now();
    let mut drawn = 0;
    loop {
        let columns = terminal_size::terminal_size_of(std::io::stderr());
        let columns = columns.map_or(80, |(terminal_size::Width(columns), _)| usize::from(columns));
        let line = line(what, done.load(Ordering::Relaxed), steps, began.elapsed());
        // A line as wide as the terminal would go on in the next.
        let line: String = line.chars().take(columns.saturating_sub(1)).collect();
        write!(std::io::stderr(), "\r{line:drawn$}").ok();
        drawn = line.chars().count();
        if tick() != Err(RecvTimeoutError::Timeout) {
            write!(std::io::stderr(), "\r{:drawn$}\r", "").ok();
            return;
        }
    }
}

fn line(what: &str, done: u64, steps: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs();
    let full = done.min(steps).saturating_mul(BAR) / steps.max(1);
    let bar: String = (0..BAR).map(|i| if i < full { '█' } else { '░' }).collect();
    format!("{what} {bar} {done}/{steps} {seconds} s")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_shows_what_is_done() {
        let at = Duration::from_millis(2900);
        for (done, steps, full) in [(0, 9, 0), (3, 4, 30), (9, 9, 40), (10, 9, 40), (0, 0, 0)] {
            let bar = "█".repeat(full) + &"░".repeat(40 - full);
            assert_eq!(
                line("cpu", done, steps, at),
                format!("cpu {bar} {done}/{steps} 2 s")
            );
        }
    }

    #[test]
    fn line_shows_the_steps_that_were_told() {
        let progress = Progress {
            done: Arc::default(),
            line: None,
        };
        let shown = || line("cpu", progress.done.load(Ordering::Relaxed), 9, Duration::ZERO);
        progress.step();
        progress.step();
        assert!(shown().ends_with(" 2/9 0 s"), "{}", shown());
        progress.reach(7);
        assert!(shown().ends_with(" 7/9 0 s"), "{}", shown());
    }

    #[test]
    fn draw_ends_when_its_owner_is_gone() {
        let ticks = AtomicU64::new(0);
        let tick = || match ticks.fetch_add(1, Ordering::Relaxed) {
            0..3 => Err(RecvTimeoutError::Timeout),
            _ => Err(RecvTimeoutError::Disconnected),
        };
        draw("a test", &AtomicU64::new(1), 2, &tick);
        assert_eq!(ticks.load(Ordering::Relaxed), 4);
    }
}
