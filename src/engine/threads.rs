//! One thread an outstanding I/O, with preadv2 and pwritev2: for kernels and containers that
//! forbid io_uring, and as a cross-check of it.
//!
//! At depth 1 the worker does the I/O itself. This engine's turn is its own: a lock and a wake-up
//! lie in it, so its numbers are about threads as much as about the target, and the record says
//! which engine was used.

#![expect(unsafe_code, reason = "a thread reads into, or writes from, memory that it is lent")]

use std::collections::VecDeque;
use std::io;
use std::os::fd::AsFd;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use rustix::io::{ReadWriteFlags, preadv2, pwritev2};

use super::{Completion, Engine, EngineError, Opened, Slot, Transfer, Wait};
use crate::measure::Errno;
use crate::unit::Op;

/// Stack of an I/O thread: it calls the kernel and nothing deeper.
const STACK: usize = 64 << 10;

/// A pool of I/O threads, or none at depth 1.
#[derive(Debug)]
pub struct Threads {
    target: Opened,
    shared: Option<Arc<Shared>>,
    queued: Vec<(Slot, Transfer)>,
    landed: VecDeque<Completion>,
}

#[derive(Debug)]
struct Shared {
    queues: Mutex<Queues>,
    work: Condvar,
    done: Condvar,
}

#[derive(Debug)]
struct Queues {
    work: VecDeque<(Slot, Transfer)>,
    done: VecDeque<Completion>,
    closed: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queues> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Threads {
    /// A thread for each of `slots` requests in flight.
    ///
    /// # Errors
    /// [`EngineError::Threads`] where the system gives no more threads.
    pub fn new(target: Opened, slots: u16) -> Result<Self, EngineError> {
        let room = usize::from(slots);
        let mut engine = Self {
            target,
            shared: None,
            queued: Vec::with_capacity(room),
            landed: VecDeque::with_capacity(room),
        };
        if slots > 1 {
            let queues = Queues {
                work: VecDeque::with_capacity(room),
                done: VecDeque::with_capacity(room),
                closed: false,
            };
            let queues = Mutex::new(queues);
            let shared = Shared { queues, work: Condvar::new(), done: Condvar::new() };
            engine.shared = Some(Arc::new(shared));
            for _ in 0..slots {
                engine.start().map_err(|reason| EngineError::Threads { asked: slots, reason })?;
            }
        }
        Ok(engine)
    }

    fn start(&self) -> io::Result<()> {
        let Some(shared) = self.shared.clone() else { return Ok(()) };
        let target = self.target.clone();
        let builder = thread::Builder::new().name("fathom-io".to_owned()).stack_size(STACK);
        builder.spawn(move || serve(&target, &shared)).map(|_| ())
    }
}

/// The life of an I/O thread.
fn serve(target: &Opened, shared: &Shared) {
    loop {
        let mut queues = shared.lock();
        let (slot, transfer) = loop {
            if let Some(work) = queues.work.pop_front() {
                break work;
            }
            if queues.closed {
                return;
            }
            queues = shared.work.wait(queues).unwrap_or_else(PoisonError::into_inner);
        };
        drop(queues);
        let result = perform(target, &transfer);
        shared.lock().done.push_back(Completion { slot, result });
        shared.done.notify_one();
    }
}

/// One transfer, done by the calling thread.
fn perform(target: &Opened, transfer: &Transfer) -> Result<u32, Errno> {
    let (file, size) = (target.file.as_fd(), transfer.size as usize);
    let address = transfer.buffer.address();
    let moved = match transfer.op {
        Op::Read => {
            // SAFETY: the buffer is this transfer's alone until it has landed, and lies in an
            // arena that is kept as long as anything is in flight.
            let bytes = unsafe { std::slice::from_raw_parts_mut(address, size) };
            let mut parts = [io::IoSliceMut::new(bytes)];
            preadv2(file, &mut parts, transfer.offset, ReadWriteFlags::empty())
        }
        Op::Write => {
            // SAFETY: as above; nobody writes to it meanwhile.
            let bytes = unsafe { std::slice::from_raw_parts(address, size) };
            pwritev2(file, &[io::IoSlice::new(bytes)], transfer.offset, ReadWriteFlags::empty())
        }
    };
    match moved {
        Ok(moved) => Ok(u32::try_from(moved).unwrap_or(u32::MAX)),
        Err(errno) => Err(Errno(u16::try_from(errno.raw_os_error()).unwrap_or(u16::MAX))),
    }
}

impl Engine for Threads {
    fn submit(&mut self, slot: Slot, transfer: Transfer) {
        let span = self.target.span;
        assert!(span.holds(transfer.offset, transfer.size), "a request lies inside the span");
        self.queued.push((slot, transfer));
    }

    fn wait(&mut self, wait: Wait) -> Result<(), EngineError> {
        let Some(shared) = &self.shared else {
            if self.queued.is_empty() {
                // Only a pattern with pauses comes here: nothing is in flight until the next burst.
                #[expect(clippy::disallowed_methods, reason = "the engine has nothing to wait in")]
                thread::sleep(wait.at_most);
            }
            while let Some((slot, transfer)) = self.queued.pop() {
                let result = perform(&self.target, &transfer);
                self.landed.push_back(Completion { slot, result });
            }
            return Ok(());
        };
        let mut queues = shared.lock();
        let fresh = self.queued.len();
        queues.work.extend(self.queued.drain(..));
        for _ in 0..fresh {
            shared.work.notify_one();
        }
        let enough = wait.at_least as usize;
        let (mut queues, _) = shared
            .done
            .wait_timeout_while(queues, wait.at_most, |queues| queues.done.len() < enough)
            .unwrap_or_else(PoisonError::into_inner);
        self.landed.extend(queues.done.drain(..));
        Ok(())
    }

    fn take(&mut self) -> Option<Completion> {
        self.landed.pop_front()
    }
}

impl Drop for Threads {
    /// Lets the threads go. One that the device holds can't be waited for: it ends by itself.
    fn drop(&mut self) {
        if let Some(shared) = &self.shared {
            shared.lock().closed = true;
            shared.work.notify_all();
        }
    }
}
