//! The parts of a combination, each with the cases in which it acts.

use super::*;

/// Each part with the numbers of the requests in which it acts.
fn parts(backend: &dyn Backend, requests: &[Request], together: &Together<'_>) -> Vec<(String, Vec<usize>)> {
    let found = diagnosed(backend, requests, &FLAGS, together);
    assert_eq!(found.verdict, Verdict::Explained, "{found:?}");
    let number = |case: &CaseId| case.as_str().rsplit('/').next().unwrap().parse().unwrap();
    let parts = found.explanations[0].parts.iter();
    parts
        .map(|part| {
            let mut cases: Vec<usize> = part.cases.iter().map(number).collect();
            cases.sort_unstable();
            (part.cause.name.clone(), cases)
        })
        .collect()
}

const WIDE: u64 = 7 << 32 | 5;

#[test]
fn parts_act_where_the_others_do_not_give_the_case() {
    let requests = [
        request(Dtype::I32, 8, 5),
        request(Dtype::I32, 9, WIDE),
        request(Dtype::I64, 8, WIDE),
        // Two cases that are too large for the search for pairs.
        request(Dtype::I32, 2000, 5),
        request(Dtype::I32, 2001, WIDE),
    ];
    let pair = toy(&["cut-seeds", "skips-first"]);
    let all = vec![0, 1, 2, 3, 4];
    assert_eq!(
        parts(&pair, &requests, &toy_together),
        [
            ("cut-seeds".to_owned(), vec![1, 2, 4]),
            ("skips-first".to_owned(), all)
        ]
    );
    let three = toy(&["cut-seeds", "skips-first", "swapped-halves"]);
    assert_eq!(
        parts(&three, &requests[..3], &toy_together),
        [
            ("cut-seeds".to_owned(), vec![1, 2]),
            ("skips-first".to_owned(), vec![0, 1, 2]),
            ("swapped-halves".to_owned(), vec![2])
        ]
    );
}

#[test]
fn parts_may_be_a_structure() {
    let requests = [
        request(Dtype::I64, 8, WIDE),
        request(Dtype::I64, 9, 5),
        request(Dtype::I64, 1, WIDE),
    ];
    assert_eq!(
        parts(&backwards(&["cut-seeds"]), &requests, &nothing_together),
        [
            ("cut-seeds".to_owned(), vec![0, 2]),
            ("reversed".to_owned(), vec![0, 1])
        ]
    );
}

#[test]
fn passes_are_taken_by_their_work() {
    let (_, passes) = run(
        &toy(&[]),
        &[40, 10, 5000, 20, 10].map(|count| request(Dtype::I32, count, 1)),
    );
    let of = Passes::new(&[], &passes, None);
    let counts = |budget| -> Vec<u64> { of.within(budget).map(|pass| pass.request.work() - 16).collect() };
    // Each costs 16 elements more, and one is too large to be asked.
    assert_eq!(counts(u64::MAX), [10, 10, 20, 40]);
    assert_eq!(counts(26 + 26 + 36), [10, 10, 20]);
    assert_eq!(counts(26 + 26 + 35), [10, 10]);
    assert!(counts(25).is_empty());
    assert_eq!(
        (of.is_empty(), Passes::new(&[], &[], None).is_empty()),
        (false, true)
    );
}

#[test]
fn passes_of_the_op_that_fails_are_taken_before_cheaper_ones_of_others() {
    let requests = [40, 10].map(|count| request(Dtype::I32, count, 1));
    let (failures, _) = run(&toy(&["cut-seeds"]), &[request(Dtype::I32, 8, WIDE)]);
    assert_eq!(failures.len(), 1);
    let (_, mut passes) = run(&toy(&[]), &requests);
    passes.push(PassedCase {
        request: crate::fixtures::dml(&[1, 1, 1, 3]),
        ..passes[0].clone()
    });
    let works = |failures: &[FailedCase]| -> Vec<u64> {
        let of = Passes::new(failures, &passes, None);
        of.within(u64::MAX).map(|pass| pass.request.work()).collect()
    };
    let own = requests.map(|request| request.work());
    let other = passes[2].request.work();
    assert!(other < own[1]);
    assert_eq!(works(&[]), [other, own[1], own[0]]);
    assert_eq!(works(&failures), [own[1], own[0], other]);
}

