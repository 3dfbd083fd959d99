//! The search for the seed of an array among many seeds.

use std::ops::RangeInclusive;
use std::slice;

use seedproof_ops::{
    AttributeInfo, AttributeValue, Backend, InputInfo, Kind, Request, Role, Tensor, standard,
};

use super::answer::Answer;
use super::asked::who_drew;
use super::begun::begun;
use super::elements::{drawn, head};
use super::scan::{SLOW, Searched, scan};
use super::seen::Seen;
use super::sought::Sought;
use super::streams::is_begun_by_numbers;
use super::who::typed;
use crate::judging::Catalogue;

/// The number of elements that are drawn from each seed. Two exclude most seeds, and a block of Philox has them.
const FIRST: u64 = 2;
/// The number of elements by which readings are compared to find those that draw alike.
const TELLING: u64 = 64;
/// The seeds with which readings are compared: a small one, one of 64 bits, and one whose low half is negative as an
/// i32.
const PROBES: [u64; 3] = [1, 0x0123_4567_89ab_cdef, 0xffff_fff7];
/// The most seeds with which [`search`] asks every op. At a thousand seeds a second that takes more than an hour.
pub const MAX_SEEDS_ASKED: u64 = 1 << 22;
/// The most seeds that are kept. If there are more, the array is too small to tell its seed.
const MAX_SEEDS: usize = 64;

/// Looks for the seeds from which an array's first elements are drawn. `questions` are about the same array, in each type that it
/// may have. The streams of the generators come first, and take some nanoseconds a seed for uniform numbers and normals. If
/// nothing is found there and the seeds are not too many, every op is asked under every reading, and then the scaled numbers
/// of every generator are compared.
///
/// `spec` is a fast backend of the reading `spec`. `go_on` takes the number of seeds that are done, and returns whether
/// to go on. The search ends at the first seed that is certain.
///
/// ```
/// use seedproof::judging::Catalogue;
/// use seedproof::ops::{Limits, Tensor};
/// use seedproof::whois::{Sought, search};
///
/// let drawn = [0x3f337cd6, 0x3e9c5ce8, 0x3f7076a8, 0x3f721312, 0x3def8250].map(f32::from_bits);
/// let sought = Sought::new(Tensor::vector(&drawn), 0, 10);
/// let catalogue = Catalogue::new(Limits::default());
/// let searched = search(&[sought], &(0..=1000), catalogue.spec(), &catalogue, &|_| true);
/// assert_eq!(searched.seeds, [150]);
/// ```
pub fn search(
    questions: &[Sought],
    seeds: &RangeInclusive<u64>,
    spec: &dyn Backend,
    catalogue: &Catalogue,
    go_on: &(dyn Fn(u64) -> bool + Sync),
) -> Searched {
    if seeds.is_empty() {
        return Searched {
            is_asked: true,
            ..Searched::default()
        };
    }
    let all = (seeds.end() - seeds.start()).saturating_add(1);
    let arrays = questions.iter().flat_map(|sought| {
        // Whole numbers are found in every type alike.
        let own = sought.actual.dtype();
        typed(sought)
            .into_iter()
            .filter(move |it| it.actual.dtype() == own || it.actual.dtype().is_float())
    });
    let arrays: Vec<(Sought, Sought)> = arrays
        .map(|sought| {
            let begins = Sought {
                among: sought.among.saturating_mul(all),
                ..shortened(&sought, whole_blocks(sought.actual.count()))
            };
            (sought, begins)
        })
        .collect();
    let quick = begun(&arrays, seeds, go_on);
    if !quick.seeds.is_empty() || quick.tried < all {
        return quick;
    }
    if all > MAX_SEEDS_ASKED && !quick.is_asked {
        return Searched {
            is_asked: false,
            ..quick
        };
    }
    for (sought, begins) in &arrays {
        let searched = every_op(sought, begins, seeds, spec, catalogue, go_on);
        if !searched.seeds.is_empty() || searched.tried < all {
            return Searched {
                streams: vec![("every generator", all)],
                ..searched
            };
        }
    }
    Searched {
        is_asked: true,
        ..quick
    }
}

