// RandomUniform-8 on anybody's stream of 32-bit words, in the arithmetic of the C++ compiler, and the rules of
// DirectML's RandomGenerator: for the adapters of generators that have no such ops. Build with -ffp-contract=off, or
// the compiler fuses the scale.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

#include "seedproof_adapter.h"

/// global_seed; random when both seeds are zero.
inline uint64_t global_seed(const sp_request *request) {
    uint64_t seed = sp_seed(request, "global_seed");
    return seed || sp_seed(request, "op_seed") ? seed : std::random_device()();
}

template <class T> T scalar(const sp_tensor &tensor) {
    T value{};
    std::memcpy(&value, tensor.data, sizeof value);
    return value;
}

template <class T> void store(void *out, size_t index, T value) {
    std::memcpy(static_cast<char *>(out) + index * sizeof value, &value, sizeof value);
}

/// The extents, or false after a refusal.
inline bool extents(const sp_request *request, sp_reply *reply, uint64_t *dims, size_t &rank) {
    sp_tensor shape;
    if (!sp_input(request, "shape", &shape) || (std::strcmp(shape.dtype, "i32") && std::strcmp(shape.dtype, "i64"))) {
        sp_reject(reply, "dtype", "shape must be i32 or i64");
        return false;
    }
    rank = shape.count;
    for (size_t i = 0; shape.rank == 1 && rank <= SP_MAX_RANK && i < rank; i++) {
        int64_t dim = 0;
        if (shape.dtype[1] == '3') {
            int32_t narrow;
            std::memcpy(&narrow, shape.data + 4 * i, 4);
            dim = narrow;
        } else {
            std::memcpy(&dim, shape.data + 8 * i, 8);
        }
        if (dim < 0) rank = SP_MAX_RANK + 1;
        else dims[i] = uint64_t(dim);
    }
    if (shape.rank == 1 && rank <= SP_MAX_RANK) return true;
    sp_reject(reply, "shape", "shape must be a list of extents that are not negative");
    return false;
}

/// The bounds, or false after a refusal.
template <class T> bool bounds(const sp_request *request, sp_reply *reply, T &low, T &high) {
    sp_tensor minval, maxval;
    const char *type = sp_text(request, "output_type");
    if (!sp_input(request, "minval", &minval) || !sp_input(request, "maxval", &maxval) ||
        std::strcmp(minval.dtype, type) || std::strcmp(maxval.dtype, type)) {
        sp_reject(reply, "dtype", "the bounds must have the output's type");
        return false;
    }
    for (const sp_tensor *bound : {&minval, &maxval})
        if (bound->count != 1 || bound->rank > 1) {
            sp_reject(reply, "shape", "the bounds must be scalars or lists of one");
            return false;
        }
    low = scalar<T>(minval);
    high = scalar<T>(maxval);
    if (low < high) return true;
    sp_reject(reply, "range", "minval must be less than maxval");
    return false;
}

template <class T> T *output(const sp_request *request, sp_reply *reply, T &low, T &high, size_t &count) {
    uint64_t dims[SP_MAX_RANK];
    size_t rank;
    if (!extents(request, reply, dims, rank) || !bounds(request, reply, low, high)) return nullptr;
    void *out = sp_output(reply, "output", sp_text(request, "output_type"), rank, dims);
    count = reply->outputs ? reply->tensors[0].count : 0;
    return static_cast<T *>(out);
}

/// i32 in either alignment: the remainder of one word.
template <class Next> void uniform_i32(const sp_request *request, sp_reply *reply, Next next) {
    size_t count = 0;
    int32_t low, high, *out = output(request, reply, low, high, count);
    for (size_t i = 0; out && i < count; i++)
        store(out, i, int32_t(next() % (uint32_t(high) - uint32_t(low)) + uint32_t(low)));
}

