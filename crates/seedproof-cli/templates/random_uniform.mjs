// A Seedproof adapter. Replace `words` with your generator, or `draw` with your operator, and say in `capabilities` what
// it has.
//
// Try it: seedproof smoke --adapter 'node adapter.mjs'
// Run it: seedproof run --adapter 'node adapter.mjs'

import { randomBytes } from "node:crypto";
import { philox } from "./generators.mjs";
import { Rejected, serve } from "./seedproof_adapter.mjs";

const implementation = { name: "my-implementation", version: "0.1", language: "javascript" };

// What is not named is not restricted. What is announced must be answered.
// Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
// ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
const capabilities = [{ op: "openvino.RandomUniform-8", alignment: ["TENSORFLOW"], output_type: ["f32"] }];

/** Yours: the words of the seeds' stream, without end. */
function* words(globalSeed, opSeed) {
  for (let index = 0n; ; index++) yield* philox((opSeed << 64n) + index, globalSeed);
}

/** Yours: numbers in [minval, maxval), each operation rounded to f32. */
function draw(globalSeed, opSeed, count, minval, maxval) {
  const f32 = Math.fround; // JavaScript computes in f64
  const span = f32(maxval - minval);
  const stream = words(globalSeed, opSeed);
  const unit = () => (stream.next().value & 0x7fffff) / 0x800000;
  return Array.from({ length: count }, () => f32(f32(unit() * span) + minval));
}

/** The output's extents, or a refusal. */
function extents({ dtype, shape, data }) {
  if (dtype !== "i32" && dtype !== "i64") throw new Rejected("dtype", "shape must be i32 or i64");
  if (shape.length !== 1) throw new Rejected("shape", "shape must have one dimension");
  const dims = Array.from({ length: shape[0] }, (_, i) =>
    dtype === "i32" ? data.readInt32LE(4 * i) : Number(data.readBigInt64LE(8 * i)),
  );
  if (dims.some((dim) => dim < 0)) throw new Rejected("shape", "an extent is negative");
  return dims;
}

/** A bound, or a refusal. */
function bound({ dtype, shape, data }) {
  if (dtype !== "f32") throw new Rejected("dtype", "the bounds must have the output's type");
  if (shape.length > 1 || data.length !== 4) throw new Rejected("shape", "a bound must have the shape [] or [1]");
  return data.readFloatLE();
}

function run({ attrs, inputs }) {
  const shape = extents(inputs.shape);
  const [minval, maxval] = [bound(inputs.minval), bound(inputs.maxval)];
  if (!(minval < maxval)) throw new Rejected("range", "minval must be less than maxval");
  // Seeds have 64 bits, more than a Number.
  let [globalSeed, opSeed] = [BigInt(attrs.global_seed), BigInt(attrs.op_seed)];
  if (globalSeed === 0n && opSeed === 0n) globalSeed = randomBytes(8).readBigUInt64LE(); // others each time
  const count = shape.reduce((product, dim) => product * dim, 1);
  const data = Buffer.alloc(4 * count);
  draw(globalSeed, opSeed, count, minval, maxval).forEach((value, i) => data.writeFloatLE(value, 4 * i));
  return { output: { dtype: "f32", shape, data } };
}

serve(implementation, capabilities, run);
