//! How the budget for large outputs is spent.

use super::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

#[test]
fn budget_of_large_outputs_goes_to_the_cause_of_most_cases() {
    // Two mistakes have the same effect on a single element.
    let requests = [1, 8, 33, 200_000].map(|count| request(Dtype::I32, count, 9));
    let (failures, _) = run(&toy(&["swapped-words"]), &requests);
    let cases: Vec<&FailedCase> = failures.iter().collect();
    let names = ["skips-first", "swapped-words"];
    let backends = names.map(|name| toy(&[name]));
    let spec = toy(&[]);
    let all = candidates(&names, &backends);
    let suspects = suspects(&all, Some(&spec));
    let mut search = Search::new(&cases, Passes::new(&[], &[], None), &suspects);
    (0..3).for_each(|case| search.examine(case));
    let found: Vec<&str> = search.found.iter().map(|it| it.cause.name.as_str()).collect();
    assert_eq!(found, names);
    // The budget suffices for one cause.
    search.confirming = 300_000;
    let covered = Cover::new(&cases, Passes::new(&[], &[], None), &suspects).choose(&mut search);
    assert_eq!(covered.open.len(), 0);
    assert_eq!(covered.explanations[0].cause.name, "swapped-words");
    // Small cases are tried first, and show which cause it is.
    let mut search = Search::new(&cases, Passes::new(&[], &[], None), &suspects);
    search.examine(0);
    for known in &mut search.found {
        assert!(known.gives(&cases, 0, &mut 0));
    }
    search.confirming = 300_000;
    let covered = Cover::new(&cases, Passes::new(&[], &[], None), &suspects).choose(&mut search);
    assert_eq!(covered.open.len(), 0);
    // If no passing case contradicts the first cause, no other one is asked.
    let mut search = Search::new(&cases, Passes::new(&[], &[], None), &suspects);
    search.confirming = 500_000;
    (0..4).for_each(|case| search.examine(case));
    assert_eq!(search.confirming, 500_000 - cases[3].request.work());
    // If one does, no other contradicted cause is asked.
    let cost = cases[3].request.work();
    for (other, spent) in [(1, cost), (0, 2 * cost)] {
        let mut search = Search::new(&cases, Passes::new(&[], &[], None), &suspects);
        (0..3).for_each(|case| search.examine(case));
        for (known, contradictions) in search.found.iter_mut().zip([other, 1]) {
            assert!(known.gives(&cases, 0, &mut 0));
            known.contradictions = contradictions;
        }
        search.confirming = 500_000;
        search.examine(3);
        assert_eq!(search.confirming, 500_000 - spent, "{other}");
    }
}

/// What a large answer is made from is seen in the elements by which candidates are screened.
#[test]
fn large_outputs_are_noted_by_their_beginning() {
    let late = Fake::new("late", |request| {
        let mut response = answer(&[], request)?;
        let mut bytes = response.output.bytes().to_vec();
        if let Some(tail) = bytes.get_mut(4 * 50..) {
            scramble(tail);
        }
        response.output = Tensor::new(Dtype::I32, response.output.shape().clone(), bytes).unwrap();
        Ok(response)
    });
    let (failures, _) = run(&late, &[request(Dtype::I32, 200_000, 9)]);
    let cases: Vec<&FailedCase> = failures.iter().collect();
    let asked = Cell::new(0);
    let base = |request: &Request| {
        asked.set(request.output_form().unwrap().1[0]);
        (answer(&[], request), 2)
    };
    let drawn = [1, 2].map(|changes| {
        let count = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&count);
        let backend = Fake::new("counting", move |request| {
            counted.fetch_add(1, Ordering::Relaxed);
            answer(&[], request)
        });
        let all = [backend];
        let mut candidates = candidates(&["counting"], &all);
        candidates[0].changes = changes;
        let suspects = Suspects {
            candidates: &candidates,
            families: &|_| Vec::new(),
            together: &nothing_together,
            oracle: None,
            base: Some(&base),
        };
        Search::new(&cases, Passes::new(&[], &[], None), &suspects).examine(0);
        count.load(Ordering::Relaxed)
    });
    // The base reads what the second one changes.
    assert_eq!(drawn, [0, 1]);
    assert_eq!(asked.get(), 82);
}
