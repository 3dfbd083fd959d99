//! The plan of a run: all that the arguments ask for, resolved before anything is judged.

use std::env;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::time::SystemTime;

use data_encoding::HEXLOWER;
use seedproof::judging::{Catalogue, applies, under_reading};
use seedproof_check::SPEC;
use seedproof_check::expectations::Extent;
use seedproof_corpus::{Case, Corpus};
use seedproof_ops::{Digest, Limits, NanRule, Support};
use seedproof_report::{self as report, Header, LeftOut, Unclaimed};
use seedproof_wire::Options;

use crate::args::{DEADLINE, MAX_OUTPUT, RunArgs};
use crate::auto::{self, AUTO};
use crate::claimed::Required;
use crate::exit::Error;
use crate::expectations::ExpectationFile;
use crate::implementations::{self, Adapter, Implementation};
use crate::selection::{self, AnyCorpus};
use crate::shard::Shard;
use crate::{brought, quoting, threads};

/// The cases and implementations of a run, the judges, and where its documents go.
pub(crate) struct Plan<'a> {
    pub(crate) corpus: &'a Corpus,
    /// The cases of this part that say anything about the reading.
    pub(crate) cases: Vec<&'a Case>,
    pub(crate) implementations: Vec<Implementation>,
    /// How the reading was found, if the command line names none.
    pub(crate) reading_table: Option<String>,
    pub(crate) catalogue: Catalogue,
    pub(crate) header: Header,
    pub(crate) left_out: Vec<LeftOut>,
    pub(crate) expectations: Option<ExpectationFile>,
    pub(crate) documents: Documents,
    /// How much each implementation must claim.
    pub(crate) required: Option<Required>,
}

/// Where the documents of a run go.
pub(crate) struct Documents {
    pub(crate) events: Option<PathBuf>,
    pub(crate) folder: PathBuf,
    pub(crate) unclaimed: Unclaimed,
    /// Whether the page is opened.
    pub(crate) open: bool,
}

impl<'a> Plan<'a> {
    /// `None` if the queries and the shard leave no case.
    ///
    /// # Errors
    /// [`Error::Usage`] for a query, a reading or a backend that there is not, [`Error::Infrastructure`] for a named
    /// backend that is absent and an adapter that does not start.
    pub(crate) fn new(
        args: &RunArgs,
        corpus: &'a AnyCorpus,
        started: Option<Started>,
    ) -> Result<Option<Self>, Error> {
        let limits = Limits {
            max_output_bytes: args.max_output,
        };
        let catalogue = Catalogue::new(limits)
            .with_nan(args.nan.rule())
            .with_repeat(args.repeat);
        let (catalogue, mut reading) = brought::bring(catalogue, &args.reading, &args.mistakes)?;
        if reading != AUTO && catalogue.reading(&reading).is_none() {
            return Err(implementations::unknown_reading(&reading));
        }
        let expectations = match &args.expect {
            Some(path) => Some(ExpectationFile::read(
                path,
                args.bless,
                extent(args),
                args.random.is_some(),
            )?),
            None => None,
        };
        let corpus: &Corpus = corpus;
        let selected = match &started {
            // Random requests were made to be what the queries select.
            Some(_) => corpus.cases().collect(),
            None => selection::select(corpus, &args.selection.queries)?,
        };
        let part = part(&selected, args.shard);
        if part.is_empty() {
            return Ok(None);
        }
        let Started {
            mut implementations,
            absent,
        } = match started {
            Some(started) => started,
            None => Started::new(args, part.len())?,
        };
        let mut reading_table = None;
        let mut left_out = Vec::new();
        if reading == AUTO {
            let found = auto::find(the_only(&mut implementations)?, &part, &catalogue)?;
            if found.silent > 0 {
                let answers = report::plural(found.silent, ["answer is", "answers are"]);
                left_out.push(LeftOut::new(
                    found.implementation.backend.id().as_str(),
                    format!(
                        "{} {answers} not judged: `{}` explains the others best, and has nothing to compare these with",
                        found.silent, found.reading
                    ),
                ));
            }
            implementations.push(found.implementation);
            reading = found.reading;
            reading_table = Some(found.table);
        }
        // Mistakes on top of `spec` explain nothing where the reading draws otherwise, or where `spec` leaves the op open.
        let catalogue = catalogue.based_on(&reading);
        let says = |case: &&Case| applies(case, &catalogue, &reading);
        // Of all parts together, so that logs of several parts say the same.
        let silent = selected.iter().filter(|case| !says(case)).count();
        let judged: Vec<&Case> = selected.iter().copied().filter(says).collect();
        let corpus_of = report::Corpus {
            hash: corpus.hash().to_owned(),
            cases: corpus.size(),
            under_reading: under_reading(corpus, &catalogue, &reading),
        };
        if args.random.is_none() {
            let idle = selection::idle_queries(corpus, &args.selection.queries);
            left_out.extend(idle.map(|(query, what)| LeftOut::new(format!("the query `{query}`"), what)));
        }
        if silent > 0 {
            left_out.push(LeftOut::new(
                format!("{silent} {} skipped", report::plural(silent, ["case", "cases"])),
                format!(
                    "`{reading}` leaves their answer open; they only record what other implementations do"
                ),
            ));
        }
        left_out.extend(absent);
        if names_none(args) {
            left_out.extend(drop_idle(&mut implementations, &selected));
        }
        Ok(Some(Self {
            corpus,
            cases: part.into_iter().filter(says).collect(),
            header: Header {
                answers: brought::answers(&catalogue, &reading),
                ..header(args, &implementations, &reading, corpus_of, &judged)?
            },
            implementations,
            reading_table,
            catalogue,
            left_out,
            expectations,
            required: args.require_claimed,
            documents: Documents {
                events: args.events.clone(),
                folder: args.out.clone(),
                unclaimed: args.junit.unclaimed(),
                open: args.shown.open,
            },
        }))
    }
}

