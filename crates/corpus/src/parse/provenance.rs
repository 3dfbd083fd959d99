//! Where expectations come from.

use super::raw::{At, Entries, Value};
use super::reader::{Reader, Sort};
use crate::Provenance;

const KINDS: [(&str, &[&str]); 4] = [
    ("spec-example", &["kind", "document", "example"]),
    ("known-answer", &["kind", "source"]),
    ("capture", &["kind", "implementation", "version", "method"]),
    ("derived", &["kind", "reading", "revision"]),
];

/// The provenance of a case or of a file.
pub(super) fn provenance(reader: &mut Reader<'_>, value: At<Value>) -> Option<Provenance> {
    let at = value.at;
    let entries = reader.read::<Entries>("provenance", value)?.value;
    let kinds = KINDS.map(|(name, _)| name).join(", ");
    let Some(kind) = entries.get("kind").cloned() else {
        reader.fail(
            at,
            format!("find `kind` in `provenance`: expected one of {kinds}"),
        );
        return None;
    };
    let kind = reader.read::<String>("kind", kind)?;
    let Some((_, keys)) = KINDS.into_iter().find(|(name, _)| *name == kind.value) else {
        let text = &kind.value;
        reader.fail(
            kind.at,
            format!("read `{text}` as a provenance: expected one of {kinds}"),
        );
        return None;
    };
    let value = Value::Map(entries);
    let mut entries = reader.entries("`provenance`", At { value, at }, keys, &[])?;
    let mut text = |key| reader.take::<String>(&mut entries, key);
    match kind.value.as_str() {
        "spec-example" => {
            let (document, example) = (text("document"), text("example"));
            Some(Provenance::SpecExample {
                document: document?.value,
                example: example?.value,
            })
        }
        "known-answer" => {
            let source = text("source")?.value;
            Some(Provenance::KnownAnswer { source })
        }
        "capture" => {
            let (implementation, version, method) = (text("implementation"), text("version"), text("method"));
            Some(Provenance::Capture {
                implementation: implementation?.value,
                version: version?.value,
                method: method?.value,
            })
        }
        _ => {
            let reading = text("reading");
            let revision = reader.take::<u32>(&mut entries, "revision");
            let reading = reading?;
            let name = reader.name(&reading.value, reading.at)?;
            reader.mention(Some(Sort::Reading), &name, reading.at);
            Some(Provenance::Derived {
                reading: name,
                revision: revision?.value,
            })
        }
    }
}
