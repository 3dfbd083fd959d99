//! The whole op against OpenVINO's CPU plugin, which runs in a child process and times itself.

use std::cell::RefCell;
use std::error::Error;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{Alignment, Backend, Limits, RandomUniform, Request};

use crate::consume;
use crate::measure::{interleaved, timed};
use crate::table::{Goal, Table};

/// The child, until it is dropped.
struct OpenVino {
    child: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    version: String,
}

impl OpenVino {
    fn start(python: &OsStr) -> Result<Self, Box<dyn Error>> {
        let mut child = Command::new(python)
            .args(["-c", include_str!("openvino.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().ok_or("the child has no input")?;
        let mut output = BufReader::new(child.stdout.take().ok_or("the child has no output")?).lines();
        let version = output.next().ok_or("the interpreter has no package openvino")??;
        Ok(Self {
            child,
            input,
            output,
            version,
        })
    }

    /// Seconds that so many inferences take.
    fn time(&mut self, count: usize, repeats: u32) -> Result<f64, Box<dyn Error>> {
        writeln!(self.input, "{count} {repeats}")?;
        Ok(self.output.next().ok_or("OpenVINO ended")??.parse()?)
    }
}

impl Drop for OpenVino {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Table {
    /// Row 8: a request through `Backend::run` against an inference, each with all threads.
    pub(crate) fn openvino(&mut self, python: &OsStr) -> Result<(), Box<dyn Error>> {
        let child = RefCell::new(OpenVino::start(python)?);
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
