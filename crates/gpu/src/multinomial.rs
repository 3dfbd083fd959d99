//! Multinomial: groups of rows that fit the device, each summed, divided and drawn from.

use seedproof_cpu::op::multinomial::{Draws, Formed};
use seedproof_ops::Failure;
use wgpu::{Buffer, CommandEncoder};

use crate::kernels::{Entry, Module};
use crate::probe::STEPS;
use crate::rule::Rule;
use crate::session::Session;
use crate::stream::{CHUNK, Running, Stream, as_u32, as_u64};

/// The most classes of a row with replacement: shares of 8 bytes fill the largest buffer that every device
/// binds.
const MOST_CLASSES: usize = 1 << 24;
/// The most classes of a row without replacement: for each draw an invocation goes twice over its 256th part
/// of them, in [`STEPS`] steps at most.
const MOST_SHRINKING: usize = (1 << 22) - LANES;
/// The most times that draws without replacement may bring a class up to date: a software driver does seven million a
/// second, in binary64 made of integers.
const MOST_STEPS: usize = 1 << 26;
/// The most samples of a row, so that 32 bits count those of a row and a chunk.
const MOST_SAMPLES: usize = 1 << 31;
/// Weights of a group of rows, unless one row has more.
const GROUP: usize = 1 << 22;
/// Rows of a group: at most as many as a dispatch has workgroups.
const GROUP_ROWS: usize = 1 << 15;
/// Classes that are summed in one dispatch.
const SUMMED: usize = 1 << 14;
/// Samples that are drawn with replacement at a time: even, so that each time begins with a block's first
/// draw.
const SAMPLES: usize = CHUNK / 16;
/// Invocations of a workgroup of `shrink`.
const LANES: usize = 256;

/// Says what no device is asked for.
///
/// # Errors
/// [`Failure::Unsupported`], if nothing else is wrong.
pub(crate) fn check(formed: &Formed<'_>) -> Result<(), Failure> {
    let most = if formed.with_replacement() {
        MOST_CLASSES
    } else {
        MOST_SHRINKING
    };
    let (classes, samples) = (formed.classes(), formed.samples());
    let steps = classes.saturating_mul(samples).saturating_mul(formed.rows());
    let reason = if classes > most {
        format!("rows of {classes} classes: the GPU backend takes {most}")
    } else if samples > MOST_SAMPLES {
        format!("rows of {samples} samples: the GPU backend takes {MOST_SAMPLES}")
    } else if !formed.with_replacement() && steps > MOST_STEPS {
        format!(
            "{steps} steps, one for each sample without replacement and class: the GPU backend takes {MOST_STEPS}"
        )
    } else {
        return Ok(());
    };
    formed
        .check_probabilities()
        .and(Err(Failure::Unsupported(reason)))
}

/// The classes drawn, row-major.
///
/// # Errors
/// [`Failure::Rejected`] for rows that are not of probabilities; [`Failure::Broken`] in the driver's words.
pub(crate) fn run(
    session: Session<'_>,
    formed: &Formed<'_>,
    entropy: &dyn Fn() -> u64,
) -> Result<Vec<u32>, Failure> {
    if formed.samples() == 0 || formed.rows() == 0 {
        formed.check_probabilities()?;
        return Ok(Vec::new());
    }
    let draws = formed.draws(entropy);
    let mut out = Vec::new();
    let rows = (GROUP / formed.classes()).clamp(1, GROUP_ROWS);
    for start in (0..formed.rows()).step_by(rows) {
        let end = (start + rows).min(formed.rows());
        let group = Group::new(session, formed, start, end)?;
        group.sum_and_divide()?;
        if formed.with_replacement() {
            group.find(draws, &mut out)?;
        } else {
            group.shrink(draws, &mut out)?;
        }
    }
    let classes = out.as_chunks().0.iter().map(|&word| u32::from_le_bytes(word));
    Ok(classes.collect())
}

/// Rows that are on the device together.
struct Group<'a> {
    session: Session<'a>,
    formed: &'a Formed<'a>,
    /// The first of all rows that is one of these.
    start: usize,
    rows: usize,
    weights: Buffer,
    sums: Buffer,
    firsts: Buffer,
    wrong: Buffer,
}

impl<'a> Group<'a> {
    fn new(session: Session<'a>, formed: &'a Formed<'a>, start: usize, end: usize) -> Result<Self, Failure> {
        let weights = formed.weights(start..end).ok_or_else(|| formed.wrong())?;
        let firsts: Vec<u8> = weights
            .first
            .iter()
            .flat_map(|&first| as_u32(first).to_le_bytes())
            .collect();
        let weights: Vec<u8> = weights
            .weights
            .iter()
            .flat_map(|weight| weight.to_le_bytes())
            .collect();
        Ok(Self {
            session,
            formed,
            start,
            rows: end - start,
            sums: session.output(as_u64(weights.len())),
            weights: session.input(&weights),
            firsts: session.input(&firsts),
            wrong: session.input(&[0; 4]),
        })
    }

    /// The parameters of `multinomial.wgsl`.
    fn parameters(&self, first_row: usize, start: usize, end: usize, skipped: usize) -> Buffer {
        self.session.uniform(&[
            as_u32(self.rows),
            as_u32(self.formed.classes()),
            as_u32(self.formed.samples()),
            as_u32(start),
            as_u32(end),
            as_u32(skipped),
            as_u32(first_row),
            0,
        ])
    }

