//! Measures how much memory the workloads take; see `memory`. A program of its own, since an
//! allocator that counts would slow the others down.

use archive_bench::memory::{self, Gauge};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

struct Counts;

impl Gauge for Counts {
    fn current(&self) -> usize {
        ALLOCATOR.current_usage()
    }

    fn peak(&self) -> usize {
        ALLOCATOR.peak_usage()
    }

    fn reset(&self) {
        ALLOCATOR.reset_peak_usage();
    }
}

fn main() {
    memory::main(&Counts);
}
