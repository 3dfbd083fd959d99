// A Seedproof adapter for {{op}}. Write `kernel`, and say in sp_hello what it has.
//
// Build:  c++ -std=c++17 -O2 -ffp-contract=off -o adapter adapter.cpp
// Try it: seedproof smoke --adapter ./adapter
// Run it: seedproof run --adapter ./adapter
#include "seedproof_adapter.h"
#include "generators.h"

#include <stdexcept>
#include <string>
#include <vector>

// What is not named is not restricted. What is announced must be answered.
// Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
// ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
const char *sp_hello() {
    return R"("implementation": {"name": "my-implementation", "version": "0.1", "language": "c++"}, )"
           R"("capabilities": [{{capability}}])";
}

/// A request that the op refuses.
struct Rejected : std::runtime_error {
    Rejected(const char *kind, const char *reason) : std::runtime_error(reason), kind(kind) {}
    const char *kind;
};

/// A valid request that this implementation does not have.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The arguments of the kernel.
struct Arguments {
    {{declarations}}
};

/// Yours. Makes each output with sp_output and fills it, or throws Rejected or Unsupported:
///
/// {{outputs}}
///
/// sp_philox and sp_threefry draw a block of words; replace them by your generator.
void kernel(const Arguments &, sp_reply *) {
    throw Unsupported("the kernel of {{op}} is not written yet");
}

std::vector<uint64_t> sizes(const sp_request *request, const char *name) {
    std::vector<uint64_t> list(SP_MAX_RANK);
    list.resize(sp_sizes(request, name, list.data()));
    return list;
}

void sp_run(const sp_request *request, sp_reply *reply) {
    try {
        Arguments a;
        {{readings}}
        if (!reply->status) kernel(a, reply);
    } catch (const Rejected &refusal) {
        sp_reject(reply, refusal.kind, refusal.what());
    } catch (const Unsupported &refusal) {
        sp_unsupported(reply, refusal.what());
    }
}
