//! Everything that an implementation is held against: the oracle, the readings and the mistakes.

use std::sync::atomic::{AtomicU64, Ordering};

use seedproof_check::{Candidate, CandidateKind, FailedCase, Found};
use seedproof_ops::{Backend, BackendId, Failure, Limits};
use seedproof_readings::{Engine, MISTAKES, Mistake, Reading};
use seedproof_reference::Reference;

/// Entropy for requests whose seeds are both zero.
pub fn entropy() -> u64 {
    getrandom::u64().unwrap_or_else(|_| {
        // A machine without a source of randomness still has a clock.
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(1, |time| {
            u64::from(time.subsec_nanos()) << 32 | time.as_secs() & 0xffff_ffff
        })
    })
}

/// The oracle, every named reading and every mistake, as backends.
pub struct Bank {
    limits: Limits,
    reference: Reference,
    readings: Vec<(Reading, Engine)>,
    mistakes: Vec<(&'static Mistake, Engine)>,
}

impl Bank {
    /// A bank whose backends make outputs of at most this size, and draw entropy from the system.
    pub fn new(limits: Limits) -> Self {
        Self::drawing_from(limits, || Box::new(entropy))
    }

    /// A bank whose answers are the same in every run: each backend has a counter for entropy.
    pub fn reproducible(limits: Limits) -> Self {
        Self::drawing_from(limits, || {
            let drawn = AtomicU64::new(1);
            // Odd, so that it is never zero twice, and far from the seeds that cases have.
            Box::new(move || {
                drawn
                    .fetch_add(1, Ordering::Relaxed)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                    | 1
            })
        })
    }

    fn drawing_from(limits: Limits, source: impl Fn() -> Box<dyn Fn() -> u64 + Send + Sync>) -> Self {
        let engine = |reading: Reading| Engine::new(reading, limits, source());
        let spec = Reading::spec();
        Self {
            limits,
            reference: Reference::new(limits, source()),
            readings: seedproof_readings::named()
                .into_iter()
                .map(|reading| (reading.clone(), engine(reading)))
                .collect(),
            mistakes: MISTAKES
                .iter()
                .map(|mistake| (mistake, engine(seedproof_readings::with(&spec, &[mistake]))))
                .collect(),
        }
    }

    /// The oracle for a backend: the reference, and for the reference itself the engine of the readings under
    /// `spec`, which was written apart. An oracle that judged itself could not fail.
    pub fn oracle(&self, judged: &BackendId) -> &dyn Backend {
        if judged == self.reference.id() {
            self.spec()
        } else {
            &self.reference
        }
    }

    /// The literal reference.
    pub fn reference(&self) -> &Reference {
        &self.reference
    }

    /// The second oracle: the engine of the readings under `spec`.
    pub fn spec(&self) -> &dyn Backend {
        self.reading("spec").expect("`spec` is a named reading")
    }

    /// A reading by its name.
    pub fn reading(&self, name: &str) -> Option<&dyn Backend> {
        self.readings
            .iter()
            .find(|(reading, _)| reading.name == name)
            .map(|(_, engine)| engine as &dyn Backend)
    }

    /// The named readings but `spec`, as the judge takes them.
    pub fn others(&self) -> Vec<(&str, &dyn Backend)> {
        self.readings
            .iter()
            .filter(|(reading, _)| reading.name != "spec")
            .map(|(reading, engine)| (reading.name.as_ref(), engine as &dyn Backend))
            .collect()
    }

    /// The mistakes, each as a backend that makes it.
    pub fn mistakes(&self) -> impl ExactSizeIterator<Item = (&'static Mistake, &dyn Backend)> {
        self.mistakes
            .iter()
            .map(|(mistake, engine)| (*mistake, engine as &dyn Backend))
    }

    /// What a diagnosis tries: every reading but `spec`, every mistake.
    pub fn candidates(&self) -> Vec<Candidate<'_>> {
        let readings = self
            .readings
            .iter()
            .filter(|(reading, _)| reading.name != "spec")
            .map(|(reading, engine)| Candidate {
                name: reading.name.as_ref(),
                kind: CandidateKind::Reading,
                sentence: reading.observed,
                mend: "",
                clause: "",
                erratum: "",
                backend: engine,
            });
        let mistakes = self.mistakes.iter().map(|(mistake, engine)| Candidate {
            name: mistake.id,
            kind: CandidateKind::Mistake,
            sentence: mistake.sentence,
            mend: mistake.mend,
            clause: mistake.clause,
            erratum: mistake.erratum,
            backend: engine,
        });
        readings.chain(mistakes).collect()
    }

    /// Both mistakes together; `None` unless both are mistakes, or where one undoes the other.
    pub(crate) fn pair(&self, a: &str, b: &str) -> Option<Box<dyn Backend>> {
        let (a, b) = (
            seedproof_readings::find_mistake(a)?,
            seedproof_readings::find_mistake(b)?,
        );
        let made = |mistakes: &[&Mistake]| Reading {
            name: "pair".into(),
            ..seedproof_readings::with(&Reading::spec(), mistakes)
        };
        let both = made(&[a, b]);
        let compatible = both == made(&[b, a]) && both != made(&[a]) && both != made(&[b]);
        compatible.then(|| Box::new(Engine::new(both, self.limits, entropy)) as Box<dyn Backend>)
    }

    /// Mistakes with a parameter, such as the size of a workgroup, that give what an implementation gave.
    pub(crate) fn search(&self, failed: &FailedCase) -> Vec<Found> {
        let spec = Reading::spec();
        let mut found = Vec::new();
        for &(id, parameter) in seedproof_readings::families() {
            let Some(mistake) = seedproof_readings::find_mistake(id) else {
                continue;
            };
            for (value, reading) in seedproof_readings::family(id, &spec).into_iter().flatten() {
                let engine = Engine::new(reading, self.limits, entropy);
                let same = match (engine.run(&failed.request), &failed.actual) {
                    (Ok(given), Ok(actual)) => given.output == actual.output,
                    (Err(Failure::Rejected(given)), Err(actual)) => given.kind == actual.kind,
                    _ => false,
                };
                if same {
                    found.push(Found {
                        name: format!("{id}({parameter} = {value})"),
                        kind: CandidateKind::Mistake,
                        sentence: format!("{} ({parameter} {value})", mistake.sentence),
                        mend: mistake.mend.to_owned(),
                        clause: mistake.clause.to_owned(),
                        erratum: mistake.erratum.to_owned(),
                        backend: Box::new(engine),
                    });
                }
            }
        }
        found
    }
}
