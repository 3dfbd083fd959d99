//! Words in the order in which elements take them.

use seedproof_ops::Shape;

use crate::answers::{Carry, FirstBlock, Layout, MtParts, Placement, Stream, WordForm, Wrap};

use super::forms::{changed, joined};
use super::minstd::Minstd;
use super::mt19937::Mt19937;
use super::philox::Block;

/// A source of words for elements in row-major order, `per_element` words each.
pub(super) struct Words {
    source: Source,
    form: WordForm,
}

enum Source {
    Philox(PhiloxWords),
    Mt(Box<Mt19937>),
    /// The first words of all elements, and the second ones, which begin behind them.
    MtPlanes(Box<[Mt19937; 2]>),
    Parts(Box<Parts>),
    Minstd(Minstd),
}

/// Words of one generator after the other, each for a part of the elements.
struct Parts {
    of: Box<dyn Fn(u64) -> Mt19937>,
    /// The generator, and the elements that it will still draw.
    current: Option<(Mt19937, usize)>,
    length: usize,
    next: u64,
}

impl Parts {
    fn take(&mut self, elements: usize, per_element: usize, words: &mut Vec<u32>) {
        for _ in 0..elements {
            let (generator, left) = match &mut self.current {
                Some((generator, left @ 1..)) => (generator, left),
                ended => {
                    let generator = (self.of)(self.next);
                    self.next += 1;
                    let (generator, left) = ended.insert((generator, self.length));
                    (generator, left)
                }
            };
            *left -= 1;
            words.extend((0..per_element).map(|_| generator.next()));
        }
    }
}

/// The elements of each part of an output that is drawn by several generators.
pub(super) fn part_of(parts: MtParts, shape: &Shape) -> Option<usize> {
    let layout = match parts {
        MtParts::Whole | MtParts::WordPlanes => return None,
        MtParts::Threads(threads) => return Some(shape.count().div_ceil(size(threads)).max(1)),
        MtParts::Chunks(length) => return Some(size(length)),
        MtParts::Rows => Layout::Rows,
        MtParts::Items => Layout::Items,
    };
    match in_sizes(layout, shape) {
        Layout::Workgroup(length) => Some(size(length)),
        _ => None,
    }
}

impl Words {
    pub(super) fn philox(stream: PhiloxWords, form: WordForm) -> Self {
        let source = Source::Philox(stream);
        Self { source, form }
    }

    pub(super) fn mt(generator: Box<Mt19937>, form: WordForm) -> Self {
        let source = Source::Mt(generator);
        Self { source, form }
    }

    /// The words of generators that draw `length` elements each, of which `of` makes each by its number.
    pub(super) fn mt_parts(of: Box<dyn Fn(u64) -> Mt19937>, length: usize, form: WordForm) -> Self {
        let source = Source::Parts(Box::new(Parts {
            of,
            current: None,
            length,
            next: 0,
        }));
        Self { source, form }
    }

    /// The words of elements that take two each, of which this many first ones lie before all second ones.
    pub(super) fn mt_planes(generator: Mt19937, elements: u64, form: WordForm) -> Self {
        let mut second = generator.clone();
        second.skip(elements);
        let source = Source::MtPlanes(Box::new([generator, second]));
        Self { source, form }
    }

    pub(super) fn minstd(generator: Minstd, form: WordForm) -> Self {
        let source = Source::Minstd(generator);
        Self { source, form }
    }

    /// Appends the words of the next `elements` elements.
    pub(super) fn take(&mut self, elements: usize, per_element: usize, words: &mut Vec<u32>) {
        let from = words.len();
        match &mut self.source {
            Source::Philox(stream) => stream.take(elements, words),
            Source::Mt(generator) => words.extend((0..elements * per_element).map(|_| generator.next())),
            Source::MtPlanes(planes) => {
                words.extend((0..elements).flat_map(|_| planes.each_mut().map(Mt19937::next)));
            }
            Source::Parts(parts) => parts.take(elements, per_element, words),
            Source::Minstd(generator) => words.extend((0..elements * per_element).map(|_| generator.next())),
        }
        changed(self.form, &mut words[from..]);
        if per_element == 2 {
            joined(self.form, &mut words[from..]);
        }
    }
}

/// The place of a word: the subsequence (added to the counter's high half), the block, the word in the block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    subsequence: usize,
    block: usize,
    word: usize,
}

