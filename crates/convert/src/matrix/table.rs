//! The matrix of measured conversions, op by path, with the reason in every cell.

use std::collections::{BTreeMap, BTreeSet};

use crate::case::{Capture, File, Kind, read};
use crate::hold::outputs;
use crate::source::{Framework, Hint, Target};
use crate::text::name;
use crate::upstream::{UPSTREAM, Upstream, errata};
use crate::verdict::Verdict;

/// A capture, with its file and line for the link.
pub(super) struct Entry {
    pub(super) capture: Capture,
    pub(super) file: String,
    pub(super) line: usize,
}

/// Row and column of a table.
pub(super) type Cells<'a> = BTreeMap<(String, String), Vec<&'a Entry>>;

/// The measured conversions.
pub struct Matrix {
    entries: Vec<Entry>,
    packages: BTreeMap<String, String>,
    processors: BTreeSet<String>,
    derived: usize,
    /// The outputs that were measured, and those of them that the readings draw.
    outputs: (usize, usize),
}

/// The verdicts on the inferences of one model.
pub(super) struct Way {
    pub(super) verdict: Verdict,
    words: String,
}

impl Way {
    pub(super) fn of(capture: &Capture) -> Self {
        let mut words = Vec::new();
        let mut worst = Verdict::SameBits;
        for judged in &capture.verdicts {
            let stages: Vec<String> = judged.stages.iter().map(ToString::to_string).collect();
            let stages = if stages.is_empty() {
                String::new()
            } else {
                format!(" ({})", stages.join(", "))
            };
            let word = format!("{}{stages}", judged.verdict);
            // Equal verdicts in a row are one: most models behave the same in every inference.
            if words.last() != Some(&word) {
                words.push(word);
            }
            worst = worst.max(judged.verdict);
        }
        Self {
            verdict: worst,
            words: words.join(", then "),
        }
    }
}

impl Matrix {
    /// The matrix of files with verdicts, each a name and a text. Derived models are only counted:
    /// the cells have measured ones.
    ///
    /// # Panics
    /// On a file that cannot be read: [`with_verdicts`](crate::with_verdicts) has read them all.
    pub fn of(files: &[(String, String)]) -> Self {
        let mut matrix = Self {
            entries: Vec::new(),
            packages: BTreeMap::new(),
            processors: BTreeSet::new(),
            derived: 0,
            outputs: (0, 0),
        };
        for (name, text) in files {
            let file: File = read(text).expect("the verdicts were written into a file that was read");
            if file.provenance.kind == Kind::Derived {
                matrix.derived += file
                    .models
                    .iter()
                    .map(|model| model.verdicts.len())
                    .sum::<usize>();
                continue;
            }
            for capture in &file.models {
                let (all, drawn) = outputs(&file, capture);
                matrix.outputs.0 += all;
                matrix.outputs.1 += drawn;
            }
            matrix.packages.extend(file.provenance.packages);
            matrix.processors.insert(file.provenance.processor.join(", "));
            let lines = text
                .lines()
                .enumerate()
                .filter(|(_, line)| line.starts_with("- id: "))
                .map(|(line, _)| line + 1);
            for (capture, line) in file.models.into_iter().zip(lines) {
                matrix.entries.push(Entry {
                    capture,
                    file: name.clone(),
                    line,
                });
            }
        }
        matrix
    }

