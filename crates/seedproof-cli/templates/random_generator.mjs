// A Seedproof adapter. Replace `words` with your implementation, and say in `capabilities` what it has.
//
// Try it: seedproof smoke --adapter 'node adapter.mjs'
// Run it: seedproof run --adapter 'node adapter.mjs'

import { Rejected, serve } from "./seedproof_adapter.mjs";

const implementation = { name: "my-implementation", version: "0.1", language: "javascript" };

// What is not named is not restricted. What is announced must be answered.
// Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
// ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
const capabilities = [{ op: "directml.RandomGenerator", type: ["PHILOX_4X32_10"], features: ["output_state"] }];

const MASK = 0xffffffffn;

/** Philox4x32-10: four words of one block. `counter` is a BigInt of 128 bits, `key` has two words. */
function block(counter, key) {
  let [c0, c1, c2, c3] = [0n, 32n, 64n, 96n].map((shift) => (counter >> shift) & MASK);
  let [k0, k1] = key;
  for (let round = 0; round < 10; round++) {
    const p = 0xd2511f53n * c0;
    const q = 0xcd9e8d57n * c2;
    [c0, c1, c2, c3] = [(q >> 32n) ^ c1 ^ k0, q & MASK, (p >> 32n) ^ c3 ^ k1, p & MASK];
    k0 = (k0 + 0x9e3779b9n) & MASK;
    k1 = (k1 + 0xbb67ae85n) & MASK;
  }
  return [c0, c1, c2, c3].map(Number);
}

/** Yours: the words from `counter` on, without end. */
function* words(counter, key) {
  for (let index = 0n; ; index++) yield* block(BigInt.asUintN(128, counter + index), key);
}

/** Refuses what the document forbids at each feature level. */
function check(attrs, state) {
  const [sizes, rank, level3] = [attrs.output_sizes, state.shape.length, attrs.feature_level === "3.0"];
  if (attrs.type !== "PHILOX_4X32_10" || !["3.0", "4.0"].includes(attrs.feature_level))
    throw new Rejected("attribute", "an unknown type or feature level");
  if (state.dtype !== "u32") throw new Rejected("dtype", "the state must be u32");
  const fits = state.shape.every((size, i) => size === (i === rank - 1 ? 6 : 1));
  if (rank === 0 || !fits || rank > 8 || (level3 && rank !== 4))
    throw new Rejected("state", "the state must have the sizes 1, ..., 1, 6");
  if (sizes.length === 0 || sizes.length > 8 || (level3 && sizes.length !== 4) || sizes.includes(0))
    throw new Rejected("shape", "the output must have dimensions that are not zero");
}

function tensor(shape, words) {
  const data = Buffer.alloc(4 * words.length);
  words.forEach((word, i) => data.writeUInt32LE(word, 4 * i));
  return { dtype: "u32", shape, data };
}

function run({ attrs, inputs }) {
  const state = inputs.input_state;
  check(attrs, state);
  const [low, high] = [state.data.readBigUInt64LE(0), state.data.readBigUInt64LE(8)];
  const [counter, key] = [low | (high << 64n), [16, 20].map((at) => BigInt(state.data.readUInt32LE(at)))];
  const count = attrs.output_sizes.reduce((product, size) => product * size, 1);
  const stream = words(counter, key);
  const drawn = Array.from({ length: count }, () => stream.next().value);
  const outputs = { output: tensor(attrs.output_sizes, drawn) };
  if (attrs.output_state) {
    const after = BigInt.asUintN(128, counter + BigInt(Math.ceil(count / 4)));
    const afterWords = [0n, 32n, 64n, 96n].map((shift) => (after >> shift) & MASK);
    outputs.output_state = tensor(state.shape, [...afterWords, ...key].map(Number));
  }
  return outputs;
}

serve(implementation, capabilities, run);
