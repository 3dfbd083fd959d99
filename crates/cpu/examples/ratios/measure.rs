//! Measuring of things side by side, round by round, so that what disturbs one disturbs the others.

use std::time::{Duration, Instant};

/// Rounds of every comparison: an odd number, so that there is a middle one.
pub(crate) const ROUNDS: usize = 15;
/// What one measurement takes at least.
const SLICE: Duration = Duration::from_millis(2);

/// One of the things that are compared: does its work so many times, and gives the seconds that all of it
/// took.
pub(crate) type Contestant<'a> = Box<dyn FnMut(u32) -> f64 + 'a>;

/// What is timed from here.
pub(crate) fn timed<'a>(mut run: impl FnMut() + 'a) -> Contestant<'a> {
    Box::new(move |repeats| {
        let start = Instant::now();
        for _ in 0..repeats {
            run();
        }
        start.elapsed().as_secs_f64()
    })
}

/// A ratio of two times, over all rounds.
#[derive(Clone, Copy)]
pub(crate) struct Ratio {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

/// Times of all contestants in all rounds.
pub(crate) struct Times(Vec<Vec<f64>>);

/// Runs all contestants in turns, after one turn that does not count.
pub(crate) fn interleaved(contestants: &mut [Contestant<'_>]) -> Times {
    let repeats: Vec<u32> = contestants
        .iter_mut()
        .map(|run| {
            let once = time(run, 1);
            (SLICE.as_secs_f64() / once).ceil().clamp(1.0, 1e6)
        })
        .map(|repeats| {
            format!("{repeats:.0}")
                .parse()
                .expect("a whole number below a million")
        })
        .collect();
    let mut times = vec![Vec::new(); contestants.len()];
    for _ in 0..ROUNDS {
        for ((run, &repeats), times) in contestants.iter_mut().zip(&repeats).zip(&mut times) {
            times.push(time(run, repeats));
        }
    }
    Times(times)
}

/// Seconds of one call.
fn time(run: &mut Contestant<'_>, repeats: u32) -> f64 {
    run(repeats) / f64::from(repeats)
}

impl Times {
    /// How many times as long as `fast` the contestant `slow` takes.
    pub(crate) fn ratio(&self, slow: usize, fast: usize) -> Ratio {
        let mut ratios: Vec<f64> = self.0[slow]
            .iter()
            .zip(&self.0[fast])
            .map(|(a, b)| a / b)
            .collect();
        ratios.sort_by(f64::total_cmp);
        Ratio {
            median: ratios[ratios.len() / 2],
            least: ratios[0],
            most: ratios[ratios.len() - 1],
        }
    }

    /// The median time of a contestant in seconds.
    pub(crate) fn median(&self, contestant: usize) -> f64 {
        let mut times = self.0[contestant].clone();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }
}
