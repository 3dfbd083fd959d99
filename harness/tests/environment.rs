//! The floating-point environment of a host changes no verdict: the whole corpus under flush-to-zero, denormals-are-zero, each
//! direction of rounding and unmasked exceptions.

use std::hint::black_box;
use std::sync::LazyLock;

use rayon::prelude::*;
use seedproof::judging::{Catalogue, judge_case};
use seedproof_check::Outcome;
use seedproof_corpus::Case;
use seedproof_cpu::{Cpu, Level};
use seedproof_ops::{
    Backend, BackendId, Dtype, Element as _, Environment, Failure, Limits, Request, Response, Scalar,
    Support, Tensor,
};
use seedproof_readings::{Engine, Reading};
use seedproof_reference::Reference;

static BANK: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::new(Limits::default()));

/// What the judge finds for a case, by a thread that is in this environment.
fn outcome(host: Environment, case: &Case, backend: &dyn Backend) -> Option<Outcome> {
    // The exceptions of the judge's surroundings, such as this closure's, are integers alone.
    let judged = host.during(|| judge_case(case, backend, &BANK, None));
    judged.ok().map(|judgement| judgement.finding.outcome)
}

#[test]
fn environment_of_a_host_changes_no_verdict() {
    use seedproof::judging::entropy;
    let engines: [Box<dyn Backend>; 2] = [
        Box::new(Cpu::new(Level::best(), Limits::default(), entropy)),
        Box::new(Engine::new(Reading::spec(), Limits::default(), entropy)),
    ];
    for (name, host) in Environment::hosts() {
        for engine in &engines {
            let cases: Vec<&Case> = seedproof::corpus().cases().collect();
            let wrong: Vec<String> = cases
                .into_par_iter()
                .filter(|case| {
                    let outcome = outcome(host, case, engine.as_ref());
                    outcome.is_some_and(|it| !matches!(it, Outcome::Pass | Outcome::Unsupported))
                })
                .map(|case| case.id.to_string())
                .collect();
            assert_eq!(wrong, [""; 0], "{} under {name}", engine.id());
        }
    }
}

/// The oracle by itself: the judge above asks it only where a case states no output.
#[test]
fn environment_of_a_host_changes_no_bit_of_the_reference() {
    let reference = Reference::new(Limits::default(), || 1);
    let small: Vec<&Case> = seedproof::corpus()
        .cases()
        .filter(|case| case.request.work() < 1 << 12)
        .collect();
    let right: Vec<_> = small
        .par_iter()
        .map(|case| reference.run(&case.request))
        .collect();
    for (name, host) in Environment::hosts() {
        small.par_iter().zip(&right).for_each(|(case, right)| {
            let found = host.during(|| reference.run(&case.request));
            assert!(found == *right, "{} under {name}", case.id);
        });
    }
}

#[test]
fn environment_of_a_host_changes_no_case_that_is_read() {
    let read = |name: &str| {
        let path = format!("{}/../vectors/{name}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).expect("the file lies there")
    };
    let files = seedproof::corpus().files();
    let yaml: Vec<(String, String)> = files
        .filter(|file| file.name.starts_with("random-uniform-8/"))
        .map(|file| (file.name.clone(), read(&file.name)))
        .collect();
    assert!(!yaml.is_empty());
    for (name, host) in Environment::hosts() {
        yaml.par_iter().for_each(|(file, text)| {
            let read = host.during(|| seedproof_corpus::parse(file, text));
            assert!(read.is_ok(), "{file} under {name}: {}", read.unwrap_err());
        });
    }
}

/// A right kernel that flushes where its host does.
struct Obedient(BackendId, Engine);

impl Backend for Obedient {
    fn id(&self) -> &BackendId {
        &self.0
    }

    fn supports(&self, request: &Request) -> Support {
        self.1.supports(request)
    }

    fn run(&self, request: &Request) -> Result<Response, Failure> {
        let response = self.1.run(request)?;
        if response.output.dtype() != Dtype::F32 {
            return Ok(response);
        }
        let elements = response.output.elements::<f32>().expect("its elements are f32");
        let bytes = elements.flat_map(|x| Scalar::from(black_box(x) * black_box(1.0_f32)).to_le_bytes());
        let output = Tensor::new(f32::DTYPE, response.output.shape().clone(), bytes.collect());
        let output = output.expect("it has as many elements");
        Ok(Response { output, ..response })
    }
}

/// The judge is in the standard environment, and the kernel is not: it is judged as it runs at work.
#[test]
#[cfg(target_arch = "x86_64")]
fn kernel_that_flushes_where_its_host_does_is_found() {
    let engine = Engine::new(Reading::spec(), Limits::default(), || 1);
    let kernel = Obedient(BackendId::new("obedient"), engine);
    let subnormal = |case: &&Case| {
        let expected = BANK.reference().run(&case.request);
        let output = expected.ok().map(|response| response.output);
        let mut elements = output
            .iter()
            .filter_map(|output| output.elements::<f32>().ok())
            .flatten();
        elements.any(f32::is_subnormal)
    };
    let corpus = seedproof::corpus()
        .cases()
        .filter(|case| case.request.work() < 1 << 10);
    let cases: Vec<&Case> = corpus.filter(subnormal).collect();
    assert!(cases.len() > 5, "{}", cases.len());
    for (name, host) in Environment::hosts() {
        let is_flushing = name.contains("zero") && !name.contains("round");
        if name == "exceptions-unmasked" {
            continue;
        }
        for case in &cases {
            let found = outcome(host, case, &kernel);
            // Some readings flush too, so that the word is not always `fail`.
            assert_eq!(
                found != Some(Outcome::Pass),
                is_flushing,
                "{} under {name}: {found:?}",
                case.id
            );
        }
    }
}
