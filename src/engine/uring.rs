//! The default engine: one io_uring, owned by one worker's thread.
//!
//! The ring is deferred and has a single issuer, so completions are worked off by the worker
//! itself, in the one system call of a turn. The file is registered, and the buffers too where
//! `RLIMIT_MEMLOCK` allows it; what could not be had is told in [`Uring::facts`]. A request's
//! `user_data` is its slot and nothing else.
//!
//! A polled ring ([`Uring::polled`]) has no interrupts: a wait looks for completions itself until
//! one has landed, and keeps its processor busy with that. The kernel takes a limit for such a wait
//! and does not heed it, so that it ends with a completion, or when something else is to run.

#![expect(unsafe_code, reason = "the kernel is handed addresses: of buffers, and of the ring")]

mod nop;

use std::io;
use std::os::fd::AsRawFd;

use io_uring::types::{self, Fixed, SubmitArgs, Timespec};
use io_uring::{IoUring, opcode, squeue};

use super::{Completion, Engine, EngineError, Opened, Slot, Transfer, Wait};
use crate::measure::Errno;
use crate::payload::Arena;
use crate::unit::Op;
pub use nop::Nops;

/// The largest buffer that the kernel registers.
const LARGEST_REGISTERED: usize = 1 << 30;

/// An io_uring and its target.
pub struct Uring {
    ring: IoUring,
    target: Opened,
    /// Whether the arena is registered as buffer 0.
    fixed: bool,
    /// Requests that the kernel holds.
    in_flight: u32,
    facts: Vec<&'static str>,
}

impl Uring {
    /// A ring for `slots` requests in flight, in the thread that calls this.
    ///
    /// # Errors
    /// [`EngineError`] says why the kernel gives none, and what to do.
    pub fn new(target: Opened, slots: u16, arena: &Arena) -> Result<Self, EngineError> {
        Self::build(target, slots, arena, Landing::Interrupts)
    }

    /// The same, and completions are polled for. The target must be able to: see
    /// [`probe_polled`].
    ///
    /// # Errors
    /// [`EngineError`] says why the kernel gives none, and what to do.
    pub fn polled(target: Opened, slots: u16, arena: &Arena) -> Result<Self, EngineError> {
        Self::build(target, slots, arena, Landing::Polled)
    }

    fn build(
        target: Opened,
        slots: u16,
        arena: &Arena,
        landing: Landing,
    ) -> Result<Self, EngineError> {
        let (ring, mut facts) = set_up(u32::from(slots), landing)?;
        ring.submitter().register_files(&[target.file.as_raw_fd()]).map_err(EngineError::Setup)?;
        facts.push("registered file");
        let fixed = register(&ring, arena);
        facts.push(if fixed { "registered buffers" } else { "buffers not registered" });
        tracing::debug!(slots, ?facts, "ring set up");
        Ok(Self { ring, target, fixed, in_flight: 0, facts })
    }

    /// What the ring was set up with, for the record.
    pub fn facts(&self) -> &[&'static str] {
        &self.facts
    }

    #[inline]
    fn entry(&self, transfer: &Transfer) -> squeue::Entry {
        let Transfer { op, offset, size, buffer } = *transfer;
        let (file, address) = (Fixed(0), buffer.address());
        match (op, self.fixed) {
            (Op::Read, true) => {
                opcode::ReadFixed::new(file, address, size, 0).offset(offset).build()
            }
            (Op::Read, false) => opcode::Read::new(file, address, size).offset(offset).build(),
            (Op::Write, true) => {
                opcode::WriteFixed::new(file, address, size, 0).offset(offset).build()
            }
            (Op::Write, false) => opcode::Write::new(file, address, size).offset(offset).build(),
        }
    }
}

/// How the kernel hears of a completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Landing {
    Interrupts,
    Polled,
}

/// Whether this process may have a ring at all.
///
/// # Errors
/// [`EngineError`] says why not, and what to do.
pub fn probe() -> Result<(), EngineError> {
    set_up(1, Landing::Interrupts).map(|_| ())
}

/// Whether the completions of a target can be polled for: found out by one small read. A device
/// may have queues for it, and the file system upon it no way to them.
///
/// # Errors
/// [`EngineError::NotPolled`], or what else is wrong with the ring.
pub fn probe_polled(target: &Opened) -> Result<(), EngineError> {
    let (mut ring, _) = set_up(1, Landing::Polled)?;
    // Direct reads need an aligned buffer: a page within two.
    let mut pages = vec![0_u8; 8192];
    let start = pages.as_ptr().align_offset(4096).min(4096);
    let page = &mut pages[start..start + 4096];
    let file = types::Fd(target.file.as_raw_fd());
    let read = opcode::Read::new(file, page.as_mut_ptr(), 4096).offset(target.span.start.get());
    // SAFETY: the page and the file outlive the request: nothing leaves here before it has landed,
    // or else the page stays.
    unsafe { ring.submission().push(&read.build()) }
        .map_err(|full| EngineError::Wait(io::Error::other(full)))?;
    loop {
        let entered = ring.submit_and_wait(1);
        match ring.completion().next().map(|entry| entry.result()) {
            Some(result) if result == -libc::EOPNOTSUPP => return Err(EngineError::NotPolled),
            // Whatever else may be wrong with this one read is for the run to find.
            Some(_) => return Ok(()),
            None => {}
        }
        let Err(error) = entered else { continue };
        if !matches!(error.raw_os_error(), Some(libc::EINTR | libc::EBUSY | libc::EAGAIN)) {
            std::mem::forget(pages);
            return Err(EngineError::Wait(error));
        }
    }
}

