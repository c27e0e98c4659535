//! Which file a loop device shows, by the kernel's own word.
//!
//! The path in sysfs is only text: the file may have lost that name, or something else may have
//! been mounted over it, and it is shown all the same. This file only asks; it must never change
//! a loop device. Tested by hand on loop devices whose files were unlinked and covered.
#![allow(unsafe_code, reason = "LOOP_GET_STATUS64 is an ioctl that rustix has no function for")]

use std::fs::File;
use std::path::Path;

use rustix::ioctl::{Getter, Opcode, ioctl};

/// `struct loop_info64` of linux/loop.h, as far as it is needed; the rest is room for it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Status {
    device: u64,
    inode: u64,
    rdevice: u64,
    rest: [u64; 26],
}

/// `LOOP_GET_STATUS64`: older than the scheme that other numbers follow.
const GET_STATUS: Opcode = 0x4c05;

/// The number of the file system and of the inode behind a loop device, and of the device where
/// that is one; `None` where it can't be asked.
pub(super) fn shown(node: &Path) -> Option<(u64, u64, u64)> {
    let file = File::open(node).ok()?;
    // SAFETY: LOOP_GET_STATUS64 writes one `loop_info64`, whose 232 bytes `Status` has.
    let status: Status = unsafe { ioctl(&file, Getter::<GET_STATUS, Status>::new()) }.ok()?;
    Some((status.device, status.inode, status.rdevice))
}

const _: () = assert!(size_of::<Status>() == 232);
