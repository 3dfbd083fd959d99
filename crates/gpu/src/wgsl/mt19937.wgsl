// MT19937: 624 words of state, made anew each time they are used up. The twin of `mt19937.rs` in the CPU
// backend. One workgroup makes a stream: of a generation's words, 227 at a time depend on none of each other.

/// Words of state.
const N: u32 = 624u;
/// The distance of the third word that makes a new one.
const M: u32 = 397u;
/// The word that enters a new one by exclusive or if the bit shifted out of it is set.
const MATRIX: u32 = 0x9908b0dfu;

struct Stream {
    /// The seed, where `begun` is 0.
    seed: u32,
    /// 1 if `state` holds the state after the words already made.
    begun: u32,
    /// Generations to make, each of 624 words.
    generations: u32,
    padding: u32,
}

@group(0) @binding(0) var<uniform> stream: Stream;
@group(0) @binding(1) var<storage, read_write> words: array<u32>;
@group(0) @binding(2) var<storage, read_write> state: array<u32>;

/// The state and its successor, which take turns.
var<workgroup> states: array<u32, 1248>;

/// Writes the first state.
fn seeding(seed: u32) {
    var previous = seed;
    states[0] = seed;
    for (var i = 1u; i < N; i++) {
        previous = 1812433253u * (previous ^ (previous >> 30u)) + i;
        states[i] = previous;
    }
}

/// A new word of state from the word it replaces, the one after that, and the one `M` after.
fn twist(current: u32, next: u32, far: u32) -> u32 {
    let joined = (current & 0x80000000u) | (next & 0x7fffffffu);
    let matrix = select(MATRIX, 0u, (next & 1u) == 0u);
    return far ^ (joined >> 1u) ^ matrix;
}

/// A word of output from a word of state.
fn temper(word: u32) -> u32 {
    var y = word;
    y ^= y >> 11u;
    y ^= (y << 7u) & 0x9d2c5680u;
    y ^= (y << 15u) & 0xefc60000u;
    return y ^ (y >> 18u);
}

/// Makes word `i` of a generation. `old` and `fresh` are where the two states begin.
fn make(i: u32, old: u32, fresh: u32, generation: u32) {
    var next = states[old + min(i + 1u, N - 1u)];
    if i == N - 1u {
        next = states[fresh];
    }
    var far = states[old + min(i + M, N - 1u)];
    if i >= N - M {
        far = states[fresh + i - (N - M)];
    }
    let made = twist(states[old + i], next, far);
    states[fresh + i] = made;
    words[generation * N + i] = temper(made);
}

@compute @workgroup_size(256)
fn generate(@builtin(local_invocation_index) lane: u32) {
    if stream.begun == 0u {
        if lane == 0u {
            seeding(stream.seed);
        }
    } else {
        for (var i = lane; i < N; i += 256u) {
            states[i] = state[i];
        }
    }
    workgroupBarrier();
    var old = 0u;
    for (var generation = 0u; generation < stream.generations; generation++) {
        let fresh = N - old;
        if lane < N - M {
            make(lane, old, fresh, generation);
        }
        workgroupBarrier();
        if lane < N - M {
            make(N - M + lane, old, fresh, generation);
        }
        workgroupBarrier();
        if lane < N - 2u * (N - M) {
            make(2u * (N - M) + lane, old, fresh, generation);
        }
        workgroupBarrier();
        old = fresh;
    }
    for (var i = lane; i < N; i += 256u) {
        state[i] = states[old + i];
    }
}
