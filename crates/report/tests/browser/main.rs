//! The page as people use it, in a browser: from disk, at two widths, light and dark.

mod chromium;
mod page;
#[expect(dead_code, reason = "other tests use the rest")]
#[path = "../report/sample/mod.rs"]
mod sample;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

macro_rules! named {
    ($($test:ident),* $(,)?) => { [$((stringify!($test), page::$test as fn())),*] };
}

/// A runner of its own, because libtest cannot ignore a test for a reason that only shows when it runs: without a browser these
/// tests would be reported as passed.
fn main() -> ExitCode {
    let absent = chromium::absent().filter(|_| !seedproof_ops::is_required("BROWSER"));
    let tests: [(&str, fn()); 12] = named![
        browser_uses_the_page_of_a_failing_run,
        browser_reaches_a_case_by_keyboard_and_comes_back,
        browser_steps_through_failures_by_key,
        browser_shows_where_elements_stand_and_links_what_it_names,
        browser_folds_the_matrix_and_aligns_its_lines,
        browser_prints_the_page,
        browser_shows_a_clean_run,
        browser_opens_twenty_thousand_findings,
        browser_opens_twenty_thousand_cases,
        browser_shows_notes_on_the_page_of_their_case,
        browser_marks_expected_failures,
        browser_shows_hostile_text_as_text,
    ];
    let trials = tests.into_iter().map(|(name, test)| {
        let trial = Trial::test(name, move || {
            test();
            Ok(())
        });
        let kind = absent.as_deref().unwrap_or_default();
        trial.with_kind(kind).with_ignored_flag(absent.is_some())
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit_code()
}
