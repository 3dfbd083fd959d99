// The generators that ops draw from: words of a counter and a key.

package main

import "math/bits"

// Philox is Philox4x32-10: the four words of one block. low and high are the halves of the counter.
func Philox(low, high, key uint64) [4]uint32 {
	c := [4]uint32{uint32(low), uint32(low >> 32), uint32(high), uint32(high >> 32)}
	k0, k1 := uint32(key), uint32(key>>32)
	for round := 0; round < 10; round++ {
		p, q := 0xD2511F53*uint64(c[0]), 0xCD9E8D57*uint64(c[2])
		c = [4]uint32{uint32(q>>32) ^ c[1] ^ k0, uint32(q), uint32(p>>32) ^ c[3] ^ k1, uint32(p)}
		k0 += 0x9E3779B9
		k1 += 0xBB67AE85
	}
	return c
}

// Threefry is Threefry2x32-20: the two words of one block, the low word of the counter and of the key first.
func Threefry(counter, key uint64) [2]uint32 {
	turns := [2][4]int{{13, 15, 26, 6}, {17, 29, 16, 24}}
	keys := [3]uint32{uint32(key), uint32(key >> 32)}
	keys[2] = keys[0] ^ keys[1] ^ 0x1BD11BDA
	x0, x1 := uint32(counter)+keys[0], uint32(counter>>32)+keys[1]
	for group := uint32(0); group < 5; group++ {
		for _, turn := range turns[group%2] {
			x0 += x1
			x1 = bits.RotateLeft32(x1, turn) ^ x0
		}
		x0 += keys[(group+1)%3]
		x1 += keys[(group+2)%3] + group + 1
	}
	return [2]uint32{x0, x1}
}
