//! Elements per second by size, type and number of threads, and a plot of them beside the store bound.

use std::cell::RefCell;
use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;

use half::{bf16, f16};
use plotters::prelude::*;
use rayon::ThreadPool;
use seedproof_cpu::{Generator, Level, Plan, Value};

use crate::comparisons::fill;
use crate::measure::{Contestant, ROUNDS, interleaved, timed};
use crate::{MT19937, PHILOX, peers};

/// Sizes of the table.
const SIZES: [(&str, usize); 4] = [("9", 9), ("1,024", 1024), ("65,536", 65_536), ("2^26", 1 << 26)];
/// Sizes of the plot, as powers of two.
const POWERS: [u32; 9] = [4, 6, 8, 10, 13, 16, 19, 22, 26];

/// Generators by name.
const GENERATORS: [(&str, Generator); 2] = [("Philox", PHILOX), ("MT19937", MT19937)];

/// What was measured.
pub(crate) struct Throughput {
    /// Generator, type and threads, and elements per second for each of [`SIZES`].
    rows: Vec<(String, Vec<f64>)>,
    /// Name, and bytes per second for each of [`POWERS`].
    curves: Vec<(String, Vec<f64>)>,
}

/// Measures every type at every size.
pub(crate) fn measure(pools: &[ThreadPool; 2]) -> Throughput {
    let mut rows = Vec::new();
    for (generator_name, generator) in GENERATORS {
        for (pool, threads) in pools.iter().zip(["1 thread", "2 threads"]) {
            if generator == MT19937 && threads != "1 thread" {
                // One stream of MT19937 is one thread's.
                continue;
            }
            let mut row = |dtype: &str, speeds: Vec<f64>| {
                rows.push((format!("{generator_name} {dtype}, {threads}"), speeds));
            };
            row("f32", speeds(pool, generator, (0.0_f32, 1.0)));
            row("f64", speeds(pool, generator, (0.0_f64, 1.0)));
            row("f16", speeds(pool, generator, (f16::ZERO, f16::ONE)));
            row("bf16", speeds(pool, generator, (bf16::ZERO, bf16::ONE)));
            row("i32", speeds(pool, generator, (50_i32, 100)));
            row("i64", speeds(pool, generator, (50_i64, 1 << 40)));
        }
    }
    let mut curves: Vec<(String, Vec<f64>)> = Vec::new();
    for power in POWERS {
        for (i, (name, speed)) in race(pools, 1 << power).into_iter().enumerate() {
            if curves.len() <= i {
                curves.push((name, Vec::new()));
            }
            curves[i].1.push(speed);
        }
    }
    Throughput { rows, curves }
}

/// Elements per second at each of [`SIZES`].
fn speeds<T: Value + Default + Send + Sync>(
    pool: &ThreadPool,
    generator: Generator,
    bounds: (T, T),
) -> Vec<f64> {
    let speed = |&(_, size): &(&str, usize)| {
        let mut out = vec![T::default(); size];
        let times = pool.install(|| interleaved(&mut [fill(Level::best(), generator, bounds, &mut out)]));
        per_second(size, times.median(0))
    };
    SIZES.iter().map(speed).collect()
}

/// A fill under its name.
type Entry<'a> = (&'a str, Box<dyn Fn(&mut [f32]) + Sync + 'a>);