/// The words of a run of Philox blocks.
pub(super) struct PhiloxWords {
    block: Block,
    counter: Counter,
    layout: Layout,
    /// The extent of axis 1, and how many elements stand behind each of it.
    channels: [usize; 2],
    per_element: usize,
    count: usize,
    element: usize,
    last: Option<(usize, usize, [u32; 4])>,
}

impl PhiloxWords {
    /// The words of `count` elements from the counter's block on.
    pub(super) fn new(
        block: Block,
        counter: Counter,
        (layout, channels): (Layout, [usize; 2]),
        per_element: usize,
        count: usize,
    ) -> Self {
        Self {
            block,
            counter,
            layout,
            channels,
            per_element,
            count,
            element: 0,
            last: None,
        }
    }

    fn take(&mut self, elements: usize, words: &mut Vec<u32>) {
        let first = self.element * self.per_element;
        if self.layout == Layout::Stream && first.is_multiple_of(4) {
            // The common layout goes block by block; it is what the rest of this function does word by word.
            let end = words.len() + elements * self.per_element;
            for block in (first / 4..).take((elements * self.per_element).div_ceil(4)) {
                words.extend_from_slice(&self.block.words(self.counter.at(0, block)));
            }
            words.truncate(end);
            self.element += elements;
            return;
        }
        for element in self.element..self.element + elements {
            for index in 0..self.per_element {
                let place = self.place(element, index);
                let block = self.block_at(place);
                // Numbers that are drawn again come after the last element, where a layout may have no place in a block.
                words.push(block[place.word % 4]);
            }
        }
        self.element += elements;
    }

    fn block_at(&mut self, place: Place) -> [u32; 4] {
        if let Some((subsequence, block, words)) = self.last
            && (subsequence, block) == (place.subsequence, place.block)
        {
            return words;
        }
        let words = match self.layout {
            Layout::WorkgroupKeys(_) => {
                let block = self.block.of_raised_key(place.subsequence);
                block.words(self.counter.at(0, place.block))
            }
            _ => self.block.words(self.counter.at(place.subsequence, place.block)),
        };
        self.last = Some((place.subsequence, place.block, words));
        words
    }

    /// The place of a word where `lanes` blocks are stored word by word, up to the word `whole`; the others are in order.
    const fn in_word_lanes(&self, element: usize, index: usize, lanes: usize, whole: usize) -> Place {
        let word = element * self.per_element + index;
        let lanes = if word < whole { lanes } else { 1 };
        Place {
            subsequence: 0,
            block: word / (4 * lanes) * lanes + word % lanes,
            word: word / lanes % 4,
        }
    }

    /// The place of a word where slices take the blocks in turns. The first slices have one block more than the others.
    fn dealt(&self, word: usize, slices: usize) -> Place {
        let blocks = (self.count * self.per_element).div_ceil(4);
        let (short, longer) = (blocks / slices, blocks % slices);
        let (at, first) = (word / 4, longer * (short + 1));
        let (slice, turn) = if at < first {
            (at / (short + 1), at % (short + 1))
        } else {
            let short = short.max(1);
            (longer + (at - first) / short, (at - first) % short)
        };
        Place {
            subsequence: 0,
            block: slice + turn * slices,
            word: word % 4,
        }
    }

    /// The number of an element in a stream that fills packs of channels.
    const fn packed(&self, element: usize, length: usize) -> usize {
        let [channels, inner] = self.channels;
        let (image, channel, pixel) = (
            element / inner / channels,
            element / inner % channels,
            element % inner,
        );
        let pack = image * channels.div_ceil(length) + channel / length;
        (pack * inner + pixel) * length + channel % length
    }