/// The implementations of a run.
pub(crate) struct Started {
    pub(crate) implementations: Vec<Implementation>,
    absent: Vec<LeftOut>,
}

impl Started {
    /// Those that the command line names, or all that are there; adapters get no more children than there are cases.
    ///
    /// # Errors
    /// Those of [`Plan::new`] about implementations.
    pub(crate) fn new(args: &RunArgs, cases: usize) -> Result<Self, Error> {
        let limits = Limits {
            max_output_bytes: args.max_output,
        };
        let mut implementations = named(args, limits)?;
        let mut absent = Vec::new();
        if names_none(args) {
            (implementations, absent) = implementations::all(args.gpu_adapter.as_deref(), limits)?;
        }
        implementations.extend(adapters(args, jobs(args, cases))?);
        implementations::refuse_repeats(&implementations)?;
        Ok(Self {
            implementations,
            absent,
        })
    }
}

/// The cases that fall to a shard.
fn part<'a>(cases: &[&'a Case], shard: Option<Shard>) -> Vec<&'a Case> {
    let (skipped, step) = shard.map_or((0, 1), |shard| (shard.index - 1, shard.count));
    cases.iter().copied().skip(skipped).step_by(step).collect()
}

/// Whether the command line names no implementation, so that the program chooses.
fn names_none(args: &RunArgs) -> bool {
    args.backends.is_empty() && args.adapters.is_empty() && args.argv.is_empty()
}

/// Removes the implementations that claim none of these cases. One that the command line names is kept, so that its user
/// learns that it was not tested.
fn drop_idle(implementations: &mut Vec<Implementation>, cases: &[&Case]) -> Vec<LeftOut> {
    let idle = |it: &mut Implementation| {
        let mut refused = None;
        for case in cases {
            match it.backend.supports(&case.request) {
                Support::Supported => return None,
                Support::Unsupported(reason) => refused = refused.or(Some(reason)),
            }
        }
        refused
    };
    let mut left_out = Vec::new();
    implementations.retain_mut(|it| {
        let reason = idle(it);
        left_out.extend(reason.iter().map(|reason| {
            LeftOut::new(
                it.backend.id().as_str(),
                format!("it claims none of the selected cases: {reason}"),
            )
        }));
        reason.is_none()
    });
    left_out
}

/// How many children an adapter gets: as many as are asked for, but no more than there are cases, and at most
/// [`threads::MAX_THREADS`].
fn jobs(args: &RunArgs, cases: usize) -> NonZeroUsize {
    let cases = NonZeroUsize::new(cases).unwrap_or(NonZeroUsize::MIN);
    args.jobs.min(cases).min(threads::MAX_THREADS)
}

