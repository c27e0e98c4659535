//! Schema 1: a run as JSON lines. The first line is the header, each further one a point, the
//! last says how the run ended.
//!
//! Keys end in their unit; a key or a kind of line that is not known is skipped, so that later
//! versions may say more. The file may come from a stranger or from a machine that lost power:
//! nothing in it may make a reader panic, and what was cut off in its last line is read up to
//! there. It must never change what a key means: that is schema 2. Tested by round trips, by a
//! table of damaged records and by mutations of a good one.

mod array;
mod axes;
mod declared;
mod direction;
mod end;
mod environment;
mod header;
mod instrument;
mod names;
mod number;
mod point;
mod resumed;
mod review;
mod sample;

use std::fmt::Display;
use std::io::{self, BufRead, Read};
use std::time::SystemTime;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

pub use array::Array;
pub use environment::{Difference, Environment, Link};
pub use instrument::{Figure, Instrument};

use super::{End, Header, Point, Run};
use crate::plan::MAX_POINTS;

/// The schema that is written, and the newest that is read.
pub const SCHEMA: u64 = 1;

/// The longest line: a point of a day at one second each takes a tenth of it.
const LONGEST_LINE: u64 = 64 << 20;
/// The most bytes of a record.
const LARGEST: u64 = 1 << 30;

/// What is wrong with a line.
#[derive(Debug, Error)]
pub enum Fault {
    /// No JSON, or a key that is missing or holds something else.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A value that can't be.
    #[error("{0}")]
    Invalid(String),
}

impl Fault {
    fn invalid(reason: impl Display) -> Self {
        Self::Invalid(reason.to_string())
    }
}

/// Why a record can't be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file can't be read.
    #[error("can't be read: {0}")]
    Io(#[from] io::Error),
    /// Nothing is in it.
    #[error("is empty: the run ended before its first line was kept")]
    Empty,
    /// Its first line is no header.
    #[error("is no record of fathom: its first line is no header of a run")]
    NotARecord,
    /// A later fathom wrote it.
    #[error("has schema {theirs}, and this fathom reads up to {SCHEMA}: use a newer fathom")]
    Newer {
        /// Its schema.
        theirs: u64,
    },
    /// A line is damaged.
    #[error("is damaged in line {line}: {fault}")]
    Damaged {
        /// Which, from 1.
        line: usize,
        /// How.
        fault: Fault,
    },
    /// More than a record may have.
    #[error("is no record of fathom: {0}")]
    TooLarge(&'static str),
}

/// Something to know about a record that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Note {
    /// It ends in the middle of this line: what was before it is kept.
    CutOff {
        /// Which, from 1.
        line: usize,
    },
}

impl Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::CutOff { line } => write!(
                f,
                "the record is cut off in its line {line}: the points before it are shown"
            ),
        }
    }
}

/// A run that was read, and what to know about its record.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The run.
    pub run: Run,
    /// What to say beside it; empty as a rule.
    pub notes: Vec<Note>,
    /// Bytes that were read into it: where it may be written on.
    pub whole: u64,
}

/// The first line of a record, with its end.
///
/// # Errors
/// A [`Fault`] where it can't be said in JSON.
pub fn header_line(header: &Header) -> Result<String, Fault> {
    line(&header::Header::from(header))
}

/// The line of a point of the run with this header, with its end.
///
/// # Errors
/// A [`Fault`] where it can't be said in JSON.
pub fn point_line(header: &Header, point: &Point) -> Result<String, Fault> {
    line(&point::Point::new(header, point)?)
}

/// The last line of a record, with its end.
///
/// # Errors
/// A [`Fault`] where it can't be said in JSON.
pub fn end_line(end: &End) -> Result<String, Fault> {
    line(&end::End::from(end))
}

/// The line that says that a stopped run went on, with its end.
///
/// # Errors
/// A [`Fault`] where it can't be said in JSON.
pub fn resumed_line(at: SystemTime) -> Result<String, Fault> {
    line(&resumed::Resumed::from(at))
}

fn line(value: &impl Serialize) -> Result<String, Fault> {
    let mut text = serde_json::to_string(value)?;
    text.push('\n');
    Ok(text)
}

