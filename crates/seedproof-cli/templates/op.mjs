// A Seedproof adapter for {{op}}. Write `kernel`, and say in `capabilities` what it has.
//
// Try it: seedproof smoke --adapter 'node adapter.mjs'
// Run it: seedproof run --adapter 'node adapter.mjs'

import { philox, threefry } from "./generators.mjs";
import { Rejected, Unsupported, number, oneOf, serve, tensor } from "./seedproof_adapter.mjs";

const implementation = { name: "my-implementation", version: "0.1", language: "javascript" };

// What is not named is not restricted. What is announced must be answered.
// Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
// ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
const capabilities = [{{capability}}];

/**
 * Yours. Returns { name: { dtype, shape, data } } with every output, or throws Rejected or Unsupported.
 *
 * {{documents}}
 *
 * {{outputs}}
 *
 * `philox` and `threefry` draw a block of words; replace them by your generator.
 */
function kernel({ {{names}} }) {
  throw new Unsupported("the kernel of {{op}} is not written yet");
}

function run(request) {
  return kernel({
    {{readings}}
  });
}

serve(implementation, capabilities, run);
