// A Seedproof adapter. Replace `sp_philox` with your generator, or `draw` with your operator, and say in sp_hello what
// it has.
//
// Build:  c++ -std=c++17 -O2 -ffp-contract=off -o adapter adapter.cpp     (else the compiler may fuse the scale)
// Try it: seedproof smoke --adapter ./adapter
// Run it: seedproof run --adapter ./adapter
#include "seedproof_adapter.h"
#include "generators.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

// What is not named is not restricted. What is announced must be answered.
// Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
// ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
const char *sp_hello() {
    return R"("implementation": {"name": "my-implementation", "version": "0.1", "language": "c++"}, )"
           R"("capabilities": [{"op": "openvino.RandomUniform-8", "alignment": ["TENSORFLOW"], "output_type": ["f32"]}])";
}

/// Yours: numbers in [minval, maxval), each operation rounded to f32.
void draw(uint64_t global_seed, uint64_t op_seed, float minval, float maxval, float *out, size_t count) {
    std::array<uint32_t, 4> words{};
    for (size_t i = 0; i < count; i++) {
        if (i % 4 == 0) sp_philox(i / 4, op_seed, global_seed, words.data());
        const uint32_t bits = 0x3F800000 | (words[i % 4] & 0x7FFFFF);
        float unit;
        std::memcpy(&unit, &bits, sizeof unit);
        out[i] = (unit - 1.0f) * (maxval - minval) + minval;
    }
}

/// A request that the op refuses.
struct Rejected : std::runtime_error {
    Rejected(const char *kind, const char *reason) : std::runtime_error(reason), kind(kind) {}
    const char *kind;
};

sp_tensor input(const sp_request *request, const char *name) {
    sp_tensor tensor;
    if (!sp_input(request, name, &tensor)) throw std::runtime_error(std::string("no input ") + name);
    return tensor;
}

template <class Integer> std::vector<uint64_t> extents(const sp_tensor &shape) {
    if (shape.rank != 1) throw Rejected("shape", "shape must have one dimension");
    std::vector<Integer> dims(shape.count);
    std::copy_n(shape.data, shape.bytes, reinterpret_cast<unsigned char *>(dims.data()));
    for (Integer dim : dims)
        if (dim < 0) throw Rejected("shape", "an extent is negative");
    return {dims.begin(), dims.end()};
}

float bound(const sp_tensor &tensor) {
    if (tensor.dtype != std::string("f32")) throw Rejected("dtype", "the bounds must have the output's type");
    if (tensor.count != 1 || tensor.rank > 1) throw Rejected("shape", "a bound must have the shape [] or [1]");
    float value;
    std::memcpy(&value, tensor.data, sizeof value);
    return value;
}

void run(const sp_request *request, sp_reply *reply) {
    const sp_tensor shape = input(request, "shape");
    const std::string type = shape.dtype;
    if (type != "i32" && type != "i64") throw Rejected("dtype", "shape must be i32 or i64");
    const auto dims = type == "i32" ? extents<int32_t>(shape) : extents<int64_t>(shape);
    const float minval = bound(input(request, "minval")), maxval = bound(input(request, "maxval"));
    if (!(minval < maxval)) throw Rejected("range", "minval must be less than maxval");
    uint64_t global_seed = sp_seed(request, "global_seed");
    const uint64_t op_seed = sp_seed(request, "op_seed");
    if (global_seed == 0 && op_seed == 0) global_seed = std::random_device()(); // any numbers, others each time
    void *out = sp_output(reply, "output", "f32", dims.size(), dims.data());
    if (out) draw(global_seed, op_seed, minval, maxval, static_cast<float *>(out), reply->tensors[0].count);
}

void sp_run(const sp_request *request, sp_reply *reply) {
    try {
        run(request, reply);
    } catch (const Rejected &refusal) {
        sp_reject(reply, refusal.kind, refusal.what());
    }
}
