//! A user's crate, built from the packages alone: `harness/embed`, with the manifest and the test that README shows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Most packages that such a crate may build, itself among them.
const MOST_PACKAGES: usize = 79;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Where this test builds. It is kept between runs.
fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside").join(name)
}

fn run(command: &mut Command) -> Output {
    command
        .output()
        .unwrap_or_else(|error| panic!("failed to start {command:?}: {error}"))
}

/// The standard output of a command that must succeed.
fn succeeds(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = run(command);
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(
        status.success(),
        "{command:?} ended with {status}\n{stdout}\n{stderr}"
    );
    stdout.into_owned()
}

fn cargo(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).args(arguments).arg("--offline");
    command.env("CARGO_TARGET_DIR", place("target"));
    // The names of the tests are the same under every runner.
    command.env_remove("NEXTEST");
    command
}

/// Packs every crate that is published, and unpacks it into a folder of its own; the folders by package.
fn packages() -> BTreeMap<String, PathBuf> {
    let mut pack = cargo(
        &root(),
        &[
            "package",
            "--workspace",
            "--exclude=seedproof-harness",
            "--exclude=seedproof-python",
        ],
    );
    succeeds(pack.args(["--no-verify", "--allow-dirty"]));
    let packed = place("target").join("package");
    let mut files: Vec<PathBuf> = fs::read_dir(&packed)
        .expect("cargo has packed into this folder")
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "crate"))
        .collect();
    files.sort();
    // Cargo sees a change of these sources by their path alone, since packed files have one date.
    let mut hasher = DefaultHasher::new();
    for file in &files {
        fs::read(file).expect("a packed crate").hash(&mut hasher);
    }
    let sources = place("sources");
    let unpacked = sources.join(format!("{:016x}", hasher.finish()));
    if !unpacked.is_dir() {
        // Those of earlier runs.
        let _ = fs::remove_dir_all(&sources);
        fs::create_dir_all(&unpacked).expect("a folder of the build");
        for file in &files {
            succeeds(Command::new("tar").arg("-xzf").arg(file).arg("-C").arg(&unpacked));
        }
    }
    let version = concat!("-", env!("CARGO_PKG_VERSION"));
    fs::read_dir(&unpacked)
        .expect("the packages are unpacked here")
        .map(|entry| entry.expect("the folder can be read").path())
        .map(|path| {
            let name = path.file_name().expect("a folder has a name").to_string_lossy();
            let name = name.strip_suffix(version).expect("all crates have one version");
            (name.to_owned(), path)
        })
        .collect()
}

/// The crate outside, with the packages in place of a registry's.
fn outside(packages: &BTreeMap<String, PathBuf>) -> PathBuf {
    let folder = place("crate");
    let embed = root().join("harness/embed");
    let mut config = String::from("[patch.crates-io]\n");
    for (name, path) in packages {
        config += &format!("{name} = {{ path = {:?} }}\n", path.display().to_string());
    }
    for name in [
        "Cargo.toml",
        "src/lib.rs",
        "tests/conformance.rs",
        "tests/mine/mod.rs",
    ] {
        write(&folder.join(name), &read(&embed.join(name)));
    }
    write(&folder.join(".cargo/config.toml"), &config);
    // The versions that are at hand.
    write(&folder.join("Cargo.lock"), &read(&root().join("Cargo.lock")));
    folder
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("failed to read {}: {error}", path.display()))
}

fn write(path: &Path, text: &str) {
    let folder = path.parent().expect("a file lies in a folder");
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .unwrap_or_else(|error| panic!("failed to write {}: {error}", path.display()));
}

/// Whoever builds the program must trust each of them.
#[test]
fn program_is_built_from_fewer_than_140_crates_of_others() {
    let tree = [
        "tree",
        "--edges",
        "normal",
        "--prefix",
        "none",
        "--no-dedupe",
        "--package",
        "seedproof-cli",
    ];
    let tree = succeeds(&mut cargo(&root(), &tree));
    let lines = tree
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with("seedproof"));
    let others: BTreeSet<Vec<&str>> = lines.map(|line| line.split(' ').take(2).collect()).collect();
    assert!(others.iter().any(|it| it[0] == "wgpu"), "{others:?}");
    assert!(others.len() < 140, "{} crates: {others:?}", others.len());
}

