// jax-js on Node: the keys of its `random`, and what it draws by them, compiled to WebAssembly.
//
// Install: npm install --prefix DIR @jax-js/jax@0.1.25
// Usage:   node jax_js_adapter.mjs DIR [cpu]
//
// jax-js has JAX's order of today, f32, and integers of 32 bits. A browser would run the same programs by WebGPU.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { Rejected, Unsupported, number, oneOf, serve, tensor } from "./seedproof_adapter.mjs";

const [folder = ".", device = "wasm"] = process.argv.slice(2);
// jax-js looks for WebGPU without asking whether there is a browser.
globalThis.navigator ??= {};
const root = path.resolve(folder, "node_modules/@jax-js/jax");
const { version } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
const entry = createRequire(path.join(root, "index.js")).resolve("@jax-js/jax");
const { defaultDevice, init, numpy, random } = await import(pathToFileURL(entry.replace(/\.cjs$/, ".js")));
await init(device);
defaultDevice(device);

// More would not fit beside the program's copies in the 4 GiB of WebAssembly.
const MOST = 2 ** 26;

function keyOf(request) {
  const { dtype, shape, data } = tensor(request, "key", ["u32"], 1, 1);
  if (shape[0] !== 2) throw new Rejected("shape", `the key has the shape [${shape}]`);
  return numpy.array(new Uint32Array(data.buffer.slice(data.byteOffset, data.byteOffset + 8)));
}

/** A scalar of f32. The functions take bounds as numbers. */
const float = (request, name) => tensor(request, name, ["f32"], 0, 0).data.readFloatLE();

/** An attribute as a number of JavaScript, which has no others. */
function plain(request, name, kind = "attribute") {
  const value = Number(number(request, name));
  if (!Number.isSafeInteger(value)) throw new Rejected(kind, `${name} is not a safe integer`);
  return value;
}

function sizes(request) {
  const extents = request.attrs.output_sizes;
  if (extents.reduce((count, extent) => count * extent, 1) > MOST) throw new Unsupported("an output of this size");
  return extents;
}

const OPS = {
  "jax.key": (request) => random.key(plain(request, "seed")),
  "jax.split": (request) => random.split(keyOf(request), plain(request, "num")),
  "jax.bits": (request) => random.bits(keyOf(request), sizes(request)),
  "jax.uniform": (request) => {
    const [minval, maxval] = ["minval", "maxval"].map((name) => float(request, name));
    return random.uniform(keyOf(request), sizes(request), { minval, maxval });
  },
  "jax.randint": (request) => {
    const [minval, maxval] = ["minval", "maxval"].map((name) => plain(request, name, "range"));
    const dtype = { i32: "int32", u32: "uint32" }[oneOf(request, "output_type", "i32", "u32")];
    return random.randint(keyOf(request), { minval, maxval, shape: sizes(request), dtype });
  },
  "jax.bernoulli": (request) => random.bernoulli(keyOf(request), float(request, "p"), sizes(request)),
  "jax.permutation": (request) => {
    if (number(request, "n") > MOST) throw new Unsupported("an output of this size");
    return random.permutation(keyOf(request), Math.max(0, Number(number(request, "n"))));
  },
};

const NAMES = { float32: "f32", int32: "i32", uint32: "u32" };

function run(request) {
  let output;
  try {
    output = OPS[request.op](request);
    const { dtype, shape } = output;
    const drawn = output.dataSync();
    // Its booleans are words, and its permutation is of i32. JAX's are bytes and, with x64, i64.
    if (dtype === "bool") return { output: { dtype: "u8", shape, data: Uint8Array.from(drawn) } };
    if (request.op === "jax.permutation")
      return { output: { dtype: "i64", shape, data: BigInt64Array.from(drawn, BigInt) } };
    return { output: { dtype: NAMES[dtype], shape, data: drawn } };
  } catch (error) {
    if (error instanceof Rejected || error instanceof Unsupported) throw error;
    if (/^(Invalid range|randint: )/.test(error.message)) throw new Rejected("range", error.message);
    if (error.message.startsWith("Invalid split length")) throw new Rejected("attribute", error.message);
    throw error;
  }
}

const implementation = {
  name: device === "wasm" ? "jax-js" : `jax-js-${device}`,
  version,
  language: "javascript",
  device,
  homepage: "https://github.com/ekzhang/jax-js",
  issues: "https://github.com/ekzhang/jax-js/issues",
};
const threefry = { impl: ["threefry2x32"] };
const keyed = { ...threefry, partitionable: [true] };
const capabilities = [
  { op: "jax.key", ...threefry },
  { op: "jax.split", ...keyed },
  { op: "jax.bits", output_type: ["u32"], ...keyed },
  { op: "jax.uniform", output_type: ["f32"], ...keyed },
  { op: "jax.randint", output_type: ["i32", "u32"], ...keyed },
  { op: "jax.bernoulli", ...keyed },
  { op: "jax.permutation", ...keyed },
];
serve(implementation, capabilities, run);