/// Asks every op for an array, and compares the normals and scaled numbers of every generator.
fn every_op(
    sought: &Sought,
    begins: &Sought,
    seeds: &RangeInclusive<u64>,
    spec: &dyn Backend,
    catalogue: &Catalogue,
    go_on: &(dyn Fn(u64) -> bool + Sync),
) -> Searched {
    let all = (seeds.end() - seeds.start()).saturating_add(1);
    let nothing = Searched {
        tried: all,
        is_asked: true,
        ..Searched::default()
    };
    let ways = standard(|| ways(sought, spec, catalogue));
    let count = u64::try_from(sought.actual.count()).unwrap_or(u64::MAX);
    // Every thirtieth seed throws the same two numbers of a die, and the caller tries all that it knows on each seed found.
    let gives = |way: &Way<'_>, seed| {
        let begins = |wanted: u64| way.gives(seed, sought, wanted.min(count), catalogue);
        begins(FIRST) && begins(TELLING)
    };
    // Where no reading draws such an array, there is nothing to ask.
    let asked = if ways.is_empty() {
        nothing
    } else {
        scan(seeds, (SLOW, MAX_SEEDS), go_on, &|seeds, found| {
            found.extend(seeds.filter(|&seed| ways.iter().any(|way| gives(way, seed))));
            false
        })
    };
    if !asked.seeds.is_empty() || asked.tried < all || !sought.actual.dtype().is_float() {
        return asked;
    }
    let seen = Seen::of(begins);
    scan(seeds, (SLOW, MAX_SEEDS), go_on, &|seeds, found| {
        let of = |seed| Sought {
            seed,
            ..begins.clone()
        };
        found.extend(seeds.filter(|&seed| is_begun_by_numbers(&of(seed), &seen)));
        false
    })
}

/// The number of first elements that tell a seed: of `torch.randn` only blocks of sixteen are drawn in their order, and the end of
/// an array is drawn again.
fn whole_blocks(count: usize) -> usize {
    const TELLING: usize = 64;
    match count {
        ..32 => count,
        _ if count.is_multiple_of(16) => count.min(TELLING),
        _ => ((count - 16) / 16 * 16).min(TELLING),
    }
}

/// The question about the first elements alone, as a list.
fn shortened(sought: &Sought, count: usize) -> Sought {
    Sought {
        actual: head(&sought.actual, u64::try_from(count).unwrap_or(u64::MAX)),
        within: sought
            .within
            .as_ref()
            .map(|all| all[..count.min(all.len())].into()),
        ..sought.clone()
    }
}

/// The seed near the given one from which an array is drawn, with the answer: ranks and workers add their number to a seed, and
/// loops count from one. Of an array of more than a thousand elements only these are searched for.
///
/// `spec` is a fast backend of the reading `spec`.
///
/// ```
/// use seedproof::judging::Catalogue;
/// use seedproof::ops::{Limits, Tensor};
/// use seedproof::whois::{Sought, beside};
///
/// let drawn = [0x3f337cd6, 0x3e9c5ce8, 0x3f7076a8, 0x3f721312, 0x3def8250].map(f32::from_bits);
/// let catalogue = Catalogue::new(Limits::default());
/// // The seed is 150.
/// let sought = Sought::new(Tensor::vector(&drawn), 147, 10);
/// let (answer, asked) = beside(&sought, catalogue.spec(), &catalogue).expect("a seed near it draws the array");
/// assert_eq!((answer.word(), asked.seed), ("named", 150));
/// ```
pub fn beside(sought: &Sought, spec: &dyn Backend, catalogue: &Catalogue) -> Option<(Answer, Sought)> {
    // As many workers as a machine has, and both ways of counting. Each is an attempt more.
    const LESS: u64 = 8;
    const MORE: u64 = 64;
    // Shuffles and tails are drawn whole for each seed: a million elements take minutes, and a thousand tell as much.
    const LOOKED_AT: usize = 1 << 10;
    let near = sought.seed.saturating_sub(LESS)..=sought.seed.saturating_add(MORE);
    // A short array keeps its extents.
    let begins = if sought.actual.count() <= LOOKED_AT {
        sought
    } else {
        &shortened(sought, LOOKED_AT)
    };
    let seeds = search(slice::from_ref(begins), &near, spec, catalogue, &|_| true).seeds;
    // Where several seeds fit, the array has too few bits to tell them apart, and to try each takes seconds.
    let [seed] = seeds[..] else { return None };
    let question = Sought {
        seed,
        among: sought.among * (LESS + MORE + 1),
        ..sought.clone()
    };
    let answer = who_drew(&question, catalogue);
    (answer.word() == "named").then_some((answer, question))
}

