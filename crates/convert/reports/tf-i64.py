import numpy as np, openvino as ov, tensorflow as tf

low, high = tf.constant(0, tf.int64), tf.constant(2**40, tf.int64)
f = tf.function(lambda: tf.raw_ops.RandomUniformInt(shape=[1000], minval=low, maxval=high, seed=7, seed2=9), input_signature=[]).get_concrete_function()
theirs = ov.Core().compile_model(ov.convert_model(f), "CPU")([])[0]
ours = f().numpy()
print("equal i64 in [0, 2^40):", np.sum(theirs == ours), "of 1000; the greatest is", theirs.max(), "where TensorFlow's is", ours.max())
assert np.sum(theirs == ours) < 5 and theirs.max() < 2**31