/// A vector of eight words is drawn right and the words after the last one are not, and the whole fills a matrix column by
/// column. The beginning of a large output has another last vector.
#[test]
fn parts_of_an_output_depend_on_its_size() {
    let matrix = |rows: i64, columns: i64| {
        let list = request(Dtype::I64, rows * columns, WIDE);
        let (Request::RandomUniform(list), Request::RandomUniform(mut all)) = (list.clone(), list) else {
            unreachable!()
        };
        all.shape = Tensor::vector(&[rows, columns]);
        (Request::RandomUniform(list), Request::RandomUniform(all))
    };
    let filled = Fake::new("filled", move |request| {
        let form = request.output_form().unwrap().1;
        let (rows, columns) = (form[0], form[1]);
        let sizes = [rows, columns].map(|size| i64::try_from(size).unwrap());
        let (list, _) = matrix(sizes[0], sizes[1]);
        let words = |flags: &[&str]| -> Vec<u64> {
            let output = toy(flags).run(&list).unwrap().output;
            output.scalars().map(seedproof_ops::Scalar::bits).collect()
        };
        let (right, other) = (words(&[]), words(&["other-hash"]));
        let whole = right.len() / 8 * 8;
        let drawn = [&right[..whole], &other[whole..]].concat();
        let at = |i: u64| usize::try_from(i % columns * rows + i / columns).unwrap();
        let elements: Vec<i64> = (0..rows * columns).map(|i| drawn[at(i)].cast_signed()).collect();
        let shape = Shape::new(&[rows, columns]).unwrap();
        Ok(Response::of(Tensor::from_elements(shape, &elements).unwrap()))
    });
    let requests = [matrix(5, 9), matrix(4, 7), matrix(40, 40), matrix(37, 41)].map(|(_, all)| all);
    let name = |part: &str| (part.to_owned(), vec![0, 1, 3]);
    assert_eq!(
        parts(&filled, &requests, &toy_together),
        [
            name("other-hash in tail(group = 8)"),
            ("filled-column-major".to_owned(), vec![0, 1, 2, 3])
        ]
    );
}

/// One mistake changes an i32 beside another one alone, as the bits that are taken of a word matter where not all of them are.
#[test]
fn parts_may_change_nothing_by_themselves() {
    // The flags for an i32 and for an i64.
    let of = |flags: [&'static [&'static str]; 2]| {
        Fake::new("of", move |request| {
            let wide = request
                .output_form()
                .is_some_and(|(dtype, _)| dtype == Dtype::I64);
            toy(flags[usize::from(wide)]).run(request)
        })
    };
    let both = move || of([&["other-hash", "skips-first"], &["other-hash"]]);
    let backends = [of([&[], &["other-hash"]]), of([&["skips-first"], &[]])];
    let names = ["other", "skips"];
    let together = |together: &[&str]| -> Option<Box<dyn Backend>> {
        (together.len() == 2).then(|| Box::new(both()) as Box<dyn Backend>)
    };
    let (failures, passes) = run(&both(), &requests());
    let spec = toy(&[]);
    let all = candidates(&names, &backends);
    let suspects = Suspects {
        together: &together,
        ..suspects(&all, Some(&spec))
    };
    let found = diagnose(&failures, &passes, &suspects);
    let names: Vec<&str> = found
        .explanations
        .iter()
        .map(|it| it.cause.name.as_str())
        .collect();
    assert_eq!(names, ["other + skips"]);
    assert_eq!(found.explanations[0].cases.len(), requests().len());
}