/// A request whose seed is still to be filled in, and the backend that answers it.
struct Way<'a> {
    /// The request of [`PROBES`]' first seed.
    request: Request,
    /// The inputs that consist of words of the seed, each with the index of the way in which they are made of it.
    layouts: Vec<(&'static str, usize)>,
    backend: &'a dyn Backend,
}

impl Way<'_> {
    fn gives(&self, seed: u64, sought: &Sought, wanted: u64, catalogue: &Catalogue) -> bool {
        reseeded(&self.request, &self.layouts, seed, sought)
            .and_then(|request| drawn(self.backend, &request, wanted))
            .is_some_and(|drawn| sought.is_begun_by(&drawn, catalogue.nan()))
    }
}

/// The request with another first seed.
fn reseeded(request: &Request, layouts: &[(&str, usize)], seed: u64, sought: &Sought) -> Option<Request> {
    let mut seeds = 0;
    let mut attribute = |info: &AttributeInfo| {
        seeds += usize::from(info.kind == Kind::Seed);
        match info.kind {
            Kind::Seed if seeds == 1 => Some(AttributeValue::Seed(seed)),
            Kind::Number(_) if info.name == "seed" => Some(AttributeValue::Number(seed.into())),
            _ => request.attribute(info.name),
        }
    };
    let input = |info: &InputInfo| {
        let tensor = request.input(info.name)?;
        let layout = layouts.iter().find(|(name, _)| *name == info.name);
        match (info.role, layout) {
            (role, Some(&(_, layout))) => words(sought, seed, role, tensor).into_iter().nth(layout),
            _ => Some(tensor.clone()),
        }
    };
    let built = Request::build(
        request.op(),
        &mut |info| attribute(info),
        &mut |info| input(info),
        request.execution(),
    );
    built.ok()
}

fn words(sought: &Sought, seed: u64, role: Role, like: &Tensor) -> Vec<Tensor> {
    let with = Sought {
        actual: head(&sought.actual, 0),
        within: None,
        known: Vec::new(),
        name: String::new(),
        seed,
        ..*sought
    };
    with.words(role, like.dtype(), &like.shape().to_u64())
}

/// For each input that consists of words of a seed, the index of the way in which the words were made.
fn layouts(request: &Request, sought: &Sought) -> Vec<(&'static str, usize)> {
    let of = |(info, tensor): &(&'static InputInfo, &Tensor)| {
        let all = words(sought, PROBES[0], info.role, tensor);
        Some((info.name, all.iter().position(|words| words == *tensor)?))
    };
    request.inputs().iter().filter_map(of).collect()
}

/// For each request the readings that draw differently from one another, `spec` first. A seed is then tried once for
/// all readings that draw alike.
fn ways<'a>(sought: &Sought, spec: &'a dyn Backend, catalogue: &'a Catalogue) -> Vec<Way<'a>> {
    let mut backends = vec![spec, catalogue.spec()];
    backends.extend(catalogue.others().into_iter().map(|(_, backend)| backend));
    let open = Sought {
        seed: PROBES[0],
        ..sought.clone()
    };
    let mut ways = Vec::new();
    for request in open.requests() {
        let layouts = layouts(&request, sought);
        let mut seen: Vec<Vec<Option<Tensor>>> = Vec::new();
        for backend in &backends {
            let probe = |seed| drawn(*backend, &reseeded(&request, &layouts, seed, sought)?, TELLING);
            let answers: Vec<_> = PROBES.into_iter().map(probe).collect();
            if answers.iter().all(Option::is_none) || seen.contains(&answers) {
                continue;
            }
            seen.push(answers);
            ways.push(Way {
                request: request.clone(),
                layouts: layouts.clone(),
                backend: *backend,
            });
        }
    }
    ways
}
