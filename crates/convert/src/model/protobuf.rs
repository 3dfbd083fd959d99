//! Messages of Protocol Buffers.

/// Decodes a message. The error has the offset at which decoding stopped.
pub(crate) fn decode<M: prost::Message + Default>(bytes: Vec<u8>, what: &str) -> Result<M, String> {
    let length = bytes.len();
    // From `Bytes`, fields of bytes share the buffer. A model is mostly weights, which would be copied otherwise.
    let mut buffer = bytes::Bytes::from(bytes);
    M::decode(&mut buffer).map_err(|error| {
        format!(
            "failed to read {what} at byte {} of {length}: {error}",
            length - buffer.len()
        )
    })
}
