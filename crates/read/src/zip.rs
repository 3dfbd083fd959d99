//! Zip archives: the central directory, and entries that are stored or deflated. Nothing else of the format is read.
//!
//! PyTorch packs tensors and exported programs in such archives, and NumPy packs arrays.

use std::borrow::Cow;

/// The most entries that are looked at: a checkpoint of a large model has some thousands.
const MOST_ENTRIES: usize = 1 << 14;
/// How long an archive's last record is without its comment.
const END: usize = 22;

/// An entry of the central directory.
#[derive(Debug)]
pub struct Entry {
    /// The path, with `/` between folders.
    pub name: String,
    method: u16,
    packed: usize,
    size: usize,
    at: usize,
}

impl Entry {
    /// Whether its bytes stand in the file as they are.
    pub const fn is_stored(&self) -> bool {
        self.method == 0
    }
}

/// An archive whose central directory was read.
pub struct Archive<'a> {
    file: &'a [u8],
    entries: Vec<Entry>,
}

/// Whether a file begins as an archive does.
pub fn is(file: &[u8]) -> bool {
    file.starts_with(b"PK\x03\x04") || file.starts_with(b"PK\x05\x06")
}

fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at.checked_add(N)?)?;
    let number = bytes
        .iter()
        .rev()
        .fold(0_u64, |number, &byte| number << 8 | u64::from(byte));
    usize::try_from(number).ok()
}

impl<'a> Archive<'a> {
    /// Reads the central directory.
    ///
    /// # Errors
    /// A sentence that says where the archive is broken.
    pub fn open(file: &'a [u8]) -> Result<Self, String> {
        let broken = || "a broken zip archive: its directory cannot be read".to_owned();
        // The last record stands before a comment of at most 2^16 bytes.
        let from = file.len().saturating_sub(END + (1 << 16));
        let end = file[from..]
            .windows(4)
            .rposition(|window| window == b"PK\x05\x06")
            .map(|at| from + at)
            .ok_or("a zip archive that ends too early")?;
        let count = number::<2>(file, end + 10).ok_or_else(broken)?;
        let mut at = number::<4>(file, end + 16).ok_or_else(broken)?;
        if count > MOST_ENTRIES {
            return Err(format!(
                "a zip archive of {count} entries; at most {MOST_ENTRIES} are read"
            ));
        }
        let mut entries = Vec::new();
        for _ in 0..count {
            let record = file.get(at..).filter(|record| record.starts_with(b"PK\x01\x02"));
            let read = || {
                let record = record?;
                let name = number::<2>(record, 28)?;
                let rest = number::<2>(record, 30)? + number::<2>(record, 32)?;
                let entry = Entry {
                    name: String::from_utf8_lossy(record.get(46..46 + name)?).into_owned(),
                    method: u16::try_from(number::<2>(record, 10)?).ok()?,
                    packed: number::<4>(record, 20)?,
                    size: number::<4>(record, 24)?,
                    at: number::<4>(record, 42)?,
                };
                Some((entry, 46 + name + rest))
            };
            let (entry, length) = read().ok_or_else(broken)?;
            entries.push(entry);
            at += length;
        }
        Ok(Self { file, entries })
    }