/// Reads a record.
///
/// # Errors
/// A [`ReadError`], to be said behind the name of the record.
pub fn read(source: impl BufRead) -> Result<Reading, ReadError> {
    let mut lines = Lines { source, read: 0, number: 0 };
    let first = lines.next()?.ok_or(ReadError::Empty)?;
    let mut reading = Reading { run: start(&first)?, notes: Vec::new(), whole: lines.read };
    while let Some(line) = lines.next()? {
        match take(&mut reading.run, &line) {
            Ok(()) => reading.whole = lines.read,
            Err(_) if !line.ended => reading.notes.push(Note::CutOff { line: line.number }),
            Err(fault) => return Err(ReadError::Damaged { line: line.number, fault }),
        }
        if reading.run.points.len() > MAX_POINTS {
            return Err(ReadError::TooLarge("it has too many points"));
        }
    }
    Ok(reading)
}

/// What a list shows of a record: its points are counted and not read.
#[derive(Debug, Clone)]
pub struct Outline {
    /// What was decided before the first point.
    pub header: Header,
    /// How many points it has.
    pub points: usize,
    /// How it ended, if it did.
    pub end: Option<End>,
}

/// Reads the outline of a record.
///
/// # Errors
/// A [`ReadError`], to be said behind the name of the record.
pub fn outline(source: impl BufRead) -> Result<Outline, ReadError> {
    let mut lines = Lines { source, read: 0, number: 0 };
    let first = lines.next()?.ok_or(ReadError::Empty)?;
    let mut run = start(&first)?;
    let mut points = 0;
    while let Some(line) = lines.next()? {
        // A damaged line is a matter for whoever opens the record.
        match parse::<Kind>(&line.text).map(|kind| kind.kind) {
            Ok(kind) if kind == "point" => points += 1,
            Ok(kind) if kind == "end" || kind == "resumed" => _ = take(&mut run, &line),
            _ => {}
        }
    }
    Ok(Outline { header: run.header, points, end: run.end })
}

/// What a line says of itself; other keys are of no interest yet.
#[derive(Debug, serde::Deserialize)]
struct Kind {
    kind: String,
    schema: Option<u64>,
}

/// The run that a header begins.
fn start(line: &Line) -> Result<Run, ReadError> {
    let kind: Kind = parse(&line.text).map_err(|_| ReadError::NotARecord)?;
    match kind.schema {
        Some(theirs) if kind.kind == "run" && theirs > SCHEMA => {
            return Err(ReadError::Newer { theirs });
        }
        Some(SCHEMA) if kind.kind == "run" => {}
        _ => return Err(ReadError::NotARecord),
    }
    let damaged = |fault| ReadError::Damaged { line: line.number, fault };
    let header = parse::<header::Header>(&line.text).and_then(Header::try_from);
    Ok(Run { header: header.map_err(damaged)?, points: Vec::new(), resumed: Vec::new(), end: None })
}

/// Adds what a line says to the run.
fn take(run: &mut Run, line: &Line) -> Result<(), Fault> {
    if line.text.trim_ascii().is_empty() {
        return Ok(());
    }
    let kind: Kind = parse(&line.text)?;
    match kind.kind.as_str() {
        "point" => run.points.push(parse::<point::Point>(&line.text)?.read(&run.header)?),
        "end" => run.end = Some(parse::<end::End>(&line.text)?.try_into()?),
        "resumed" => run.go_on(parse::<resumed::Resumed>(&line.text)?.try_into()?),
        // A kind of a later version, such as the phase of a file-system test.
        _ => {}
    }
    Ok(())
}

fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T, Fault> {
    Ok(serde_json::from_slice(text)?)
}

/// A line, with its number from 1, and whether its end was read.
struct Line {
    text: Vec<u8>,
    number: usize,
    ended: bool,
}

/// The lines of a file of which nothing is known.
struct Lines<R> {
    source: R,
    read: u64,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    fn next(&mut self) -> Result<Option<Line>, ReadError> {
        let mut text = Vec::new();
        let read = self.source.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut text)? as u64;
        if read == 0 {
            return Ok(None);
        }
        self.read += read;
        self.number += 1;
        let ended = text.last() == Some(&b'\n');
        if self.read > LARGEST || (read == LONGEST_LINE && !ended) {
            return Err(ReadError::TooLarge("it is larger than any record"));
        }
        Ok(Some(Line { text, number: self.number, ended }))
    }
}

#[cfg(test)]
mod tests;
