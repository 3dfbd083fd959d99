//! The whole op against OpenVINO's CPU plugin, which runs in a child process and times itself.

use std::cell::RefCell;
use std::error::Error;
use std::ffi::OsStr;

use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{Alignment, Backend, Limits, RandomUniform, Request};

use crate::consume;
use crate::measure::{interleaved, timed};
use crate::peer::Peer;
use crate::table::{Goal, Table};

impl Table {
    /// Row 8: a request through `Backend::run` against an inference, each with all threads.
    pub(crate) fn openvino(&mut self, python: &OsStr) -> Result<(), Box<dyn Error>> {
        let child = RefCell::new(Peer::start(python, include_str!("openvino.py"), &[])?);
        let cpu = Cpu::new(Level::best(), Limits::default(), || 1);
        // Each run's output is fresh memory; that of `fill` is used again, as each inference's is.
        for (name, count, goal) in [("2^26", 1 << 26, 4.0), ("65,536", 1 << 16, 2.0), ("9", 9, 50.0)] {
            let request = RandomUniform::new(
                Alignment::Tensorflow,
                &[i64::from(count)],
                [0.0_f32, 1.0],
                [150, 10],
            );
            let request = Request::RandomUniform(request);
            let count = usize::try_from(count)?;
            let mut out = vec![0; 4 * count];
            let times = interleaved(&mut [
                Box::new(|repeats| child.borrow_mut().time(count, repeats).expect("OpenVINO answers")),
                timed(|| consume(cpu.run(&request))),
                timed(|| consume(cpu.fill(&request, &mut out))),
            ]);
            let what =
                format!("RandomUniform-8 f32 {name}, all threads: `Backend::run` over OpenVINO's `infer`");
            self.row(what, Goal::None, times.ratio(0, 1));
            let what =
                format!("RandomUniform-8 f32 {name}, all threads: `Backend::fill` over OpenVINO's `infer`");
            self.row(what, Goal::AtLeast(goal), times.ratio(0, 2));
        }
        self.notes.push(format!("OpenVINO {}", child.borrow().version));
        Ok(())
    }
}
