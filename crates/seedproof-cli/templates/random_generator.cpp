// A Seedproof adapter. Replace `Philox` with your generator, and say in sp_hello what it has.
//
// Build:  c++ -std=c++17 -O2 -ffp-contract=off -o adapter adapter.cpp
// Try it: seedproof smoke --adapter ./adapter
// Run it: seedproof run --adapter ./adapter
#include "seedproof_adapter.h"
#include "generators.h"

#include <array>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

// What is not named is not restricted. What is announced must be answered.
// Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
// ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
const char *sp_hello() {
    return R"("implementation": {"name": "my-implementation", "version": "0.1", "language": "c++"}, )"
           R"("capabilities": [{"op": "directml.RandomGenerator", "type": ["PHILOX_4X32_10"], )"
           R"("features": ["output_state"]}])";
}

/// Yours: Philox4x32-10. The state is the halves of the counter and the key.
class Philox {
  public:
    explicit Philox(const sp_tensor &state) { std::memcpy(state_.data(), state.data, sizeof state_); }

    /// The four words of the next block.
    std::array<uint32_t, 4> next() {
        std::array<uint32_t, 4> words;
        sp_philox(state_[0], state_[1], state_[2], words.data());
        if (++state_[0] == 0) ++state_[1];
        return words;
    }

    const std::array<uint64_t, 3> &state() const { return state_; }

  private:
    std::array<uint64_t, 3> state_;
};

/// A request that the op refuses.
struct Rejected : std::runtime_error {
    Rejected(const char *kind, const char *reason) : std::runtime_error(reason), kind(kind) {}
    const char *kind;
};

void run(const sp_request *request, sp_reply *reply) {
    const std::string level = sp_text(request, "feature_level"), type = sp_text(request, "type");
    if (type != "PHILOX_4X32_10" || (level != "3.0" && level != "4.0"))
        throw Rejected("attribute", "an unknown type or feature level");
    const bool level_3 = level == "3.0";
    sp_tensor state;
    if (!sp_input(request, "input_state", &state) || state.dtype != std::string("u32"))
        throw Rejected("dtype", "the state must be u32");
    if (state.count != 6 || state.rank < 1 || state.rank > 8 || state.dims[state.rank - 1] != 6 ||
        (level_3 && state.rank != 4))
        throw Rejected("state", "the state must have the sizes 1, ..., 1, 6");
    std::vector<uint64_t> sizes(SP_MAX_RANK);
    sizes.resize(sp_sizes(request, "output_sizes", sizes.data()));
    if (sizes.empty() || sizes.size() > 8 || (level_3 && sizes.size() != 4))
        throw Rejected("shape", "the output must have another number of dimensions");
    for (uint64_t size : sizes)
        if (size == 0) throw Rejected("shape", "the output must have dimensions that are not zero");

    auto *out = static_cast<uint32_t *>(sp_output(reply, "output", "u32", sizes.size(), sizes.data()));
    if (!out) return;
    Philox philox(state);
    const size_t count = reply->tensors[0].count;
    for (size_t done = 0; done < count; done += 4) {
        const auto words = philox.next();
        for (size_t i = done; i < count && i < done + 4; i++) out[i] = words[i - done];
    }
    if (sp_flag(request, "output_state")) {
        void *after = sp_output(reply, "output_state", "u32", state.rank, state.dims);
        if (after) std::memcpy(after, philox.state().data(), sizeof philox.state());
    }
}

void sp_run(const sp_request *request, sp_reply *reply) {
    try {
        run(request, reply);
    } catch (const Rejected &refusal) {
        sp_reject(reply, refusal.kind, refusal.what());
    }
}