    fn place(&self, element: usize, index: usize) -> Place {
        let per_block = 4 / self.per_element;
        let in_order = |subsequence, element: usize| Place {
            subsequence,
            block: element / per_block,
            word: element % per_block * self.per_element + index,
        };
        let at = |subsequence, block, word| Place {
            subsequence,
            block,
            word,
        };
        let at_word = |word: usize| at(0, word / 4, word % 4);
        // Groups of `lanes` blocks: the lane, the group, and which element of the lane's block.
        let striding = |lanes: u32| {
            let lanes = size(lanes);
            let group = element / (per_block * lanes);
            let rest = element % (per_block * lanes);
            (rest % lanes, group, rest / lanes * self.per_element + index)
        };
        let layout = match self.layout {
            Layout::PairPerBlock | Layout::InterleavedPairs | Layout::WordPlanes if self.per_element == 1 => {
                Layout::Stream
            }
            layout => layout,
        };
        match layout {
            // Without its shape, an output is one row.
            Layout::Stream | Layout::Rows | Layout::Items | Layout::RowKeys | Layout::ItemKeys => {
                in_order(0, element)
            }
            Layout::After(dropped) => at_word(element * self.per_element + index + size(dropped)),
            Layout::Lanes(lanes) => {
                let (lane, group, word) = striding(lanes);
                at(0, group * size(lanes) + lane, word)
            }
            Layout::WordLanes(lanes) => self.in_word_lanes(element, index, size(lanes), usize::MAX),
            Layout::WholeWordLanes(lanes) => {
                let group = 4 * size(lanes);
                let whole = self.count * self.per_element / group * group;
                self.in_word_lanes(element, index, size(lanes), whole)
            }
            Layout::Slices(threads) => {
                let word = element * self.per_element + index;
                let run = (self.count * self.per_element).div_ceil(size(threads)).max(1);
                at_word(word / run * run / 4 * 4 + word % run)
            }
            Layout::GridStride(threads) => {
                let (thread, step, word) = striding(threads);
                at(thread, step, word)
            }
            Layout::Dealt(threads) => self.dealt(element * self.per_element + index, size(threads)),
            Layout::Packs(length) => in_order(0, self.packed(element, size(length))),
            Layout::Subsequences => in_order(element, 0),
            Layout::Workgroup(length) | Layout::WorkgroupKeys(length) => {
                in_order(element / size(length), element % size(length))
            }
            Layout::Runs(threads) => {
                let run = self.count.div_ceil(size(threads)).max(1);
                in_order(element / run, element % run)
            }
            Layout::WordRuns(threads) => {
                let word = element * self.per_element + index;
                let run = (self.count * self.per_element).div_ceil(size(threads)).max(1);
                Place {
                    subsequence: word / run,
                    ..at_word(word % run)
                }
            }
            Layout::ChunkRestart(length) => in_order(0, element % size(length)),
            Layout::TailRestart(length) => {
                let tail = self.count - self.count % size(length);
                in_order(0, if element < tail { element } else { element - tail })
            }
            Layout::TailFromEnd => {
                let left = self.count % per_block;
                let shift = if left > 0 && element >= self.count - left {
                    per_block - left
                } else {
                    0
                };
                in_order(0, element + shift)
            }
            Layout::ElementPerBlock | Layout::PairPerBlock => at(0, element, index),
            Layout::Planar => {
                let blocks = self.count.div_ceil(per_block).max(1);
                Place {
                    subsequence: 0,
                    block: element % blocks,
                    word: element / blocks * self.per_element + index,
                }
            }
            Layout::WordPlanes => at_word(index * self.count + element),
            Layout::InterleavedPairs => at(0, element / 2, element % 2 + 2 * index),
        }
    }
}

/// A layout that follows from the shape, as one that follows from sizes, with the extent of axis 1 and the number of elements
/// behind each of it.
pub(super) fn of_shape(layout: Layout, shape: &Shape) -> (Layout, [usize; 2]) {
    let dims = shape.dims();
    let channels = match (dims, shape.count()) {
        ([_, channels, inner @ ..], 1..) => [*channels, inner.iter().product()],
        _ => [1, 1],
    };
    (in_sizes(layout, shape), channels)
}

fn in_sizes(layout: Layout, shape: &Shape) -> Layout {
    let dims = shape.dims();
    let length = match (layout, dims) {
        (Layout::Rows | Layout::RowKeys, [.., row]) => *row,
        (Layout::Items | Layout::ItemKeys, [first, _, ..]) => shape.count() / (*first).max(1),
        (Layout::Packs(_), [] | [_])
        | (Layout::Rows | Layout::Items | Layout::RowKeys | Layout::ItemKeys, _) => return Layout::Stream,
        _ => return layout,
    };
    let length = u32::try_from(length).unwrap_or(u32::MAX).max(1);
    match layout {
        Layout::RowKeys | Layout::ItemKeys => Layout::WorkgroupKeys(length),
        _ => Layout::Workgroup(length),
    }
}

/// A layout's parameter as a count; zero is taken as one.
fn size(parameter: u32) -> usize {
    usize::try_from(parameter).unwrap_or(usize::MAX >> 3).max(1)
}

/// The mapping from block indices to counters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counter {
    /// The counter of block 0.
    pub(super) base: u128,
    /// Whether the halves are exchanged before the block function sees them.
    pub(super) halves_exchanged: bool,
    pub(super) carry: Carry,
    pub(super) wrap: Wrap,
    pub(super) first: FirstBlock,
}