/// The backends that the command line names.
fn named(args: &RunArgs, limits: Limits) -> Result<Vec<Implementation>, Error> {
    let gpu_adapter = args.gpu_adapter.as_deref();
    let names = args.backends.iter();
    names
        .map(|name| Ok(implementations::named(name, gpu_adapter, limits)?.into()))
        .collect()
}

/// The adapters that the command line names, started.
fn adapters(args: &RunArgs, jobs: NonZeroUsize) -> Result<Vec<Implementation>, Error> {
    let lines = args.adapters.iter().map(|line| Adapter::parse(line));
    let last = (!args.argv.is_empty()).then(|| Adapter::from_words(&args.argv));
    let adapters: Vec<Adapter> = lines.chain(last).collect::<Result<_, _>>()?;
    let options = Options {
        deadline: Duration::from_millis(args.deadline),
        jobs,
        debug_frames: args.debug_frames.clone(),
        ..Options::default()
    };
    let start = |adapter: Adapter| adapter.start(options.clone());
    adapters.into_iter().map(start).collect()
}

/// The one implementation. A run is judged against one reading, and several implementations may follow several.
fn the_only(implementations: &mut Vec<Implementation>) -> Result<Implementation, Error> {
    match (implementations.pop(), implementations.as_slice()) {
        (Some(only), []) => Ok(only),
        _ => Err(Error::Usage(
            "--reading auto works for one implementation at a time. Name it with --backend or --adapter, and run the \
             others separately"
                .to_owned(),
        )),
    }
}

/// # Errors
/// As [`now`].
fn header(
    args: &RunArgs,
    implementations: &[Implementation],
    reading: &str,
    corpus: report::Corpus,
    selected: &[&Case],
) -> Result<Header, Error> {
    let flags = rerun_options(args, reading);
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    Ok(Header {
        schema: report::EVENTS_SCHEMA,
        seedproof: env!("CARGO_PKG_VERSION").to_owned(),
        date: now(env::var_os(SOURCE_DATE))?,
        command: quoting::command_line(),
        corpus,
        reading: reading.to_owned(),
        answers: None,
        strict_nan: args.nan.rule() == NanRule::Bits,
        filter: args.selection.queries.clone(),
        options: options(args),
        shard: args.shard.map(|shard| (number(shard.index), number(shard.count))),
        implementations: implementations
            .iter()
            .map(|implementation| report::Implementation {
                id: implementation.backend.id().clone(),
                description: implementation.backend.description(),
                selected: selected.len(),
                claims: args.shard.map(|_| claims(implementation, selected)),
                rerun: match implementation.rerun.as_str() {
                    "" => String::new(),
                    rerun => format!("{rerun}{flags}"),
                },
            })
            .collect(),
    })
}

/// The cases that an implementation claims, as shards of one run compare them.
fn claims(implementation: &Implementation, cases: &[&Case]) -> String {
    let is_claimed = |case: &&&Case| implementation.backend.supports(&case.request) == Support::Supported;
    let ids: Vec<&str> = cases
        .iter()
        .filter(is_claimed)
        .map(|case| case.id.as_str())
        .collect();
    let sum = Digest::of_chunk(ids.join("\n").as_bytes());
    format!("{} cases, {}", ids.len(), HEXLOWER.encode(&sum[..8]))
}

/// The options of a run that a rerun needs as well, each with a space before it.
fn rerun_options(args: &RunArgs, reading: &str) -> String {
    let named = if brought::is_file(&args.reading) {
        &args.reading
    } else {
        reading
    };
    let mut flags = judging_flags(named, args.nan.rule()) + &brought::rerun_flag(&args.mistakes);
    if let Some(folder) = &args.selection.dir.corpus {
        flags += &corpus_flag(folder);
    }
    options(args)
        .iter()
        .fold(flags, |flags, option| flags + " " + option)
}

/// The options that change what is asked or how it is judged, beside queries, reading and corpus.
fn options(args: &RunArgs) -> Vec<String> {
    let mut options = Vec::new();
    if let Some(count) = args.random {
        options.push(format!("--random {count}"));
        options.push(format!("--random-seed {}", args.random_seed));
        options.extend(args.random_valid.then(|| "--random-valid".to_owned()));
    }
    if args.repeat != 0 {
        options.push(format!("--repeat {}", args.repeat));
    }
    let spoken = !args.adapters.is_empty() || !args.argv.is_empty();
    if spoken && args.deadline != DEADLINE {
        options.push(format!("--deadline {}", args.deadline));
    }
    if args.max_output != MAX_OUTPUT {
        options.push(format!("--max-output {}", args.max_output));
    }
    options
}

