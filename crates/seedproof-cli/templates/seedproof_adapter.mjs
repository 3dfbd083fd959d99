// The Seedproof adapter protocol, version 1, from the adapter's side, a line of JSON for each message. Needs Node 16 and
// nothing else.
//
// `serve(implementation, capabilities, run)` answers until the harness says goodbye. `run(request)` returns an object
// from output name to { dtype, shape, data }, or a promise of it, or throws Rejected or Unsupported. `data` is a Buffer or
// a typed array: elements in row-major order, little-endian, each at its own width. What console.log prints goes to standard error.

import { createInterface } from "node:readline";

/** The request is invalid. `kind` is dtype, shape, range, attribute, probabilities, samples or state. */
export class Rejected extends Error {
  constructor(kind, reason) {
    super(reason);
    this.kind = kind;
  }
}

/** The request is valid, and this implementation does not have it. */
export class Unsupported extends Error {}

/** An attribute that is one of these names, or a refusal. */
export function oneOf({ attrs }, name, ...names) {
  if (names.includes(attrs[name])) return attrs[name];
  throw new Rejected("attribute", `${name} is ${attrs[name]}: expected ${names.join(" or ")}`);
}

/** An attribute that is a decimal string, as a BigInt; undefined where an optional one is absent. */
export function number({ attrs }, name) {
  return attrs[name] === undefined ? undefined : BigInt(attrs[name]);
}

/** An input of one of these types and so many extents, or a refusal; undefined where an optional one is absent. */
export function tensor({ inputs }, name, dtypes, leastRank, greatestRank) {
  const { dtype, shape } = inputs[name] ?? {};
  if (dtype && !dtypes.includes(dtype))
    throw new Rejected("dtype", `${name} is of ${dtype}: expected ${dtypes.join(" or ")}`);
  if (shape && !(leastRank <= shape.length && shape.length <= greatestRank))
    throw new Rejected(undefined, `${name} has the shape [${shape}]`);
  return inputs[name];
}

export async function serve(implementation, capabilities, run) {
  console.log = console.error;
  const send = (message) => process.stdout.write(JSON.stringify(message) + "\n");
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    if (message.cmd === "bye") break;
    if (message.cmd === "hello") send({ protocol: 1, framing: "lines", implementation, capabilities });
    else send({ seq: message.seq, ...(await answer(message, run)) });
  }
}

async function answer({ op, attrs, inputs, execution }, run) {
  try {
    const tensors = Object.entries(inputs).map(([name, { hex, ...form }]) => [
      name,
      { ...form, data: Buffer.from(hex, "hex") },
    ]);
    const outputs = Object.entries(await run({ op, attrs, inputs: Object.fromEntries(tensors), execution }));
    // A typed array's own toString writes decimals, so its bytes are wrapped first.
    const hex = ({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength).toString("hex");
    const written = outputs.map(([name, { data, ...form }]) => [name, { ...form, hex: hex(data) }]);
    return { status: "ok", outputs: Object.fromEntries(written) };
  } catch (error) {
    if (error instanceof Rejected) return { status: "rejected", kind: error.kind, reason: error.message };
    if (error instanceof Unsupported) return { status: "unsupported", reason: error.message };
    return { status: "error", message: String(error), trace: error.stack };
  }
}
