//! Everything that an implementation is compared with: the oracle, the readings and the mistakes.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use seedproof_check::{Candidate, Cause, CauseKind, Found, SPEC};
use seedproof_ops::{Backend, BackendId, Limits, NanRule, OpName, Request};
use seedproof_readings::answers::BothZero;
use seedproof_readings::{Data, Engine, Family, MISTAKES, MISTAKES_OF_READINGS, Mistake, Reading, Subjects};
use seedproof_reference::Reference;

use crate::change::{Change, UNLISTED, member_name};

/// Entropy for requests whose seeds are both zero.
pub fn entropy() -> u64 {
    // The standard library seeds every such state from the system's randomness, so that no other crate is needed for
    // it.
    RandomState::new().hash_one(())
}

/// The oracle, every named reading and every mistake, as backends.
///
/// ```
/// use seedproof::judging::Catalogue;
/// use seedproof::ops::{BackendId, Limits};
///
/// let catalogue = Catalogue::new(Limits::default());
/// assert!(catalogue.readings().any(|(reading, _)| reading.name == "torch-2.12"));
/// // The reference is judged by the second engine, which was written apart from it.
/// assert_ne!(catalogue.oracle(&BackendId::new("mine")).id(), catalogue.oracle(&BackendId::new("reference")).id());
/// ```
pub struct Catalogue {
    limits: Limits,
    /// The reading to which mistakes are added.
    base: Engine,
    nan: NanRule,
    repeat: u32,
    reference: Reference,
    readings: Vec<(Reading, Engine)>,
    mistakes: Vec<Made>,
    /// Those that are made to one reading alone.
    of_readings: Vec<Mistake>,
    changes: HashMap<String, Change>,
}

/// A mistake, made to a reading.
struct Made {
    mistake: Mistake,
    engine: Engine,
    changes: Subjects,
}

impl Made {
    fn to(base: &Reading, mistake: &Mistake, limits: Limits) -> Self {
        let engine = Engine::new(seedproof_readings::with(base, &[mistake]), limits, counter());
        Self {
            mistake: mistake.clone(),
            changes: changes(engine.reading(), base),
            engine,
        }
    }
}

/// The subjects in which a changed reading differs from its base. A mistake may differ in none, because the base itself makes
/// it. An implementation may make it too, so it is tried on every request.
fn changes(changed: &Reading, base: &Reading) -> Subjects {
    let differing = changed.differing(base);
    if differing.is_empty() {
        Subjects::ALL
    } else {
        differing
    }
}

/// A reading or a mistake that is asked for its answer.
#[derive(Clone, Copy)]
pub(crate) struct Asked<'a> {
    /// The name of the reading, or the id of the mistake.
    pub(crate) name: &'a str,
    pub(crate) backend: &'a dyn Backend,
    /// What it answers by, and the reading that mistakes are made to.
    readings: [&'a Reading; 2],
    /// The subjects in which these differ.
    changes: Subjects,
}

impl Asked<'_> {
    /// Whether it may answer a request of an op, of which the other reading's answer is made from these subjects, in another way
    /// than that.
    pub(crate) fn may_differ(&self, op: OpName, reads: Subjects) -> bool {
        let [own, base] = self.readings;
        !(own.differing_for(base, self.changes, op) & reads).is_empty()
    }
}

/// A counter in place of entropy, for the backends that implementations are compared with, so that the same run has the
/// same report.
fn counter() -> impl Fn() -> u64 + Send + Sync + 'static {
    let drawn = AtomicU64::new(0);
    // Odd, because a seed of zero would ask for entropy again. The multiplier, 2^64 over the golden ratio, spreads the
    // seeds, so that they are not the small ones of cases.
    move || {
        drawn
            .fetch_add(1, Ordering::Relaxed)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            | 1
    }
}

/// A mistake, or a variant of it under another name, as a cause.
fn cause(mistake: &Mistake, name: String, sentence: String) -> Cause {
    Cause {
        name,
        kind: CauseKind::Mistake,
        sentence,
        fix: mistake.fix.clone(),
        clause: mistake.clause.clone(),
        erratum: mistake.erratum.clone().unwrap_or_default(),
    }
}

impl Catalogue {
    pub(crate) const fn limits(&self) -> Limits {
        self.limits
    }

    /// A catalogue whose backends draw outputs within these limits. Where both seeds are zero they draw the same in every
    /// run.
    pub fn new(limits: Limits) -> Self {
        let engine = |reading: Reading| Engine::new(reading, limits, counter());
        Self {
            limits,
            base: engine(Reading::spec()),
            nan: NanRule::default(),
            repeat: 0,
            reference: Reference::new(limits, counter()),
            readings: seedproof_readings::named()
                .into_iter()
                .map(|reading| (reading.clone(), engine(reading)))
                .collect(),
            mistakes: MISTAKES
                .iter()
                .map(|mistake| Made::to(&Reading::spec(), mistake, limits))
                .collect(),
            of_readings: MISTAKES_OF_READINGS.clone(),
            changes: Change::all(),
        }
    }