    /// The tables: source and target, rows, columns and cells.
    pub(super) fn tables(&self) -> BTreeMap<(Framework, Target), Cells<'_>> {
        let mut tables: BTreeMap<_, Cells<'_>> = BTreeMap::new();
        for entry in &self.entries {
            let (source, path) = (&entry.capture.source, &entry.capture.path);
            let hint = match path.hint {
                Hint::Default => String::new(),
                hint => format!(", {}", name(&hint)),
            };
            let cell = (
                format!("{} {}", source.op, source.kind),
                format!("{}{hint}", path.mode),
            );
            tables
                .entry((source.framework, path.target))
                .or_default()
                .entry(cell)
                .or_default()
                .push(entry);
        }
        tables
    }

    /// Counts of each verdict over all inferences.
    fn tally(&self) -> Vec<(Verdict, usize)> {
        let judged = || self.entries.iter().flat_map(|entry| &entry.capture.verdicts);
        Verdict::ALL
            .map(|verdict| {
                (
                    verdict,
                    judged().filter(|judged| judged.verdict == verdict).count(),
                )
            })
            .into()
    }

    pub(super) fn introduction(&self) -> Vec<String> {
        let packages: Vec<String> = self
            .packages
            .iter()
            .map(|(name, version)| format!("{name} {version}"))
            .collect();
        let inferences: usize = self
            .entries
            .iter()
            .map(|entry| entry.capture.verdicts.len())
            .sum();
        let tally: Vec<String> = self
            .tally()
            .into_iter()
            .map(|(verdict, count)| format!("{count} {verdict}"))
            .collect();
        let processors: Vec<&str> = self.processors.iter().map(String::as_str).collect();
        vec![
            format!(
                "{} models with {inferences} inferences were converted and run with {}, on a processor with {}; {} more cases are derived.",
                self.entries.len(),
                packages.join(", "),
                processors.join(" or "),
                self.derived
            ),
            format!("Inferences: {}.", tally.join("; ")),
            format!(
                "A cell says what becomes of the source's bits, and at which stage they are lost; a number says of how many models, where \
                 they differ. The readings of both ends draw {} of the {} outputs that were measured, bit for bit; the others are drawn \
                 without a seed, or by kernels that no reading has.",
                self.outputs.1, self.outputs.0
            ),
        ]
    }

    /// The matrix and the reports to send, as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = String::from("# Does a converted model draw the same numbers?\n");
        for paragraph in self.introduction() {
            text.push_str(&format!("\n{paragraph}\n"));
        }
        for ((framework, target), cells) in self.tables() {
            let columns = columns(&cells);
            text.push_str(&format!(
                "\n## {framework} to {target}\n\n| op | {} |\n|{}\n",
                columns.join(" | "),
                "---|".repeat(columns.len() + 1)
            ));
            for row in rows(&cells) {
                let line: Vec<String> = columns
                    .iter()
                    .map(|column| {
                        cells
                            .get(&(row.clone(), column.clone()))
                            .map_or(String::new(), |entries| cell(entries))
                    })
                    .collect();
                text.push_str(&format!("| {row} | {} |\n", line.join(" | ")));
            }
        }
        text.push_str("\n## What to report\n");
        for report in UPSTREAM.iter() {
            let shown = self.shown(report);
            text.push_str(&format!(
                "\n<a id=\"{}\"></a>\n\n### {}: {}\n\n*{}*, {shown} of the models above. {}\n\nProposed: {}\n\n```python\n{}```\n",
                report.id, report.project, report.title, report.version, report.cause, report.proposal, report.program
            ));
        }
        text
    }

    pub(super) fn shown(&self, report: &Upstream) -> usize {
        self.entries
            .iter()
            .filter(|entry| report.shows(&entry.capture))
            .count()
    }
}

pub(super) fn columns(cells: &Cells<'_>) -> Vec<String> {
    cells
        .keys()
        .map(|(_, column)| column.clone())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

pub(super) fn rows(cells: &Cells<'_>) -> Vec<String> {
    cells
        .keys()
        .map(|(row, _)| row.clone())
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect()
}

/// The entries of a cell, grouped by their verdicts, the most frequent first.
pub(super) fn ways<'a>(entries: &[&'a Entry]) -> Vec<(String, Vec<&'a Entry>)> {
    let mut ways: BTreeMap<String, Vec<&Entry>> = BTreeMap::new();
    for entry in entries {
        ways.entry(Way::of(&entry.capture).words).or_default().push(entry);
    }
    let mut ways: Vec<_> = ways.into_iter().collect();
    // A stable sort: equally frequent ones stay in the order of their words, so that the page
    // does not change by itself.
    ways.sort_by_key(|(_, entries)| std::cmp::Reverse(entries.len()));
    ways
}

fn cell(entries: &[&Entry]) -> String {
    let ways = ways(entries);
    let is_single = ways.len() == 1;
    let word = |(words, entries): (String, Vec<&Entry>)| {
        let Entry { file, line, capture } = entries[0];
        let many = if is_single {
            String::new()
        } else {
            format!(" ×{}", entries.len())
        };
        let reports = errata(capture).map(|report| format!(" [`{0}`](#{0})", report.id));
        format!(
            "[{words}](../{file}#L{line}){many}{}",
            reports.collect::<String>()
        )
    };
    ways.into_iter().map(word).collect::<Vec<_>>().join("; ")
}
