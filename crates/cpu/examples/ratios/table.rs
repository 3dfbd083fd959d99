//! The table that the comparisons fill, as Markdown.

use std::fmt::Write as _;

use crate::measure::Ratio;

/// What a ratio should be.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    AtLeast(f64),
    AtMost(f64),
    None,
}

/// Ratios beside their goals, and what else is to be said.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<(String, Goal, Ratio)>,
    pub(crate) notes: Vec<String>,
}

impl Table {
    pub(crate) fn row(&mut self, what: impl Into<String>, goal: Goal, ratio: Ratio) {
        self.rows.push((what.into(), goal, ratio));
    }

    pub(crate) fn markdown(&self) -> String {
        let mut text = String::from("| ratio | goal | median | spread | |\n|---|---|---|---|---|\n");
        for (what, goal, ratio) in &self.rows {
            let (goal, verdict) = match *goal {
                Goal::AtLeast(bound) => (format!("at least {bound}"), ratio.median >= bound),
                Goal::AtMost(bound) => (format!("at most {bound}"), ratio.median <= bound),
                Goal::None => (String::new(), true),
            };
            let verdict = if verdict { "" } else { "falls short" };
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
