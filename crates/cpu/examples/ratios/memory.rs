//! Outputs in fresh memory beside outputs in memory that is used again.

use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{Alignment, Backend, Limits, RandomUniform, Request};

use crate::measure::{interleaved, timed};
use crate::table::{Goal, Table};
use crate::{LARGE, consume};

impl Table {
    /// `Backend::run`, whose output is fresh memory, beside `Backend::fill`, and the page faults of both.
    pub(crate) fn memory(&mut self) {
        let cpu = Cpu::new(Level::best(), Limits::default(), || 1);
        let count = i64::try_from(LARGE).expect("2^26 fits 64 bits");
        let request = RandomUniform::new(Alignment::Tensorflow, &[count], [0.0_f32, 1.0], [150, 10]);
        let request = Request::RandomUniform(request);
        let mut out = vec![0; 4 * LARGE];
        let times = interleaved(&mut [
            timed(|| consume(cpu.run(&request))),
            timed(|| consume(cpu.fill(&request, &mut out))),
        ]);
        self.row(
            "RandomUniform-8 f32 2^26, all threads: time of `Backend::run` over that of `Backend::fill`",
            Goal::None,
            times.ratio(0, 1),
        );
        let fresh = faults_of(|| consume(cpu.run(&request)));
        let reused = faults_of(|| consume(cpu.fill(&request, &mut out)));
        if let (Some(fresh), Some(reused)) = (fresh, reused) {
            self.notes.push(format!(
                "RandomUniform-8 f32 2^26: {fresh} page faults in `Backend::run`, {reused} in `Backend::fill`"
            ));
        }
    }
}

/// The page faults of some work, as Linux counts them.
fn faults_of(work: impl FnOnce()) -> Option<u64> {
    let before = faults()?;
    work();
    Some(faults()? - before)
}

/// The page faults of this process so far that read no disk: the tenth field of its state, the second of which ends
/// with the last parenthesis.
fn faults() -> Option<u64> {
    let state = std::fs::read_to_string("/proc/self/stat").ok()?;
    let (_, fields) = state.rsplit_once(')')?;
    fields.split_ascii_whitespace().nth(7)?.parse().ok()
}