impl Counter {
    /// A counter from its first value under a reading's answers.
    pub(super) fn new(base: u128, answers: &Stream) -> Self {
        Self {
            base,
            halves_exchanged: answers.placement == Placement::BlockHigh,
            carry: answers.carry,
            wrap: answers.wrap,
            first: answers.first_block,
        }
    }

    pub(super) fn at(&self, subsequence: usize, block: usize) -> u128 {
        let ahead = match self.first {
            FirstBlock::Given => as_u128(block),
            FirstBlock::Next => as_u128(block) + 1,
        };
        let base = self.base.wrapping_add(as_u128(subsequence) << 64);
        // Or and addition agree as long as the counter has no bit in common with a block's number, so that a counter of zero hides
        // the mistake.
        let sum = base.wrapping_add(ahead);
        let sign = |value: u128, bits: u32| value >> (bits - 1) & 1;
        // One where the low bits become negative as a signed number, and one where they wrap.
        let passes = |bits| (!sign(base, bits) & sign(sum, bits)) << bits;
        let wraps = |bits| (sign(base, bits) & !sign(sum, bits)) << bits;
        let value = match self.carry {
            Carry::Ored => base | ahead,
            Carry::Xored => base ^ ahead,
            Carry::Signed32 => sum.wrapping_add(passes(32)).wrapping_sub(wraps(32)),
            Carry::Signed64 => sum.wrapping_add(passes(64)).wrapping_sub(wraps(64)),
            Carry::Also31 => sum.wrapping_add(passes(32)),
            Carry::Also63 => sum.wrapping_add(passes(64)),
            _ => self.raised(base, ahead),
        };
        if self.halves_exchanged {
            value.rotate_left(64)
        } else {
            value
        }
    }

    /// The counter `by` blocks on in its low bits, of which nothing is carried into the others.
    pub(super) const fn raised_within(&self, bits: u32, by: u128) -> u128 {
        let low = self.base.wrapping_add(by) & ((1 << bits) - 1);
        self.base >> bits << bits | low
    }

    /// The counter `by` blocks on.
    pub(super) fn raised(&self, base: u128, by: u128) -> u128 {
        let apart = |bits: u32| {
            let low = (1 << bits) - 1;
            let sum_low = (base & low).wrapping_add(by & low) & low;
            let sum_high = (base >> bits).wrapping_add(by >> bits) << bits;
            sum_high | sum_low
        };
        match (self.carry, self.wrap) {
            (Carry::Full, Wrap::Sticks) => base.saturating_add(by),
            (Carry::LostAt32, _) => apart(32),
            (Carry::LostAt64, _) => apart(64),
            (Carry::LostAt96, _) => apart(96),
            (Carry::WhileZero, _) => raised_while_zero(base, by),
            // A state goes on by addition, whatever becomes of the numbers of its blocks.
            _ => base.wrapping_add(by),
        }
    }
}

/// The counter `by` steps of one on, where the third and the fourth word grow in each step in which the word below is zero.
fn raised_while_zero(base: u128, by: u128) -> u128 {
    const WORD: u128 = 1 << 32;
    let [low, third, fourth] = [base % (WORD * WORD), base >> 64 & (WORD - 1), base >> 96];
    // The second word is zero for 2^32 steps at most, which follow each other: an output has fewer blocks than that before
    // the low half comes round again.
    let from = if low + 1 < WORD { 1 } else { WORD * WORD - low };
    let until = (from + WORD - 1 - (low + from) % (WORD * WORD)).min(by);
    let grown = (until + 1).saturating_sub(from);
    // The third word is zero before it grows, if it was at first, or where it has just wrapped.
    let wraps = WORD - third;
    let zeros = if third == 0 {
        by.min(from - 1)
    } else if grown < wraps {
        0
    } else if grown == wraps {
        by + 1 - (from + wraps - 1)
    } else {
        1
    };
    let words = [(third + grown) % WORD, (fourth + zeros) % WORD];
    ((low + by) % (WORD * WORD)) | (words[0] << 64) | (words[1] << 96)
}

