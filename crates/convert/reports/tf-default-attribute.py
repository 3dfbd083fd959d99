import tempfile, openvino as ov, tensorflow as tf

module = tf.Module()
module.f = tf.function(lambda: tf.random.categorical(tf.constant([[0.0, 1.0]]), 8, seed=7), input_signature=[])
folder = tempfile.mkdtemp()
tf.saved_model.save(module, folder, signatures=module.f)
try:
    ov.convert_model(folder)
    raise SystemExit("it converts")
except ov.frontend.OpConversionFailure as error:
    print([line for line in str(error).splitlines() if "output_dtype" in line][0])
