//! What adapters leave behind without their mark. A daemon with an environment of its own is found by nobody, unless the
//! system makes it a child of this process when its parent ends, as it does for a subreaper.

use std::fs;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{
    Pid, Signal, WaitOptions, getpgrp, getpid, kill_process, set_child_subreaper, waitpid,
};

/// How often orphans that have ended are collected. Until then they take a number of the system's.
const COLLECTED: Duration = Duration::from_secs(1);

/// How long it is waited for orphans to end that have been killed. One in the middle of a read from a broken disk never does.
const ENDING: Duration = Duration::from_secs(2);

/// The children of this process.
pub(super) struct Family {
    state: State,
    /// Those that were started here. The others were adopted.
    own: Vec<Pid>,
    /// The number of adapter processes that have not ended.
    running: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// This process is a host's, whose children are not for this crate to end.
    Foreign,
    /// Orphans may be adopted, as soon as an adapter starts.
    Allowed,
    Adopting,
}

static FAMILY: Mutex<Family> = Mutex::new(Family {
    state: State::Foreign,
    own: Vec::new(),
    running: 0,
});

/// From the next start of an adapter on, its descendants end with it even where they have left its session and cleared their
/// environment: once no adapter runs, this process kills every child that it has adopted meanwhile.
///
/// For a process that starts others than adapters in its own process group alone, as programs do that do not ask for
/// another. Where it has a child already, nothing is adopted: what the child leaves behind is not the adapters'.
pub fn adopt_orphans() {
    let mut family = family();
    if family.state == State::Foreign {
        family.state = State::Allowed;
    }
}

/// Kills every child that was adopted, and adopts no more. For a process that is about to end, or to start something that
/// outlives it.
pub fn end_orphans() {
    let mut family = family();
    family.sweep();
    if family.state == State::Adopting {
        let _ = set_child_subreaper(None);
    }
    family.state = State::Foreign;
}

/// The family, held: what is started or ended meanwhile is not taken for an orphan.
pub(super) fn family() -> MutexGuard<'static, Family> {
    FAMILY.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Family {
    /// Adopts orphans from now on, if that is allowed and possible.
    pub(super) fn adopt(&mut self) {
        if self.state == State::Allowed {
            let adopts = is_listed()
                && children().is_empty()
                && collector().is_ok()
                && set_child_subreaper(Some(getpid())).is_ok();
            self.state = if adopts { State::Adopting } else { State::Foreign };
        }
    }

    /// An adapter has started, with the process of its guard.
    pub(super) fn started(&mut self, numbers: impl IntoIterator<Item = u32>) {
        self.running += 1;
        self.own.extend(numbers.into_iter().filter_map(pid));
    }

    /// An adapter has ended, and so has its guard.
    pub(super) fn ended(&mut self, numbers: &[u32]) {
        self.running -= 1;
        self.own
            .retain(|own| !numbers.iter().any(|&number| pid(number) == Some(*own)));
        // Until then nobody knows whose orphan it is, and one that runs may still need it.
        if self.running == 0 {
            self.sweep();
        }
    }

    /// Kills the orphans, and those that become orphans by that. The number of a child is not given to another process before
    /// the child is collected, which happens only here.
    fn sweep(&self) {
        let started = Instant::now();
        let mut none = 0;
        while none < 2 && started.elapsed() < ENDING {
            let left = self
                .orphans()
                .filter(|&(orphan, has_ended)| !has_ended && kill_process(orphan, Signal::KILL).is_ok());
            if left.count() == 0 {
                none += 1;
            } else {
                none = 0;
                sleep(Duration::from_millis(1));
            }
        }
        self.collect();
    }

    /// Collects the orphans that have ended.
    fn collect(&self) {
        for (orphan, _) in self.orphans().filter(|&(_, has_ended)| has_ended) {
            let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
        }
    }

    /// The children that were adopted, and whether each has ended. A library of this process may start others, which are in
    /// its group; an orphan of an adapter's never is.
    fn orphans(&self) -> impl Iterator<Item = (Pid, bool)> {
        let children = match self.state {
            State::Adopting => children(),
            State::Foreign | State::Allowed => Vec::new(),
        };
        let group = getpgrp().as_raw_nonzero().to_string();
        let adopted = children.into_iter().filter(|child| !self.own.contains(child));
        adopted.filter_map(move |child| {
            let stat = fs::read_to_string(format!("/proc/{}/stat", child.as_raw_nonzero())).ok()?;
            // The name of the program, in parentheses, may have any character.
            let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
            let has_ended = fields.next()? == "Z";
            (fields.nth(1)? != group).then_some((child, has_ended))
        })
    }
}

fn pid(number: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(number).ok()?)
}

/// The children of every thread of this process. One that starts or ends meanwhile may be missing.
fn children() -> Vec<Pid> {
    let threads = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let lists: Vec<String> = lists.collect();
    let numbers = lists.iter().flat_map(|list| list.split_whitespace());
    numbers.filter_map(|number| pid(number.parse().ok()?)).collect()
}

/// Whether the system lists children.
fn is_listed() -> bool {
    fs::exists("/proc/thread-self/children").unwrap_or(false)
}

/// Starts the thread that collects orphans while adapters run: nobody else would, and an adapter may leave one for each case.
fn collector() -> io::Result<()> {
    let collect = || {
        loop {
            sleep(COLLECTED);
            family().collect();
        }
    };
    seedproof_ops::thread().name("orphans".into()).spawn(collect)?;
    Ok(())
}
