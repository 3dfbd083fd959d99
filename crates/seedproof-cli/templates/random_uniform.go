// A Seedproof adapter. Replace Philox with your generator, or draw with your operator, and say in main what it has.
//
// Build:  go build -o adapter
// Try it: seedproof smoke --adapter ./adapter
// Run it: seedproof run --adapter ./adapter

package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"time"
)

func main() {
	implementation := object{"name": "my-implementation", "version": "0.1", "language": "go"}
	// What is not named is not restricted. What is announced must be answered.
	// Restrict what your kernel restricts: attributes by values ("op_seed": ["0"]), inputs by types or by values
	// ("minval": {"values": ["0"]}), and the output by its rank ("rank": {"min": 1, "max": 4}).
	capabilities := []object{
		{"op": "openvino.RandomUniform-8", "alignment": []string{"TENSORFLOW"}, "output_type": []string{"f32"}},
	}
	if err := Serve(implementation, capabilities, run); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// draw is yours: numbers in [minval, maxval), each operation rounded to float32.
func draw(globalSeed, opSeed, count uint64, minval, maxval float32) []float32 {
	out := make([]float32, count)
	var words [4]uint32
	for i := range out {
		if i%4 == 0 {
			words = Philox(uint64(i/4), opSeed, globalSeed)
		}
		unit := math.Float32frombits(0x3F800000|words[i%4]&0x7FFFFF) - 1
		out[i] = float32(unit*(maxval-minval)) + minval // the conversion keeps Go from fusing the two
	}
	return out
}

// extents are those of the output, or a refusal.
func extents(shape Tensor) ([]uint64, error) {
	if shape.Dtype != "i32" && shape.Dtype != "i64" {
		return nil, Rejected{"dtype", "shape must be i32 or i64"}
	}
	if len(shape.Shape) != 1 {
		return nil, Rejected{"shape", "shape must have one dimension"}
	}
	dims := make([]uint64, shape.Shape[0])
	for i := range dims {
		var dim int64
		if shape.Dtype == "i32" {
			dim = int64(int32(binary.LittleEndian.Uint32(shape.Data[4*i:])))
		} else {
			dim = int64(binary.LittleEndian.Uint64(shape.Data[8*i:]))
		}
		if dim < 0 {
			return nil, Rejected{"shape", "an extent is negative"}
		}
		dims[i] = uint64(dim)
	}
	return dims, nil
}

// bound is one of the two, or a refusal.
func bound(t Tensor) (float32, error) {
	if t.Dtype != "f32" {
		return 0, Rejected{"dtype", "the bounds must have the output's type"}
	}
	if len(t.Shape) > 1 || len(t.Data) != 4 {
		return 0, Rejected{"shape", "a bound must have the shape [] or [1]"}
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(t.Data)), nil
}

func run(request *Request) (map[string]Tensor, error) {
	shape, err := extents(request.Inputs["shape"])
	if err != nil {
		return nil, err
	}
	minval, err := bound(request.Inputs["minval"])
	if err != nil {
		return nil, err
	}
	maxval, err := bound(request.Inputs["maxval"])
	if err != nil {
		return nil, err
	}
	if !(minval < maxval) {
		return nil, Rejected{"range", "minval must be less than maxval"}
	}
	globalSeed, opSeed := request.Seed("global_seed"), request.Seed("op_seed")
	if globalSeed == 0 && opSeed == 0 {
		globalSeed = uint64(time.Now().UnixNano()) // any numbers, and others each time
	}
	count := uint64(1)
	for _, dim := range shape {
		count *= dim
	}
	data := make([]byte, 4*count)
	for i, value := range draw(globalSeed, opSeed, count, minval, maxval) {
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(value))
	}
	return map[string]Tensor{"output": {"f32", shape, data}}, nil
}
