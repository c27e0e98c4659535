//! What is written and read: the arena, the images that writes take in turn, their stamps.
//!
//! The arena belongs here and not to an engine, so that every engine has one way of writing and,
//! later, of verifying. A slot's memory is touched only between its completion and its next
//! submission. Images are incompressible unless the pattern says otherwise, and each 4 KiB of a
//! write carries a stamp (seed, image, offset, sequence), so that no two blocks written are alike:
//! compressing and deduplicating targets are not flattered. Reads have memory of their own, since
//! what they bring would spoil an image. This module does no I/O. Tested here and, through every
//! engine, in tests/engines.rs.

mod arena;
mod ratio;

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use thiserror::Error;

pub use arena::{Arena, Buffer};
pub use ratio::deflated_percent;

use crate::pattern::Data;
use crate::unit::{Bytes, Op, Seed};

/// The block that carries one stamp: what file systems and deduplicating arrays work in.
const STAMPED: usize = 4096;

/// The images of a worker hold at least this much, so that small patterns do not write one
/// buffer over and over.
const IMAGES: usize = 4 << 20;

/// Why a worker's memory could not be had.
#[derive(Debug, Error)]
pub enum PayloadError {
    /// The kernel refused the memory.
    #[error("no memory for {} of buffers: {reason}; use a lower depth or smaller transfers", .asked)]
    Memory {
        /// How much was asked for.
        asked: Bytes,
        /// What the kernel said.
        reason: std::io::Error,
    },
}

/// What a worker's memory must serve.
#[derive(Debug, Clone, Copy)]
pub struct Needs {
    /// Requests in flight at once.
    pub slots: u16,
    /// Bytes of the largest request.
    pub largest: u32,
    /// What writes carry; `None` where the pattern never writes, and nothing is filled.
    pub writes: Option<Data>,
    /// The seed of the images and the stamps.
    pub seed: Seed,
}

/// A worker's buffers.
#[derive(Debug)]
pub struct Payload {
    arena: Arena,
    slot_bytes: usize,
    /// Where the images start: behind the memory of the reads.
    images_at: usize,
    /// Images of each slot; 0 where nothing is written.
    images: usize,
    /// The image that each slot takes next.
    turn: Vec<u32>,
    seed: Seed,
    sequence: u64,
    stamped: Stamped,
}

/// Whether writes carry stamps: zeros must stay zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stamped {
    Yes,
    No,
}

impl Payload {
    /// Memory for a worker, its images filled.
    ///
    /// # Errors
    /// [`PayloadError::Memory`] where the kernel has none.
    pub fn new(needs: Needs) -> Result<Self, PayloadError> {
        let slot_bytes = (needs.largest as usize).next_multiple_of(STAMPED);
        let reads = slot_bytes * usize::from(needs.slots);
        let images = match needs.writes {
            Some(_) => IMAGES.div_ceil(reads),
            None => 0,
        };
        let arena = Arena::new(reads * (1 + images))?;
        let mut payload = Self {
            arena,
            slot_bytes,
            images_at: reads,
            images,
            turn: vec![0; usize::from(needs.slots)],
            seed: needs.seed,
            sequence: 0,
            stamped: if needs.writes == Some(Data::Zeros) { Stamped::No } else { Stamped::Yes },
        };
        if let Some(data) = needs.writes {
            let images = payload.arena.slice_mut(reads, reads * images);
            fill(images, data, needs.seed);
        }
        Ok(payload)
    }

    /// The memory that an engine may register.
    pub fn arena(&self) -> &Arena {
        &self.arena
    }

    /// Keeps the memory to the end of the process: a device still holds requests on it.
    pub fn keep(&mut self) {
        self.arena.leak();
    }

    /// The buffer for a request that is about to be submitted; a write's is stamped.
    #[inline]
    pub fn prepare(&mut self, slot: u16, op: Op, offset: u64, size: u32) -> Buffer {
        let slot = usize::from(slot);
        match op {
            Op::Read => self.arena.buffer(slot * self.slot_bytes),
            Op::Write => {
                let place = self.image(slot, offset, size);
                self.arena.buffer(place)
            }
        }
    }

