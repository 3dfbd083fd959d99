//! Where expectations come from.

use super::raw::{self, At};
use super::reader::{Keys, Reader, Sort};
use crate::Provenance;

/// The provenance of a case or of a file.
pub(super) fn provenance(reader: &mut Reader<'_>, raw: At<raw::Provenance>) -> Option<Provenance> {
    let at = raw.at;
    let raw = raw.value;
    let keys = |allowed| Keys {
        owner: "`provenance`",
        at,
        allowed,
    };
    let present = [
        ("document", raw.document.position()),
        ("example", raw.example.position()),
        ("source", raw.source.position()),
        ("implementation", raw.implementation.position()),
        ("version", raw.version.position()),
        ("method", raw.method.position()),
        ("reading", raw.reading.position()),
        ("revision", raw.revision.position()),
    ];
    let kind = reader.require(&keys(&["kind"]), "kind", raw.kind)?;
    match kind.value.as_str() {
        "spec-example" => {
            let keys = keys(&["kind", "document", "example"]);
            reader.only(&keys, &present);
            let document = reader.require(&keys, "document", raw.document);
            let example = reader.require(&keys, "example", raw.example);
            Some(Provenance::SpecExample {
                document: document?.value,
                example: example?.value,
            })
        }
        "known-answer" => {
            let keys = keys(&["kind", "source"]);
            reader.only(&keys, &present);
            let source = reader.require(&keys, "source", raw.source)?.value;
            Some(Provenance::KnownAnswer { source })
        }
        "capture" => {
            let keys = keys(&["kind", "implementation", "version", "method"]);
            reader.only(&keys, &present);
            let implementation = reader.require(&keys, "implementation", raw.implementation);
            let version = reader.require(&keys, "version", raw.version);
            let method = reader.require(&keys, "method", raw.method);
            Some(Provenance::Capture {
                implementation: implementation?.value,
                version: version?.value,
                method: method?.value,
            })
        }
        "derived" => {
            let keys = keys(&["kind", "reading", "revision"]);
            reader.only(&keys, &present);
            let reading = reader.require(&keys, "reading", raw.reading);
            let revision = reader.require(&keys, "revision", raw.revision);
            let (reading, revision) = (reading?, revision?);
            let name = reader.name(&reading.value, reading.at)?;
            reader.mention(Some(Sort::Reading), &name, reading.at);
            let revision = reader.small("a revision", &revision)?;
            Some(Provenance::Derived {
                reading: name,
                revision,
            })
        }
        other => {
            reader.fail(
                kind.at,
                format!(
                    "read `{other}` as a provenance: expected one of spec-example, known-answer, capture, derived"
                ),
            );
            None
        }
    }
}
