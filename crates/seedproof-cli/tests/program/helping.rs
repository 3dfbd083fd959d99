//! `--help`, completions, and where the help sends its reader.

use crate::Place;

#[test]
fn help_describes_every_command_and_every_flag() {
    let place = Place::new();
    let all = place
        .seedproof(&["--help"])
        .exits(0)
        .says("Exit status: 0 conforms");
    let commands: Vec<String> = all
        .out
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .map(|line| {
            let (name, about) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            assert!(!about.trim().is_empty(), "{name} has no description");
            name.to_owned()
        })
        .collect();
    assert!(commands.len() >= 12, "{commands:?}");
    for command in commands.iter().filter(|command| *command != "help") {
        let help = place.seedproof(&[command, "--help"]).exits(0).out;
        assert!(!help.starts_with("Usage"), "{command} has no description");
        if ["run", "smoke", "explain", "export", "report"].contains(&command.as_str()) {
            assert!(
                help.contains("Examples:\n  seedproof"),
                "{command} has no examples"
            );
        }
        if command == "corpus" {
            continue;
        }
        for line in help.lines().filter(|line| line.trim_start().starts_with("--")) {
            let described = line.trim().split_once("  ").is_some();
            assert!(
                described || help.contains(&format!("{line}\n     ")),
                "{command}: `{line}` has no description"
            );
        }
    }
}

#[test]
fn completions_are_a_script() {
    Place::new()
        .seedproof(&["completions", "bash"])
        .exits(0)
        .says("complete -F _seedproof");
    Place::new()
        .seedproof(&["completions", "cmd"])
        .exits(2)
        .complains("bash");
}
