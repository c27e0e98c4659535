//! Ctrl-C: the first ends the run in order, the second leaves at once.
//!
//! Signals are heard in a thread of their own: the main one may be held by a system call on the
//! very device that is to be left. Tested by hand, on suspended devices among others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{oneshot, watch};

use super::super::screen::{self, Failure};
use crate::dispatch::Stop;

/// How long the main thread has to leave by itself once it was asked to leave at once.
const HASTE: Duration = Duration::from_millis(500);

/// What the signals that ask for an end do.
pub(super) struct Ear {
    /// Raised by the first.
    pub(super) stop: Stop,
    /// Raised by the first, for work that does not wait.
    pub(super) flag: Arc<AtomicBool>,
    second: oneshot::Receiver<()>,
}

impl Ear {
    /// Starts to listen for SIGINT, SIGTERM and SIGHUP.
    pub(super) fn listen() -> Result<Self, Failure> {
        let (sender, stop) = Stop::new();
        let (twice, second) = oneshot::channel();
        let flag = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&flag);
        let (ready, started) = std::sync::mpsc::channel();
        let hear = move || listen(&sender, &raised, twice, &ready);
        thread::Builder::new()
            .name("fathom-signals".to_owned())
            .spawn(hear)
            .map_err(|error| Failure::run(format!("can't listen for Ctrl-C: {error}")))?;
        match started.recv() {
            Ok(Ok(())) => Ok(Self { stop, flag, second }),
            Ok(Err(error)) => Err(Failure::run(format!("can't listen for Ctrl-C: {error}"))),
            Err(_) => Err(Failure::run("can't listen for Ctrl-C")),
        }
    }

    /// Waits for the second signal.
    pub(super) async fn second(&mut self) {
        if (&mut self.second).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// The life of the listening thread.
fn listen(
    sender: &watch::Sender<bool>,
    flag: &AtomicBool,
    twice: oneshot::Sender<()>,
    ready: &std::sync::mpsc::Sender<std::io::Result<()>>,
) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(error) => {
            _ = ready.send(Err(error));
            return;
        }
    };
    runtime.block_on(async {
        let mut ears = match ears() {
            Ok(ears) => ears,
            Err(error) => {
                _ = ready.send(Err(error));
                return;
            }
        };
        _ = ready.send(Ok(()));
        any(&mut ears).await;
        screen::note("stopping: the finished points are kept (Ctrl-C again leaves at once)");
        flag.store(true, Ordering::Relaxed);
        _ = sender.send(true);
        any(&mut ears).await;
        _ = twice.send(());
        tokio::time::sleep(HASTE).await;
        leave();
    });
}

/// The signals that ask for an end. SIGXFSZ is heard so that it does not kill: a write beyond the
/// user's limit then fails, and the failure is told.
fn ears() -> std::io::Result<[Signal; 4]> {
    /// A file would grow beyond `RLIMIT_FSIZE`; the same number on all architectures of Linux that
    /// have `io_uring` but MIPS.
    const XFSZ: i32 = 25;
    Ok([
        signal(SignalKind::interrupt())?,
        signal(SignalKind::terminate())?,
        signal(SignalKind::hangup())?,
        signal(SignalKind::from_raw(XFSZ))?,
    ])
}

/// Waits for one of the signals that ask for an end.
async fn any([interrupt, terminate, hangup, _]: &mut [Signal; 4]) {
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        _ = hangup.recv() => {}
    }
}

/// The main thread is held: nothing more can be kept.
#[expect(clippy::exit, clippy::disallowed_methods, reason = "a held main thread can't return")]
fn leave() {
    screen::note("left at once, held by a device: its requests in flight can't be taken back");
    std::process::exit(130);
}
