//! Predicts the length of the output from the items of the outermost sequence that were written so
//! far. A vector that grows to the predicted length has hardly more capacity than its final
//! contents need. A vector that doubles may have twice as much.

use super::Saving;

/// The state of the outermost sequence that has any number of items.
#[derive(Default)]
pub(super) struct Forecast {
    /// The number of open sequences.
    open: usize,
    /// The number of items of the outermost sequence, and the offset at which they begin.
    count: usize,
    begin: usize,
    /// The length of output at which its items begin to check the forecast.
    ask: usize,
}

/// Below this length, the output grows like any vector.
const SHORT: usize = 1 << 12;

impl Forecast {
    /// Creates a forecast without data. Items check it from that length on.
    pub(super) fn new(ask: usize) -> Self {
        Forecast { ask, ..Forecast::default() }
    }

    /// Returns the length at which a vector of that capacity begins to be too short.
    pub(super) fn next(capacity: usize) -> usize {
        SHORT.max(capacity - capacity / 16)
    }

    /// Begins a sequence that is not in a block. `count` is its number of items, unless its shape determines the number.
    /// Tuples and arrays are never the outermost sequence, but they count as inner ones.
    #[inline(always)]
    pub(super) fn begin(&mut self, count: Option<usize>, at: usize) {
        match count {
            Some(count) if self.open == 0 => (self.count, self.begin, self.open) = (count, at, 1),
            None if self.open == 0 => {}
            _ => self.open += 1,
        }
    }

    /// Ends a sequence. If the next item may belong to the outermost sequence, returns the length
    /// at which that item checks the forecast.
    #[inline(always)]
    pub(super) fn end(&mut self) -> Option<usize> {
        self.open = self.open.saturating_sub(1);
        (self.open == 1).then_some(self.ask)
    }

    /// Predicts the final length if `index` items end at `at`, with some room for the bytes after
    /// them.
    fn length(&self, index: usize, at: usize) -> Option<usize> {
        if self.open != 1 || index == 0 {
            return None;
        }
        let written = at.checked_sub(self.begin)? as u64;
        let all = u128::from(written) * self.count as u128 / index as u128;
        let all = usize::try_from(all).ok()?.checked_add(self.begin)?;
        Some(all.saturating_add(all / 64 + SHORT / 4))
    }
}

impl Saving<'_, '_> {
    /// Reserves room for the predicted length before an item, at most doubling the capacity.
    #[cold]
    #[inline(never)]
    pub(super) fn grow(&mut self, index: usize) {
        let (len, capacity) = (self.out.len(), self.out.capacity());
        let Some(length) = self.forecast.length(index, len).filter(|_| !self.in_block) else {
            // Items of inner sequences cannot predict the length. The next item of the outermost
            // sequence will.
            self.part = capacity.max(len + 1);
            return;
        };
        if length > capacity {
            let length = length.clamp(capacity + capacity / 16, capacity.saturating_mul(2));
            self.out.reserve_exact(length - len);
            self.part = Forecast::next(self.out.capacity());
        } else {
            self.part = capacity;
        }
        self.forecast.ask = self.part;
    }
}
