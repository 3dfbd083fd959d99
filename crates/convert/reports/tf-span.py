import numpy as np, openvino as ov, tensorflow as tf

low, high = tf.constant(-(2**31), tf.int32), tf.constant(2**31 - 1, tf.int32)
f = tf.function(lambda: tf.raw_ops.RandomUniformInt(shape=[1000], minval=low, maxval=high, seed=7, seed2=9), input_signature=[]).get_concrete_function()
theirs = ov.Core().compile_model(ov.convert_model(f), "CPU")([])[0]
print("i32 in [-2^31, 2^31 - 1):", np.unique(theirs), "where TensorFlow draws", len(np.unique(f().numpy())), "values")
assert list(np.unique(theirs)) == [-(2**31)]
