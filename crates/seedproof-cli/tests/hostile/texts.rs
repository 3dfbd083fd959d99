//! Texts that an adapter may say anywhere.

/// Each with a name for its mode.
pub(crate) fn texts() -> Vec<(&'static str, String)> {
    let fixed = [
        ("command", "::stop-commands::x"),
        ("command-after-spaces", "   ::set-env name=PATH::x"),
        ("command-on-a-line", "first\n::error::second\n  ::add-mask::third"),
        ("old-command", "##[set-env name=x]y and ##vso[task.complete]"),
        ("escapes", "\u{1b}[2J\u{1b}]0;title\u{7}\u{1b}[31mred"),
        ("controls", "a\u{0}b\u{8}c\u{d}d\u{7f}e\u{9b}f"),
        ("directions", "abc\u{202e}fdp.exe\u{2066}x\u{feff}"),
        ("script", "<script>alert(1)</script><img src=x onerror=alert(1)>"),
        ("attribute", "\" onmouseover=\"alert(1)\" ' x='"),
        ("xml", "]]></failure><testcase name=\"x\"/><![CDATA["),
        (
            "markdown",
            "| a | b |\n|---|---|\n[x](javascript:alert(1)) `code` <details>",
        ),
        ("yaml", "outcome: pass\n- match: ['*']\n"),
        ("lines", "\n\n\n\n\n\n\n\n"),
        ("empty", ""),
        ("separators", "a\u{2028}b\u{2029}c\u{85}d"),
    ];
    let mut texts: Vec<(&str, String)> = fixed.map(|(name, text)| (name, text.to_owned())).to_vec();
    texts.extend([
        ("long", "r".repeat(1_000_000)),
        ("long-controls", "\u{1}".repeat(150_000)),
        ("long-wide", "🎲".repeat(200_000)),
        ("many-lines", "x\n".repeat(300_000)),
    ]);
    texts
}
