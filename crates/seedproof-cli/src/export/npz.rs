//! NumPy's `.npz` files: a zip archive of `.npy` files.
//!
//! The archive is written here, since what `numpy.load` needs of the format is the little that [`seedproof_read`] reads:
//! entries that are stored one after another, and a directory of them.

use seedproof_ops::{Dtype, Tensor};
use zlib_rs::crc32::crc32;

use crate::exit::Error;
use seedproof_read::npy;

/// The first day that the format knows. The same arrays make the same file.
const DAY: u16 = 1 << 5 | 1;

/// The version of the format that knows folders and stored entries.
const VERSION: u16 = 20;

/// Arrays that go into one file.
#[derive(Default)]
pub(super) struct Arrays {
    /// The entries, each with its head.
    entries: Vec<u8>,
    directory: Vec<u8>,
    count: usize,
}

impl Arrays {
    /// Adds an array and returns its name.
    pub(super) fn add(&mut self, name: String, tensor: &Tensor) -> String {
        let file = npy::write(&with_a_type(tensor));
        let path = format!("{name}.npy");
        let at = self.entries.len();
        let common = common(&path, &file);
        self.entries.extend(b"PK\x03\x04");
        self.entries.extend(&common);
        self.entries.extend(path.as_bytes());
        self.entries.extend(&file);
        self.directory.extend(b"PK\x01\x02");
        self.directory.extend(VERSION.to_le_bytes());
        self.directory.extend(common);
        // Without a comment, on the first disk, with no attributes.
        self.directory.extend([0; 10]);
        self.directory.extend(low(at));
        self.directory.extend(path.as_bytes());
        self.count += 1;
        name
    }

    /// The file.
    ///
    /// # Errors
    /// [`Error::Usage`] if it takes more than the numbers of the format can say.
    pub(super) fn archive(mut self, path: &str) -> Result<Vec<u8>, Error> {
        let at = self.entries.len();
        let count = u16::try_from(self.count);
        let (Ok(count), Ok(_)) = (count, u32::try_from(at.saturating_add(self.directory.len()))) else {
            return Err(Error::Usage(format!(
                "{path} would have {} arrays of {at} bytes, which is more than an .npz file holds; select fewer cases",
                self.count
            )));
        };
        let length = self.directory.len();
        self.entries.append(&mut self.directory);
        self.entries.extend(b"PK\x05\x06\0\0\0\0");
        self.entries
            .extend([count.to_le_bytes(), count.to_le_bytes()].as_flattened());
        self.entries.extend([low(length), low(at)].as_flattened());
        self.entries.extend([0; 2]);
        Ok(self.entries)
    }
}

/// What the head of an entry and its line in the directory have in common.
fn common(path: &str, file: &[u8]) -> Vec<u8> {
    let name = u16::try_from(path.len()).unwrap_or(u16::MAX);
    let mut bytes = Vec::new();
    // Names are ASCII, and entries stored: no flag, method 0. Random bits would not get smaller.
    for number in [VERSION, 0, 0, 0, DAY] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(crc32(0, file).to_le_bytes());
    bytes.extend([low(file.len()), low(file.len())].as_flattened());
    for number in [name, 0] {
        bytes.extend(number.to_le_bytes());
    }
    bytes
}

/// A length or a place. One beyond 32 bits makes an archive that [`Arrays::archive`] refuses.
fn low(number: usize) -> [u8; 4] {
    u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes()
}

/// NumPy has no bfloat16: its bits are words of 16 bits, as which every program can read them.
fn with_a_type(tensor: &Tensor) -> std::borrow::Cow<'_, Tensor> {
    if tensor.dtype() != Dtype::Bf16 {
        return std::borrow::Cow::Borrowed(tensor);
    }
    let words = Tensor::new(Dtype::U16, tensor.shape().clone(), tensor.bytes().to_vec());
    std::borrow::Cow::Owned(words.expect("both types have two bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use seedproof_ops::Shape;
    use seedproof_read::{Opened, open};

    #[test]
    fn npz_is_read_as_it_was_written() {
        let mut tensors = Vec::new();
        let mut arrays = Arrays::default();
        for (index, &dtype) in Dtype::ALL.iter().enumerate() {
            for dims in [&[][..], &[3], &[2, 0]] {
                let shape = Shape::new(dims).unwrap();
                let bytes: Vec<u8> = (1..=255).take(shape.count() * dtype.size()).collect();
                let tensor = Tensor::new(dtype, shape, bytes).unwrap();
                let name = format!("a/b-{index}/inputs/x{}", dims.len());
                assert_eq!(arrays.add(name.clone(), &tensor), name);
                tensors.push((name, with_a_type(&tensor).into_owned()));
            }
        }
        let Opened::Arrays(read) = open(&arrays.archive("x").unwrap()).unwrap() else {
            panic!("an archive of arrays");
        };
        let read: Vec<_> = read.into_iter().map(|array| (array.name, array.tensor)).collect();
        assert_eq!(read, tensors);
    }

    #[test]
    fn npz_is_read_up_to_a_bound_of_all_arrays_together() {
        let tensor = Tensor::scalar(0.5_f32);
        let mut arrays = Arrays::default();
        for name in ["a", "b"] {
            arrays.add(name.to_owned(), &tensor);
        }
        let mut file = arrays.archive("x").unwrap();
        // By the directory the second array takes what both may take.
        let entry = file.windows(4).rposition(|it| it == b"PK\x01\x02").unwrap();
        file[entry + 24..entry + 28].copy_from_slice(&low(1 << 30));
        assert_eq!(
            open(&file).unwrap_err(),
            format!(
                "a zip archive whose `b.npy` takes 1073741824 bytes; at most {} are read",
                (1 << 30) - npy::write(&tensor).len()
            )
        );
    }

    #[test]
    fn npz_refuses_more_arrays_than_it_can_count() {
        let mut arrays = Arrays::default();
        for _ in 0..=u16::MAX {
            arrays.add(String::new(), &Tensor::scalar(0_u8));
        }
        let error = arrays.archive("big.npz").unwrap_err().to_string();
        assert!(error.contains("big.npz would have 65536 arrays"), "{error}");
    }
}