/// TENSORFLOW: mantissa bits under the exponent of one. `next()` is the next word; a 64-bit element takes two.
template <class Next> void uniform_tensorflow(const sp_request *request, sp_reply *reply, Next next) {
    const char *type = sp_text(request, "output_type");
    size_t count = 0;
    if (!std::strcmp(type, "f32")) {
        float low, high, *out = output(request, reply, low, high, count);
        for (size_t i = 0; out && i < count; i++) {
            uint32_t bits = 0x3f800000u | (next() & 0x7fffffu);
            float unit;
            std::memcpy(&unit, &bits, 4);
            store(out, i, (unit - 1.0f) * (high - low) + low);
        }
    } else if (!std::strcmp(type, "f64")) {
        double low, high, *out = output(request, reply, low, high, count);
        for (size_t i = 0; out && i < count; i++) {
            uint64_t first = next(), second = next(), bits = 0x3ffull << 52 | (first & 0xfffff) << 32 | second;
            double unit;
            std::memcpy(&unit, &bits, 8);
            store(out, i, (unit - 1.0) * (high - low) + low);
        }
    } else if (!std::strcmp(type, "i32")) {
        uniform_i32(request, reply, next);
    } else if (!std::strcmp(type, "i64")) {
        int64_t low, high, *out = output(request, reply, low, high, count);
        for (size_t i = 0; out && i < count; i++) {
            uint64_t first = next(), second = next();
            store(out, i, int64_t((second << 32 | first) % (uint64_t(high) - uint64_t(low)) + uint64_t(low)));
        }
    } else {
        sp_reject(reply, "attribute", "output_type");
    }
}

/// PYTORCH: the low bits divided by their power of two; the first of two words is the high half.
template <class Next> void uniform_pytorch(const sp_request *request, sp_reply *reply, Next next) {
    const char *type = sp_text(request, "output_type");
    size_t count = 0;
    if (!std::strcmp(type, "f32")) {
        float low, high, *out = output(request, reply, low, high, count);
        for (size_t i = 0; out && i < count; i++)
            store(out, i, float(next() & 0xffffffu) * 0x1p-24f * (high - low) + low);
    } else if (!std::strcmp(type, "f64")) {
        double low, high, *out = output(request, reply, low, high, count);
        for (size_t i = 0; out && i < count; i++) {
            uint64_t first = next(), second = next();
            store(out, i, double((first << 32 | second) & ((1ull << 53) - 1)) * 0x1p-53 * (high - low) + low);
        }
    } else if (!std::strcmp(type, "i32")) {
        uniform_i32(request, reply, next);
    } else if (!std::strcmp(type, "i64")) {
        int64_t low, high, *out = output(request, reply, low, high, count);
        uint64_t span = out ? uint64_t(high) - uint64_t(low) : 1;
        bool one_word = out && low <= 0xffffffffll && high <= 0xffffffffll;
        for (size_t i = 0; out && i < count; i++) {
            uint64_t first = next();
            if (one_word) {
                // The signed remainder of C; no word is the least number, so that it cannot overflow.
                store(out, i, int64_t(uint64_t(int64_t(first) % int64_t(span)) + uint64_t(low)));
            } else {
                uint64_t second = next();
                store(out, i, int64_t((first << 32 | second) % span + uint64_t(low)));
            }
        }
    } else {
        sp_reject(reply, "attribute", "output_type");
    }
}

/// DirectML's RandomGenerator: where its output goes, with the state (counter, then key, least significant word first)
/// in `words`; null after a refusal.
inline uint32_t *generator_output(const sp_request *request, sp_reply *reply, sp_tensor &state, uint32_t *words) {
    uint64_t sizes[SP_MAX_RANK];
    size_t rank = sp_sizes(request, "output_sizes", sizes);
    bool level_3 = !std::strcmp(sp_text(request, "feature_level"), "3.0");
    const char *kind = nullptr, *reason = "";
    if (!level_3 && std::strcmp(sp_text(request, "feature_level"), "4.0"))
        kind = "attribute", reason = "an unknown feature level";
    else if (!sp_input(request, "input_state", &state) || std::strcmp(state.dtype, "u32"))
        kind = "dtype", reason = "input_state must be u32";
    else if (state.count != 6 || state.rank == 0 || state.dims[state.rank - 1] != 6 || state.rank > 8 || (level_3 && state.rank != 4))
        kind = "state", reason = "input_state must hold six words in its last dimension";
    else if (rank == 0 || rank > 8 || (level_3 && rank != 4) || std::count(sizes, sizes + rank, 0u))
        kind = "shape", reason = "the output must have dimensions that are not zero";
    if (kind) {
        sp_reject(reply, kind, reason);
        return nullptr;
    }
    std::memcpy(words, state.data, 6 * sizeof *words);
    return static_cast<uint32_t *>(sp_output(reply, "output", "u32", rank, sizes));
}
