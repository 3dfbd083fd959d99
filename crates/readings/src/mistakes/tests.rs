use std::collections::BTreeSet;

use seedproof_ops::{Alignment, Backend, Dtype, Failure, Limits, Request, Response};

use super::*;
use crate::requests::{random, rare, uniform};
use crate::{Engine, questions};

fn engine(reading: Reading) -> Engine {
    Engine::new(reading, Limits::default(), || 0x0123_4567_89ab_cdef)
}

/// The compared part of an answer: the value, or the kind of a refusal.
fn answer(engine: &Engine, request: &Request) -> Result<Response, String> {
    engine.run(request).map_err(|failure| match failure {
        Failure::Rejected(error) => format!("{:?}", error.kind),
        // The reason names the reading.
        Failure::Unsupported(_) => "unsupported".to_owned(),
        Failure::Broken(fault) => fault.message,
    })
}

#[test]
fn mistakes_each_change_an_answer_to_a_small_request() {
    let spec = engine(Reading::spec());
    let requests = random(960);
    let right: Vec<_> = requests
        .iter()
        .map(|request| (spec.reads(request), answer(&spec, request)))
        .collect();
    let rare = rare();
    for (mistakes, request) in &rare {
        for id in *mistakes {
            let wrong = engine(with(&Reading::spec(), &[find_mistake(id).unwrap()]));
            assert_ne!(answer(&wrong, request), answer(&spec, request), "{id}");
        }
    }
    let survivors: Vec<&str> = MISTAKES
        .iter()
        .filter(|mistake| !rare.iter().any(|(rare, _)| rare.contains(&mistake.id.as_str())))
        .filter(|mistake| {
            let wrong = engine(with(&Reading::spec(), &[mistake]));
            let changes = wrong.reading().differing(spec.reading());
            let mut acting = requests
                .iter()
                .zip(&right)
                .filter(|(_, (reads, _))| !(changes & *reads).is_empty());
            acting.all(|(request, (_, right))| answer(&wrong, request) == *right)
        })
        .map(|mistake| mistake.id.as_str())
        .collect();
    assert_eq!(survivors, [""; 0]);
}

/// Half of the numbers are drawn again, beyond those that a layout has places for.
#[test]
fn mistakes_of_an_order_stand_beside_integers_without_bias() {
    let unbiased = find_mistake("integer-unbiased").unwrap();
    let bounds = ["-2147483648", "1"];
    let request = uniform(Alignment::Tensorflow, Dtype::I32, 33, bounds, [7, 9]);
    let orders = MISTAKES.iter().filter(|mistake| {
        let changed = with(&Reading::spec(), &[mistake]);
        changed.stream.layout != Reading::spec().stream.layout
    });
    let mut count = 0;
    for order in orders {
        let engine = engine(with(&Reading::spec(), &[order, unbiased]));
        let drawn = answer(&engine, &request);
        assert!(drawn.is_ok_and(|it| it.output.count() == 33), "{}", order.id);
        count += 1;
    }
    assert!(count > 20, "{count}");
}

/// A diagnosis does not draw them.
#[test]
fn mistakes_in_subjects_that_a_request_does_not_read_leave_its_answer() {
    let spec = engine(Reading::spec());
    // One in six of them: of a subject there are dozens.
    let made: Vec<Engine> = MISTAKES
        .iter()
        .step_by(6)
        .map(|mistake| engine(with(&Reading::spec(), &[mistake])))
        .collect();
    let mut acting = 0;
    for request in random(30) {
        let (reads, right) = (spec.reads(&request), answer(&spec, &request));
        for wrong in &made {
            if (wrong.reading().differing(spec.reading()) & reads).is_empty() {
                assert_eq!(answer(wrong, &request), right, "{}", wrong.reading().name);
            } else {
                acting += 1;
            }
        }
    }
    assert!(acting > 200, "{acting}");
}

