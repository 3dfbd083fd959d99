//! Hexadecimal text of bytes: two digits a byte, written in lower case, read in either.

use data_encoding::{DecodeKind, HEXLOWER, HEXLOWER_PERMISSIVE};

/// The digits of some bytes.
pub(crate) fn encode(bytes: &[u8]) -> String {
    HEXLOWER.encode(bytes)
}

/// The bytes of some digits.
///
/// # Errors
/// What is wrong with the text: an odd number of digits, or where a character is none.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, String> {
    HEXLOWER_PERMISSIVE
        .decode(text.as_bytes())
        .map_err(|error| match error.kind {
            DecodeKind::Length => format!("read hex: {} digits are not whole bytes", text.len()),
            _ => format!("read hex: character {} is no digit", error.position),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_goes_there_and_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&bytes)), Ok(bytes));
        assert_eq!(encode(&[0x0f, 0xa0]), "0fa0");
        assert_eq!(decode("0FA0"), Ok(vec![0x0f, 0xa0]));
    }

    #[test]
    fn hex_says_what_is_wrong() {
        assert_eq!(
            decode("abc").unwrap_err(),
            "read hex: 3 digits are not whole bytes"
        );
        assert_eq!(decode("0g").unwrap_err(), "read hex: character 1 is no digit");
        assert!(decode("0x00").is_err());
        assert!(decode("é").is_err());
    }
}