/// Bytes per second of f32 fills of one size, side by side.
fn race(pools: &[ThreadPool; 2], size: usize) -> Vec<(String, f64)> {
    let [one, two] = pools;
    let level = Level::best();
    let plan = |generator| Plan::new(level, generator, 0.0_f32, 1.0).expect("the bounds are in order");
    let (philox, mersenne) = (plan(PHILOX), plan(MT19937));
    let mut entries: Vec<Entry<'_>> = vec![
        (
            "stores alone",
            Box::new(|out| level.store_zeros(bytemuck::cast_slice_mut(out))),
        ),
        ("Philox", Box::new(|out| philox.fill(out))),
        (
            "Philox, 2 threads",
            Box::new(|out| two.install(|| philox.fill(out))),
        ),
        ("MT19937", Box::new(|out| mersenne.fill(out))),
    ];
    for (name, peer) in peers::philox() {
        entries.push((name, Box::new(move |out| peer(out, 150, 10))));
    }
    let out = RefCell::new(vec![0.0_f32; size]);
    let mut contestants: Vec<Contestant<'_>> = entries
        .iter()
        .map(|(_, run)| {
            timed(|| {
                let out: &mut [f32] = &mut out.borrow_mut();
                one.install(|| run(out));
            })
        })
        .collect();
    let times = interleaved(&mut contestants);
    let speed = |i: usize| 4.0 * per_second(size, times.median(i));
    entries
        .iter()
        .enumerate()
        .map(|(i, (name, _))| ((*name).to_owned(), speed(i)))
        .collect()
}

fn per_second(count: usize, seconds: f64) -> f64 {
    f64::from(u32::try_from(count).expect("sizes here are small")) / seconds
}

impl Throughput {
    pub(crate) fn markdown(&self, stem: &str) -> String {
        let mut text = String::from("### Elements per second, in 1e9\n\n| |");
        let line = |text: &mut String, cells: &[String]| {
            writeln!(text, " {} |", cells.join(" | ")).expect("a string takes all");
        };
        line(&mut text, &SIZES.map(|(name, _)| name.to_owned()));
        text.push_str("|---|---|---|---|---|\n");
        for (name, speeds) in &self.rows {
            write!(text, "| {name} |").expect("a string takes all");
            let cells: Vec<String> = speeds.iter().map(|speed| format!("{:.3}", speed / 1e9)).collect();
            line(&mut text, &cells);
        }
        write!(
            text,
            "\n![Throughput of f32 fills by size, beside the store bound]({stem}.svg)\n"
        )
        .expect("a string takes all");
        text
    }

    /// The table as the figures that `seedproof report --bench` takes.
    pub(crate) fn json_lines(&self) -> String {
        let mut text = String::new();
        for (name, speeds) in &self.rows {
            for ((size, _), speed) in SIZES.iter().zip(speeds) {
                let figure = serde_json::json!({
                    "what": format!("{name}, {size} elements"),
                    "implementation": format!("cpu/{}", Level::best().name()),
                    "figure": format!("{:.3}e9 elements/s", speed / 1e9),
                    "note": format!("median of {ROUNDS} rounds"),
                });
                writeln!(text, "{figure}").expect("a string takes all");
            }
        }
        text
    }

    /// Draws the curves as SVG.
    pub(crate) fn plot(&self, path: &Path) -> Result<(), Box<dyn Error>> {
        let root = SVGBackend::new(path, (900, 520)).into_drawing_area();
        root.fill(&WHITE)?;
        let most = self
            .curves
            .iter()
            .flat_map(|(_, speeds)| speeds)
            .fold(0.0, |a: f64, &b| a.max(b));
        let mut chart = ChartBuilder::on(&root)
            .caption("f32 fills: GB/s by number of elements", ("sans-serif", 20))
            .margin(12)
            .x_label_area_size(36)
            .y_label_area_size(48)
            .build_cartesian_2d(POWERS[0]..POWERS[POWERS.len() - 1], 0.0..most / 1e9 * 1.05)?;
        chart
            .configure_mesh()
            .x_label_formatter(&|power| format!("2^{power}"))
            .draw()?;
        for (i, (name, speeds)) in self.curves.iter().enumerate() {
            let colour = Palette99::pick(i).to_rgba();
            let points = POWERS
                .iter()
                .zip(speeds)
                .map(|(&power, speed)| (power, speed / 1e9));
            chart
                .draw_series(LineSeries::new(points, colour.stroke_width(2)))?
                .label(name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], colour.stroke_width(2)));
        }
        chart
            .configure_series_labels()
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK)
            .position(SeriesLabelPosition::UpperLeft)
            .draw()?;
        root.present()?;
        Ok(())
    }
}
