//! What an open file or device can do: its size, its smallest direct request, and whether it
//! can be asked without waiting.
//!
//! Asks the descriptor that will be used, so that the answer is about the right thing; it must
//! never write through it. Tested on files and on the machine's devices.
#![allow(unsafe_code, reason = "BLKGETSIZE64 is an ioctl that rustix has no function for")]

use std::fs::File;
use std::io::{self, IoSliceMut};
use std::os::unix::fs::{FileTypeExt, MetadataExt};

use rustix::fs::{AtFlags, StatxFlags, ioctl_blksszget};
use rustix::io::{Errno, ReadWriteFlags};
use rustix::ioctl::{Getter, ioctl, opcode};

use super::node::DeviceNumber;
use super::sysfs::Sysfs;
use crate::unit::{Bytes, Geometry};

/// Whether requests can be made that fail rather than wait (`RWF_NOWAIT`). Where they can't,
/// `io_uring` hands every request to a worker thread of the kernel's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nowait {
    /// They can.
    Supported,
    /// They can't.
    Unsupported,
}

/// What an open block device or regular file can do directly.
///
/// # Errors
/// Where it can't be asked; `Unsupported` where its file system says that it has no direct I/O.
pub fn dio_alignment(file: &File) -> io::Result<Geometry> {
    let meta = file.metadata()?;
    if meta.file_type().is_block_device() {
        return device(file, DeviceNumber::from_dev(meta.rdev()));
    }
    let size = Bytes(meta.len());
    if let Some((memory_alignment, block)) = told(file)? {
        return Ok(Geometry { size, block, memory_alignment });
    }
    // Before Linux 6.1, and on file systems that don't say: the block of the device underneath,
    // or a page where there is none.
    let sysfs = Sysfs::default();
    let number = DeviceNumber::from_dev(meta.dev());
    let block = sysfs.device_numbered(number).map_or(4096, |device| device.logical_block);
    Ok(Geometry { size, block, memory_alignment: block })
}

fn device(file: &File, number: DeviceNumber) -> io::Result<Geometry> {
    const BLKGETSIZE64: rustix::ioctl::Opcode = opcode::read::<usize>(0x12, 114);
    // SAFETY: BLKGETSIZE64 writes one 64-bit number, whatever its opcode says of its size.
    let size: u64 = unsafe { ioctl(file, Getter::<BLKGETSIZE64, u64>::new()) }?;
    let block = ioctl_blksszget(file)?;
    // Devices tell by statx since 6.11; before that the driver's mask in sysfs is the answer.
    let memory = match told(file) {
        Ok(Some((memory, _))) => memory,
        Ok(None) | Err(_) => dma_alignment(number).unwrap_or(block),
    };
    Ok(Geometry { size: Bytes(size), block, memory_alignment: memory })
}

/// What `statx` tells of memory and offset alignment; `None` where it does not know.
fn told(file: &File) -> io::Result<Option<(u32, u32)>> {
    let stat = rustix::fs::statx(file, "", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN)?;
    if !StatxFlags::from_bits_retain(stat.stx_mask).contains(StatxFlags::DIOALIGN) {
        return Ok(None);
    }
    match (stat.stx_dio_mem_align, stat.stx_dio_offset_align) {
        (0, _) | (_, 0) => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "its file system has no direct I/O for it",
        )),
        alignment => Ok(Some(alignment)),
    }
}

/// The driver's mask of address bits that must be 0.
fn dma_alignment(number: DeviceNumber) -> Option<u32> {
    let sysfs = Sysfs::default();
    let device = sysfs.device_numbered(number).ok()?;
    let disk = device.parent.unwrap_or(device.name);
    let mask: u32 = sysfs.text(&format!("class/block/{disk}/queue/dma_alignment"))?.parse().ok()?;
    let alignment = mask.checked_add(1)?;
    alignment.is_power_of_two().then_some(alignment)
}

/// Whether a file or device can be asked without waiting: found out by one small read.
///
/// # Errors
/// Where the read fails for another reason.
pub fn probe_nowait(file: &File) -> io::Result<Nowait> {
    // Direct reads need an aligned buffer: a page within two.
    let mut pages = vec![0_u8; 8192];
    let start = pages.as_ptr().align_offset(4096).min(4096);
    let page = &mut pages[start..start + 4096];
    match rustix::io::preadv2(file, &mut [IoSliceMut::new(page)], 0, ReadWriteFlags::NOWAIT) {
        Ok(_) | Err(Errno::AGAIN) => Ok(Nowait::Supported),
        Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => Ok(Nowait::Unsupported),
        Err(error) => Err(error.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_tells_its_alignment() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&[1; 8192]).unwrap();
        match dio_alignment(&file) {
            Ok(geometry) => {
                assert_eq!(geometry.size, Bytes(8192));
                assert!(geometry.block.is_power_of_two() && geometry.block >= 512);
                assert!(geometry.memory_alignment.is_power_of_two());
            }
            Err(error) => assert_eq!(error.kind(), io::ErrorKind::Unsupported),
        }
        assert!(probe_nowait(&file).is_ok());
    }

    #[test]
    fn a_device_tells_its_size() {
        let sysfs = Sysfs::default();
        let devices = sysfs.devices().unwrap_or_default();
        let found = devices.iter().find(|device| device.size > Bytes(0));
        let opened = found.and_then(|device| Some((device, File::open(&device.node).ok()?)));
        let Some((device, file)) = opened else {
            return println!("skipped: no block device that this user may read");
        };
        let geometry = dio_alignment(&file).unwrap();
        assert_eq!((geometry.size, geometry.block), (device.size, device.logical_block));
        assert!(probe_nowait(&file).is_ok());
    }
}
