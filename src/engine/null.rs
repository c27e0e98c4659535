//! The null engine: every transfer completes at once, whole.
//!
//! What it measures is the instrument's own ceiling. Target `null:`.

use std::thread;

use super::{Completion, Engine, EngineError, Slot, Transfer, Wait};

/// An engine without a device.
#[derive(Debug)]
pub struct Null {
    queued: Vec<Completion>,
    landed: Vec<Completion>,
}

impl Null {
    /// An engine with room for `slots` transfers in flight.
    pub fn new(slots: u16) -> Self {
        let slots = usize::from(slots);
        Self { queued: Vec::with_capacity(slots), landed: Vec::with_capacity(slots) }
    }
}

impl Engine for Null {
    #[inline]
    fn submit(&mut self, slot: Slot, transfer: Transfer) {
        self.queued.push(Completion { slot, result: Ok(transfer.size) });
    }

    #[inline]
    fn wait(&mut self, wait: Wait) -> Result<(), EngineError> {
        if self.landed.is_empty() {
            std::mem::swap(&mut self.queued, &mut self.landed);
        }
        if self.landed.is_empty() {
            // Only a pattern with pauses comes here: nothing is in flight until the next burst.
            #[expect(
                clippy::disallowed_methods,
                reason = "this engine has nothing else to wait in"
            )]
            thread::sleep(wait.at_most);
        }
        Ok(())
    }

    #[inline]
    fn take(&mut self) -> Option<Completion> {
        self.landed.pop()
    }
}
