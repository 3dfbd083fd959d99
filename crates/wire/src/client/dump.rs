//! Keeps the last request and reply of each child, byte for byte, for people who debug an adapter.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::framing::{Framing, Message, Outgoing};

/// The two files of one child.
pub(super) struct Dump {
    request: PathBuf,
    reply: PathBuf,
}

impl Dump {
    /// The files of a child in a folder, which is created if necessary.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub(super) fn new(folder: &Path, child: usize) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        Ok(Self {
            request: folder.join(format!("child-{child}.request")),
            reply: folder.join(format!("child-{child}.reply")),
        })
    }

    /// Writes the request.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub(super) fn request(&self, framing: Framing, message: &Outgoing<'_>) -> io::Result<()> {
        // Empties the last reply: after a crash, it would seem to be the reply to this request.
        File::create(&self.reply)?;
        message.write(framing, File::create(&self.request)?)
    }

    /// Writes the reply.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn reply(&self, framing: Framing, message: &Message) -> io::Result<()> {
        let parts = match framing {
            Framing::Lines => Vec::new(),
            Framing::Frames => vec![message.body.as_slice()],
        };
        let message = Outgoing {
            header: message.header.clone(),
            parts,
        };
        message.write(framing, File::create(&self.reply)?)
    }
}
