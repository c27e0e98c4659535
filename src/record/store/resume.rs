//! A record that is written on.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

use super::{StoreError, Writer, lock, open_file, remedy};
use crate::record::v1::{self, Reading};

/// A record that may be written on: held, and unchanged so far.
#[derive(Debug)]
pub struct Stopped {
    writer: Writer,
    /// What it says.
    pub reading: Reading,
}

impl Stopped {
    /// Takes the record in a file, to go on with it.
    ///
    /// # Errors
    /// A [`StoreError`] where it can't be read or written, or another run writes it.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let file = OpenOptions::new().read(true).append(true).open(path);
        let file = file.map_err(|reason| StoreError::Write {
            path: path.to_owned(),
            help: remedy(&reason),
            reason,
        })?;
        lock(&file, path)?;
        let reading = open_file(path)?;
        let mut writer = Writer::new(file, path.to_owned(), reading.run.header.id.clone());
        writer.header = Some(reading.run.header.clone());
        writer.whole = reading.whole;
        Ok(Self { writer, reading })
    }

    /// Goes on with it: half a line at its end is cut off, and that the run went on is written
    /// down.
    ///
    /// # Errors
    /// A [`StoreError`] where it can't be written.
    pub fn go_on(self, at: SystemTime) -> Result<Writer, StoreError> {
        let Self { mut writer, .. } = self;
        let ended = writer.file.set_len(writer.whole).and_then(|()| ends_a_line(&mut writer.file));
        let ended = ended.map_err(|reason| StoreError::Write {
            path: writer.path.clone(),
            help: remedy(&reason),
            reason,
        })?;
        let line = v1::resumed_line(at);
        // The end of the last line may be all that is missing.
        writer.write(if ended { line } else { line.map(|line| format!("\n{line}")) })?;
        Ok(writer)
    }
}

/// Whether the last byte of a file ends a line.
fn ends_a_line(file: &mut File) -> std::io::Result<bool> {
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}