#[test]
fn mistakes_answer_one_question_or_the_same_question_of_several_types() {
    for mistake in MISTAKES.iter() {
        let changed = with(&Reading::spec(), &[mistake]);
        let answered: Vec<_> = questions(&changed)
            .into_iter()
            .filter(|answered| answered.spec.is_some())
            // It says which of the bounds another answer is about.
            .filter(|answered| !answered.question.ends_with(".which_bound"))
            .collect();
        assert!(!answered.is_empty(), "{}", mistake.id);
        let answers: BTreeSet<_> = answered.iter().map(|answered| &answered.answer).collect();
        assert_eq!(answers.len(), 1, "{}", mistake.id);
    }
}

#[test]
fn mistakes_have_distinct_ids_and_whole_descriptions() {
    let ids: BTreeSet<&str> = MISTAKES.iter().map(|mistake| mistake.id.as_str()).collect();
    assert_eq!(ids.len(), MISTAKES.len());
    assert!(MISTAKES.len() >= 60, "{}", MISTAKES.len());
    for mistake in MISTAKES.iter() {
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
        assert!(mistake.id.bytes().all(plain), "{}", mistake.id);
        assert!(!mistake.sentence.ends_with('.') && mistake.sentence.len() > 10);
        assert!(!mistake.fix.is_empty());
        assert!(mistake.clause.contains('.'));
        assert!(find_mistake(&mistake.id).is_some());
    }
    assert!(find_mistake("no-such-mistake").is_none());
}

#[test]
fn mistakes_are_named_in_the_reading_that_has_them() {
    let pair = [&MISTAKES[1], find_mistake("pre-increment").unwrap()];
    let reading = with(&Reading::spec(), &pair);
    assert_eq!(reading.name, "spec + rounds-9 + pre-increment");
    assert_eq!(
        engine(reading).id().as_str(),
        "readings/spec + rounds-9 + pre-increment"
    );
}

#[test]
fn families_contain_their_mistake_at_most_once_and_change_the_answers() {
    let spec = Reading::spec();
    // A mistake can have several families, and be a member of one of them: the others generalise it another way, as a
    // misprint of one digit does an exchange of two constants.
    let mut contained = std::collections::BTreeMap::new();
    for known in families() {
        let id = known.mistake;
        let mistaken = with(&spec, &[find_mistake(id).unwrap()]);
        let members: Vec<_> = family(known, &spec).collect();
        let same = |reading: &Reading| questions(reading) == questions(&mistaken);
        contained.entry(id).or_insert(0);
        *contained.get_mut(id).unwrap() += members.iter().filter(|(_, reading)| same(reading)).count();
        assert!(members.windows(2).all(|pair| pair[0].0 < pair[1].0), "{id}");
        assert_eq!(known.sentence.matches('N').count(), 1, "{id}");
    }
    let twice: Vec<_> = contained.iter().filter(|(_, times)| **times > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
    let members = contained.values().filter(|times| **times == 1).count();
    assert!(members * 2 > contained.len(), "{contained:?}");
}

#[test]
fn mistakes_take_an_output_without_elements_of_any_extents() {
    let wide = 1_u64 << 40;
    let request = Request::TorchCudaUniform(seedproof_ops::TorchCudaUniform {
        output_type: seedproof_ops::Dtype::F32.into(),
        output_sizes: vec![0, wide, wide, wide],
        seed: 1,
        offset: 0,
        multiprocessors: 1,
        threads_per_multiprocessor: 256,
        from: seedproof_ops::Tensor::scalar(0.0_f64),
        to: seedproof_ops::Tensor::scalar(1.0_f64),
    });
    for mistake in MISTAKES.iter() {
        let answer = answer(&engine(with(&Reading::spec(), &[mistake])), &request);
        assert!(
            answer.is_ok_and(|response| response.output.count() == 0),
            "{}",
            mistake.id
        );
    }
}