    /// The entries, in the order of the directory.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter()
    }

    /// The bytes of an entry, at most `most` of them.
    ///
    /// # Errors
    /// A sentence about an entry that is broken, too large, or packed in a way that is not read.
    pub fn bytes(&self, entry: &Entry, most: usize) -> Result<Cow<'a, [u8]>, String> {
        let name = &entry.name;
        if entry.size > most {
            return Err(format!(
                "a zip archive whose `{name}` takes {} bytes; at most {most} are read",
                entry.size
            ));
        }
        let packed = || {
            let head = self
                .file
                .get(entry.at..)
                .filter(|head| head.starts_with(b"PK\x03\x04"))?;
            // The name and the extra field may be longer here than in the directory.
            let from = 30 + number::<2>(head, 26)? + number::<2>(head, 28)?;
            head.get(from..from.checked_add(entry.packed)?)
        };
        let packed = packed().ok_or_else(|| format!("a zip archive that ends within `{name}`"))?;
        let bytes = match entry.method {
            0 => Cow::Borrowed(packed),
            // The limit holds whatever size the directory claims: a small file may expand a thousandfold.
            8 => {
                let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(packed, entry.size);
                Cow::Owned(bytes.map_err(|_| {
                    format!(
                        "a zip archive whose `{name}` cannot be expanded to {} bytes",
                        entry.size
                    )
                })?)
            }
            method => {
                return Err(format!(
                    "a zip archive whose `{name}` is packed by method {method}"
                ));
            }
        };
        if bytes.len() == entry.size {
            Ok(bytes)
        } else {
            Err(format!(
                "a zip archive whose `{name}` has {} bytes, not {}",
                bytes.len(),
                entry.size
            ))
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An archive of stored entries with extra fields, as PyTorch and Info-ZIP write them, and with comments.
    pub(crate) fn stored(entries: &[(&str, &[u8])]) -> Vec<u8> {
        let low = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
        let mut file: Vec<u8> = Vec::new();
        let mut directory: Vec<u8> = Vec::new();
        for &(name, bytes) in entries {
            let at = low(file.len());
            // A checksum, which is not read, and the lengths of the entry and of its name.
            let size = low(bytes.len());
            let lengths = [&[0_u8; 4][..], &size, &size, &low(name.len())[..2]].concat();
            let head = [&b"PK\x03\x04"[..], &[0; 10], &lengths, b"\x06\0"].concat();
            file.extend([&head[..], name.as_bytes(), b"FB\x02\0ZZ", bytes].concat());
            let head = [&b"PK\x01\x02"[..], &[0; 12], &lengths, b"\x04\0\x03\0", &[0; 8]].concat();
            directory.extend([&head[..], &at, name.as_bytes(), b"UT\0\0old"].concat());
        }
        let count = u16::try_from(entries.len()).unwrap().to_le_bytes();
        let (length, at) = (low(directory.len()), low(file.len()));
        let end = [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &length, &at, &[0; 2]].concat();
        [file, directory, end].concat()
    }

    #[test]
    fn bytes_of_an_entry_are_bounded() {
        let file = stored(&[("a", b"abc")]);
        let archive = Archive::open(&file).unwrap();
        let entry = archive.entries().next().unwrap();
        assert!(entry.is_stored());
        assert_eq!(archive.bytes(entry, 3).as_deref(), Ok(&b"abc"[..]));
        assert_eq!(
            archive.bytes(entry, 2).unwrap_err(),
            "a zip archive whose `a` takes 3 bytes; at most 2 are read"
        );
        // The directory says that the entry is deflated.
        let mut deflated = file.clone();
        let at = deflated.windows(4).rposition(|it| it == b"PK\x01\x02").unwrap();
        deflated[at + 10] = 8;
        let archive = Archive::open(&deflated).unwrap();
        assert!(!archive.entries().next().unwrap().is_stored());
    }

    #[test]
    fn archive_may_end_with_the_longest_comment() {
        let entries = |comment: usize| {
            let file = [stored(&[("a", b"abc")]), vec![b' '; comment]].concat();
            Archive::open(&file).map(|archive| archive.entries().count())
        };
        assert_eq!(entries(65_535), Ok(1));
        assert_eq!(
            entries(65_537),
            Err("a zip archive that ends too early".to_owned())
        );
    }

    #[test]
    fn archive_of_more_entries_than_a_checkpoint_has_is_refused() {
        // There is no directory, which is read once the count is known.
        let error = |count: u16| {
            let end = [&b"PK\x05\x06\0\0\0\0\0\0"[..], &count.to_le_bytes(), &[0; 10]].concat();
            Archive::open(&end).err().unwrap()
        };
        assert_eq!(
            error(16_384),
            "a broken zip archive: its directory cannot be read"
        );
        assert_eq!(
            error(16_385),
            "a zip archive of 16385 entries; at most 16384 are read"
        );
    }
}
