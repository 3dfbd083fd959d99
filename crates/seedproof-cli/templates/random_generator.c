/* A Seedproof adapter. Replace `words` with your implementation, and say in sp_hello what it has.
 *
 * Build:  cc -std=c11 -O2 -o adapter adapter.c     (also valid C++17: c++ -std=c++17 -O2 -o adapter adapter.cpp)
 * Try it: seedproof smoke --adapter ./adapter
 * Run it: seedproof run --adapter ./adapter */
#include "seedproof_adapter.h"
#include "generators.h"

/* What is not named is not restricted. What is announced must be answered.
 * Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
 * ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}). */
const char *sp_hello(void) {
    return "\"implementation\":{\"name\":\"my-implementation\",\"version\":\"0.1\",\"language\":\"c\"},"
           "\"capabilities\":[{\"op\":\"directml.RandomGenerator\",\"type\":[\"PHILOX_4X32_10\"],"
           "\"features\":[\"output_state\"]}]";
}

/* Yours: `count` words from the counter of a state on; leaves the counter after the last block. The state is the halves
 * of the counter and the key. */
static void words(uint64_t state[3], uint32_t *out, size_t count) {
    for (size_t done = 0; done < count; done += 4) {
        uint32_t drawn[4];
        sp_philox(state[0], state[1], state[2], drawn);
        for (size_t i = 0; i < 4 && done + i < count; i++) out[done + i] = drawn[i];
        if (++state[0] == 0) ++state[1];
    }
}

void sp_run(const sp_request *request, sp_reply *reply) {
    uint64_t sizes[SP_MAX_RANK];
    size_t rank = sp_sizes(request, "output_sizes", sizes);
    const char *level = sp_text(request, "feature_level");
    int level_3 = !strcmp(level, "3.0"), shape_ok = rank >= 1 && rank <= (level_3 ? 4 : 8) && (rank == 4 || !level_3);
    sp_tensor state;
    if (strcmp(sp_text(request, "type"), "PHILOX_4X32_10") || (!level_3 && strcmp(level, "4.0"))) {
        sp_reject(reply, "attribute", "an unknown type or feature level");
        return;
    }
    if (!sp_input(request, "input_state", &state) || strcmp(state.dtype, "u32")) {
        sp_reject(reply, "dtype", "the state must be u32");
        return;
    }
    if (state.count != 6 || state.rank < 1 || state.rank > 8 || state.dims[state.rank - 1] != 6 ||
        (level_3 && state.rank != 4)) {
        sp_reject(reply, "state", "the state must have the sizes 1, ..., 1, 6");
        return;
    }
    for (size_t i = 0; i < rank; i++) shape_ok = shape_ok && sizes[i] != 0;
    if (!shape_ok) {
        sp_reject(reply, "shape", "the output must have dimensions that are not zero");
        return;
    }
    uint64_t halves[3];
    memcpy(halves, state.data, sizeof halves);
    uint32_t *out = (uint32_t *)sp_output(reply, "output", "u32", rank, sizes);
    if (!out) return;
    words(halves, out, reply->tensors[0].count);
    if (sp_flag(request, "output_state")) {
        void *after = sp_output(reply, "output_state", "u32", state.rank, state.dims);
        if (after) memcpy(after, halves, sizeof halves);
    }
}
