// From words to elements: the twin of `rule` in the CPU backend.
//
// An alignment is a number of digits and a flag. TENSORFLOW takes as many low bits of a word as the type has
// mantissa bits, PYTORCH one more; either way they are an integer divided by its power of two.

/// The scale from the unit interval: `x * range + min`, rounded after each operation.
fn scale32(x: u32, range: u32, min: u32) -> u32 {
    return f32_add(f32_mul(x, range), min);
}

/// [`scale32`] in pairs of words.
fn scale64(x: vec2<u32>, range: vec2<u32>, min: vec2<u32>) -> vec2<u32> {
    return f64_add(f64_mul(x, range), min);
}

/// A number of the unit interval from the low bits of a word.
fn narrow(word: u32, digits: u32) -> u32 {
    return f32_fraction(word & ((1u << digits) - 1u), digits);
}

/// A double from two words, the more significant first, and more than 32 digits.
fn wide(first: u32, second: u32, digits: u32) -> vec2<u32> {
    return f64_fraction(vec2<u32>(second, first & ((1u << (digits - 32u)) - 1u)), digits);
}

fn single(word: u32) -> u32 {
    return scale32(narrow(word, fill.digits), fill.range.x, fill.min.x);
}

fn double(first: u32, second: u32) -> vec2<u32> {
    return scale64(wide(first, second, fill.digits), fill.range, fill.min);
}

/// f16, computed in binary32, which holds a unit value and its product exactly. TENSORFLOW rounds the product to
/// the type, PYTORCH only the sum.
fn half(word: u32) -> u32 {
    var product = f32_mul(narrow(word, fill.digits), fill.range.x);
    if fill.tensorflow != 0u {
        product = f32_from_f16(f16_from_f32(product));
    }
    return f16_from_f32(f32_add(product, fill.min.x));
}

/// bf16, as [`half`].
fn brain(word: u32) -> u32 {
    var product = f32_mul(narrow(word, fill.digits), fill.range.x);
    if fill.tensorflow != 0u {
        product = f32_from_bf16(bf16_from_f32(product));
    }
    return bf16_from_f32(f32_add(product, fill.min.x));
}

/// i32: the remainder of the word, plus the lower bound.
fn int32(word: u32) -> u32 {
    return word % fill.range.x + fill.min.x;
}

/// i64 of two words: the remainder of both as one number, plus the lower bound. TENSORFLOW has the less
/// significant word first, PYTORCH the more significant.
fn int64(first: u32, second: u32) -> vec2<u32> {
    let x = select(vec2<u32>(second, first), vec2<u32>(first, second), fill.tensorflow != 0u);
    return add64(remainder64(x, fill.range, fill.reciprocal), fill.min);
}

/// i64 of one word: a word is its own remainder where the range is above all words.
fn one_word_int64(word: u32) -> vec2<u32> {
    var rest = word;
    if fill.range.y == 0u {
        rest = word % fill.range.x;
    }
    return add64(vec2<u32>(rest, 0u), fill.min);
}
