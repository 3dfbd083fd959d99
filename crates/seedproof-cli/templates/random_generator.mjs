// A Seedproof adapter. Replace `words` with your implementation, and say in `capabilities` what it has.
//
// Try it: seedproof smoke --adapter 'node adapter.mjs'
// Run it: seedproof run --adapter 'node adapter.mjs'

import { philox } from "./generators.mjs";
import { Rejected, serve } from "./seedproof_adapter.mjs";

const implementation = { name: "my-implementation", version: "0.1", language: "javascript" };

// What is not named is not restricted. What is announced must be answered.
// Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
// ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
const capabilities = [{ op: "directml.RandomGenerator", type: ["PHILOX_4X32_10"], features: ["output_state"] }];

/** Yours: the words from `counter` on, without end. */
function* words(counter, key) {
  for (let index = 0n; ; index++) yield* philox(BigInt.asUintN(128, counter + index), key);
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
  const [low, high, key] = [0, 8, 16].map((at) => state.data.readBigUInt64LE(at));
  const counter = low | (high << 64n);
  const count = attrs.output_sizes.reduce((product, size) => product * size, 1);
  const stream = words(counter, key);
  const drawn = Array.from({ length: count }, () => stream.next().value);
  const outputs = { output: tensor(attrs.output_sizes, drawn) };
  if (attrs.output_state) {
    const after = BigInt.asUintN(128, counter + BigInt(Math.ceil(count / 4)));
    const data = Buffer.alloc(24);
    [after & (2n ** 64n - 1n), after >> 64n, key].forEach((half, i) => data.writeBigUInt64LE(half, 8 * i));
    outputs.output_state = { dtype: "u32", shape: state.shape, data };
  }
  return outputs;
}

serve(implementation, capabilities, run);
