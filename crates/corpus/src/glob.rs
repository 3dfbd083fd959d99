//! Globs, the same for queries, expectation files and commands.

/// A pattern for a whole text: `*` stands for any characters, `/` among them, and `?` for one. Letters of either case
/// are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Glob(String);

impl Glob {
    /// A glob from its text. Every text is one.
    pub fn new(pattern: &str) -> Self {
        Self(pattern.to_owned())
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A text that is part of whatever it matches, but for the case of letters: the longest without a wildcard.
    pub(crate) fn literal(&self) -> &str {
        let parts = self.0.split(['*', '?']);
        parts.max_by_key(|part| part.len()).unwrap_or_default()
    }

    /// Whether it matches all of a text. Time is at most the product of the lengths.
    pub fn matches(&self, text: &str) -> bool {
        let (mut pattern, mut rest) = (self.0.as_str(), text);
        // What follows the last star, and the text from which that is tried. Earlier stars need no second try.
        let mut star: Option<(&str, &str)> = None;
        loop {
            let (mut wanted, mut given) = (pattern.chars(), rest.chars());
            match (wanted.next(), given.next()) {
                (None, None) => return true,
                (Some('*'), _) => {
                    pattern = wanted.as_str();
                    star = Some((pattern, rest));
                }
                (Some(c), Some(letter)) if c == '?' || c.eq_ignore_ascii_case(&letter) => {
                    (pattern, rest) = (wanted.as_str(), given.as_str());
                }
                _ => {
                    let Some((after, from)) = star else { return false };
                    let mut from = from.chars();
                    if from.next().is_none() {
                        return false;
                    }
                    (pattern, rest) = (after, from.as_str());
                    star = Some((after, rest));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glob_matches_all_of_a_text() {
        for (pattern, text) in [
            ("ru8/*", "ru8/tensorflow/f32/one"),
            ("*f32*", "ru8/tensorflow/f32/one"),
            ("ru8/*/one", "ru8/tensorflow/f32/one"),
            ("RU8.Philox.*", "ru8.philox.round"),
            ("**", "a"),
            ("*", ""),
            ("", ""),
            ("a?c", "aéc"),
            ("a?c", "a/c"),
            ("a*b*c", "a-b-b-c"),
        ] {
            assert!(Glob::new(pattern).matches(text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("a?c", "ac"),
            ("ru8", "ru8/one"),
            ("*a*b", "aab/c"),
            ("a", ""),
            ("", "a"),
            ("a?", "a"),
            ("a*b", "a-b-c"),
        ] {
            assert!(!Glob::new(pattern).matches(text), "{pattern} {text}");
        }
    }

    #[test]
    fn glob_of_many_stars_ends() {
        let glob = Glob::new(&"*a".repeat(200));
        assert!(!glob.matches(&"a".repeat(199)));
        assert!(glob.matches(&"a".repeat(10_000)));
    }
}
