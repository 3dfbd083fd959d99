/* RandomUniform-8, TENSORFLOW, f32, in C: right without BUG, and with one letter of BUG wrong as a kernel that a person
 * wrote by hand is. `fifteen.json` says what each letter does. Build: cc -O1 -ffp-contract=off fifteen.c -lm */
#include "../adapters/seedproof_adapter.h"
#include "../../crates/seedproof-cli/templates/generators.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

static char bug;

const char *sp_hello(void) {
    const char *name = getenv("BUG");
    bug = name ? name[0] : 0;
    return "\"implementation\":{\"name\":\"fifteen\",\"version\":\"1\",\"language\":\"c\"},"
           "\"capabilities\":[{\"op\":\"openvino.RandomUniform-8\",\"alignment\":[\"TENSORFLOW\"],"
           "\"output_type\":[\"f32\"]}]";
}

static float as_float(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The nearest bf16, as f32. */
static float through_bf16(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return as_float((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000u);
}

/* The word of the stream that element i takes. */
static size_t place(size_t i, size_t n, size_t row) {
    size_t slice = (n + 3) / 4, body = n - n % 64;
    switch (bug) {
    case 'b': return i / slice * slice / 4 * 4 + i % slice;            /* four cores */
    case 'g': return i < n - n % 32 ? i - i % 32 + i % 8 * 4 + i % 32 / 8 : i; /* planar lanes */
    case 'i': return i / 4096 * 4 + i % 4096;                          /* a tile begins at the block of its index */
    case 'k': return i >= n - n % 4 ? i + 4 : i;                       /* the last partial block */
    case 'm': return i & 0xFFFF;                                       /* a 16-bit index */
    case 'n': return i >= body ? i - body : i;                         /* the tail restarts */
    case 'u': return i / 256 % 2 ? i - 256 : i;                        /* double buffering, one buffer */
    case 'v': return row ? i / row * ((row + 7) / 8 * 8) + i % row : i; /* padded rows */
    case 'w':                                                          /* nChw16c read as plain */
        if (!row || row % 16) return i;
        return i / 16 % (n / row) * row + i / 16 / (n / row) * 16 + i % 16;
    default: return i;
    }
}

static void draw(uint64_t global_seed, uint64_t op_seed, float minval, float maxval, float *out, size_t n, size_t row) {
    if (bug == 'h') global_seed &= 0xFFFFFFFFu;
    if (bug == 'l') minval = through_bf16(minval);
    float range = maxval - minval;
    for (size_t i = 0; i < n; i++) {
        uint32_t words[4];
        size_t at = place(i, n, row);
        sp_philox(at / 4, op_seed, global_seed, words);
        uint32_t word = words[at % 4];
        float one_to_two = as_float(0x3F800000 | (bug == 'j' && n > 1024 ? word >> 9 : word & 0x7FFFFF));
        float unit = one_to_two - 1.0f;
        if (bug == 'p' && n < 16) unit = through_bf16(unit);
        if (bug == 'f') out[i] = one_to_two * range + (minval - range);
        else if (bug == 'r' && i < n - n % 8) out[i] = fmaf(unit, range, minval);
        else out[i] = unit * range + minval;
    }
}

static int extents(const sp_request *request, sp_reply *reply, uint64_t *dims, size_t *rank) {
    sp_tensor shape;
    if (!sp_input(request, "shape", &shape) || (strcmp(shape.dtype, "i32") && strcmp(shape.dtype, "i64"))) {
        sp_reject(reply, "dtype", "shape must be i32 or i64");
        return 0;
    }
    *rank = shape.count;
    int fits = shape.rank == 1 && shape.count <= SP_MAX_RANK;
    for (size_t i = 0; fits && i < shape.count; i++) {
        size_t width = shape.bytes / shape.count;
        dims[i] = sp_take(shape.data + i * width, (int)width);
        fits = !(dims[i] >> (8 * width - 1));
    }
    if (!fits) sp_reject(reply, "shape", "shape must be a list of extents that are not negative");
    return fits;
}

static int bound(const sp_request *request, sp_reply *reply, const char *name, float *value) {
    sp_tensor tensor;
    if (!sp_input(request, name, &tensor) || strcmp(tensor.dtype, "f32")) {
        sp_reject(reply, "dtype", "the bounds must have the output's type");
        return 0;
    }
    if (tensor.count != 1 || tensor.rank > 1) {
        sp_reject(reply, "shape", "a bound must have the shape [] or [1]");
        return 0;
    }
    memcpy(value, tensor.data, sizeof *value);
    return 1;
}

void sp_run(const sp_request *request, sp_reply *reply) {
    uint64_t dims[SP_MAX_RANK], global_seed = sp_seed(request, "global_seed"), op_seed = sp_seed(request, "op_seed");
    size_t rank;
    float minval, maxval;
    if (!extents(request, reply, dims, &rank) || !bound(request, reply, "minval", &minval) ||
        !bound(request, reply, "maxval", &maxval))
        return;
    if (!(minval < maxval)) {
        sp_reject(reply, "range", "minval must be less than maxval");
        return;
    }
    static uint64_t draws;
    if (!global_seed && !op_seed) global_seed = (uint64_t)time(NULL) << 20 | ++draws;
    float *out = (float *)sp_output(reply, "output", "f32", rank, dims);
    if (out) draw(global_seed, op_seed, minval, maxval, out, reply->tensors[0].count, rank ? dims[rank - 1] : 0);
}
