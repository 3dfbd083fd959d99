// A Seedproof adapter. Replace block with your generator, and say in main what it has.
//
// Build:  go build -o adapter
// Try it: seedproof smoke --adapter ./adapter
// Run it: seedproof run --adapter ./adapter

package main

import (
	"encoding/binary"
	"fmt"
	"os"
)

func main() {
	implementation := object{"name": "my-implementation", "version": "0.1", "language": "go"}
	// What is not named is not restricted. What is announced must be answered.
	// Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
	// ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
	capabilities := []object{
		{"op": "directml.RandomGenerator", "type": []string{"PHILOX_4X32_10"}, "features": []string{"output_state"}},
	}
	if err := Serve(implementation, capabilities, run); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// state is the counter's four words and the key's two, the least significant first.
type state [6]uint32

// block is yours: the four words of the next block.
func (s *state) block() [4]uint32 {
	pair := func(i int) uint64 { return uint64(s[i]) | uint64(s[i+1])<<32 }
	words := Philox(pair(0), pair(2), pair(4))
	for i := 0; i < 4; i++ {
		s[i]++
		if s[i] != 0 {
			break
		}
	}
	return words
}

// check refuses what the document forbids at each feature level.
func check(request *Request, input Tensor, sizes []uint64) error {
	level, rank := request.Text("feature_level"), len(input.Shape)
	if request.Text("type") != "PHILOX_4X32_10" || level != "3.0" && level != "4.0" {
		return Rejected{"attribute", "an unknown type or feature level"}
	}
	if input.Dtype != "u32" {
		return Rejected{"dtype", "the state must be u32"}
	}
	if rank == 0 || rank > 8 || input.Shape[rank-1] != 6 || len(input.Data) != 24 || level == "3.0" && rank != 4 {
		return Rejected{"state", "the state must have the sizes 1, ..., 1, 6"}
	}
	if len(sizes) == 0 || len(sizes) > 8 || level == "3.0" && len(sizes) != 4 {
		return Rejected{"shape", "the output must have another number of dimensions"}
	}
	for _, size := range sizes {
		if size == 0 {
			return Rejected{"shape", "the output must have dimensions that are not zero"}
		}
	}
	return nil
}

func tensor32(shape []uint64, words []uint32) Tensor {
	data := make([]byte, 4*len(words))
	for i, word := range words {
		binary.LittleEndian.PutUint32(data[4*i:], word)
	}
	return Tensor{"u32", shape, data}
}

func run(request *Request) (map[string]Tensor, error) {
	input, sizes := request.Inputs["input_state"], request.Sizes("output_sizes")
	if err := check(request, input, sizes); err != nil {
		return nil, err
	}
	var s state
	for i := range s {
		s[i] = binary.LittleEndian.Uint32(input.Data[4*i:])
	}
	count := 1
	for _, size := range sizes {
		count *= int(size)
	}
	drawn := make([]uint32, 0, count+3)
	for len(drawn) < count {
		words := s.block()
		drawn = append(drawn, words[:]...)
	}
	outputs := map[string]Tensor{"output": tensor32(sizes, drawn[:count])}
	if request.Flag("output_state") {
		outputs["output_state"] = tensor32(input.Shape, s[:])
	}
	return outputs, nil
}
