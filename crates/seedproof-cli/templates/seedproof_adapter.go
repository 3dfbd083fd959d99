// The Seedproof adapter protocol, version 1, from the adapter's side, a line of JSON for each message.
//
// Serve answers until the harness says goodbye. What the rest of the program prints to os.Stdout goes to standard error.

package main

import (
	"bufio"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"os"
	"strconv"
	"strings"
)

// Tensor has its elements in row-major order, little-endian, each at its own width.
type Tensor struct {
	Dtype string
	Shape []uint64
	Data  []byte
}

// Request is one execution of one op.
type Request struct {
	Op        string
	Attrs     map[string]json.RawMessage
	Inputs    map[string]Tensor
	Execution uint64
	// Err is the first refusal of OneOf and Tensor.
	Err error
}

// OneOf is an attribute that is one of these names, or a refusal.
func (r *Request) OneOf(name string, names ...string) string {
	text := r.Text(name)
	for _, known := range names {
		if text == known {
			return text
		}
	}
	r.refuse("attribute", fmt.Sprintf("%s is %s: expected %s", name, text, strings.Join(names, " or ")))
	return ""
}

// Number is an attribute that is a decimal string; nil where an optional one is absent.
func (r *Request) Number(name string) Number {
	number, ok := new(big.Int).SetString(r.Text(name), 10)
	if !ok {
		return nil
	}
	return number
}

// Tensor is an input of one of these types and so many extents, or a refusal. An optional one that is absent has no type.
func (r *Request) Tensor(name string, leastRank, greatestRank int, dtypes ...string) Tensor {
	t, ok := r.Inputs[name]
	known := !ok
	for _, dtype := range dtypes {
		known = known || t.Dtype == dtype
	}
	if !known {
		r.refuse("dtype", fmt.Sprintf("%s is of %s: expected %s", name, t.Dtype, strings.Join(dtypes, " or ")))
	}
	if ok && (len(t.Shape) < leastRank || len(t.Shape) > greatestRank) {
		r.refuse("", fmt.Sprintf("%s has the shape %d", name, t.Shape))
	}
	return t
}

func (r *Request) refuse(kind, reason string) {
	if r.Err == nil {
		r.Err = Rejected{kind, reason}
	}
}

// Text is an attribute that is text; "" if it is absent.
func (r *Request) Text(name string) (text string) {
	_ = json.Unmarshal(r.Attrs[name], &text)
	return text
}

// Seed is an attribute that is decimal text.
func (r *Request) Seed(name string) uint64 {
	seed, _ := strconv.ParseUint(r.Text(name), 10, 64)
	return seed
}

// Flag is an attribute that is true or false.
func (r *Request) Flag(name string) (flag bool) {
	_ = json.Unmarshal(r.Attrs[name], &flag)
	return flag
}

// Sizes is an attribute that is a list of numbers.
func (r *Request) Sizes(name string) (sizes []uint64) {
	_ = json.Unmarshal(r.Attrs[name], &sizes)
	return sizes
}

// Rejected says that the request is invalid. Kind is dtype, shape, range, attribute, probabilities, samples or state, or "".
type Rejected struct{ Kind, Reason string }

func (e Rejected) Error() string { return e.Reason }

// Unsupported says that the request is valid, and that this implementation does not have it.
type Unsupported struct{ Reason string }

func (e Unsupported) Error() string { return e.Reason }

type message struct {
	Cmd       string
	Seq       json.RawMessage
	Op        string
	Attrs     map[string]json.RawMessage
	Inputs    map[string]tensor
	Execution uint64
}

type tensor struct {
	Dtype string   `json:"dtype"`
	Shape []uint64 `json:"shape"`
	Hex   string   `json:"hex"`
}

type object = map[string]any

// Number has any size.
type Number = *big.Int

// Serve answers with run, which returns the outputs by their names.
func Serve(implementation, capabilities any, run func(*Request) (map[string]Tensor, error)) error {
	out := json.NewEncoder(os.Stdout)
	os.Stdout = os.Stderr
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		var m message
		if err == nil {
			err = json.Unmarshal(line, &m)
		}
		if err != nil {
			return err
		}
		reply := object{}
		switch m.Cmd {
		case "bye":
			return nil
		case "hello":
			reply = object{"protocol": 1, "framing": "lines", "implementation": implementation, "capabilities": capabilities}
		default:
			reply = answer(m, run)
			reply["seq"] = m.Seq
		}
		if err := out.Encode(reply); err != nil {
			return err
		}
	}
}

func answer(m message, run func(*Request) (map[string]Tensor, error)) (reply object) {
	defer func() {
		if fault := recover(); fault != nil {
			reply = object{"status": "error", "message": fmt.Sprint(fault)}
		}
	}()
	request := Request{Op: m.Op, Attrs: m.Attrs, Inputs: map[string]Tensor{}, Execution: m.Execution}
	for name, t := range m.Inputs {
		data, err := hex.DecodeString(t.Hex)
		if err != nil {
			return object{"status": "error", "message": err.Error()}
		}
		request.Inputs[name] = Tensor{t.Dtype, t.Shape, data}
	}
	outputs, err := run(&request)
	switch e := err.(type) {
	case nil:
		written := map[string]tensor{}
		for name, t := range outputs {
			written[name] = tensor{t.Dtype, append([]uint64{}, t.Shape...), hex.EncodeToString(t.Data)}
		}
		return object{"status": "ok", "outputs": written}
	case Rejected:
		reply = object{"status": "rejected", "reason": e.Reason}
		if e.Kind != "" {
			reply["kind"] = e.Kind
		}
		return reply
	case Unsupported:
		return object{"status": "unsupported", "reason": e.Reason}
	default:
		return object{"status": "error", "message": err.Error()}
	}
}
