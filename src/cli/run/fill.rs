//! Fills a target's file, and says what is left where that did not come to its end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::progress::Layout;
use super::super::screen::Failure;
use crate::engine::target::{self, LayoutError, Target, TargetError};
use crate::host::Permit;
use crate::plan::TargetName;
use crate::unit::Seed;

/// Fills a file in a thread of its own, so that Ctrl-C is heard meanwhile.
pub(super) async fn fill(
    mut target: Target,
    permit: Permit,
    name: &TargetName,
    seed: Seed,
    stop: &Arc<AtomicBool>,
) -> Result<Target, Unfilled> {
    let stop = Arc::clone(stop);
    let bar = Layout::new(name, target.opened.span.length);
    let work = move || {
        let outcome = target::lay_out(&mut target, &permit, seed, |done| {
            bar.show(done);
            !stop.load(Ordering::Relaxed)
        });
        bar.finish();
        outcome.map(|()| target)
    };
    match tokio::task::spawn_blocking(work).await {
        Ok(Ok(target)) => Ok(target),
        Ok(Err(TargetError::Layout(LayoutError::Stopped))) => Err(Unfilled::Stopped),
        Ok(Err(error)) => Err(Unfilled::Failed(format!("target {name}: {error}"))),
        Err(panic) => Err(Unfilled::Failed(format!("target {name}: a fault of fathom: {panic}"))),
    }
}

/// Why a file was not filled.
pub(super) enum Unfilled {
    Stopped,
    Failed(String),
}

impl Unfilled {
    /// What to say; a file that the user had is not as it was.
    pub(super) fn failure(self, had: Had) -> Failure {
        match (self, had) {
            (Self::Stopped, Had::Nothing) => Failure::interrupted(
                "stopped while a file was being filled; nothing was measured, nothing is left of it",
            ),
            (Self::Stopped, Had::File) => Failure::interrupted(
                "stopped while the file was being filled; nothing was measured, and the file is \
                 overwritten in part",
            ),
            (Self::Failed(why), _) => Failure::run(why),
        }
    }
}

/// Whether the user had the file before the run.
pub(super) enum Had {
    Nothing,
    File,
}
