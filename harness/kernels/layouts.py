"""Right answers, spoiled as a kernel spoils them that gets rows, channels, tiles or the end of a buffer wrong: the fault's name is in
the variable BUG. The answers are those of `seedproof serve`, which SEEDPROOF names, for whatever op is asked. Without BUG they are
right. It asks for no digests, so that every output is spoiled. `rounds:lastitem` leaves a place not unwritten, but draws it by nine
rounds, and `fused:lastitem` scales it by a fused multiplication: a mistake that acts in a part."""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

MISTAKE, _, BUG = os.environ.get("BUG", "").rpartition(":")
ANSWERS = {
    "rounds": '"philox.rounds" = "9"',
    "fused": '"tensorflow.scale.formula" = "fused", "pytorch.scale.formula" = "fused"',
}
WIDTH = {"u8": 1, "i8": 1, "bool": 1, "u16": 2, "i16": 2, "f16": 2, "bf16": 2, "u32": 4, "i32": 4, "f32": 4}
ZERO, NOISE = -1, -2


def up(n, multiple):
    return -(-n // multiple) * multiple


def places(fault, dims):
    """The element of the right output that each place gets; ZERO or NOISE for what stands there instead."""
    n = int(np.prod(dims, dtype=np.int64))
    i = np.arange(n)
    w = dims[-1] if dims else max(n, 1)
    h = dims[-2] if len(dims) > 1 else 1
    item = n // dims[0] if len(dims) > 1 else n
    channel = n // (dims[0] * dims[1]) if len(dims) > 2 else n
    row, column, matrix_row = i // w, i % w, i // w % h
    is_list = len(dims) < 2
    begin = i - column

    def only(wrong, what=ZERO):
        return np.where(wrong, what, i)

    match fault:
        case "above":  # only the lower triangle is computed
            return only((column > matrix_row) & (not is_list))
        case "diagonal":  # each matrix's diagonal is left out
            return only((column == matrix_row) & (not is_list))
        case "halo":  # a border of one element is not computed
            edge = (matrix_row == 0) | (matrix_row == h - 1) | (column == 0) | (column == w - 1)
            return only(edge & (not is_list))
        case "cap16":  # of a row, 16 elements are computed
            return only(column >= 16)
        case "wrap16":  # a row longer than 16 is the first 16 again and again
            return begin + column % 16
        case "clamp8":  # the column is clamped to 7
            return begin + np.minimum(column, 7)
        case "clamprows":  # the row is clamped to 3
            return np.minimum(row, 3) * w + column
        case "clampindex":  # after the last whole vector of four, the index is clamped to 0
            return np.where(i < n // 4 * 4, i, 0)
        case "firstitem":  # the batch is left out: its first item alone is computed
            return only(i >= item)
        case "lastitem":  # the last item of the batch is not computed
            return only((i >= n - item) & (not is_list))
        case "odditems":  # every second item is not computed
            return only((i // item) % 2 == 1)
        case "itemsame":  # every item is the first one
            return i % item
        case "itempairs":  # two items side by side are the same
            return i - np.where((i // item) % 2 == 1, item, 0)
        case "itemsreversed":  # the first axis is in the opposite order
            return (n // max(item, 1) - 1 - i // item) * item + i % item if not is_list else i[::-1]
        case "firstrow":  # the first row is zero
            return only((i < w) & (not is_list))
        case "lastrow":  # nothing writes the last row
            return only((i >= n - w) & (not is_list), NOISE)
        case "lastrowagain":  # the last row is the one before it
            return i - np.where((row == n // w - 1) & (row > 0), w, 0)
        case "oddrows":  # every second row of a matrix is not computed
            return only(matrix_row % 2 == 1)
        case "pairsofrows":  # two rows side by side are the same
            return i - np.where(row % 2 == 1, w, 0)
        case "eightrows":  # after eight rows come the first eight again
            return row % 8 * w + column
        case "dealtrows":  # four threads take rows in turns, and write them one after another
            order = np.concatenate([np.arange(first, n // w, 4) for first in range(4)])
            return order[row] * w + column
        case "channels4":  # the channels that make no group of four are not computed
            return only((i // channel % dims[1] >= dims[1] // 4 * 4) if len(dims) > 2 else np.zeros(n, bool))
        case "lastchannel":  # nothing writes the last channel
            return only((i // channel % dims[1] == dims[1] - 1) if len(dims) > 2 else np.zeros(n, bool), NOISE)
        case "lane3":  # of each four columns the last one is not computed
            return only(column % 4 == 3)
        case "oddzero":  # every second element is not computed
            return only(i % 2 == 1)
        case "rowstart":  # the first element of a row is the last of the row before it
            return i - np.where((column == 0) & (i > 0), 1, 0)
        case "column0":  # a row is its first element throughout
            return begin
        case "rowpairs":  # two columns side by side are exchanged
            other = column ^ 1
            return begin + np.where(other < w, other, column)
        case "rowhalves":  # the right half of a row comes first
            return begin + (column + w // 2) % w
        case "evencolumns":  # the even columns of a row come first
            even = (w + 1) // 2
            return begin + np.where(column < even, 2 * column, 2 * (column - even) + 1)
        case "halves":  # the second half of the output comes first
            return (i + n // 2) % n
        case "skew":  # row r of a matrix is rotated by r
            return begin + (column + matrix_row) % w
        case "zigzag":  # every second row is written backwards
            return begin + np.where(row % 2 == 1, w - 1 - column, column)
        case "tiles8" | "tiles8columns":  # tiles of 8 x 8, written row by row or column by column
            top, left = matrix_row // 8 * 8, column // 8 * 8
            height, width = np.minimum(8, h - top), np.minimum(8, w - left)
            r, c = matrix_row - top, column - left
            within = r * width + c if fault == "tiles8" else c * height + r
            return i - i % (h * w) + top * w + left * height + within
        case "pitch4" | "pitch16":  # stored with a pitch, and read without it
            pitch = up(w, int(fault[5:]))
            return np.where(i % pitch < w, i // pitch * w + i % pitch, ZERO)
        case "unpitch4":  # stored without a pitch, and read with one
            at = row * up(w, 4) + column
            return np.where(at < n, at, ZERO)
        case "stride3":  # every third element of a buffer of the output's size
            return np.where(3 * i < n, 3 * i, ZERO)
    return i


def spoiled(output, mistaken):
    """What the kernel returns in place of the right output. `mistaken` is that of the mistake, if there is one."""
    size = WIDTH.get(output["dtype"], 8)
    right = np.frombuffer(bytes.fromhex(output["hex"]), np.uint8).reshape(-1, size)
    if not len(right):
        return output
    if BUG == "lowbyte":  # the lowest byte of each element is not stored
        given = right * (np.arange(size) > 0).astype(np.uint8)
    elif BUG == "halfwords":  # the halves of each element are exchanged
        given = np.roll(right, size // 2, axis=1)
    else:
        at = places(BUG, output["shape"])
        noise = np.frombuffer(os.urandom(right.size), np.uint8).reshape(right.shape)
        other = np.where((at == NOISE)[:, None], noise, np.uint8(0))
        if mistaken:
            other = np.frombuffer(bytes.fromhex(mistaken["hex"]), np.uint8).reshape(-1, size)
        given = np.where((at < 0)[:, None], other, right[np.maximum(at, 0)])
    return {**output, "hex": given.tobytes().hex()}


def serve(*arguments):
    """A function that asks a process for its reply to a line."""
    argv = [os.environ.get("SEEDPROOF", "seedproof"), "serve", *arguments]
    served = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(line):
        served.stdin.write(line)
        served.stdin.flush()
        return json.loads(served.stdout.readline())

    return ask


def main():
    asked = [serve("--backend", "cpu/scalar")]
    if MISTAKE:
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write(f'[[reading]]\nname = "mistaken"\nobserved = "nowhere"\nbase = "spec"\nanswers = {{ {ANSWERS[MISTAKE]} }}\n')
            file.flush()
            asked.append(serve("--reading", file.name))
            asked[1](json.dumps({"cmd": "hello", "protocol": 1}) + "\n")
    for line in sys.stdin:
        command = json.loads(line)["cmd"]
        if command == "bye":
            break
        reply = asked[0](line)
        if command == "hello":
            reply["implementation"] = {"name": f"layout-{BUG or 'right'}", "version": "0.1", "language": "python"}
            reply["framing"] = "lines"
            for claimed in reply["capabilities"]:
                claimed["features"] = [it for it in claimed.get("features", []) if it not in ("digest", "window")]
        elif reply["status"] == "ok":
            first = next(iter(reply["outputs"]))
            # What the reading does not answer stays right.
            mistaken = asked[1](line).get("outputs", reply["outputs"])[first] if MISTAKE else None
            reply["outputs"][first] = spoiled(reply["outputs"][first], mistaken)
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
