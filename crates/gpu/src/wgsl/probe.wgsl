// The number of steps that a driver lets a loop take.

struct Probe {
    steps: u32,
    padding0: u32,
    padding1: u32,
    padding2: u32,
}

@group(0) @binding(0) var<uniform> probe: Probe;
@group(0) @binding(1) var<storage, read_write> taken: array<u32>;

@compute @workgroup_size(1)
fn count() {
    var x = 1u;
    var steps = 0u;
    for (var i = 0u; i < probe.steps; i++) {
        // A generator's step, so that no compiler counts without stepping.
        x = x * 1664525u + 1013904223u;
        steps += 1u + (x & 0u);
    }
    taken[0] = steps;
    taken[1] = x;
}