    /// The bytes of a write that is done outside a window: slot 0's, stamped.
    pub fn bytes(&mut self, offset: u64, size: u32) -> &[u8] {
        let place = self.image(0, offset, size);
        self.arena.slice_mut(place, size as usize)
    }

    fn image(&mut self, slot: usize, offset: u64, size: u32) -> usize {
        let image = self.turn[slot];
        self.turn[slot] = if image as usize + 1 < self.images { image + 1 } else { 0 };
        let place = self.images_at + (slot * self.images + image as usize) * self.slot_bytes;
        if self.stamped == Stamped::Yes {
            self.sequence += 1;
            let stamp = Stamp {
                seed: self.seed.0,
                image: u64::from(image),
                offset,
                sequence: self.sequence,
            };
            let bytes = self.arena.slice_mut(place, size as usize);
            bytes.chunks_mut(STAMPED).enumerate().for_each(|(block, bytes)| {
                stamp.at(block).write(bytes);
            });
        }
        place
    }
}

/// What makes a written block unlike every other.
#[derive(Debug, Clone, Copy)]
struct Stamp {
    seed: u64,
    image: u64,
    offset: u64,
    sequence: u64,
}

impl Stamp {
    /// The stamp of the request's n-th block.
    #[inline]
    fn at(self, block: usize) -> Self {
        Self { offset: self.offset + (block * STAMPED) as u64, ..self }
    }

    #[inline]
    fn write(self, bytes: &mut [u8]) {
        if let Some(head) = bytes.first_chunk_mut::<32>() {
            head[..8].copy_from_slice(&self.seed.to_le_bytes());
            head[8..16].copy_from_slice(&self.image.to_le_bytes());
            head[16..24].copy_from_slice(&self.offset.to_le_bytes());
            head[24..].copy_from_slice(&self.sequence.to_le_bytes());
        }
    }
}

/// Fills memory with what a pattern writes.
pub fn fill(bytes: &mut [u8], data: Data, seed: Seed) {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed.0);
    match data {
        Data::Zeros => bytes.fill(0),
        Data::Random => generator.fill_bytes(bytes),
        Data::Compressible(share) => {
            for block in bytes.chunks_mut(STAMPED) {
                let zeros = block.len() * usize::from(share.hundredths()) / 10_000;
                let random = block.len() - zeros;
                generator.fill_bytes(&mut block[..random]);
                block[random..].fill(0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::unit::Percent;

    fn payload(slots: u16, largest: u32, data: Data) -> Payload {
        Payload::new(Needs { slots, largest, writes: Some(data), seed: Seed(3) }).unwrap()
    }

    #[test]
    fn every_block_written_is_unique() {
        let mut payload = payload(2, 16384, Data::Random);
        let mut seen = HashSet::new();
        for round in 0..2000_u64 {
            let slot = (round % 2) as u16;
            let buffer = payload.prepare(slot, Op::Write, (round % 5) * 16384, 16384);
            let place = payload.arena.place(buffer);
            for block in payload.arena.slice_mut(place, 16384).chunks(STAMPED) {
                assert!(seen.insert(block.to_vec()), "a block was written twice");
            }
        }
    }

    #[test]
    fn reads_do_not_touch_images() {
        let mut payload = payload(4, 4096, Data::Random);
        for slot in 0..4 {
            let read = payload.prepare(slot, Op::Read, 0, 4096);
            let written = payload.prepare(slot, Op::Write, 0, 4096);
            assert!(payload.arena.place(read) < payload.images_at);
            assert!(payload.arena.place(written) >= payload.images_at);
        }
    }

    #[test]
    fn zeros_stay_zeros_and_halves_are_halves() {
        let mut zeros = payload(1, 8192, Data::Zeros);
        let buffer = zeros.prepare(0, Op::Write, 4096, 8192);
        let place = zeros.arena.place(buffer);
        assert!(zeros.arena.slice_mut(place, 8192).iter().all(|&byte| byte == 0));

        let half = Data::Compressible(Percent::try_from(50.0).unwrap());
        let mut bytes = vec![1; 8192];
        fill(&mut bytes, half, Seed(1));
        assert!(bytes[2048..4096].iter().chain(&bytes[6144..]).all(|&byte| byte == 0));
        assert!(bytes[..2048].iter().any(|&byte| byte != 0));
    }
}
