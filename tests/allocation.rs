//! A worker allocates nothing between its first turn and its last: a run four times as long makes
//! exactly as many allocations on the worker's thread.

#![allow(unsafe_code, clippy::unwrap_used, reason = "a test that counts allocations")]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use common::{access, depth, line, point, run, scratch, simulated};
use fathom::dispatch::Device;
use fathom::engine::uring;
use fathom::unit::Bytes;

struct Counting;

static BY_WORKERS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// 0 unknown, 1 a worker's thread, 2 another.
    static KIND: Cell<u8> = const { Cell::new(0) };
    static ASKING: Cell<bool> = const { Cell::new(false) };
}

/// Counts an allocation if this thread is a worker.
fn count() {
    let asking = ASKING.try_with(|asking| asking.replace(true)).unwrap_or(true);
    if asking {
        return;
    }
    let kind = KIND.with(|kind| {
        if kind.get() == 0 {
            let worker = thread::current().name().is_some_and(|name| name.starts_with("fathom-"));
            kind.set(if worker { 1 } else { 2 });
        }
        kind.get()
    });
    if kind == 1 {
        BY_WORKERS.fetch_add(1, Ordering::Relaxed);
    }
    ASKING.with(|asking| asking.set(false));
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

fn allocations(device: &Device, millis: u64) -> u64 {
    let size = Bytes(16 << 20);
    let mix = access(vec![line(4096, 70.0, 100.0)]);
    let mut spec = point(device.clone(), size, mix);
    spec.queue_depth = depth(32);
    spec.times.run_time = Duration::from_millis(millis);
    let before = BY_WORKERS.load(Ordering::Relaxed);
    let outcome = run(&spec);
    assert!(outcome.measurement.ios() > 0);
    BY_WORKERS.load(Ordering::Relaxed) - before
}

#[test]
fn nothing_is_allocated_between_the_first_turn_and_the_last() {
    let folder = tempfile::tempdir().unwrap();
    let mut devices = vec![Device::Null, simulated("exact,channels=8,service=100us,size=16M")];
    if uring::probe().is_ok() {
        devices.push(Device::Uring(scratch(folder.path())));
    }
    for device in devices {
        // A worker that has to wait for the word to start allocates for that, before its first
        // turn; the least of several runs is one that did not. What a turn allocates would be in
        // every run, and four times as much in the long ones.
        let (mut short, mut long) = (u64::MAX, u64::MAX);
        for _ in 0..40 {
            short = short.min(allocations(&device, 30));
            long = long.min(allocations(&device, 120));
            if short == long {
                break;
            }
        }
        assert!(short > 0, "the counter must see the worker's set-up");
        assert_eq!(short, long, "{device:?}");
    }
}
