//! Answers that change from run to run.

use seedproof_ops::Scalar;

use super::*;

/// The failures of a backend whose answers change: `spoil` is told which answer to a request it is.
fn diagnosed_twice(spoil: fn(&mut [u8], usize, u8)) -> Diagnosis {
    let once = |answer: u8| altered(&[], move |bytes, size| spoil(bytes, size, answer));
    let (mut failures, passes) = run(&once(1), &requests());
    let (second, _) = run(&once(2), &requests());
    for (failed, again) in failures.iter_mut().zip(second) {
        failed.again = again.actual.ok();
    }
    let spec = toy(&[]);
    let suspects = suspects(&[], Some(&spec));
    diagnose(&failures, &passes, &suspects)
}

fn unwritten(bytes: &mut [u8], size: usize, answer: u8) {
    let whole = bytes.len() / size / 8 * 8 * size;
    scramble(&mut bytes[whole..]);
    for byte in &mut bytes[whole..] {
        *byte ^= answer;
    }
}

#[test]
fn changing_elements_that_nothing_writes_have_a_place() {
    let found = diagnosed_twice(unwritten);
    let names: Vec<&str> = found
        .explanations
        .iter()
        .map(|it| it.cause.name.as_str())
        .collect();
    assert_eq!(names, ["tail(group = 8, noise)"]);
    // Eight elements are a whole group, and pass. Of one and of three elements none is written.
    assert_eq!(found.explanations[0].cases.len(), 16);
    assert!(
        found.explanations[0]
            .cause
            .sentence
            .ends_with("nothing writes them")
    );
    assert_eq!(found.verdict, Verdict::Explained);
}

#[test]
fn changing_answers_without_a_place_have_no_cause() {
    let everywhere = diagnosed_twice(|bytes, _, answer| {
        scramble(bytes);
        for byte in bytes {
            *byte ^= answer;
        }
    });
    // The first element changes too, which no tail says.
    let and_the_first = diagnosed_twice(|bytes, size, answer| {
        unwritten(bytes, size, answer);
        bytes[0] = bytes[0].wrapping_add(answer);
    });
    for found in [everywhere, and_the_first] {
        assert_eq!((found.explanations.len(), found.unexplained.len()), (0, 0));
        assert_eq!(found.verdict, Verdict::Unexplained);
    }
    // What stands outside of the place is right at first, and another thing the second time.
    let later = diagnosed_twice(|bytes, size, answer| {
        unwritten(bytes, size, answer);
        bytes[0] = bytes[0].wrapping_add(answer - 1);
    });
    assert!(
        later.explanations.iter().all(|it| it.cases.len() <= 8),
        "{later:?}"
    );
}

/// A generator that is kept draws what follows the answer before, which is no race.
#[test]
fn answers_that_follow_each_other_are_of_a_generator_that_goes_on() {
    let goes_on = |answers: usize| {
        Fake::new("goes-on", move |request| {
            let count = answer(&[], request)?.output.count();
            let from = 3 + answers * count;
            let longer = request.prefix(u64::try_from(from + count).unwrap()).unwrap();
            let stream = answer(&[], &longer)?.output;
            let part = stream.scalars().skip(from).take(count);
            let bytes = part.flat_map(Scalar::to_le_bytes).collect();
            let shape = answer(&[], request)?.output.shape().clone();
            Ok(Response::of(Tensor::new(stream.dtype(), shape, bytes).unwrap()))
        })
    };
    let (mut failures, passes) = run(&goes_on(0), &requests());
    let (second, _) = run(&goes_on(1), &requests());
    for (failed, again) in failures.iter_mut().zip(second) {
        failed.again = again.actual.ok();
    }
    let spec = toy(&[]);
    let found = diagnose(&failures, &passes, &suspects(&[], Some(&spec)));
    let names: Vec<&str> = found
        .explanations
        .iter()
        .map(|it| it.cause.name.as_str())
        .collect();
    assert_eq!(names, ["goes-on"]);
    assert_eq!(found.explanations[0].cases.len(), failures.len());
    assert_eq!(found.verdict, Verdict::Explained);
}