    /// Adds the mistakes to a named reading instead of `spec`. An implementation that is judged under a reading has its
    /// mistakes on top of what the reading says, and `spec` may say nothing about the op at all. A catalogue without this
    /// reading is returned as it is, as is one that is to be based on `spec`.
    ///
    /// ```
    /// use seedproof::judging::Catalogue;
    /// use seedproof::ops::{Alignment, Limits, RandomUniform, Request};
    ///
    /// // `spec` takes entropy where both seeds are zero. OpenVINO's CPU plugin draws from them like from any other seeds.
    /// let request = Request::RandomUniform(RandomUniform::new(Alignment::Pytorch, &[9], [0.0_f32, 1.0], [0, 0]));
    /// let answers = |catalogue: &Catalogue| catalogue.mistakes().filter(|(_, backend)| backend.run(&request).is_ok()).count();
    /// let catalogue = Catalogue::new(Limits::default()).based_on("torch-2.12");
    /// assert!(answers(&catalogue) > 0);
    /// ```
    #[must_use]
    pub fn based_on(self, reading: &str) -> Self {
        let is_named = |(known, _): &&(Reading, Engine)| known.name == reading && reading != SPEC;
        let named = self.readings.iter().find(is_named);
        match named.map(|(known, _)| known.clone()) {
            Some(base) => self.with_base(base),
            None => self,
        }
    }

    /// The catalogue whose mistakes take two zero seeds as seeds like any others, and not as a request for entropy.
    #[must_use]
    pub fn determined(self) -> Self {
        let mut base = Reading::spec();
        base.seeds.both_zero = BothZero::Deterministic;
        self.with_base(base)
    }

    fn with_base(self, base: Reading) -> Self {
        let is_of = |mistake: &Mistake| mistake.reading.as_deref() == Some(base.name.as_ref());
        Self {
            mistakes: self
                .mistakes
                .iter()
                .map(|made| &made.mistake)
                // Those of the reading that the catalogue was based on before are of no use under another.
                .filter(|mistake| mistake.reading.is_none())
                .chain(self.of_readings.iter().filter(|it| is_of(it)))
                .map(|mistake| Made::to(&base, mistake, self.limits))
                .collect(),
            base: self.passing(base),
            ..self
        }
    }

    /// The catalogue with this rule for NaNs. By default all NaNs of a type are the same element.
    #[must_use]
    pub fn with_nan(self, nan: NanRule) -> Self {
        Self { nan, ..self }
    }

    /// The catalogue whose judgements ask each request this many more times, to see whether the answer is repeatable.
    #[must_use]
    pub fn with_repeat(self, repeat: u32) -> Self {
        Self { repeat, ..self }
    }

    /// The catalogue with the readings and mistakes of a user, after its own.
    ///
    /// ```
    /// use seedproof::judging::Catalogue;
    /// use seedproof::ops::Limits;
    /// use seedproof_readings::{named, parse_data};
    ///
    /// let text = r#"
    /// [[mistake]]
    /// id = "ours-nine-rounds"
    /// sentence = "the unrolled loop takes nine rounds"
    /// answers = { "philox.rounds" = "9" }
    /// "#;
    /// let data = parse_data("mine.toml", text, &named())?;
    /// let catalogue = Catalogue::new(Limits::default()).with_data(data)?;
    /// assert!(catalogue.mistakes().any(|(mistake, _)| mistake.id == "ours-nine-rounds"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A sentence, if a mistake has the name of another one. Names of readings were compared when their file was read.
    pub fn with_data(mut self, data: Data) -> Result<Self, String> {
        for reading in data.readings {
            self.readings.push((reading.clone(), self.passing(reading)));
        }
        for mistake in data.mistakes {
            let change = Change::Mistake(mistake.clone());
            if self.changes.insert(mistake.id.clone(), change).is_some() {
                return Err(format!(
                    "add the mistake `{}`: there is one of this name already",
                    mistake.id
                ));
            }
            if mistake.reading.is_some() {
                self.of_readings.push(mistake);
                continue;
            }
            self.mistakes
                .push(Made::to(self.base.reading(), &mistake, self.limits));
        }
        Ok(self)
    }

    /// The readings, each as a backend that answers by it.
    pub fn readings(&self) -> impl Iterator<Item = (&Reading, &dyn Backend)> {
        self.readings
            .iter()
            .map(|(reading, engine)| (reading, engine as &dyn Backend))
    }

