// Sampling of classes by their weights, in binary64: running sums, the search for the class of a draw, and
// the shares that shrink with every draw. The twin of `multinomial` in the CPU backend. Exponentials are not
// here: the host takes them.

struct Rows {
    /// Rows.
    rows: u32,
    /// Classes of each.
    classes: u32,
    /// Samples of each row.
    samples: u32,
    /// `sum`: the first class; `find`: the first sample, counted in its row; `shrink`: the first sample of
    /// each row.
    start: u32,
    /// One more than the last.
    end: u32,
    /// Draws that lie before the first one.
    skipped: u32,
    /// `find`: the row that `start` is counted in.
    first_row: u32,
    padding: u32,
}

@group(0) @binding(0) var<uniform> rows: Rows;
/// Weights, row-major. Zero once the class is drawn without replacement.
@group(0) @binding(1) var<storage, read_write> weights: array<vec2<u32>>;
/// Running sums, then shares.
@group(0) @binding(2) var<storage, read_write> sums: array<vec2<u32>>;
/// Draws.
@group(0) @binding(3) var<storage, read> draws: array<vec2<u32>>;
/// The first class of each row whose weight is not zero.
@group(0) @binding(4) var<storage, read> firsts: array<u32>;
/// Classes drawn, row-major.
@group(0) @binding(5) var<storage, read_write> drawn: array<u32>;
/// Rows whose sum is zero or infinite.
@group(0) @binding(6) var<storage, read_write> wrong: array<atomic<u32>>;

/// The running sums of the classes from `start` to `end`, a row each.
@compute @workgroup_size(64)
fn sum(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= rows.rows {
        return;
    }
    let row = id.x * rows.classes;
    var total = vec2<u32>(0u, 0u);
    if rows.start > 0u {
        total = sums[row + rows.start - 1u];
    }
    for (var i = rows.start; i < rows.end; i++) {
        total = f64_add(total, weights[row + i]);
        sums[row + i] = total;
    }
    if rows.end == rows.classes && (f64_is_zero(total) || f64_is_infinite(total) || f64_is_nan(total)) {
        atomicAdd(&wrong[0], 1u);
    }
}

/// Divides the sums by their row's last but for that last itself, which the others are divided by.
@compute @workgroup_size(64)
fn divide(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < rows.rows * rows.classes; i += 64u * groups.x) {
        let last = i - i % rows.classes + rows.classes - 1u;
        if i != last {
            sums[i] = f64_div(sums[i], sums[last]);
        }
    }
}

/// Divides each row's last sum by itself.
@compute @workgroup_size(64)
fn divide_last(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < rows.rows {
        let last = id.x * rows.classes + rows.classes - 1u;
        sums[last] = f64_div(sums[last], sums[last]);
    }
}

/// With replacement: the first class whose share is not below the draw. Shares do not decrease.
@compute @workgroup_size(64)
fn find(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var i = id.x; i < rows.end - rows.start; i += 64u * groups.x) {
        let draw = draws[rows.skipped + i];
        let row = rows.first_row + (rows.start + i) / rows.samples;
        var start = 0u;
        var end = rows.classes - 1u;
        while start < end {
            let middle = (start + end) / 2u;
            if f64_at_most(draw, sums[row * rows.classes + middle]) {
                end = middle;
            } else {
                start = middle + 1u;
            }
        }
        // A draw of zero is not above the share of classes that weigh nothing.
        drawn[i] = max(start, firsts[row]);
    }
}

/// The first class whose share is not below the draw.
var<workgroup> first: atomic<u32>;
/// One more than the last class that can be drawn.
var<workgroup> last: atomic<u32>;
/// The class drawn, for all.
var<workgroup> chosen: u32;

/// Without replacement: a workgroup draws the samples from `start` to `end` of one row. What a draw does to a
/// share depends on that share alone. Shares need not stay sorted, so that the first match is searched for.
@compute @workgroup_size(256)
fn shrink(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let row = group.x * rows.classes;
    for (var sample = rows.start; sample < rows.end; sample++) {
        let draw = draws[rows.skipped + group.x * rows.samples + sample];
        if lane == 0u {
            atomicStore(&first, rows.classes);
            atomicStore(&last, 0u);
        }
        workgroupBarrier();
        var lane_first = rows.classes;
        var lane_last = 0u;
        for (var i = lane; i < rows.classes; i += 256u) {
            if !f64_is_zero(weights[row + i]) {
                lane_last = i + 1u;
                if lane_first == rows.classes && f64_at_most(draw, sums[row + i]) {
                    lane_first = i;
                }
            }
        }
        atomicMin(&first, lane_first);
        atomicMax(&last, lane_last);
        workgroupBarrier();
        if lane == 0u {
            var picked = atomicLoad(&first);
            if picked == rows.classes {
                // There is one: no more samples than classes with a weight.
                picked = max(atomicLoad(&last), 1u) - 1u;
            }
            chosen = picked;
            drawn[group.x * rows.samples + sample] = picked;
        }
        let picked = workgroupUniformLoad(&chosen);
        var before = vec2<u32>(0u, 0u);
        if picked > 0u {
            before = sums[row + picked - 1u];
        }
        let probability = f64_sub(sums[row + picked], before);
        let divisor = f64_sub(sums[row + rows.classes - 1u], probability);
        storageBarrier();
        workgroupBarrier();
        for (var i = lane; i < rows.classes; i += 256u) {
            var share = sums[row + i];
            if i >= picked {
                share = f64_sub(share, probability);
            }
            sums[row + i] = f64_div(share, divisor);
        }
        if lane == picked % 256u {
            weights[row + picked] = vec2<u32>(0u, 0u);
        }
        storageBarrier();
        workgroupBarrier();
    }
}
