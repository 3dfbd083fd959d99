/* A Seedproof adapter. Replace `words` with your implementation, and say in sp_hello what it has.
 *
 * Build:  cc -std=c11 -O2 -o adapter adapter.c     (also valid C++17: c++ -std=c++17 -O2 -o adapter adapter.cpp)
 * Try it: seedproof smoke --adapter ./adapter
 * Run it: seedproof run --adapter ./adapter */
#include "seedproof_adapter.h"

/* What is not named is not restricted. What is announced must be answered.
 * Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
 * ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}). */
const char *sp_hello(void) {
    return "\"implementation\":{\"name\":\"my-implementation\",\"version\":\"0.1\",\"language\":\"c\"},"
           "\"capabilities\":[{\"op\":\"directml.RandomGenerator\",\"type\":[\"PHILOX_4X32_10\"],"
           "\"features\":[\"output_state\"]}]";
}

/* Philox4x32-10: four words of one block. */
static void block(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]) {
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
    for (int round = 0; round < 10; round++) {
        uint64_t p = (uint64_t)0xD2511F53 * c0, q = (uint64_t)0xCD9E8D57 * c2;
        c0 = (uint32_t)(q >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)q;
        c2 = (uint32_t)(p >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* Yours: `count` words from `counter` on; leaves the counter after the last block. */
static void words(uint32_t counter[4], const uint32_t key[2], uint32_t *out, size_t count) {
    for (size_t done = 0; done < count; done += 4) {
        uint32_t drawn[4];
        block(counter, key, drawn);
        for (size_t i = 0; i < 4 && done + i < count; i++) out[done + i] = drawn[i];
        for (int i = 0; i < 4 && ++counter[i] == 0; i++) {
        }
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
    uint32_t counter[6];
    memcpy(counter, state.data, sizeof counter);
    uint32_t *out = (uint32_t *)sp_output(reply, "output", "u32", rank, sizes);
    if (!out) return;
    words(counter, counter + 4, out, reply->tensors[0].count);
    if (sp_flag(request, "output_state")) {
        void *after = sp_output(reply, "output_state", "u32", state.rank, state.dims);
        if (after) memcpy(after, counter, sizeof counter);
    }
}