    /// How many more times each request is asked.
    pub const fn repeat(&self) -> u32 {
        self.repeat
    }

    /// The NaNs that count as the same element.
    pub const fn nan(&self) -> NanRule {
        self.nan
    }

    /// An engine that the catalogue does not keep, for several mistakes together or a member of a family.
    fn passing(&self, reading: Reading) -> Engine {
        Engine::new(reading, self.limits, counter())
    }

    /// The oracle for a backend: the reference, or, for the reference itself, the engine of the readings under `spec`,
    /// which was written apart from it. An oracle that judged itself could not fail.
    pub fn oracle(&self, judged: &BackendId) -> &dyn Backend {
        if judged == self.reference.id() {
            self.spec()
        } else {
            &self.reference
        }
    }

    /// The reference, which has one function for each formula of the specification.
    pub fn reference(&self) -> &Reference {
        &self.reference
    }

    /// The second oracle: the engine of the readings under `spec`.
    pub fn spec(&self) -> &dyn Backend {
        self.reading("spec").expect("`spec` is a named reading")
    }

    /// A reading by its name.
    ///
    /// ```
    /// use seedproof::judging::Catalogue;
    /// use seedproof::ops::{Alignment, Limits, RandomUniform, Request};
    ///
    /// let catalogue = Catalogue::new(Limits::default());
    /// let request = Request::RandomUniform(RandomUniform::new(Alignment::Tensorflow, &[2], [0.0_f32, 1.0], [150, 10]));
    /// let drawn = catalogue.reading("spec").expect("`spec` is a reading").run(&request)?;
    /// assert_eq!(drawn.output.get(0).map(|it| it.decimal()).as_deref(), Some("0.7011236"));
    /// assert!(catalogue.reading("spek").is_none());
    /// # Ok::<(), seedproof::Failure>(())
    /// ```
    pub fn reading(&self, name: &str) -> Option<&dyn Backend> {
        self.readings
            .iter()
            .find(|(reading, _)| reading.name == name)
            .map(|(_, engine)| engine as &dyn Backend)
    }

    /// The named readings other than `spec`, as [`Judges::readings`](seedproof_check::Judges::readings) takes them.
    pub fn others(&self) -> Vec<(&str, &dyn Backend)> {
        self.readings
            .iter()
            .filter(|(reading, _)| reading.name != "spec")
            .map(|(reading, engine)| (reading.name.as_ref(), engine as &dyn Backend))
            .collect()
    }

    /// The mistakes, each with a backend that makes it.
    ///
    /// ```
    /// use seedproof::judging::Catalogue;
    /// use seedproof::ops::{Alignment, Limits, RandomUniform, Request};
    ///
    /// let catalogue = Catalogue::new(Limits::default());
    /// let (mistake, wrong) = catalogue.mistakes().find(|(it, _)| it.id == "rounds-9").expect("a mistake of Philox");
    /// assert_eq!(mistake.sentence, "a block takes 9 rounds: the loop ends one early");
    /// let request = RandomUniform::new(Alignment::Tensorflow, &[4], [0.0_f32, 1.0], [150, 10]);
    /// let request = Request::RandomUniform(request);
    /// assert_ne!(wrong.run(&request)?.output, catalogue.spec().run(&request)?.output);
    /// # Ok::<(), seedproof::Failure>(())
    /// ```
    pub fn mistakes(&self) -> impl ExactSizeIterator<Item = (&Mistake, &dyn Backend)> {
        self.mistakes
            .iter()
            .map(|made| (&made.mistake, &made.engine as &dyn Backend))
    }

    /// The mistakes that may change the answer to a request: the others change nothing of what it is made from.
    ///
    /// ```
    /// use seedproof::judging::Catalogue;
    /// use seedproof::ops::{Alignment, Limits, RandomUniform, Request};
    ///
    /// // No mistake of MT19937 changes an output that Philox draws.
    /// let catalogue = Catalogue::new(Limits::default());
    /// let of = |alignment| Request::RandomUniform(RandomUniform::new(alignment, &[9], [0.0_f32, 1.0], [150, 10]));
    /// let acts = |request| catalogue.acting(&request).any(|mistake| mistake.id.starts_with("mt-"));
    /// assert!(acts(of(Alignment::Pytorch)));
    /// assert!(!acts(of(Alignment::Tensorflow)));
    /// ```
    pub fn acting(&self, request: &Request) -> impl Iterator<Item = &Mistake> {
        let reads = self.base.reads(request);
        let acts = move |made: &&Made| !(made.changes & reads).is_empty();
        self.mistakes.iter().filter(acts).map(|made| &made.mistake)
    }

