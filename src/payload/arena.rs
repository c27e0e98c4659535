//! One mapping for all buffers of a worker.
//!
//! Page-aligned, on huge pages where the kernel has them, and registrable with io_uring as a
//! whole. A mapping with requests still in flight is never given back: the device may yet write
//! into it.

#![expect(unsafe_code, reason = "mapping memory, and lending parts of it that no request uses")]

use std::ptr::{self, NonNull};

use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};

use super::PayloadError;
use crate::unit::Bytes;

/// The memory of a worker's buffers.
#[derive(Debug)]
pub struct Arena {
    start: NonNull<u8>,
    length: usize,
    fate: Fate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Unmap,
    Leak,
}

/// Where a request's bytes lie; valid as long as its arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Buffer(NonNull<u8>);

// SAFETY: a buffer is an address; it is only ever handed from a worker's thread to the I/O threads
// that this worker owns, and the arena outlives them.
unsafe impl Send for Buffer {}

impl Buffer {
    /// The address, for the kernel.
    pub fn address(self) -> *mut u8 {
        self.0.as_ptr()
    }

    /// The buffer from `bytes` further on: the rest of a transfer that stopped short.
    #[must_use]
    pub fn advanced(self, bytes: u32) -> Self {
        // SAFETY: a short transfer moved fewer bytes than the buffer holds, so the address stays
        // inside the arena.
        Self(unsafe { self.0.add(bytes as usize) })
    }
}

impl Arena {
    /// Maps `length` bytes, zeroed and present.
    pub(super) fn new(length: usize) -> Result<Self, PayloadError> {
        let failed = |reason: rustix::io::Errno| PayloadError::Memory {
            asked: Bytes(length as u64),
            reason: reason.into(),
        };
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: a new anonymous mapping at an address of the kernel's choice overlaps nothing.
        let start = unsafe {
            mmap_anonymous(ptr::null_mut(), length, ProtFlags::READ | ProtFlags::WRITE, flags)
        }
        .map_err(failed)?;
        let start =
            NonNull::new(start.cast::<u8>()).ok_or_else(|| failed(rustix::io::Errno::NOMEM))?;
        let arena = Self { start, length, fate: Fate::Unmap };
        // Huge pages are a wish, and their refusal no loss.
        // SAFETY: the range is the mapping just made.
        _ = unsafe { madvise(start.as_ptr().cast(), length, Advice::LinuxHugepage) };
        // A first touch in the run time would be measured as the device's.
        // SAFETY: as above; populating writes zeros where there are zeros.
        match unsafe { madvise(start.as_ptr().cast(), length, Advice::LinuxPopulateWrite) } {
            Ok(()) => {}
            // Kernels before 5.14 lack it: touch each page by hand.
            // SAFETY: the whole mapping is ours and nothing refers to it yet.
            Err(rustix::io::Errno::INVAL) => unsafe { ptr::write_bytes(start.as_ptr(), 0, length) },
            Err(errno) => return Err(failed(errno)),
        }
        Ok(arena)
    }

    /// The first address.
    pub fn address(&self) -> *mut u8 {
        self.start.as_ptr()
    }

    /// The bytes in all.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Keeps the mapping to the end of the process, because a device still holds requests on it.
    pub fn leak(&mut self) {
        self.fate = Fate::Leak;
    }

    #[inline]
    pub(super) fn buffer(&self, place: usize) -> Buffer {
        assert!(place < self.length, "a buffer lies inside its arena");
        // SAFETY: asserted above.
        Buffer(unsafe { self.start.add(place) })
    }

    /// A part that no request in flight uses.
    #[inline]
    pub(super) fn slice_mut(&mut self, place: usize, length: usize) -> &mut [u8] {
        assert!(place + length <= self.length, "a slice lies inside its arena");
        // SAFETY: inside the mapping, as asserted; callers ask only for the memory of slots that
        // are not in flight, so the kernel does not touch it meanwhile.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(place).as_ptr(), length) }
    }

    #[cfg(test)]
    pub(super) fn place(&self, buffer: Buffer) -> usize {
        buffer.address() as usize - self.address() as usize
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        // A worker that panics does not know what is still in flight.
        if self.fate == Fate::Unmap && !std::thread::panicking() {
            // SAFETY: the mapping is ours, nothing in flight refers to it (else it is leaked), and
            // the borrow checker ended all slices of it.
            _ = unsafe { munmap(self.start.as_ptr().cast(), self.length) };
        }
    }
}
