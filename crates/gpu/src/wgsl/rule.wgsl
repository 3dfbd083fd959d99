// From words to elements: the twin of `rule` in the CPU backend.
//
// An alignment is a number of digits and a flag. TENSORFLOW takes as many low bits of a word as the type has
// mantissa bits, PYTORCH one more; either way they are an integer divided by its power of two.

/// A number of the unit interval from the low bits of a word.
fn narrow(digits: u32, word: u32) -> u32 {
    return f32_fraction(word & ((1u << digits) - 1u), digits);
}

/// A double from two words, the more significant first, and more than 32 digits.
fn wide(digits: u32, first: u32, second: u32) -> vec2<u32> {
    return f64_fraction(vec2<u32>(second, first & ((1u << (digits - 32u)) - 1u)), digits);
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

fn element_f64(first: u32, second: u32) -> vec2<u32> {
    let x = wide(fill.digits, first, second);
    return scale64(x, fill.range, fill.min);
}

/// f16, computed in binary32, which holds a unit value and its product exactly. TENSORFLOW rounds the product
/// to the type, PYTORCH only the sum.
fn element_f16(word: u32) -> u32 {
    let x = narrow(fill.digits, word);
    var product = f32_mul(x, fill.range.x);
    if fill.tensorflow != 0u {
        product = f32_from_f16(f16_from_f32(product));
    }
    let sum = f32_add(product, fill.min.x);
    return f16_from_f32(sum);
}

/// bf16, as [`element_f16`].
fn element_bf16(word: u32) -> u32 {
    let x = narrow(fill.digits, word);
    var product = f32_mul(x, fill.range.x);
    if fill.tensorflow != 0u {
        product = f32_from_bf16(bf16_from_f32(product));
    }
    let sum = f32_add(product, fill.min.x);
    return bf16_from_f32(sum);
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

/// i64 of two words: the remainder of both as one number, plus the lower bound. TENSORFLOW has the less
/// significant word first, PYTORCH the more significant. A range of 0 is that of all numbers.
fn element_i64(first: u32, second: u32) -> vec2<u32> {
    let x = select(vec2<u32>(second, first), vec2<u32>(first, second), fill.tensorflow != 0u);
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
