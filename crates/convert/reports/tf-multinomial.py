import numpy as np, openvino as ov, tensorflow as tf

logits = tf.constant([[0.0, 1.0, -1.0, 0.5]])
f = tf.function(lambda: tf.raw_ops.Multinomial(logits=logits, num_samples=1000, seed=7, seed2=9, output_dtype=tf.int32), input_signature=[]).get_concrete_function()
request = ov.Core().compile_model(ov.convert_model(f), "CPU").create_infer_request()
first, second = (request.infer([])[0].copy() for _ in range(2))
print("equal:", np.mean(first == f().numpy()), "a second inference repeats:", np.array_equal(first, second), "a second call of TensorFlow:", np.array_equal(f(), f()))
assert np.mean(first == f().numpy()) < 0.5 and np.array_equal(first, second)
