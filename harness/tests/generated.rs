//! The committed files are those that the program generates: the corpus, its schema and the reports. A test names what
//! changed.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use seedproof::judging::Catalogue;
use seedproof_ops::{Kind, Limits, Named as _, OpName, Role};

type Files = Vec<(String, String)>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(name: &str) -> Option<String> {
    std::fs::read_to_string(root().join(name)).ok()
}

/// The corpus's files as they are, and everything that is generated from them.
static GENERATED: LazyLock<(Files, Files)> = LazyLock::new(|| {
    let files =
        seedproof::files::read_files(&root().join("vectors")).expect("the corpus lies in the repository");
    let wanted = seedproof_author::generated(
        &files,
        read(seedproof_author::GUIDE).as_deref(),
        &Catalogue::new(Limits::default()),
    )
    .expect("the corpus has no mistakes");
    (files, wanted)
});

#[test]
fn generated_files_are_committed_as_they_are() {
    let (files, wanted) = &*GENERATED;
    assert!(
        wanted.len() > files.len(),
        "the corpus, its schema and the reports"
    );
    let drifted: Vec<&str> = wanted
        .iter()
        .filter(|(name, text)| read(name).as_ref() != Some(text))
        .map(|(name, _)| name.as_str())
        .collect();
    assert!(drifted.is_empty(), "`seedproof gen` would change {drifted:#?}");
}

#[test]
fn generated_files_are_reviewed_by_a_summary() {
    let (files, wanted) = &*GENERATED;
    let change = seedproof_author::change(files, wanted).expect("the corpus has no mistakes");
    let mut settings = insta::Settings::clone_current();
    settings.set_description(change);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("goldens", seedproof_author::table(wanted)));
}

/// A layout that goes wrong where blocks are whole can stand in a kernel of any op, so that each is asked at extents where
/// it shows.
#[test]
fn layouts_are_caught_in_each_op_and_type_whose_extents_a_request_chooses() {
    let chooses = |op: &&OpName| {
        let description = op.description();
        let mut attributes = description.attributes.iter();
        attributes.any(|info| matches!(info.kind, Kind::Extents(_)))
            || description
                .inputs
                .iter()
                .any(|info| matches!(info.role, Role::Extents | Role::Elements))
    };
    let chosen: Vec<&str> = OpName::ALL
        .iter()
        .filter(chooses)
        .map(|op| op.description().prefix)
        .collect();
    let coverage = read("reports/coverage.txt").expect("it is committed");
    let (_, table) = coverage
        .split_once("memory.axes")
        .expect("the first kind of fault");
    let mut lines = table.lines().skip(1);
    let all = lines
        .next()
        .and_then(|line| line.split_whitespace().next())
        .expect("their number");
    let (mut op, mut rows) = ("", 0);
    for line in lines {
        let mut words = line.split_whitespace();
        let (name, cell) = (words.next().unwrap(), words.next().unwrap());
        let is_type = line.starts_with(' ');
        if !is_type {
            op = name;
        }
        if chosen.contains(&op) {
            let least = if is_type { 1 } else { 3 };
            let caught = cell.split_once(':').filter(|(caught, _)| *caught == all);
            let is_enough = caught.is_some_and(|(_, cases)| cases.parse::<usize>().unwrap() >= least);
            assert!(is_enough, "{op} {line}");
            rows += 1;
        }
    }
    assert!(rows > 80, "{rows}");
}

#[test]
fn goldens_change_with_a_line_in_their_log() {
    let goldens =
        seedproof_author::goldens(&root(), &GENERATED.1).expect("the snapshots lie in the repository");
    let log = read("reports/goldens.txt").expect("it is committed");
    let missing = seedproof_author::missing_line(&log, &seedproof_author::digest(&goldens), "what changed");
    assert_eq!(
        missing, None,
        "goldens have changed; `seedproof gen` says what to write"
    );
}

#[test]
fn reports_are_named_in_their_readme() {
    let readme = read("reports/README.md").expect("it is committed");
    let folder = std::fs::read_dir(root().join("reports")).expect("the reports lie in the repository");
    let names: Vec<String> = folder
        .map(|entry| {
            entry
                .expect("it can be read")
                .file_name()
                .to_string_lossy()
                .into_owned()
        })
        .filter(|name| name != "README.md" && name != "out")
        .collect();
    assert!(names.len() > 8, "{names:?}");
    let unnamed: Vec<&String> = names
        .iter()
        .filter(|name| !readme.contains(&format!("| `{name}`")) && !readme.contains(&format!(", `{name}` |")))
        .collect();
    assert!(
        unnamed.is_empty(),
        "reports/README.md does not say what makes {unnamed:?}"
    );
}

#[test]
fn sample_is_small_and_the_same_everywhere() {
    let sample = read("reports/sample.html").expect("it is committed");
    assert!(sample.len() < 300_000, "{} bytes", sample.len());
}

#[test]
fn pictures_are_small_and_shown() {
    let pages = [
        "README.md",
        "docs/python/kernel.md",
        "docs/python/convert.md",
        "docs/python/ci.md",
    ];
    let pages = pages.map(|page| read(page).expect("it is committed")).concat();
    let pictures = std::fs::read_dir(root().join("docs/pictures")).expect("they are committed");
    let mut shown = 0;
    for picture in pictures {
        let picture = picture.expect("the folder can be listed");
        let (name, size) = (
            picture.file_name(),
            picture.metadata().expect("it is there").len(),
        );
        let name = name.to_str().expect("a plain name");
        assert!(size < 150_000, "{name} has {size} bytes");
        assert!(
            pages.contains(&format!("pictures/{name})")),
            "no page shows {name}"
        );
        shown += 1;
    }
    assert_eq!(shown, 2);
}
