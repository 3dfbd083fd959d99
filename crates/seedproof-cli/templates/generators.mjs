// The generators that ops draw from: words of a counter and a key.

const MASK = 0xffffffffn;

/** Philox4x32-10: the four words of one block, as Numbers. `counter` is a BigInt of 128 bits, `key` one of 64. */
export function philox(counter, key) {
  let [c0, c1, c2, c3] = [0n, 32n, 64n, 96n].map((shift) => (counter >> shift) & MASK);
  let [k0, k1] = [key & MASK, key >> 32n];
  for (let round = 0; round < 10; round++) {
    const p = 0xd2511f53n * c0;
    const q = 0xcd9e8d57n * c2;
    [c0, c1, c2, c3] = [(q >> 32n) ^ c1 ^ k0, q & MASK, (p >> 32n) ^ c3 ^ k1, p & MASK];
    k0 = (k0 + 0x9e3779b9n) & MASK;
    k1 = (k1 + 0xbb67ae85n) & MASK;
  }
  return [c0, c1, c2, c3].map(Number);
}

/** Threefry2x32-20: the two words of one block, as Numbers. `counter` and `key` are BigInts of 64 bits. */
export function threefry(counter, key) {
  const words = (number) => [Number(number & MASK), Number(number >> 32n)];
  const keys = words(key);
  keys.push(keys[0] ^ keys[1] ^ 0x1bd11bda);
  let [x0, x1] = words(counter).map((word, i) => (word + keys[i]) | 0);
  for (let group = 0; group < 5; group++) {
    for (const turn of group % 2 ? [17, 29, 16, 24] : [13, 15, 26, 6]) {
      x0 = (x0 + x1) | 0;
      x1 = ((x1 << turn) | (x1 >>> (32 - turn))) ^ x0;
    }
    x0 = (x0 + keys[(group + 1) % 3]) | 0;
    x1 = (x1 + keys[(group + 2) % 3] + group + 1) | 0;
  }
  return [x0 >>> 0, x1 >>> 0];
}
