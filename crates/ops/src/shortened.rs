//! Messages that repeat what somebody else wrote.

use std::borrow::Cow;

/// Characters at each end of a message that are kept: more than any message of this project's own has.
const KEPT: usize = 1_000;

/// A message without its middle, if it has more than two thousand characters: a number of a million digits that it quotes
/// is what nobody wants to read.
///
/// ```
/// use seedproof_ops::shortened;
///
/// assert_eq!(shortened("unknown attribute"), "unknown attribute");
/// let message = shortened(&"7".repeat(5_000)).into_owned();
/// assert!(message.contains("… 3000 more characters …"));
/// ```
pub fn shortened(message: &str) -> Cow<'_, str> {
    let mut middle = message.chars();
    let missing = middle.clone().skip(2 * KEPT).count();
    if missing == 0 {
        return Cow::Borrowed(message);
    }
    let beginning: String = middle.by_ref().take(KEPT).collect();
    let end: String = middle.skip(missing).collect();
    Cow::Owned(format!("{beginning}… {missing} more characters …{end}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortened_messages_keep_their_ends() {
        assert!(matches!(shortened("plain"), Cow::Borrowed("plain")));
        let text = format!("a{}z", "é".repeat(2_000));
        let short = shortened(&text);
        assert!(short.starts_with("aé") && short.ends_with("éz"));
        assert!(short.contains("é… 2 more characters …é"));
        assert_eq!(shortened(&text[..text.len() - 3]).chars().count(), 2_000);
    }
}
