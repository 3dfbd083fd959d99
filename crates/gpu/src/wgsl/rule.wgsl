// From words to elements: the twin of `rule` in the CPU backend.
//
// A number of the unit interval is an integer of some bits of a word, divided by its power of two: of as many as the
// type has mantissa bits, or one more; of the low bits, or of the high ones.

/// A number of the unit interval from a word.
fn narrow(digits: u32, word: u32) -> u32 {
    return f32_fraction((word >> fill.shifts.y) & ((1u << digits) - 1u), digits);
}

/// Two words as one number, the low word first.
fn ordered(first: u32, second: u32) -> vec2<u32> {
    return select(vec2<u32>(second, first), vec2<u32>(first, second), (fill.flags & LOW_FIRST) != 0u);
}

/// A double from two words, and more than 32 digits.
fn wide(digits: u32, first: u32, second: u32) -> vec2<u32> {
    let kept = ordered(first, second) >> fill.shifts.yx;
    let high = shl64(vec2<u32>(kept.y, 0u), 32u - fill.shifts.y);
    return f64_fraction(vec2<u32>(kept.x | high.x, high.y & ((1u << (digits - 32u)) - 1u)), digits);
}

/// The scale from the unit interval: `x * range + min`, rounded after each operation.
fn scale32(x: u32, range: u32, min: u32) -> u32 {
    return f32_add(f32_mul(x, range), min);
}

/// [`scale32`] in pairs of words.
fn scale64(x: vec2<u32>, range: vec2<u32>, min: vec2<u32>) -> vec2<u32> {
    return f64_add(f64_mul(x, range), min);
}

fn element_f32(word: u32) -> u32 {
    let x = narrow(fill.digits, word);
    return scale32(x, fill.range.x, fill.min.x);
}

/// [`element_f32`] by one rounding.
fn element_fused_f32(word: u32) -> u32 {
    let scaled = f32_fma(narrow(fill.digits, word), fill.range.x, fill.min.x);
    return select(scaled, fill.min.x, f32_less(scaled, fill.min.x));
}

fn element_f64(first: u32, second: u32) -> vec2<u32> {
    let x = wide(fill.digits, first, second);
    return scale64(x, fill.range, fill.min);
}

/// [`element_f64`] by one rounding.
fn element_fused_f64(first: u32, second: u32) -> vec2<u32> {
    let scaled = f64_fma(wide(fill.digits, first, second), fill.range, fill.min);
    return select(scaled, fill.min, f64_less(scaled, fill.min));
}

/// f16, computed in binary32, which holds a unit value and its product exactly.
fn element_f16(word: u32) -> u32 {
    let x = narrow(fill.digits, word);
    var product = f32_mul(x, fill.range.x);
    if (fill.flags & ROUNDS_PRODUCT) != 0u {
        product = f32_from_f16(f16_from_f32(product));
    }
    return f16_from_f32(at_least_min(f32_add(product, fill.min.x)));
}

/// bf16, as [`element_f16`].
fn element_bf16(word: u32) -> u32 {
    let x = narrow(fill.digits, word);
    var product = f32_mul(x, fill.range.x);
    if (fill.flags & ROUNDS_PRODUCT) != 0u {
        product = f32_from_bf16(bf16_from_f32(product));
    }
    return bf16_from_f32(at_least_min(f32_add(product, fill.min.x)));
}

/// A sum of a type of 16 bits.
fn at_least_min(sum: u32) -> u32 {
    let is_less = (fill.flags & AT_LEAST_MIN) != 0u && f32_less(sum, fill.min.x);
    return select(sum, fill.min.x, is_less);
}

/// A one where the number of a word's high bits is below the range.
fn element_flag(word: u32) -> u32 {
    return select(0u, 1u, (word >> fill.shifts.y) < fill.range.x);
}

/// Integers of up to 32 bits: the remainder of the word, plus the lower bound. A range of 0 is that of all words, which
/// are then their own remainders.
fn element_i32(word: u32) -> u32 {
    var rest = word;
    if fill.range.x != 0u {
        rest = word % fill.range.x;
    }
    return rest + fill.min.x;
}

/// i64 of two words: the remainder of both as one number, plus the lower bound. A range of 0 is that of all numbers.
fn element_i64(first: u32, second: u32) -> vec2<u32> {
    let x = ordered(first, second);
    var rest = x;
    if any(fill.range != vec2<u32>(0u)) {
        rest = remainder64(x, fill.range, fill.reciprocal);
    }
    return add64(rest, fill.min);
}

/// i64 of one word: a word is its own remainder where the range is above all words.
fn element_one_word_i64(word: u32) -> vec2<u32> {
    var rest = word;
    if fill.range.y == 0u {
        rest = word % fill.range.x;
    }
    return add64(vec2<u32>(rest, 0u), fill.min);
}
