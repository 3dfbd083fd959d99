// Random123: the Philox4x32-10 of its authors, as DirectML's generator and under RandomUniform-8.
//
// Install: apt-get install g++ librandom123-dev
// Build:   g++ -std=c++17 -O2 -ffp-contract=off -DADAPTER_VERSION='"1.14.0"' -o random123_adapter random123_adapter.cpp

#include <Random123/philox.h>

#include "uniform.hpp"

#ifndef ADAPTER_VERSION
#define ADAPTER_VERSION "unknown"
#endif

using Philox = r123::Philox4x32;

const char *sp_hello(void) {
    return "\"implementation\":{\"name\":\"random123\",\"version\":\"" ADAPTER_VERSION "\",\"language\":\"c++\","
           "\"homepage\":\"https://github.com/DEShawResearch/random123\"},"
           "\"capabilities\":[{\"op\":\"directml.RandomGenerator\",\"type\":[\"PHILOX_4X32_10\"],\"features\":[\"output_state\"]},"
           "{\"op\":\"openvino.RandomUniform-8\",\"alignment\":[\"TENSORFLOW\"],"
           "\"output_type\":[\"f32\",\"f64\",\"i32\",\"i64\"]}]";
}

/// The words of Philox in order, from a counter.
class Stream {
  public:
    Stream(Philox::ctr_type counter, Philox::key_type key) : counter_(counter), key_(key) {}

    uint32_t operator()() {
        if (word_ == 4) {
            block_ = Philox()(counter_, key_);
            counter_.incr();
            word_ = 0;
        }
        return block_[word_++];
    }

    const Philox::ctr_type &counter() const { return counter_; }

  private:
    Philox::ctr_type counter_, block_{};
    Philox::key_type key_;
    size_t word_ = 4;
};

static void random_generator(const sp_request *request, sp_reply *reply) {
    sp_tensor state;
    uint32_t words[6];
    uint32_t *out = generator_output(request, reply, state, words);
    if (!out) return;
    Stream next({{words[0], words[1], words[2], words[3]}}, {{words[4], words[5]}});
    for (size_t i = 0; i < reply->tensors[0].count; i++) out[i] = next();
    if (!sp_flag(request, "output_state")) return;
    auto *after = static_cast<uint32_t *>(sp_output(reply, "output_state", "u32", state.rank, state.dims));
    if (!after) return;
    for (size_t i = 0; i < 4; i++) after[i] = next.counter()[i];
    after[4] = words[4];
    after[5] = words[5];
}

void sp_run(const sp_request *request, sp_reply *reply) {
    if (!std::strcmp(request->op, "directml.RandomGenerator")) return random_generator(request, reply);
    uint64_t key = global_seed(request), counter = sp_seed(request, "op_seed");
    Stream next({{0, 0, uint32_t(counter), uint32_t(counter >> 32)}}, {{uint32_t(key), uint32_t(key >> 32)}});
    uniform_tensorflow(request, reply, next);
}
