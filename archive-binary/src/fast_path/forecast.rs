//! How long the output will be: as much for each item of the outermost sequence as for those before.
//! A vector that grows by that is hardly longer than what it holds in the end, where one that doubles may
//! be twice as long.

use super::Saving;

/// The outermost sequence of any length.
#[derive(Default)]
pub(super) struct Forecast {
    /// How many sequences are open.
    open: usize,
    /// How many items the outermost one has, and where they begin.
    count: usize,
    begin: usize,
    /// From which length on its items ask.
    ask: usize,
}

/// Shorter output grows as vectors do.
const SHORT: usize = 1 << 12;

impl Forecast {
    /// Nothing is known yet; items ask from that length on.
    pub(super) fn new(ask: usize) -> Self {
        Forecast { ask, ..Forecast::default() }
    }

    /// From which length on it is asked whether a vector of that capacity will do.
    pub(super) fn next(capacity: usize) -> usize {
        SHORT.max(capacity - capacity / 16)
    }

    /// A sequence begins, of so many items if that is not in its shape. Tuples and arrays are never the
    /// outermost one, but their items are not its items either.
    #[inline(always)]
    pub(super) fn begin(&mut self, count: Option<usize>, at: usize) {
        match count {
            Some(count) if self.open == 0 => (self.count, self.begin, self.open) = (count, at, 1),
            None if self.open == 0 => {}
            _ => self.open += 1,
        }
    }

    /// A sequence ends. What comes next may be an item of the outermost one: says from which length on
    /// that one asks.
    #[inline(always)]
    pub(super) fn end(&mut self) -> Option<usize> {
        self.open = self.open.saturating_sub(1);
        (self.open == 1).then_some(self.ask)
    }

    /// The length in the end, if so many items end here, with room for what stands after them.
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
    /// Makes room for what is to be expected before an item, at most twice as much as there was.
    #[cold]
    #[inline(never)]
    pub(super) fn grow(&mut self, index: usize) {
        let (len, capacity) = (self.out.len(), self.out.capacity());
        let Some(length) = self.forecast.length(index, len) else {
            // The items of an inner sequence cannot tell. The next one of the outermost will ask.
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
