// The peers' own loops, for the conversions of RandomUniform-8.

#include <Random123/philox.h>
#include <Random123/threefry.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>

extern "C" void peer_random123_f32(float* out, size_t count, uint64_t key, uint64_t counter) {
    r123::Philox4x32 generator;
    const r123::Philox4x32::key_type words = {{uint32_t(key), uint32_t(key >> 32)}};
    for (size_t i = 0; i < count; i += 4) {
        const uint64_t n = i / 4;
        const r123::Philox4x32::ctr_type at = {
            {uint32_t(n), uint32_t(n >> 32), uint32_t(counter), uint32_t(counter >> 32)}};
        const auto block = generator(at, words);
        for (size_t j = 0; j < 4 && i + j < count; ++j) {
            const uint32_t bits = 0x3f800000u | (block[j] & 0x7fffffu);
            float value;
            std::memcpy(&value, &bits, sizeof value);
            out[i + j] = value - 1.0f;
        }
    }
}

extern "C" void peer_random123_threefry(uint32_t* out, size_t count, uint64_t key, uint64_t counter) {
    r123::Threefry2x32 generator;
    const r123::Threefry2x32::key_type words = {{uint32_t(key), uint32_t(key >> 32)}};
    for (size_t i = 0; i + 1 < count; i += 2) {
        const uint64_t n = counter + i / 2;
        const r123::Threefry2x32::ctr_type at = {{uint32_t(n), uint32_t(n >> 32)}};
        const auto block = generator(at, words);
        out[i] = block[0];
        out[i + 1] = block[1];
    }
}

extern "C" void peer_mt19937_f32(float* out, size_t count, uint32_t seed) {
    std::mt19937 generator(seed);
    for (size_t i = 0; i < count; ++i) {
        out[i] = float(generator() & 0xffffffu) * (1.0f / 16777216.0f);
    }
}

#ifdef PEER_MKL
#include <mkl.h>

static void fill(VSLStreamStatePtr stream, float* out, size_t count) {
    vsRngUniform(VSL_RNG_METHOD_UNIFORM_STD, stream, MKL_INT(count), out, 0.0f, 1.0f);
    vslDeleteStream(&stream);
}

extern "C" void peer_mkl_philox_f32(float* out, size_t count, uint64_t key, uint64_t counter) {
    const unsigned params[6] = {unsigned(key), unsigned(key >> 32), 0, 0, unsigned(counter), unsigned(counter >> 32)};
    VSLStreamStatePtr stream = nullptr;
    vslNewStreamEx(&stream, VSL_BRNG_PHILOX4X32X10, 6, params);
    fill(stream, out, count);
}

extern "C" void peer_mkl_mt19937_f32(float* out, size_t count, uint32_t seed) {
    VSLStreamStatePtr stream = nullptr;
    vslNewStream(&stream, VSL_BRNG_MT19937, seed);
    fill(stream, out, count);
}
#endif
