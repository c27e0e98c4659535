//! Where records lie: the user's state folder, or a file of their own.
//!
//! A record is made before the run, so that a place that can't be written is found before an
//! hour was measured; a point is on disk the moment it ends. It must never replace a file, and
//! never leave half a line before a whole one. Tested in folders of the tests' own.

mod error;
mod resume;

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use error::StoreError;
pub use resume::Stopped;

use super::v1::{self, Fault, Outline, ReadError, Reading};
use super::{End, Header, Point};
use crate::document::nearest;
use crate::unit::show_moment;

/// What the names of records end in.
const ENDING: &str = "jsonl";
/// The longest name of a run within its ID.
const LONGEST_NAME: usize = 40;
/// The letters of an ID that say when: `2026-11-30-2031`.
const WHEN: usize = 15;

/// A record that is being written.
#[derive(Debug)]
pub struct Writer {
    file: File,
    path: PathBuf,
    id: String,
    header: Option<Header>,
    /// Bytes that are whole lines.
    whole: u64,
}

impl Writer {
    /// Makes the file of a record: the one named, which must not exist, or one in the user's
    /// state folder. `name` is what the run is about, such as its first pattern's name.
    ///
    /// # Errors
    /// A [`StoreError`] where no file can be made: to be found before the run.
    pub fn create(
        file: Option<&Path>,
        name: &str,
        started: SystemTime,
    ) -> Result<Self, StoreError> {
        match file {
            Some(path) => {
                let file = make(path).map_err(|reason| not_made(path, reason))?;
                let mut writer = Self::new(file, path.to_owned(), id(name, started));
                writer.try_room()?;
                Ok(writer)
            }
            None => Store::of_user()?.create(name, started),
        }
    }

    /// Whether there is room for the first lines: found out before a run costs time.
    fn try_room(&mut self) -> Result<(), StoreError> {
        const HEADER: [u8; 16 << 10] = [b' '; 16 << 10];
        let tried = self.file.write_all(&HEADER).and_then(|()| self.file.sync_data());
        let emptied = self.file.set_len(0).and_then(|()| self.file.rewind());
        tried.and(emptied).map_err(|reason| {
            _ = fs::remove_file(&self.path);
            let help = remedy(&reason);
            StoreError::Write { path: self.path.clone(), reason, help }
        })
    }

    fn new(file: File, path: PathBuf, id: String) -> Self {
        // A file just made is nobody else's.
        _ = lock(&file, &path);
        Self { file, path, id, header: None, whole: 0 }
    }

    /// The run's ID, for its header.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Where the record lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the first line. The header's ID is that of the record.
    ///
    /// # Errors
    /// A [`StoreError`] where it can't be written: to be found before the run.
    pub fn begin(&mut self, header: &Header) -> Result<(), StoreError> {
        let header = Header { id: self.id.clone(), ..header.clone() };
        let line = v1::header_line(&header);
        self.write(line)?;
        self.header = Some(header);
        Ok(())
    }

    /// Writes a point, and sees it to disk. After an error the next point may be tried: no half
    /// line stays before it.
    ///
    /// # Errors
    /// A [`StoreError`] where it can't be written; what was measured can still be printed.
    ///
    /// # Panics
    /// Where [`Writer::begin`] did not succeed before.
    pub fn append(&mut self, point: &Point) -> Result<(), StoreError> {
        let header = self.header.as_ref().expect("a record begins before its first point");
        let line = v1::point_line(header, point);
        self.write(line)
    }

    /// Writes the last line.
    ///
    /// # Errors
    /// A [`StoreError`] where it can't be written.
    pub fn finish(&mut self, end: &End) -> Result<(), StoreError> {
        self.write(v1::end_line(end))
    }

    /// Takes the file away again: the run never began, and there is nothing to keep.
    pub fn discard(self) {
        _ = fs::remove_file(&self.path);
    }

    fn write(&mut self, line: Result<String, Fault>) -> Result<(), StoreError> {
        let line =
            line.map_err(|fault| StoreError::Unsayable { path: self.path.clone(), fault })?;
        let written = self.file.write_all(line.as_bytes()).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => self.whole += line.len() as u64,
            Err(reason) => {
                // If that fails, too, a reader stops at the half line and says so.
                _ = self.file.set_len(self.whole);
                let help = remedy(&reason);
                return Err(StoreError::Write { path: self.path.clone(), reason, help });
            }
        }
        Ok(())
    }
}

