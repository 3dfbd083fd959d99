"""Times the normals of PyTorch, TensorFlow or MKL, or the bits of JAX, on one thread. Reads lines "COUNT REPEATS", and prints the
seconds that they take. The argument is the package's name."""

import sys
import time


def torch_normal():
    import torch

    torch.set_num_threads(1)
    generator = torch.Generator()
    generator.manual_seed(150)
    outs = {}

    def draw(count):
        # An output of torch's own is used again, as ours is.
        out = outs.setdefault(count, torch.empty(count))
        return lambda: out.normal_(0.0, 1.0, generator=generator)

    capability = torch.backends.cpu.get_cpu_capability()
    return f"torch {torch.__version__}, {capability}", draw


def tensorflow_normal():
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    key, counter = tf.constant([150], tf.uint64), tf.constant([0, 10], tf.uint64)

    def draw(count):
        shape = tf.constant([count])
        return lambda: tf.raw_ops.StatelessRandomNormalV2(shape=shape, key=key, counter=counter, alg=1)

    return f"tensorflow {tf.__version__}", draw


def mkl_normal(generator):
    """Box-Muller with both numbers of a pair, from a generator by its number in mkl_vsl_defines.h."""
    import ctypes
    import glob
    import importlib.metadata
    import os

    os.environ["MKL_NUM_THREADS"] = "1"
    mkl = ctypes.CDLL(glob.glob(f"{sys.prefix}/lib/libmkl_rt.so*")[0])
    stream = ctypes.c_void_p()
    if mkl.vslNewStream(ctypes.byref(stream), generator << 20, 150):
        sys.exit("MKL makes no stream")

    def draw(count):
        out = (ctypes.c_float * count)()
        box_muller, mean, std = 1, ctypes.c_float(0), ctypes.c_float(1)
        return lambda: mkl.vsRngGaussian(box_muller, stream, count, out, mean, std)

    return f"mkl {importlib.metadata.version('mkl')}", draw


def jax_bits(partitionable=True):
    import os

    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    import jax

    jax.config.update("jax_threefry_partitionable", partitionable)
    key = jax.random.key(150)

    def draw(count):
        bits = jax.jit(lambda key: jax.random.bits(key, (count,)))
        bits(key).block_until_ready()
        return lambda: bits(key).block_until_ready()

    return f"jax {jax.__version__}", draw


packages = {
    "torch": torch_normal,
    "tensorflow": tensorflow_normal,
    "mkl": lambda: mkl_normal(16),
    "mkl-mt19937": lambda: mkl_normal(8),
    "jax": jax_bits,
    "jax-original": lambda: jax_bits(partitionable=False),
}
version, draw = packages[sys.argv[1]]()
print(version, flush=True)
for line in sys.stdin:
    count, repeats = map(int, line.split())
    run = draw(count)
    start = time.perf_counter()
    for _ in range(repeats):
        run()
    print(time.perf_counter() - start, flush=True)
