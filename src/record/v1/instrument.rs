//! What the tool itself costs, as records and the JSON documents write it.

use serde::{Deserialize, Serialize};

use super::Fault;
use crate::measure;

/// What the tool costs where there is no device.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Instrument {
    clock_step_ns: Figure,
    clock_reading_ns: Figure,
    null_turn_ns: Figure,
    ceiling_iops: Figure,
}

/// A figure of several rounds, to the hundredth.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Figure {
    median: f64,
    min: f64,
    max: f64,
}

impl From<measure::Instrument> for Instrument {
    fn from(instrument: measure::Instrument) -> Self {
        Self {
            clock_step_ns: instrument.clock_step_ns.into(),
            clock_reading_ns: instrument.clock_reading_ns.into(),
            null_turn_ns: instrument.turn_ns.into(),
            ceiling_iops: instrument.ceiling_iops.into(),
        }
    }
}

impl TryFrom<Instrument> for measure::Instrument {
    type Error = Fault;

    fn try_from(stored: Instrument) -> Result<Self, Fault> {
        Ok(Self {
            clock_step_ns: stored.clock_step_ns.try_into()?,
            clock_reading_ns: stored.clock_reading_ns.try_into()?,
            turn_ns: stored.null_turn_ns.try_into()?,
            ceiling_iops: stored.ceiling_iops.try_into()?,
        })
    }
}

impl From<measure::Figure> for Figure {
    fn from(figure: measure::Figure) -> Self {
        // More digits than were measured would only look like more.
        let [median, min, max] =
            [figure.median, figure.least, figure.most].map(|value| (value * 100.0).round() / 100.0);
        Self { median, min, max }
    }
}

impl TryFrom<Figure> for measure::Figure {
    type Error = Fault;

    fn try_from(Figure { median, min, max }: Figure) -> Result<Self, Fault> {
        if 0.0 < min && min <= median && median <= max {
            return Ok(Self { median, least: min, most: max });
        }
        let figure = format!("its instrument has a median of {median} between {min} and {max}");
        Err(Fault::Invalid(figure))
    }
}
