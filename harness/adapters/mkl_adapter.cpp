// Intel MKL: its Philox4x32-10 stream, as DirectML's generator and under RandomUniform-8.
//
// Install: pip install mkl==2026.2.0 mkl-include==2026.2.0
// Build:   g++ -std=c++17 -O2 -ffp-contract=off -DADAPTER_VERSION='"2026.2.0"' -I VENV/include -o mkl_adapter mkl_adapter.cpp VENV/lib/libmkl_rt.so.3 -Wl,-rpath,VENV/lib

#include <mkl.h>

#include <vector>

#include "uniform.hpp"

#ifndef ADAPTER_VERSION
#define ADAPTER_VERSION "unknown"
#endif

const char *sp_hello(void) {
    return "\"implementation\":{\"name\":\"mkl\",\"version\":\"" ADAPTER_VERSION "\",\"language\":\"c\"},"
           "\"capabilities\":[{\"op\":\"directml.RandomGenerator\",\"type\":[\"PHILOX_4X32_10\"]},"
           "{\"op\":\"openvino.RandomUniform-8\",\"alignment\":[\"TENSORFLOW\"],"
           "\"output_type\":[\"f32\",\"f64\",\"i32\",\"i64\"]}]";
}

/// The words of MKL's stream, drawn in runs.
class Stream {
  public:
    /// `state` is the counter's four words, then the key's two, least significant first; MKL wants the key first.
    explicit Stream(const uint32_t *state) : words_(4096) {
        const uint32_t params[6] = {state[4], state[5], state[0], state[1], state[2], state[3]};
        vslNewStreamEx(&stream_, VSL_BRNG_PHILOX4X32X10, 6, params);
    }
    Stream(const Stream &) = delete;
    ~Stream() { vslDeleteStream(&stream_); }

    uint32_t operator()() {
        if (at_ == words_.size()) {
            viRngUniformBits32(VSL_RNG_METHOD_UNIFORMBITS32_STD, stream_, MKL_INT(words_.size()), words_.data());
            at_ = 0;
        }
        return words_[at_++];
    }

  private:
    VSLStreamStatePtr stream_ = nullptr;
    std::vector<unsigned> words_;
    size_t at_ = 4096;
};

static void random_generator(const sp_request *request, sp_reply *reply) {
    sp_tensor state;
    uint32_t words[6];
    uint32_t *out = generator_output(request, reply, state, words);
    if (!out) return;
    Stream next(words);
    for (size_t i = 0; i < reply->tensors[0].count; i++) out[i] = next();
}

void sp_run(const sp_request *request, sp_reply *reply) {
    if (!std::strcmp(request->op, "directml.RandomGenerator")) return random_generator(request, reply);
    uint64_t key = global_seed(request), counter = sp_seed(request, "op_seed");
    const uint32_t state[6] = {0, 0, uint32_t(counter), uint32_t(counter >> 32), uint32_t(key), uint32_t(key >> 32)};
    Stream next(state);
    uniform_tensorflow(request, reply, [&] { return next(); });
}