/// The best ring that the kernel has, and what it is called in a record.
fn set_up(slots: u32, landing: Landing) -> Result<(IoUring, Vec<&'static str>), EngineError> {
    let entries = slots.next_power_of_two();
    let mut refusal = None;
    for level in [2, 1, 0] {
        let mut builder = IoUring::builder();
        builder.setup_cqsize(entries * 2);
        let mut facts = vec!["completion queue twice the depth"];
        if landing == Landing::Polled {
            builder.setup_iopoll();
            facts.push("completions polled");
        }
        if level >= 1 {
            // TASKRUN_FLAG: without it a deferred ring never shows its completions to a submit.
            builder.setup_single_issuer().setup_defer_taskrun().setup_taskrun_flag();
            facts.extend(["single issuer", "deferred task work"]);
        }
        if level >= 2 {
            builder.setup_no_sqarray();
            facts.push("no submission array");
        }
        match builder.build(entries) {
            Ok(ring) => return Ok((ring, facts)),
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => refusal = Some(error),
            Err(error) => return Err(refused(error)),
        }
    }
    Err(refused(refusal.unwrap_or_else(|| io::Error::from_raw_os_error(libc::EINVAL))))
}

/// Why there is no ring, with its remedy.
fn refused(error: io::Error) -> EngineError {
    match error.raw_os_error() {
        Some(libc::ENOSYS) => EngineError::NoUring(error),
        Some(libc::EPERM | libc::EACCES) => match sysctl() {
            Some(setting @ 1..) => EngineError::DisabledBySysctl(setting),
            _ => EngineError::ForbiddenBySeccomp,
        },
        _ => EngineError::Setup(error),
    }
}

/// The setting of `kernel.io_uring_disabled`, where the kernel has it.
fn sysctl() -> Option<u8> {
    std::fs::read_to_string("/proc/sys/kernel/io_uring_disabled").ok()?.trim().parse().ok()
}

/// Registers the arena; false where its size or `RLIMIT_MEMLOCK` forbids it.
fn register(ring: &IoUring, arena: &Arena) -> bool {
    if arena.length() > LARGEST_REGISTERED {
        return false;
    }
    let buffer = libc::iovec { iov_base: arena.address().cast(), iov_len: arena.length() };
    // SAFETY: the arena outlives the ring's use of it: a window keeps it for good where requests
    // are still in flight, and the kernel holds its own reference to the pages.
    unsafe { ring.submitter().register_buffers(&[buffer]) }.is_ok()
}

impl Engine for Uring {
    #[inline]
    fn submit(&mut self, slot: Slot, transfer: Transfer) {
        let span = self.target.span;
        assert!(span.holds(transfer.offset, transfer.size), "a request lies inside the span");
        let entry = self.entry(&transfer).user_data(u64::from(slot.0));
        // SAFETY: the buffer lies in the arena, which lives until the request has landed, and the
        // file is open as long as the ring.
        unsafe { self.ring.submission().push(&entry) }
            .expect("the ring has an entry for every slot");
        self.in_flight += 1;
    }

    #[inline]
    fn wait(&mut self, wait: Wait) -> Result<(), EngineError> {
        let timeout = Timespec::from(wait.at_most);
        let arguments = SubmitArgs::new().timespec(&timeout);
        match self.ring.submitter().submit_with_args(wait.at_least as usize, &arguments) {
            Ok(_) => Ok(()),
            Err(error) => match error.raw_os_error() {
                // Out of time, interrupted, or the kernel is short of memory for the moment:
                // the window looks at what has landed and turns again.
                Some(libc::ETIME | libc::EINTR | libc::EBUSY | libc::EAGAIN) => Ok(()),
                _ => Err(EngineError::Wait(error)),
            },
        }
    }

    #[inline]
    fn take(&mut self) -> Option<Completion> {
        let mut queue = self.ring.completion();
        let entry = queue.next()?;
        self.in_flight -= 1;
        #[expect(clippy::cast_possible_truncation, reason = "user_data is the slot")]
        let slot = Slot(entry.user_data() as u16);
        let result = match u32::try_from(entry.result()) {
            Ok(moved) => Ok(moved),
            Err(_) => Err(Errno(u16::try_from(entry.result().unsigned_abs()).unwrap_or(u16::MAX))),
        };
        Some(Completion { slot, result })
    }
}

impl Drop for Uring {
    /// Lets go of the file at once. The kernel takes a ring apart some time after it is closed, and
    /// until then would hold the device against the next run. Not while requests are in flight:
    /// older kernels would wait for them.
    fn drop(&mut self) {
        if self.in_flight == 0 {
            _ = self.ring.submitter().unregister_files();
            _ = self.ring.submitter().unregister_buffers();
        }
    }
}

impl Uring {
    /// Whether completions were lost: the completion queue is twice the depth, so never.
    ///
    /// # Errors
    /// [`EngineError::Overflow`] with their number.
    pub fn check(&mut self) -> Result<(), EngineError> {
        match self.ring.completion().overflow() {
            0 => Ok(()),
            lost => Err(EngineError::Overflow(lost)),
        }
    }
}
