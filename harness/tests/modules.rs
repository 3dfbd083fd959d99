//! The modules inside each crate: none imports one that imports it, and each has at most 500 lines before its tests.
//!
//! The reader of sources knows what rustfmt writes: `use` trees, paths with `crate`, `self` and `super`, and paths that
//! begin with a child. Tests may look at their parent, and re-exports are not imports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Most lines of a module before its tests.
const MOST_LINES: usize = 500;

/// A module's name as its parts; none for the crate's root.
type Name = Vec<String>;

/// What a source says of other modules.
#[derive(Debug, Default)]
struct Source {
    lines: usize,
    /// Absolute paths to what is imported.
    imports: Vec<Name>,
    /// Names that stand for absolute paths.
    names: BTreeMap<String, Name>,
}

/// The folders of sources: those of the crates, the harness's and the Python package's.
fn crates() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<PathBuf> = fs::read_dir(root.join("crates"))
        .expect("the workspace has crates")
        .map(|entry| entry.expect("the folder can be read").path().join("src"))
        .chain([root.join("harness/src"), root.join("python/src")])
        .collect();
    folders.sort();
    folders
}

/// The modules of a crate and their texts, without the files that hold tests alone.
fn texts(folder: &Path, parent: &[String], found: &mut BTreeMap<Name, String>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("the folder can be read").path();
        let stem = path
            .file_stem()
            .expect("a file has a name")
            .to_string_lossy()
            .into_owned();
        let mut name = parent.to_vec();
        if path.is_dir() {
            name.push(stem);
            texts(&path, &name, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            if stem == "tests"
                || stem.ends_with("_tests")
                || parent.last().is_some_and(|last| last == "tests")
            {
                continue;
            }
            if !["mod", "lib", "main"].contains(&stem.as_str()) {
                name.push(stem);
            }
            found.insert(name, fs::read_to_string(&path).expect("a source is text"));
        }
    }
}

/// The paths of a `use` tree, each with the name that it is known by.
fn paths(tree: &str) -> Vec<(Name, Option<String>)> {
    let tree = tree.trim();
    let parts = |path: &str| -> Name {
        let parts = path.split("::").map(str::trim).filter(|part| !part.is_empty());
        parts.map(str::to_owned).collect()
    };
    let Some((prefix, rest)) = tree.split_once('{') else {
        let (path, alias) = tree
            .split_once(" as ")
            .map_or((tree, None), |(path, alias)| (path, Some(alias)));
        return vec![(parts(path), alias.map(|alias| alias.trim().to_owned()))];
    };
    let inside = rest.rsplit_once('}').map_or(rest, |(inside, _)| inside);
    let (mut depth, mut start) = (0, 0);
    let mut found = Vec::new();
    for (at, c) in inside.char_indices().chain([(inside.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let branch = inside[start..at].trim();
                start = at + 1;
                if !branch.is_empty() {
                    found.extend(
                        paths(branch)
                            .into_iter()
                            .map(|(path, alias)| (parts(prefix).into_iter().chain(path).collect(), alias)),
                    );
                }
            }
            _ => {}
        }
    }
    found
}

/// The paths with `::` in a line of code.
fn paths_in_code(line: &str) -> impl Iterator<Item = Name> {
    line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'))
        .filter(|word| word.contains("::") && !word.starts_with(':'))
        .map(|word| {
            word.trim_end_matches(':')
                .split("::")
                .map(str::to_owned)
                .collect()
        })
}

fn read(module: &Name, text: &str, modules: &BTreeSet<Name>) -> Source {
    let absolute = |path: &Name| -> Option<Name> {
        let supers = path.iter().take_while(|part| *part == "super").count();
        let first = path.first()?;
        let child = || modules.contains(&[module.as_slice(), std::slice::from_ref(first)].concat());
        match first.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some([module.as_slice(), &path[1..]].concat()),
            "super" => {
                let parent = module.get(..module.len().checked_sub(supers)?)?;
                Some([parent, &path[supers..]].concat())
            }
            _ if child() => Some([module.as_slice(), path.as_slice()].concat()),
            _ => None,
        }
    };
    let before_tests: Vec<&str> = text.lines().take_while(|line| *line != "#[cfg(test)]").collect();
    let mut source = Source {
        lines: before_tests.len(),
        ..Source::default()
    };
    let mut lines = before_tests
        .iter()
        .filter(|line| !line.trim_start().starts_with("//"));
    while let Some(line) = lines.next() {
        let code = line.trim();
        let (is_public, item) = match code.strip_prefix("pub").and_then(|rest| rest.split_once("use ")) {
            Some((between, tree)) if between.trim().is_empty() || between.trim().ends_with(')') => {
                (true, Some(tree))
            }
            _ => (false, code.strip_prefix("use ")),
        };
        let Some(item) = item else {
            source
                .imports
                .extend(paths_in_code(line).filter_map(|path| absolute(&path)));
            continue;
        };
        let mut tree = item.to_owned();
        while !tree.contains(';') {
            tree += lines.next().expect("a `use` ends");
        }
        for (path, alias) in paths(tree.trim_end_matches(';')) {
            let Some(mut path) = absolute(&path) else {
                continue;
            };
            path.pop_if(|last| last == "self" || last == "*");
            if let Some(name) = alias.or_else(|| path.last().cloned()) {
                source.names.insert(name, path.clone());
            }
            if !is_public {
                source.imports.push(path);
            }
        }
    }
    source
}