pub(super) fn as_u128(value: usize) -> u128 {
    u128::try_from(value).unwrap_or(u128::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_grow_while_the_one_below_is_zero_are_those_of_single_steps() {
        const LAST: u32 = u32::MAX;
        let all = [0, 1, 2, LAST - 1, LAST];
        let words = |i: usize| [all[i % 5], all[i / 5 % 5], all[i / 25 % 5], all[i / 125]];
        for start in (0..625).map(words) {
            let number = |words: [u32; 4]| {
                words
                    .iter()
                    .rev()
                    .fold(0, |number, &word| number << 32 | u128::from(word))
            };
            let mut counter = start;
            for by in 1..8 {
                let [a, b, c, d] = &mut counter;
                *a = a.wrapping_add(1);
                *b = b.wrapping_add(u32::from(*a == 0));
                *c = c.wrapping_add(u32::from(*b == 0));
                *d = d.wrapping_add(u32::from(*c == 0));
                assert_eq!(
                    raised_while_zero(number(start), by),
                    number(counter),
                    "{start:?} {by}"
                );
            }
            assert_eq!(raised_while_zero(number(start), 0), number(start));
        }
    }
    use crate::answers::Philox;

    fn stream(layout: Layout, per_element: usize, count: usize) -> PhiloxWords {
        let block = Block::new(&Philox::default(), [1, 2]);
        PhiloxWords::new(
            block,
            Counter::new(0, &Stream::default()),
            (layout, [1, 1]),
            per_element,
            count,
        )
    }

    #[test]
    fn stream_layouts_use_every_word_once_where_they_only_permute() {
        for (layout, count) in [
            (Layout::Stream, 64),
            (Layout::Lanes(8), 64),
            (Layout::Planar, 64),
            (Layout::InterleavedPairs, 64),
            (Layout::Dealt(5), 64),
        ] {
            for per_element in [1, 2] {
                let words = stream(layout, per_element, count);
                let mut places: Vec<(usize, usize)> = (0..count)
                    .flat_map(|element| (0..per_element).map(move |index| (element, index)))
                    .map(|(element, index)| words.place(element, index))
                    .map(|place| (place.block, place.word))
                    .collect();
                places.sort_unstable();
                places.dedup();
                assert_eq!(places.len(), count * per_element, "{layout:?}");
                assert!(
                    places
                        .iter()
                        .all(|&(block, word)| block < 16 * per_element && word < 4)
                );
            }
        }
    }

    #[test]
    fn stream_layouts_keep_words_in_their_block() {
        for layout in [
            Layout::GridStride(3),
            Layout::Workgroup(5),
            Layout::Runs(2),
            Layout::Runs(64),
            Layout::WordRuns(3),
            Layout::ChunkRestart(7),
            Layout::TailRestart(8),
            Layout::TailFromEnd,
            Layout::ElementPerBlock,
            Layout::PairPerBlock,
            Layout::Lanes(0),
            Layout::Dealt(3),
            Layout::Packs(3),
            Layout::Subsequences,
        ] {
            for per_element in [1, 2] {
                for count in [1, 2, 3, 4, 5, 31] {
                    let mut words = Vec::new();
                    stream(layout, per_element, count).take(count, &mut words);
                    assert_eq!(words.len(), count * per_element, "{layout:?}");
                }
            }
        }
    }

    #[test]
    fn counter_carries_travel_as_far_as_the_answer_says() {
        let counter = |carry, base| {
            let answers = Stream {
                carry,
                ..Stream::default()
            };
            Counter::new(base, &answers)
        };
        let raised = |carry, base| counter(carry, base).raised(base, 1);
        let at = |carry, base| counter(carry, base).at(0, 1);
        for (carry, bits) in [
            (Carry::LostAt32, 32),
            (Carry::LostAt64, 64),
            (Carry::LostAt96, 96),
        ] {
            let full = (1_u128 << bits) - 1;
            assert_eq!(raised(carry, full), 0);
            assert_eq!(raised(Carry::Full, full), full + 1);
            assert_eq!(raised(carry, 7 << bits), (7 << bits) + 1);
        }
        assert_eq!(raised(Carry::Full, u128::MAX), 0);
        for (instead, too, bits) in [
            (Carry::Signed32, Carry::Also31, 32),
            (Carry::Signed64, Carry::Also63, 64),
        ] {
            let (half, full) = (1_u128 << (bits - 1), (1_u128 << bits) - 1);
            assert_eq!(
                [at(instead, half - 1), at(too, half - 1)],
                [(1 << bits) + half; 2]
            );
            assert_eq!([at(instead, half), at(too, half)], [half + 1; 2]);
            assert_eq!([at(instead, full), at(too, full)], [0, full + 1]);
        }
    }
}