impl Drop for Writer {
    /// A run that never began leaves no record.
    fn drop(&mut self) {
        if self.header.is_none() {
            _ = fs::remove_file(&self.path);
        }
    }
}

/// What can be done about a record that can't be written.
fn remedy(reason: &io::Error) -> &'static str {
    #[expect(clippy::wildcard_enum_match_arm, reason = "a foreign enum that grows")]
    match reason.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space there, or name a file elsewhere with -o FILE"
        }
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            "make its folder first, or name a file elsewhere with -o FILE"
        }
        _ => "name a file elsewhere with -o FILE",
    }
}

/// Appending, so that what is written after a cut goes to the new end.
fn make(path: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create_new(true).open(path)
}

/// Holds a record for this process as long as the file is open. Where a file system has no locks,
/// nothing is held: two runs that go on with one record are then the user's to avoid.
fn lock(file: &File, path: &Path) -> Result<(), StoreError> {
    match file.try_lock() {
        Err(fs::TryLockError::WouldBlock) => Err(StoreError::Busy(path.to_owned())),
        Ok(()) | Err(fs::TryLockError::Error(_)) => Ok(()),
    }
}

fn not_made(path: &Path, reason: io::Error) -> StoreError {
    let path = path.to_owned();
    if reason.kind() == io::ErrorKind::AlreadyExists {
        return StoreError::Exists(path);
    }
    StoreError::Create { path, help: remedy(&reason), reason }
}

/// When and what: `2026-11-30-2031-file-server`.
fn id(name: &str, started: SystemTime) -> String {
    let moment = show_moment(started);
    let (day, hour, minute) = (&moment[..10], &moment[11..13], &moment[14..16]);
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let name: String = name.chars().take(LONGEST_NAME).map(letter).collect();
    format!("{day}-{hour}{minute}-{name}").trim_end_matches('-').to_owned()
}

/// The record that `what` names: `last`, an ID or the beginning of one, or a file, which has a
/// `/` or an extension. Gives its path, too.
///
/// # Errors
/// A [`StoreError`] where there is none, or where it can't be read.
pub fn open(what: &str) -> Result<(PathBuf, Reading), StoreError> {
    let path = find(what)?;
    let reading = open_file(&path)?;
    Ok((path, reading))
}

/// The file of the record that `what` names, likewise.
///
/// # Errors
/// A [`StoreError`] where no record has the name.
pub fn find(what: &str) -> Result<PathBuf, StoreError> {
    let path = Path::new(what);
    if what.contains('/') || path.extension().is_some() {
        return Ok(path.to_owned());
    }
    Store::of_user()?.find(what)
}

/// The record in a file.
///
/// # Errors
/// A [`StoreError`] where it can't be read.
pub fn open_file(path: &Path) -> Result<Reading, StoreError> {
    opened(path, v1::read)
}

fn opened<T>(
    path: &Path,
    read: impl Fn(BufReader<File>) -> Result<T, ReadError>,
) -> Result<T, StoreError> {
    let unread = |reason| StoreError::Read { path: path.to_owned(), reason };
    let file = File::open(path).map_err(|reason| unread(reason.into()))?;
    if file.metadata().is_ok_and(|about| about.is_dir()) {
        return Err(StoreError::Directory(path.to_owned()));
    }
    read(BufReader::new(file)).map_err(unread)
}

/// A record as a list shows it.
#[derive(Debug)]
pub struct Listed {
    /// Its ID, by the name of its file.
    pub id: String,
    /// Its outline, or why it can't be read.
    pub outline: Result<Outline, StoreError>,
}

