//! Globs on ids.

use crate::Finding;

/// Whether a text is as a pattern says: `*` stands for any number of characters, `/` among them, `?` for one.
pub fn glob(pattern: &str, text: &str) -> bool {
    let (pattern, text) = (pattern.as_bytes(), text.as_bytes());
    let (mut p, mut t) = (0, 0);
    // The last star, and how far it reaches. Only that one is ever tried again, so that the work stays within
    // the product of the lengths.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some(b'*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&byte) if byte == b'?' || byte == text[t] => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((at, reach)) = star else { return false };
                star = Some((at, reach + 1));
                (p, t) = (at + 1, reach + 1);
            }
        }
    }
    pattern[p..].iter().all(|&byte| byte == b'*')
}

/// Whether a pattern is about a finding: a glob on the case, or `backend::case` with a glob on either side.
pub fn is_about(pattern: &str, finding: &Finding) -> bool {
    match pattern.split_once("::") {
        Some((backend, case)) => glob(backend, finding.backend.as_str()) && glob(case, finding.case.as_str()),
        None => glob(pattern, finding.case.as_str()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glob_stars_reach_over_slashes() {
        for (pattern, text) in [
            ("ru8/*", "ru8/pytorch/f16/x"),
            ("*", ""),
            ("*/f16/*", "ru8/pytorch/f16/x"),
            ("ru8/?orch", "ru8/torch"),
            ("a*b*c", "a-b-b-c"),
            ("plain", "plain"),
        ] {
            assert!(glob(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn glob_matches_all_of_the_text() {
        for (pattern, text) in [
            ("ru8", "ru8/x"),
            ("", "x"),
            ("*/f32/*", "ru8/pytorch/f16/x"),
            ("a?", "a"),
            ("a*b", "a-b-c"),
        ] {
            assert!(!glob(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn glob_of_many_stars_ends() {
        let pattern = "*a".repeat(200);
        assert!(!glob(&pattern, &"a".repeat(199)));
        assert!(glob(&pattern, &"a".repeat(10_000)));
    }
}
