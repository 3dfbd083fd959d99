//! The failure that README reads line by line is the one that the program prints.

use std::fs;

use crate::Place;

#[test]
fn readme_shows_the_first_failure_of_its_command() {
    let readme = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md")).unwrap();
    let (_, section) = readme.split_once("## A failure, line by line").unwrap();
    let shown = section.split("```").nth(1).unwrap().trim();
    Place::new()
        .seedproof(&[
            "run",
            "--backend",
            "readings/openvino-cpu-2026.4",
            "ru8/tensorflow/f32/range-*",
        ])
        .exits(1)
        .says(shown);
}

#[test]
fn corpus_has_one_size_everywhere() {
    let place = Place::new();
    let cases = place.seedproof(&["list"]).exits(0).out.lines().count();
    place
        .seedproof(&["corpus", "lint"])
        .exits(0)
        .says(&format!("{cases} cases, 0 faults"));
    place
        .seedproof(&["corpus", "stats"])
        .exits(0)
        .says(&format!("{cases} cases in "));
    let thousands = format!("{},{:03} cases", cases / 1000, cases % 1000);
    for reading in ["spec", "torch-2.12"] {
        place
            .seedproof(&[
                "run",
                "--backend",
                "reference",
                "--reading",
                reading,
                "ru8/pytorch/f32/spec*",
                "*numpy*",
            ])
            .says(&format!("({thousands}) · reading {reading} ("));
        let report: serde_json::Value = serde_json::from_str(&place.read("reports/out/report.json")).unwrap();
        assert_eq!(report["runs"][0]["corpus"]["cases"], cases);
        assert_eq!(report["implementations"][0]["corpus"], cases);
        assert!(
            place
                .read("reports/out/summary.md")
                .contains(&format!("({thousands})"))
        );
    }
    // Documents say how many hundreds there are.
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for document in ["README.md", "crates/seedproof/src/lib.rs", "python/README.md"] {
        let text = std::fs::read_to_string(root.join(document)).unwrap();
        let words: String = text
            .replace("\n//!", " ")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        let (before, _) = words
            .split_once(" cases, names")
            .or_else(|| words.split_once(" cases, for those"))
            .or_else(|| words.split_once(" of them."))
            .unwrap();
        let (_, said) = before.rsplit_once("over ").unwrap();
        let said: usize = said.trim_start_matches('[').replace(',', "").parse().unwrap();
        assert!(
            (said..said + 500).contains(&cases),
            "{document} says over {said}: there are {cases}"
        );
    }
}

/// A newcomer reads the first screens; everything else has a page of its own.
#[test]
fn readme_stays_short_and_its_links_lead_somewhere() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    assert!(readme.lines().count() <= 120, "{}", readme.lines().count());
    let targets: Vec<&str> = readme
        .split("](")
        .skip(1)
        .map(|after| after.split(')').next().unwrap())
        .filter(|target| !target.starts_with("https://"))
        .collect();
    assert!(targets.len() > 10, "{targets:?}");
    for target in targets {
        assert!(root.join(target).exists(), "README links to {target}");
    }
}

/// Every `run` of the workflow, word by word as its shell would split it, is one that the program and cargo know.
#[test]
fn workflow_to_paste_is_yaml_and_its_commands_exist() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("docs/continuous-integration.md")).unwrap();
    let (_, block) = page.split_once("```yaml\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let workflow: serde_json::Value = serde_yaml::from_str(block).unwrap();
    assert!(workflow["on"].is_array(), "{workflow}");
    let jobs = workflow["jobs"].as_object().unwrap();
    let place = Place::new();
    let (mut actions, mut options) = (0, 0);
    for (name, job) in jobs {
        assert!(job["runs-on"].is_string(), "{name}");
        if let Some(needed) = job["needs"].as_str() {
            assert!(jobs.contains_key(needed), "{name} needs {needed}");
        }
        for step in job["steps"].as_array().unwrap() {
            let Some(command) = step["run"].as_str() else {
                let (_, version) = step["uses"].as_str().unwrap().split_once('@').unwrap();
                assert!(version.starts_with('v'), "{step}");
                actions += 1;
                continue;
            };
            let words = shlex::split(&command.replace("${{ matrix.shard }}", "1")).unwrap();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            match words[..] {
                ["cargo", "install", .., package] => assert_eq!(package, env!("CARGO_PKG_NAME")),
                // The page is of no interest to `--help`, which is reached once all options before it are known.
                ["seedproof", ref args @ ..] => {
                    let help = place.seedproof(&[args[0], "--help"]).exits(0).out;
                    for option in args.iter().filter(|arg| arg.starts_with('-')) {
                        let known = help.split([' ', ',', '=', '\n']).any(|word| word == *option);
                        assert!(known, "`{option}` of `{command}` is not in its help:\n{help}");
                        options += 1;
                    }
                    place.seedproof(&[args, &["--help"]].concat()).exits(0);
                }
                ["cat", ..] => {}
                _ => panic!("what is `{command}`?"),
            }
        }
    }
    assert!(jobs.len() == 2 && actions >= 4 && options >= 5, "{jobs:?}");
}
