/* The generators that ops draw from: words of a counter and a key. C11 or C++17. */
#ifndef SEEDPROOF_GENERATORS_H
#define SEEDPROOF_GENERATORS_H

#include <stdint.h>

/* Philox4x32-10: the four words of one block. `low` and `high` are the halves of the counter. */
static inline void sp_philox(uint64_t low, uint64_t high, uint64_t key, uint32_t out[4]) {
    uint32_t c0 = (uint32_t)low, c1 = (uint32_t)(low >> 32), c2 = (uint32_t)high, c3 = (uint32_t)(high >> 32);
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t p = (uint64_t)0xD2511F53 * c0, q = (uint64_t)0xCD9E8D57 * c2;
        c0 = (uint32_t)(q >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)q;
        c2 = (uint32_t)(p >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)p;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
    out[0] = c0;
    out[1] = c1;
    out[2] = c2;
    out[3] = c3;
}

/* Threefry2x32-20: the two words of one block, the low word of the counter and of the key first. */
static inline void sp_threefry(uint64_t counter, uint64_t key, uint32_t out[2]) {
    static const int turns[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
    uint32_t keys[3] = {(uint32_t)key, (uint32_t)(key >> 32), 0};
    uint32_t x0 = (uint32_t)counter + keys[0], x1 = (uint32_t)(counter >> 32) + keys[1];
    keys[2] = keys[0] ^ keys[1] ^ 0x1BD11BDA;
    for (unsigned group = 0; group < 5; group++) {
        for (int i = 0; i < 4; i++) {
            int turn = turns[group % 2][i];
            x0 += x1;
            x1 = (x1 << turn | x1 >> (32 - turn)) ^ x0;
        }
        x0 += keys[(group + 1) % 3];
        x1 += keys[(group + 2) % 3] + group + 1;
    }
    out[0] = x0;
    out[1] = x1;
}

#endif