/// A user's crate builds from the packages alone and is judged under `cargo test`.
#[test]
#[ignore = "slow: builds 78 packages once more"]
fn outside_crate_is_judged_under_cargo_test() {
    let folder = outside(&packages());
    let tree = [
        "tree",
        "--edges",
        "normal,build,dev",
        "--prefix",
        "none",
        "--no-dedupe",
    ];
    let tree = succeeds(&mut cargo(&folder, &tree));
    let built: BTreeSet<&str> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    assert!(built.contains("seedproof-vectors"), "{built:?}");
    assert!(built.len() < MOST_PACKAGES, "{} packages: {built:?}", built.len());
    for heavy in ["clap", "wgpu", "seedproof-author", "seedproof-gpu"] {
        assert!(!built.contains(heavy), "{heavy} is built");
    }

    let test = ["test", "--test", "conformance"];
    let told = succeeds(&mut cargo(&folder, &test));
    let (_, result) = told
        .split_once("test result: ok. ")
        .expect("a line with the result");
    let passed: usize = result
        .split(' ')
        .next()
        .and_then(|count| count.parse().ok())
        .expect("a number");
    assert!(passed > 10, "{passed} passed:\n{told}");

    // One round too few.
    let source = read(&folder.join("src/lib.rs"));
    let wrong = source.replace("0..10", "0..9");
    assert_ne!(source, wrong);
    write(&folder.join("src/lib.rs"), &wrong);
    let failed = run(&mut cargo(&folder, &test));
    let told = String::from_utf8_lossy(&failed.stdout);
    assert!(!failed.status.success(), "{told}");
    assert!(told.contains("departs from  ru8.philox.rounds"), "{told}");

    // Its rerun lines, by a shell as they stand: the failing case and no other. Under nextest, too, where a trial is a
    // file, a line runs its case alone.
    let by_file_name = "mine::random-uniform-8/spec-examples.yaml";
    let mut trial_of_nextest = cargo(&folder, &[test.as_slice(), &["--", by_file_name]].concat());
    let by_file = run(trial_of_nextest.env("NEXTEST", "1"));
    let by_file = String::from_utf8_lossy(&by_file.stdout);
    for told in [told.as_ref(), &by_file]
        .into_iter()
        .chain(under_nextest(&folder, by_file_name).as_deref())
    {
        let line = told.lines().find_map(|line| line.trim().strip_prefix("rerun: "));
        let line = line.unwrap_or_else(|| panic!("no rerun line in\n{told}"));
        runs_one_failing_test(&folder, line);
    }
    // A name without a test must not count as a success.
    let nothing = [
        "test",
        "--test",
        "conformance",
        "--",
        "--exact",
        "ru8/tensorflow/f32/spec-example-1",
    ];
    let nothing = run(&mut cargo(&folder, &nothing));
    let complaint = String::from_utf8_lossy(&nothing.stderr);
    assert!(!nothing.status.success());
    assert!(
        complaint.contains("did you mean `mine::ru8/tensorflow/f32/spec-example-1`?"),
        "{complaint}"
    );
}

/// What nextest prints of a trial that fails; `None` where nextest is absent.
fn under_nextest(folder: &Path, trial: &str) -> Option<String> {
    let is_present = run(&mut cargo(folder, &["nextest", "--version"]))
        .status
        .success();
    if !is_present {
        println!("not run: a trial under nextest, as cargo-nextest is absent");
        return None;
    }
    let filter = format!("test(={trial})");
    let arguments = ["nextest", "run", "--test", "conformance", "-E", &filter];
    let Output { status, stderr, .. } = run(&mut cargo(folder, &arguments));
    let told = String::from_utf8_lossy(&stderr).into_owned();
    assert!(
        !status.success() && told.contains("1 test run: 0 passed, 1 failed"),
        "{told}"
    );
    Some(told)
}

/// Runs a line as a user's shell would.
fn runs_one_failing_test(folder: &Path, line: &str) {
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(line).current_dir(folder);
    shell
        .env("CARGO_TARGET_DIR", place("target"))
        .env("CARGO_NET_OFFLINE", "true");
    shell.env_remove("NEXTEST");
    let Output { status, stdout, .. } = run(&mut shell);
    let told = String::from_utf8_lossy(&stdout);
    assert_eq!(status.code(), Some(101), "{line}\n{told}");
    assert!(told.contains("\nrunning 1 tests\n"), "{line}\n{told}");
    assert!(told.contains("0 passed; 1 failed; 0 ignored"), "{line}\n{told}");
    let case = line.rsplit("::").next().expect("a line ends with its case");
    assert!(
        told.contains(&format!("test mine::{case} ... FAILED")),
        "{line}\n{told}"
    );
}

#[test]
fn outside_crate_is_the_one_that_readme_shows() {
    let readme = read(&root().join("README.md"));
    let (_, section) = readme
        .split_once("## Judge your own code in Rust")
        .expect("README has this section");
    for (language, file) in [("toml", "Cargo.toml"), ("rust", "tests/conformance.rs")] {
        let (_, block) = section
            .split_once(&format!("```{language}\n"))
            .expect("README shows this file");
        let (block, _) = block.split_once("```").expect("a block ends");
        let text = read(&root().join("harness/embed").join(file));
        assert!(
            text.ends_with(block),
            "harness/embed/{file} does not end as README has it:\n{block}"
        );
    }
}