/// A folder of records.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// The user's: `$XDG_STATE_HOME/fathom/records`, or below `~/.local/state`.
    ///
    /// # Errors
    /// [`StoreError::Homeless`] where no environment variable names a place.
    pub fn of_user() -> Result<Self, StoreError> {
        let named = |variable| {
            let path = std::env::var_os(variable).map(PathBuf::from);
            path.filter(|path| path.is_absolute())
        };
        let state = named("XDG_STATE_HOME");
        let state = state.or_else(|| Some(named("HOME")?.join(".local/state")));
        let homeless = StoreError::Homeless("set one, or name the record's file");
        Ok(Self::at(state.ok_or(homeless)?.join("fathom/records")))
    }

    /// Any folder; it need not exist.
    pub fn at(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Makes a record with an ID of its own.
    ///
    /// # Errors
    /// A [`StoreError`] where no file can be made.
    pub fn create(&self, name: &str, started: SystemTime) -> Result<Writer, StoreError> {
        let help = "name a file elsewhere with -o FILE";
        fs::create_dir_all(&self.folder).map_err(|reason| self.unusable(reason, help))?;
        let first = id(name, started);
        let numbered = (2_u32..).map(|number| format!("{first}-{number}"));
        for id in std::iter::once(first.clone()).chain(numbered) {
            let path = self.path(&id);
            match make(&path) {
                Ok(file) => {
                    let mut writer = Writer::new(file, path, id);
                    writer.try_room()?;
                    return Ok(writer);
                }
                Err(reason) if reason.kind() == io::ErrorKind::AlreadyExists => {}
                Err(reason) => return Err(not_made(&path, reason)),
            }
        }
        unreachable!("some number is free");
    }

    /// Every record, oldest first.
    ///
    /// # Errors
    /// A [`StoreError`] where the folder can't be read; that there is none is no error.
    pub fn list(&self) -> Result<Vec<Listed>, StoreError> {
        let outline = |id: String| {
            let outline = opened(&self.path(&id), v1::outline);
            Listed { id, outline }
        };
        let mut listed: Vec<Listed> = self.ids()?.into_iter().map(outline).collect();
        // An ID tells minutes apart, the header milliseconds.
        listed.sort_by_cached_key(|listed| {
            let started = listed.outline.as_ref().ok().map(|outline| outline.header.started);
            (minute(&listed.id).to_owned(), started, listed.id.clone())
        });
        Ok(listed)
    }

    /// The file of the record that `what` names: `last`, an ID, or the beginning of one.
    ///
    /// # Errors
    /// A [`StoreError`] where no record has the name, or several have.
    pub fn find(&self, what: &str) -> Result<PathBuf, StoreError> {
        let ids = self.ids()?;
        let newest = ids.iter().map(|id| minute(id)).max().ok_or(StoreError::None)?;
        if what == "last" {
            return Ok(self.path(&self.latest(ids.iter().filter(|id| minute(id) == newest))));
        }
        let begun: Vec<&String> = ids.iter().filter(|id| id.starts_with(what)).collect();
        match begun.as_slice() {
            _ if ids.iter().any(|id| id == what) => Ok(self.path(what)),
            [] => Err(StoreError::NoSuch { id: what.to_owned(), hint: hint(what, &ids) }),
            [only] => Ok(self.path(only)),
            _ => Err(StoreError::Ambiguous {
                prefix: what.to_owned(),
                ids: begun.into_iter().cloned().collect(),
            }),
        }
    }

    /// Of records of one minute, the one that began last.
    fn latest<'a>(&self, ids: impl Iterator<Item = &'a String>) -> String {
        let started = |id: &&String| {
            let outline = opened(&self.path(id), v1::outline).ok();
            (outline.map(|outline| outline.header.started), (*id).clone())
        };
        ids.max_by_key(started).cloned().unwrap_or_default()
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.{ENDING}"))
    }

    fn unusable(&self, reason: io::Error, help: &'static str) -> StoreError {
        StoreError::Folder { path: self.folder.clone(), reason, help }
    }

    /// The IDs of all records, sorted.
    fn ids(&self) -> Result<Vec<String>, StoreError> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(self.unusable(error, "see who may read it")),
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let id = |name: String| Some(name.strip_suffix(ENDING)?.strip_suffix('.')?.to_owned());
        let mut ids: Vec<String> = names.filter_map(id).collect();
        ids.sort();
        Ok(ids)
    }
}

/// The part of an ID that says when.
fn minute(id: &str) -> &str {
    id.get(..WHEN).unwrap_or(id)
}

/// What may have been meant: the newest record of that pattern, a file, or a slip of the keys.
fn hint(what: &str, ids: &[String]) -> String {
    let of_name = ids.iter().rev().find(|id| !what.is_empty() && id.contains(what));
    let meant =
        of_name.map(String::as_str).or_else(|| nearest(what, ids.iter().map(String::as_str)));
    match meant {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None if Path::new(what).is_file() => {
            format!("; for the file in this folder, write ./{what}")
        }
        None => String::new(),
    }
}

#[cfg(test)]
mod tests;
