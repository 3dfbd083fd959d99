import numpy as np, tensorflow as tf
from ai_edge_litert.interpreter import Interpreter

def lite(seed):
    f = tf.function(lambda: tf.raw_ops.RandomUniform(shape=[8], dtype=tf.float32, seed=seed, seed2=9), input_signature=[]).get_concrete_function()
    interpreter = Interpreter(model_content=tf.lite.TFLiteConverter.from_concrete_functions([f]).convert())
    interpreter.allocate_tensors()
    interpreter.invoke()
    return interpreter.get_tensor(interpreter.get_output_details()[0]["index"]), f().numpy()

small, wide = lite(5), lite(2**32 + 5)
print("seed 5 is TensorFlow's:", np.array_equal(*small), "seed 2^32 + 5:", np.array_equal(*wide), "both draw alike:", np.array_equal(small[0], wide[0]))
assert np.array_equal(*small) and not np.array_equal(*wide) and np.array_equal(small[0], wide[0])
