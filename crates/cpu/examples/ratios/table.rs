//! The table that the comparisons fill, as Markdown.

use std::fmt::Write as _;

use seedproof_cpu::Level;

use crate::measure::Ratio;

/// What a ratio should be.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    AtLeast(f64),
    AtMost(f64),
    None,
}

struct Row {
    what: String,
    goal: Goal,
    ratio: Ratio,
    /// Why AVX2 falls short.
    why: &'static str,
}

/// Ratios beside their goals, and what else is to be said.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
    pub(crate) notes: Vec<String>,
}

impl Table {
    pub(crate) fn row(&mut self, what: impl Into<String>, goal: Goal, ratio: Ratio) {
        self.row_short_on_avx2(Level::best(), what, goal, ratio, "");
    }

    /// A row of a level whose goal is AVX-512's, and why AVX2 falls short of it.
    pub(crate) fn row_short_on_avx2(
        &mut self,
        level: Level,
        what: impl Into<String>,
        goal: Goal,
        ratio: Ratio,
        why: &'static str,
    ) {
        let what = what.into();
        let why = if level.name() == "avx2" { why } else { "" };
        self.rows.push(Row {
            what,
            goal,
            ratio,
            why,
        });
    }

    pub(crate) fn markdown(&self) -> String {
        let mut text = String::from("| ratio | goal | median | spread | |\n|---|---|---|---|---|\n");
        for Row {
            what,
            goal,
            ratio,
            why,
        } in &self.rows
        {
            let (goal, verdict) = match *goal {
                Goal::AtLeast(bound) => (format!("at least {bound}"), ratio.median >= bound),
                Goal::AtMost(bound) => (format!("at most {bound}"), ratio.median <= bound),
                Goal::None => (String::new(), true),
            };
            let verdict = match (verdict, *why) {
                (true, _) => String::new(),
                (false, why) if !why.is_empty() => format!("falls short: {why}"),
                (false, _) => "falls short".to_owned(),
            };
            let Ratio { median, least, most } = ratio;
            writeln!(
                text,
                "| {what} | {goal} | {median:.2} | {least:.2} to {most:.2} | {verdict} |"
            )
            .expect("a string takes all");
        }
        text.push('\n');
        for note in &self.notes {
            writeln!(text, "* {note}").expect("a string takes all");
        }
        text
    }
}
