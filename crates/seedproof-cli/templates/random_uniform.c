/* A Seedproof adapter. Replace `sp_philox` with your generator, or `draw` with your operator, and say in sp_hello what
 * it has.
 *
 * Build:  cc -std=c11 -O2 -ffp-contract=off -o adapter adapter.c     (else the compiler may fuse the scale)
 * Try it: seedproof smoke --adapter ./adapter
 * Run it: seedproof run --adapter ./adapter */
#include "seedproof_adapter.h"
#include "generators.h"

#include <time.h>

/* What is not named is not restricted. What is announced must be answered.
 * Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
 * ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}). */
const char *sp_hello(void) {
    return "\"implementation\":{\"name\":\"my-implementation\",\"version\":\"0.1\",\"language\":\"c\"},"
           "\"capabilities\":[{\"op\":\"openvino.RandomUniform-8\",\"alignment\":[\"TENSORFLOW\"],"
           "\"output_type\":[\"f32\"]}]";
}

/* Yours: numbers in [minval, maxval), each operation rounded to f32. */
static void draw(uint64_t global_seed, uint64_t op_seed, float minval, float maxval, float *out, size_t count) {
    uint32_t words[4] = {0};
    for (size_t i = 0; i < count; i++) {
        if (i % 4 == 0) sp_philox(i / 4, op_seed, global_seed, words);
        uint32_t bits = 0x3F800000 | (words[i % 4] & 0x7FFFFF);
        float unit;
        memcpy(&unit, &bits, sizeof unit);
        out[i] = (unit - 1.0f) * (maxval - minval) + minval;
    }
}

/* Reads the output's extents; returns 0 after a refusal. */
static int extents(const sp_request *request, sp_reply *reply, uint64_t *dims, size_t *rank) {
    sp_tensor shape;
    if (!sp_input(request, "shape", &shape) || (strcmp(shape.dtype, "i32") && strcmp(shape.dtype, "i64"))) {
        sp_reject(reply, "dtype", "shape must be i32 or i64");
        return 0;
    }
    *rank = shape.count;
    int fits = shape.rank == 1 && shape.count <= SP_MAX_RANK;
    for (size_t i = 0; fits && i < shape.count; i++) {
        dims[i] = sp_take(shape.data + i * (shape.bytes / shape.count), (int)(shape.bytes / shape.count));
        fits = !(dims[i] >> (8 * (shape.bytes / shape.count) - 1));
    }
    if (!fits) sp_reject(reply, "shape", "shape must be a list of extents that are not negative");
    return fits;
}

/* Reads a bound; returns 0 after a refusal. */
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
    if (!global_seed && !op_seed) global_seed = (uint64_t)time(NULL) << 20 | ++draws; /* any numbers, others each time */
    float *out = (float *)sp_output(reply, "output", "f32", rank, dims);
    if (out) draw(global_seed, op_seed, minval, maxval, out, reply->tensors[0].count);
}
