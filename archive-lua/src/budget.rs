//! [`Limits`] of a sandbox, and the budget that scripts and the program's functions charge.

use std::cell::Cell;
use std::time::{Duration, Instant};

use archive::{Error, ErrorKind, Result};

/// What the scripts of a [`Sandbox`](crate::Sandbox) may use. A script that uses more ends with
/// [`ErrorKind::SizeLimit`], which it cannot catch.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub(crate) instructions: u64,
    pub(crate) memory: usize,
    pub(crate) time: Duration,
}

impl Default for Limits {
    /// A million instructions and a second for each call, and 16 MiB.
    fn default() -> Self {
        Limits { instructions: 1_000_000, memory: 16 << 20, time: Duration::from_secs(1) }
    }
}

impl Limits {
    /// The most instructions of Lua's machine in one call. What a script has done by the program is charged as well: reading
    /// a member is 20 instructions, writing one 200, and 16 bytes of new memory are one.
    #[must_use]
    pub fn instructions(self, instructions: u64) -> Self {
        Limits { instructions, ..self }
    }

    /// The most memory of all scripts of the sandbox, in bytes.
    #[must_use]
    pub fn memory(self, memory: usize) -> Self {
        Limits { memory, ..self }
    }

    /// The longest time of one call. Some instructions, such as the comparison of two long strings, take longer than others.
    /// Games whose machines must agree choose so few instructions that this limit is never reached.
    #[must_use]
    pub fn time(self, time: Duration) -> Self {
        Limits { time, ..self }
    }
}

/// How many instructions pass between two looks at the budget.
pub(crate) const STEP: u32 = 1_000;

/// What is left of the [`Limits`] of a call.
pub(crate) struct Budget {
    limits: Limits,
    left: Cell<u64>,
    end: Cell<Option<Instant>>,
    /// The memory at the last look.
    memory: Cell<usize>,
    /// How many calls are in one another.
    calls: Cell<u32>,
}

impl Budget {
    pub(crate) fn new(limits: Limits) -> Self {
        let left = Cell::new(u64::MAX);
        Budget {
            limits,
            left,
            end: Cell::default(),
            memory: Cell::default(),
            calls: Cell::default(),
        }
    }

    /// Begins a call. One in another call has what is left of that one's budget.
    pub(crate) fn begin(&self) -> Begun<'_> {
        if self.calls.replace(self.calls.get() + 1) == 0 {
            self.left.set(self.limits.instructions);
            self.end.set(Instant::now().checked_add(self.limits.time));
        }
        Begun(self)
    }

    /// Takes so many instructions out of the budget.
    #[inline]
    pub(crate) fn spend(&self, count: u64) -> Result {
        let left = self.left.get().saturating_sub(count);
        self.left.set(left);
        if left == 0 { Err(self.spent()) } else { Ok(()) }
    }

    /// Takes the instructions of one step, and the memory since the last one.
    pub(crate) fn step(&self, memory: usize) -> Result {
        let new = memory.abs_diff(self.memory.replace(memory));
        self.spend(u64::from(STEP) + new as u64 / 16)?;
        if self.end.get().is_some_and(|end| Instant::now() >= end) {
            self.left.set(0);
        }
        self.spend(0)
    }

    #[cold]
    fn spent(&self) -> Error {
        let Limits { instructions, time, .. } = self.limits;
        let message = if self.end.get().is_some_and(|end| Instant::now() >= end) {
            format!("the script takes longer than {time:?}")
        } else {
            format!("the script takes more than {instructions} instructions")
        };
        Error::new(ErrorKind::SizeLimit, message)
    }
}

/// A call that ends when this is dropped, also if it panics.
pub(crate) struct Begun<'b>(&'b Budget);

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        self.0.calls.set(self.0.calls.get().saturating_sub(1));
    }
}
