// A Seedproof adapter for {{op}}. Write kernel, and say in main what it has.
//
// Build:  go build -o adapter
// Try it: seedproof smoke --adapter ./adapter
// Run it: seedproof run --adapter ./adapter

package main

import (
	"fmt"
	"os"
)

func main() {
	implementation := object{"name": "my-implementation", "version": "0.1", "language": "go"}
	// What is not named is not restricted. What is announced must be answered.
	// Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
	// ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
	capabilities := []object{
		{{capability}},
	}
	if err := Serve(implementation, capabilities, run); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// arguments are those of the kernel.
type arguments struct {
	{{declarations}}
}

// kernel is yours. It returns each output, or Rejected or Unsupported:
//
//	{{outputs}}
//
// Philox and Threefry draw a block of words; replace them by your generator.
func kernel(a arguments) (map[string]Tensor, error) {
	return nil, Unsupported{"the kernel of {{op}} is not written yet"}
}

func run(request *Request) (map[string]Tensor, error) {
	a := arguments{
		{{readings}}
	}
	if request.Err != nil {
		return nil, request.Err
	}
	return kernel(a)
}