    /// Writes the running sums, then the shares.
    fn sum_and_divide(&self) -> Result<(), Failure> {
        let session = self.session;
        let mut encoder = session.encoder();
        session.poison(&mut encoder, &self.sums);
        let classes = self.formed.classes();
        for start in (0..classes).step_by(SUMMED) {
            let parameters = self.parameters(0, start, (start + SUMMED).min(classes), 0);
            let bindings = [
                (0, &parameters),
                (1, &self.weights),
                (2, &self.sums),
                (6, &self.wrong),
            ];
            session.dispatch(
                &mut encoder,
                entry("sum"),
                &bindings,
                as_u32(self.rows.div_ceil(64)),
            )?;
        }
        let parameters = self.parameters(0, 0, classes, 0);
        let bindings = [(0, &parameters), (2, &self.sums)];
        session.dispatch_grid(
            &mut encoder,
            entry("divide"),
            &bindings,
            as_u32(self.rows * classes),
        )?;
        session.dispatch(
            &mut encoder,
            entry("divide_last"),
            &bindings,
            as_u32(self.rows.div_ceil(64)),
        )?;
        session.submit_only(encoder);
        Ok(())
    }

    /// The draws from `start` on, counted in the group, and how many lie before the first of them.
    fn draws(
        &self,
        encoder: &mut CommandEncoder,
        draws: Draws<'_>,
        start: usize,
        count: usize,
    ) -> Result<(Buffer, usize), Failure> {
        let start = self.start * self.formed.samples() + start;
        match draws {
            Draws::Given(bytes) => Ok((self.session.input(&bytes[8 * start..][..8 * count]), 0)),
            Draws::Generated(philox) => {
                let skipped = start % 2;
                let blocks = (skipped + count).div_ceil(2);
                let buffer = self.session.output(16 * as_u64(blocks));
                self.session.poison(encoder, &buffer);
                let stream = Stream::Philox(philox.skip(as_u64(start / 2)));
                Running::new(self.session, stream, blocks).encode(encoder, &Rule::DRAWS, blocks, &buffer)?;
                Ok((buffer, skipped))
            }
        }
    }

    /// Draws with replacement.
    fn find(&self, draws: Draws<'_>, out: &mut Vec<u8>) -> Result<(), Failure> {
        let samples = self.formed.samples();
        let total = self.rows * samples;
        for start in (0..total).step_by(SAMPLES) {
            let count = SAMPLES.min(total - start);
            let mut encoder = self.session.encoder();
            let (draws, skipped) = self.draws(&mut encoder, draws, start, count)?;
            let drawn = self.session.output(4 * as_u64(count));
            self.session.poison(&mut encoder, &drawn);
            let in_row = start % samples;
            let parameters = self.parameters(start / samples, in_row, in_row + count, skipped);
            let bindings = [
                (0, &parameters),
                (2, &self.sums),
                (3, &draws),
                (4, &self.firsts),
                (5, &drawn),
            ];
            self.session
                .dispatch_grid(&mut encoder, entry("find"), &bindings, as_u32(count))?;
            self.read(encoder, &drawn, count, out)?;
        }
        Ok(())
    }

    /// Draws without replacement.
    fn shrink(&self, draws: Draws<'_>, out: &mut Vec<u8>) -> Result<(), Failure> {
        let samples = self.formed.samples();
        let count = self.rows * samples;
        let mut encoder = self.session.encoder();
        let (draws, skipped) = self.draws(&mut encoder, draws, 0, count)?;
        let drawn = self.session.output(4 * as_u64(count));
        self.session.poison(&mut encoder, &drawn);
        let most = usize::try_from(STEPS).expect("a step count fits a size");
        let steps = 2 * self.formed.classes().div_ceil(LANES) + 1;
        let at_once = (most / steps).max(1);
        for start in (0..samples).step_by(at_once) {
            let parameters = self.parameters(0, start, (start + at_once).min(samples), skipped);
            let bindings = [
                (0, &parameters),
                (1, &self.weights),
                (2, &self.sums),
                (3, &draws),
                (5, &drawn),
            ];
            self.session
                .dispatch(&mut encoder, entry("shrink"), &bindings, as_u32(self.rows))?;
        }
        self.read(encoder, &drawn, count, out)
    }

    /// Submits commands and appends the classes drawn, if the sums are right.
    fn read(
        &self,
        mut encoder: CommandEncoder,
        drawn: &Buffer,
        count: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let bytes = 4 * as_u64(count);
        let back = self.session.readback(bytes + 4);
        encoder.copy_buffer_to_buffer(&self.wrong, 0, &back, bytes, 4);
        let index = self.session.submit(encoder, drawn, &back, bytes);
        self.session.read(&back, bytes + 4, index, out)?;
        match out.split_last_chunk() {
            Some((_, [0, 0, 0, 0])) => {
                out.truncate(out.len() - 4);
                Ok(())
            }
            _ => Err(self.formed.wrong()),
        }
    }
}

const fn entry(name: &'static str) -> Entry {
    Entry {
        module: Module::Multinomial,
        name,
    }
}