fn sources(folder: &Path) -> BTreeMap<Name, Source> {
    let mut found = BTreeMap::new();
    texts(folder, &[], &mut found);
    // The harness is tests alone, and has no root.
    found.entry(Name::new()).or_default();
    let modules: BTreeSet<Name> = found.keys().cloned().collect();
    found
        .iter()
        .map(|(name, text)| (name.clone(), read(name, text, &modules)))
        .collect()
}

/// The module that has what a path means, through re-exports.
fn module_of(path: &[String], sources: &BTreeMap<Name, Source>, depth: usize) -> Name {
    let mut module = Name::new();
    for (at, part) in path.iter().enumerate() {
        let child = [module.as_slice(), std::slice::from_ref(part)].concat();
        if sources.contains_key(&child) {
            module = child;
            continue;
        }
        let target = sources.get(&module).and_then(|source| source.names.get(part));
        return match target {
            Some(target) if depth < 8 => {
                module_of(&[target.as_slice(), &path[at + 1..]].concat(), sources, depth + 1)
            }
            _ => module,
        };
    }
    module
}

/// For each module, those that it imports.
fn imports(sources: &BTreeMap<Name, Source>) -> BTreeMap<&Name, BTreeSet<Name>> {
    let of = |(name, source): (&Name, &Source)| -> BTreeSet<Name> {
        let targets = source.imports.iter().map(|path| module_of(path, sources, 0));
        targets.filter(|target| target != name).collect()
    };
    sources.iter().map(|entry| (entry.0, of(entry))).collect()
}

/// The modules that are reached from one, itself left out unless it is reached too.
fn reached(from: &Name, imports: &BTreeMap<&Name, BTreeSet<Name>>) -> BTreeSet<Name> {
    let mut reached = BTreeSet::new();
    let mut left: Vec<&Name> = imports[from].iter().collect();
    while let Some(name) = left.pop() {
        if reached.insert(name.clone()) {
            left.extend(&imports[name]);
        }
    }
    reached
}

/// The modules that import themselves, over others.
fn circular(sources: &BTreeMap<Name, Source>) -> Vec<String> {
    let imports = imports(sources);
    let names = imports
        .keys()
        .filter(|name| reached(name, &imports).contains(**name));
    names.map(|name| name.join("::")).collect()
}

#[test]
fn modules_are_imported_one_way() {
    let mut found = Vec::new();
    for folder in crates() {
        let sources = sources(&folder);
        assert!(sources.len() > 1, "{} has no modules", folder.display());
        let circular = circular(&sources);
        if !circular.is_empty() {
            found.push(format!("{}: {}", folder.display(), circular.join(", ")));
        }
    }
    assert!(
        found.is_empty(),
        "these modules import each other:\n{}",
        found.join("\n")
    );
}

#[test]
fn modules_are_short_before_their_tests() {
    let mut long = Vec::new();
    for folder in crates() {
        let name = folder
            .parent()
            .and_then(Path::file_name)
            .expect("a crate has a folder")
            .to_string_lossy();
        for (module, source) in sources(&folder) {
            if source.lines >= MOST_LINES {
                long.push(format!("{name}::{}", module.join("::")));
            }
        }
    }
    assert!(
        long.is_empty(),
        "modules of {MOST_LINES} lines or more are to be split: {long:?}"
    );
}

#[test]
fn modules_that_import_each_other_are_found() {
    let modules: BTreeMap<&str, &str> = [
        ("", "mod a;\nmod b;\npub use b::B;\n"),
        ("a", "use crate::B;\n\npub(crate) struct A;\n"),
        ("b", "//! No import: crate::a::A.\n\npub struct B;\n"),
    ]
    .into();
    let circles = |b: &str| {
        let mut modules = modules.clone();
        modules.insert("b", b);
        let name = |text: &str| -> Name {
            text.split("::")
                .filter(|part| !part.is_empty())
                .map(str::to_owned)
                .collect()
        };
        let names: BTreeSet<Name> = modules.keys().map(|text| name(text)).collect();
        let sources = modules
            .iter()
            .map(|(key, text)| (name(key), read(&name(key), text, &names)));
        circular(&sources.collect())
    };
    assert_eq!(circles(modules["b"]), [""; 0]);
    assert_eq!(
        circles("use super::a::{self, A};\npub struct B(A);\n"),
        ["a", "b"]
    );
    assert_eq!(
        circles("use crate::{\n    a::A,\n};\npub struct B(A);\n"),
        ["a", "b"]
    );
    assert_eq!(circles("pub struct B(crate::a::A);\n"), ["a", "b"]);
    assert_eq!(
        circles("pub struct B;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n"),
        [""; 0]
    );
}

/// The texts of all sources below a folder.
fn texts_below(folder: &Path, found: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            texts_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(fs::read_to_string(&path).expect("a source"));
        }
    }
}

/// Every ignored test must be listed, because the nightly workflow runs only those that are.
#[test]
fn every_ignored_test_has_a_row_in_the_report_on_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let report = fs::read_to_string(root.join("reports/exhaustive.md")).expect("the report is committed");
    let mut texts = Vec::new();
    for folder in ["crates", "harness/src", "harness/tests", "vectors"] {
        texts_below(&root.join(folder), &mut texts);
    }
    let mut ignored = 0;
    for text in &texts {
        for after in text.split("\n#[ignore").skip(1) {
            let (_, from_name) = after
                .split_once("\nfn ")
                .expect("a function follows the attribute");
            let name = from_name.split('(').next().expect("it has a name");
            let row = format!("| `{name}` |");
            assert!(report.contains(&row), "{name}: harness/exhaustive writes its row");
            ignored += 1;
        }
    }
    let rows = report.matches("\n| `").count();
    assert_eq!(
        rows, ignored,
        "the report has rows for tests that no longer exist"
    );
}
