//! Requests that do nothing: what io_uring itself costs, with no file, device or memory behind it.
//!
//! For `fathom calibrate` only. It has its own small loop, on a ring that is set up as the
//! engine's, and measures no time itself.

use std::time::Duration;

use io_uring::types::{SubmitArgs, Timespec};
use io_uring::{IoUring, opcode};

use super::super::EngineError;
use super::{Landing, set_up};

/// The longest single wait, as a worker's.
const LONGEST_WAIT: Duration = Duration::from_millis(100);

/// A ring for requests that do nothing.
pub struct Nops {
    ring: IoUring,
    depth: u16,
}

impl Nops {
    /// A ring for `depth` requests at once, in the thread that calls this and that must turn it.
    ///
    /// # Errors
    /// [`EngineError`] says why the kernel gives none, and what to do.
    pub fn new(depth: u16) -> Result<Self, EngineError> {
        let (ring, _) = set_up(u32::from(depth), Landing::Interrupts)?;
        Ok(Self { ring, depth })
    }

    /// One turn: all requests are handed over, waited for and taken.
    ///
    /// # Errors
    /// [`EngineError::Wait`] where the ring is broken.
    pub fn turn(&mut self) -> Result<(), EngineError> {
        let timeout = Timespec::from(LONGEST_WAIT);
        let arguments = SubmitArgs::new().timespec(&timeout);
        self.queue();
        let mut missing = usize::from(self.depth);
        while missing > 0 {
            match self.ring.submitter().submit_with_args(missing, &arguments) {
                Ok(_) => {}
                Err(error) => match error.raw_os_error() {
                    Some(libc::ETIME | libc::EINTR | libc::EBUSY | libc::EAGAIN) => {}
                    _ => return Err(EngineError::Wait(error)),
                },
            }
            missing -= self.ring.completion().count();
        }
        Ok(())
    }

    fn queue(&mut self) {
        for slot in 0..self.depth {
            let entry = opcode::Nop::new().build().user_data(u64::from(slot));
            // SAFETY: a NOP names neither memory nor file.
            unsafe { self.ring.submission().push(&entry) }
                .expect("the ring has an entry for every slot");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_takes_all_that_it_hands_over() {
        for depth in [1, 3, 256] {
            match Nops::new(depth) {
                Ok(mut nops) => {
                    for _ in 0..3 {
                        nops.turn().unwrap();
                        assert!(nops.ring.completion().is_empty(), "{depth}");
                        assert!(nops.ring.submission().is_empty(), "{depth}");
                    }
                }
                Err(error) => eprintln!("io-uring is skipped: {error}"),
            }
        }
    }
}
