//! Measures how much memory the workloads take; see `memory`. A program of its own, since an
//! allocator that counts would slow the others down.

#![allow(unsafe_code)] // an allocator is unsafe to implement

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use archive_bench::memory::{self, Gauge};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The system's allocator, counted. Blocks grow as the system grows them: large blocks are moved by
/// moving their pages, so they do not exist twice. (Crates that count allocations allocate a new
/// block and copy.)
struct Counting;

static CURRENT: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn add(size: usize) {
    let now = CURRENT.fetch_add(size, Relaxed) + size;
    PEAK.fetch_max(now, Relaxed);
}

fn sub(size: usize) {
    CURRENT.fetch_sub(size, Relaxed);
}

// SAFETY: every call is passed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as the caller's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as the caller's.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        sub(layout.size());
        // SAFETY: as the caller's.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        sub(layout.size());
        add(size);
        // SAFETY: as the caller's.
        unsafe { System.realloc(block, layout, size) }
    }
}

struct Counts;

impl Gauge for Counts {
    fn current(&self) -> usize {
        CURRENT.load(Relaxed)
    }

    fn peak(&self) -> usize {
        PEAK.load(Relaxed)
    }

    fn reset(&self) {
        PEAK.store(self.current(), Relaxed);
    }
}

fn main() {
    memory::main(&Counts);
}
