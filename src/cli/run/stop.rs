//! Ctrl-C: the first ends the run in order, the second leaves at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use super::super::screen::{self, Failure};
use crate::dispatch::Stop;

/// Hears the signals that ask for an end.
pub(super) struct Ear {
    interrupt: Signal,
    terminate: Signal,
    sender: watch::Sender<bool>,
    flag: Arc<AtomicBool>,
}

impl Ear {
    /// Starts to listen; the stop and the flag are raised by the first signal.
    pub(super) fn listen() -> Result<(Self, Stop, Arc<AtomicBool>), Failure> {
        let hear = |kind| {
            signal(kind).map_err(|error| Failure::run(format!("can't listen for Ctrl-C: {error}")))
        };
        let (sender, stop) = Stop::new();
        let flag = Arc::new(AtomicBool::new(false));
        let ear = Self {
            interrupt: hear(SignalKind::interrupt())?,
            terminate: hear(SignalKind::terminate())?,
            sender,
            flag: Arc::clone(&flag),
        };
        Ok((ear, stop, flag))
    }

    /// Raises the stop at the first signal and returns at the second.
    pub(super) async fn twice(mut self) {
        self.once().await;
        screen::note("stopping: the finished points are kept (Ctrl-C again leaves at once)");
        self.flag.store(true, Ordering::Relaxed);
        _ = self.sender.send(true);
        self.once().await;
    }

    async fn once(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
