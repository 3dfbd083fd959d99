/* A Seedproof adapter for {{op}}. Write `kernel`, and say in sp_hello what it has.
 *
 * Build:  cc -std=c11 -O2 -ffp-contract=off -o adapter adapter.c
 * Try it: seedproof smoke --adapter ./adapter
 * Run it: seedproof run --adapter ./adapter */
#include "seedproof_adapter.h"
#include "generators.h"

/* What is not named is not restricted. What is announced must be answered.
 * Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
 * ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}). */
const char *sp_hello(void) {
    return "\"implementation\":{\"name\":\"my-implementation\",\"version\":\"0.1\",\"language\":\"c\"},"
           "\"capabilities\":[{{capability}}]";
}

/* The arguments of the kernel. */
typedef struct {
    {{declarations}}
} arguments;

/* Yours. Makes each output with sp_output and fills it, or calls sp_reject or sp_unsupported:
 *
 * {{outputs}}
 *
 * sp_philox and sp_threefry draw a block of words; replace them by your generator. */
static void kernel(const arguments *a, sp_reply *reply) {
    (void)a;
    sp_unsupported(reply, "the kernel of {{op}} is not written yet");
}

void sp_run(const sp_request *request, sp_reply *reply) {
    arguments a;
    memset(&a, 0, sizeof a);
    {{readings}}
    if (!reply->status) kernel(&a, reply);
}
