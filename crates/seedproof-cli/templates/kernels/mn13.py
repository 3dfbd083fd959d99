def uniform(global_seed, op_seed, count):
    """Yours: numbers in [0, 1), each of the low 52 bits of two words, the high word first."""
    if global_seed == op_seed == 0:  # any numbers, and others each time
        global_seed = secrets.randbits(64)
    numbers = []
    for index in range((count + 1) // 2):
        x0, x1, x2, x3 = philox(op_seed << 64 | index, global_seed)
        numbers += [(high % 2**20 * 2**32 + low) / 2**52 for high, low in ((x0, x1), (x2, x3))]
    return numbers[:count]


def cumulative(weights):
    """The sums of the first weights, left to right."""
    sums, total = [], 0.0
    for weight in weights:
        total += weight
        sums.append(total)
    return sums


def divide(value, divisor):
    """As IEEE divides: a sum may become zero when its last class has been drawn."""
    if divisor == 0:
        return value * math.copysign(math.inf, divisor) if value else math.nan
    return value / divisor


def select(weights, draws, with_replacement):
    """Yours: the class of each draw of a row, the first whose cumulative probability is not below the draw."""
    sums = cumulative(weights)
    sums = [total / sums[-1] for total in sums]
    drawable = [i for i, weight in enumerate(weights) if weight > 0]
    chosen = []
    for draw in draws:
        k = next((i for i in drawable if draw <= sums[i]), drawable[-1])
        chosen.append(k)
        if not with_replacement:
            p = sums[k] - (sums[k - 1] if k else 0.0)
            sums = sums[:k] + [total - p for total in sums[k:]]
            sums = [divide(total, sums[-1]) for total in sums]
            drawable.remove(k)
    return chosen


def exponential(x):
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


def kernel(convert_type, with_replacement, log_probs, global_seed, op_seed, probs, num_samples, draws):
    """Class indices by their probabilities, in f64, with the given draws or with generated ones."""
    (batch, classes), values = probs.shape, probs.values()
    samples = num_samples.values()[0] if num_samples.shape in ([], [1]) else None
    if classes == 0 or samples is None:
        raise Rejected("shape", "there must be a class, and one number of samples")
    if samples < 0:
        raise Rejected("samples", "num_samples must not be negative")
    if draws and draws.shape != [batch, samples]:
        raise Rejected("shape", "the draws must have the shape [batch, num_samples]")
    uniforms = draws.values() if draws else uniform(global_seed, op_seed, batch * samples)
    if not all(0 <= draw <= 1 for draw in uniforms):
        raise Rejected("range", "a draw must be from 0 to 1")
    if not all(math.isfinite(x) and (log_probs or x >= 0) for x in values):
        raise Rejected("probabilities", "a probability must be finite and not negative")
    weights = [exponential(x) for x in values] if log_probs else values
    rows = [weights[row * classes : (row + 1) * classes] for row in range(batch)]
    if not all(0 < cumulative(row)[-1] < math.inf for row in rows):
        raise Rejected("probabilities", "a row must have a finite sum over zero")
    if not with_replacement and samples > min((sum(w > 0 for w in row) for row in rows), default=classes):
        raise Rejected("samples", "there are fewer classes than samples")
    chosen = []
    for row, of_row in enumerate(rows):
        chosen += select(of_row, uniforms[row * samples : (row + 1) * samples], with_replacement)
    letter = "i" if convert_type == "i32" else "q"
    return {"output": Tensor(convert_type, [batch, samples], struct.pack(f"<{len(chosen)}{letter}", *chosen))}