/// Whether the run covers a whole corpus, so that unused entries of an expectation file are errors. Random requests do not.
fn extent(args: &RunArgs) -> Extent {
    if args.selection.queries.is_empty() && args.shard.is_none() && args.random.is_none() {
        Extent::Whole
    } else {
        Extent::Part
    }
}

/// `--corpus` as a rerun needs it, with a space before it.
pub(crate) fn corpus_flag(folder: &Path) -> String {
    format!(" --corpus {}", quoting::quoted_os(folder.as_os_str()))
}

/// The flags that judge against a reading and by a rule for NaNs, each with a space before it; nothing for `spec` and the
/// usual rule.
pub(crate) fn judging_flags(reading: &str, nan: NanRule) -> String {
    let mut flags = String::new();
    if reading != SPEC {
        flags = format!(" --reading {}", quoting::quoted(reading));
    }
    if nan == NanRule::Bits {
        flags += " --strict-nan";
    }
    flags
}

/// The variable that names the time, in seconds since 1970, of what is to be the same whenever it is made:
/// <https://reproducible-builds.org/specs/source-date-epoch/>.
const SOURCE_DATE: &str = "SOURCE_DATE_EPOCH";

/// The time in UTC as `2027-06-30 12:00:00 UTC`, or the one that the environment names.
///
/// # Errors
/// [`Error::Usage`] if it names none.
fn now(named: Option<OsString>) -> Result<String, Error> {
    // Other times have no text of this form.
    const YEAR_10000: u64 = 253_402_300_800;
    let time = match named {
        None => SystemTime::now().max(SystemTime::UNIX_EPOCH),
        Some(named) => {
            let seconds = named.to_str().and_then(|text| text.parse().ok());
            let seconds = seconds.filter(|seconds| *seconds < YEAR_10000).ok_or_else(|| {
                let named = named.display();
                Error::Usage(format!(
                    "{SOURCE_DATE} is `{named}`: expected a number of seconds since 1970"
                ))
            })?;
            SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)
        }
    };
    let text = humantime::format_rfc3339_seconds(time).to_string();
    Ok(text.replace('T', " ").replace('Z', " UTC"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_dated_in_utc() {
        let date = now(None).unwrap();
        let date = date.strip_suffix(" UTC").expect("it names its zone");
        let began = humantime::parse_rfc3339_weak(date).expect("it is a date and a time");
        let since = SystemTime::now()
            .duration_since(began)
            .expect("it is in the past");
        assert!(since < Duration::from_mins(1), "{date}");
    }

    #[test]
    fn runs_are_dated_by_the_environment() {
        let of = |text: &str| now(Some(text.into()));
        assert_eq!(of("1700000000").unwrap(), "2023-11-14 22:13:20 UTC");
        assert_eq!(of("253402300799").unwrap(), "9999-12-31 23:59:59 UTC");
        for text in ["", "-1", "1.5", "253402300800", "99999999999999999999", "today"] {
            assert!(matches!(of(text), Err(Error::Usage(_))), "{text}");
        }
    }

    #[test]
    fn idle_implementations_are_left_out_with_the_reason() {
        let limits = Limits::default();
        let named = |name| implementations::named(name, None, limits).expect("it is always present");
        let mut chosen: Vec<Implementation> = ["reference", "readings/torch-1.13"]
            .map(|name| named(name).into())
            .into();
        let corpus = seedproof::corpus();
        let cases: Vec<&Case> = corpus
            .cases()
            .filter(|case| case.id.as_str().starts_with("tfkc/"))
            .collect();
        let left_out = drop_idle(&mut chosen, &cases);
        assert_eq!(chosen.len(), 1);
        let [LeftOut { what, reason, .. }] = &left_out[..] else {
            panic!("one is idle: {left_out:?}");
        };
        assert_eq!(what, "readings/torch-1.13");
        assert!(
            reason.starts_with("it claims none of the selected cases: "),
            "{reason}"
        );
    }
}
