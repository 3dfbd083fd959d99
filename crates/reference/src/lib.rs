//! Seedproof: the oracle: the reading `spec` of RandomUniform-8, Multinomial-13 and DirectML RandomGenerator, literally.
#![forbid(unsafe_code)]
