//! The one place where plan, engine and measurement meet: window, worker, point, events.
//!
//! tokio runs the points, the workers' lives, the stop and a watchdog; the completion loop is not
//! async, since a future per I/O costs more than a fast device. Run time, ramp-up and seconds
//! belong to the window and its clock. This module knows neither the record nor the screen: it
//! gives back outcomes and calls whoever watches. Tested on the simulated device in
//! tests/simulation.rs and on files in tests/engines.rs.

pub mod calibrate;
mod control;
mod point;
mod window;
mod worker;

pub use control::Live;
pub use point::{Outcome, PointSpec, run};
pub use worker::{Device, WorkerError, solo};

use std::time::Duration;

use tokio::sync::watch;

/// How long the window of an interrupted point waits for what is in flight.
const HASTE: Duration = Duration::from_millis(1500);

/// When a point's phases begin and end, relative to its first turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Times {
    /// Unrecorded start.
    pub ramp_up: Duration,
    /// Recorded time.
    pub run_time: Duration,
    /// The longest wait for the rest.
    pub drain: Duration,
}

impl Times {
    /// Seconds that a point can take at most, rounded up.
    fn seconds(&self) -> usize {
        let all = self.ramp_up + self.run_time + self.drain;
        usize::try_from(all.as_secs()).unwrap_or(usize::MAX).saturating_add(3)
    }
}

/// The stop of a run, as an argument: whoever holds the other end asks for it once.
#[derive(Debug, Clone)]
pub struct Stop {
    asked: watch::Receiver<bool>,
    heard: bool,
}

impl Stop {
    /// A stop and the end that asks for it.
    pub fn new() -> (watch::Sender<bool>, Self) {
        let (sender, asked) = watch::channel(false);
        (sender, Self { asked, heard: false })
    }

    /// A stop that nobody asks for.
    pub fn never() -> Self {
        Self::new().1
    }

    /// Whether it was asked for.
    pub fn is_asked(&self) -> bool {
        *self.asked.borrow()
    }

    /// Waits until it is asked for; waits for ever once that was heard, or can't come any more.
    async fn asked(&mut self) {
        if !self.heard && self.asked.wait_for(|asked| *asked).await.is_ok() {
            self.heard = true;
        } else {
            std::future::pending::<()>().await;
        }
    }
}