    /// The named readings, `spec` first, and what each answers otherwise than the engine to which mistakes are made.
    pub(crate) fn asked_readings(&self) -> Vec<Asked<'_>> {
        let asked = self.readings.iter().map(|(reading, engine)| Asked {
            name: &reading.name,
            backend: engine as &dyn Backend,
            readings: [reading, self.base.reading()],
            changes: reading.differing(self.base.reading()),
        });
        let mut all: Vec<Asked<'_>> = asked.collect();
        all.sort_by_key(|it| it.name != SPEC);
        all
    }

    /// The mistakes, and what each changes of the engine to which it is made.
    pub(crate) fn asked_mistakes(&self) -> Vec<Asked<'_>> {
        let asked = self.mistakes.iter().map(|made| Asked {
            name: &made.mistake.id,
            backend: &made.engine,
            readings: [made.engine.reading(), self.base.reading()],
            changes: made.changes,
        });
        asked.collect()
    }

    /// The backend that computes what is expected: the reference, or the reading to which mistakes are made.
    pub(crate) fn expecting(&self) -> &dyn Backend {
        if self.base.reading().name == SPEC {
            &self.reference
        } else {
            &self.base
        }
    }

    /// The engine to which mistakes are made.
    pub(crate) const fn base(&self) -> &Engine {
        &self.base
    }

    /// The candidates of a diagnosis: every reading and every mistake. `spec` is one of them, because a run may be
    /// judged under another reading.
    pub fn candidates(&self) -> Vec<Candidate<'_>> {
        let readings = self.readings.iter().map(|(reading, engine)| Candidate {
            cause: Cause {
                name: reading.name.to_string(),
                kind: CauseKind::Reading,
                sentence: reading.observed.to_string(),
                fix: String::new(),
                clause: String::new(),
                erratum: String::new(),
            },
            backend: engine,
            changes: u64::MAX,
        });
        let mistakes = self.mistakes.iter().map(|made| Candidate {
            cause: cause(
                &made.mistake,
                made.mistake.id.clone(),
                made.mistake.sentence.clone(),
            ),
            backend: &made.engine,
            changes: made.changes.bits(),
        });
        readings.chain(mistakes).collect()
    }

    /// Several mistakes and members of families together, by their names. `None` if a name is unknown, if the result
    /// depends on their order, or if one of them changes nothing beside the others.
    pub(crate) fn together(&self, names: &[&str]) -> Option<Box<dyn Backend>> {
        let of_sizes: Vec<Option<Change>> = names.iter().map(|name| Change::of_size(name)).collect();
        let changes: Vec<&Change> = names
            .iter()
            .zip(&of_sizes)
            .map(|(name, of_size)| self.changes.get(*name).or(of_size.as_ref()))
            .collect::<Option<_>>()?;
        let made = |changes: &mut dyn Iterator<Item = &&Change>| {
            let mut reading = self.base.reading().clone();
            changes.for_each(|change| change.make(&mut reading));
            reading
        };
        let all = made(&mut changes.iter());
        // Two answers to one question exclude each other: whichever is made last would hide the first.
        if all != made(&mut changes.iter().rev()) {
            return None;
        }
        for left_out in 0..changes.len() {
            let others = changes.iter().enumerate().filter(|(i, _)| *i != left_out);
            if all == made(&mut others.map(|(_, change)| change)) {
                return None;
            }
        }
        let named = Reading {
            name: "several".into(),
            ..all
        };
        Some(Box::new(self.passing(named)))
    }

    /// The mistakes with a parameter, such as the size of a workgroup, with each value of the parameter, and those of a size with
    /// these sizes too. Values that are listed as mistakes of their own are left out.
    pub(crate) fn families(&self, sizes: &[u32]) -> Vec<Found> {
        let base = self.base.reading();
        let found = |(family, parameter): &(&'static Family, u32)| {
            let mistake = seedproof_readings::find_mistake(family.mistake)
                .expect("a family is named after one of its members");
            let mut reading = base.clone();
            family.make(&mut reading, *parameter);
            Found {
                cause: cause(
                    mistake,
                    member_name(family, *parameter),
                    family.sentence.replace('N', &family.parameter.text(*parameter)),
                ),
                changes: changes(&reading, base).bits(),
                backend: Box::new(self.passing(reading)),
            }
        };
        let more = seedproof_readings::families()
            .iter()
            .filter(|it| it.takes_any_size());
        let more: Vec<_> = more
            .flat_map(|family| {
                let known = family.parameters();
                let sizes = sizes.iter().filter(move |size| !known.contains(size));
                sizes.map(move |&size| (family, size))
            })
            .collect();
        UNLISTED.iter().chain(&more).map(found).collect()
    }
}
