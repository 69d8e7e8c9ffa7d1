//! [`Addresses`]: a table of the ids of objects by address.
// Why: docs/decisions/pointers.md#objects-are-keyed-by-address

use rustc_hash::FxHashMap;

/// A table of the ids of objects by address.
///
/// Objects that were allocated together are usually visited together. Neighbouring objects
/// therefore share a page of the table. If the next object is on the same page as the last one, the
/// page is found at once; otherwise a hash map finds it. The map has one entry per page, so
/// it stays in the processor's cache far longer than a map with an entry for each object would.
#[derive(Default)]
pub(super) struct Addresses {
    pages: Vec<Page>,
    /// Maps parts of the memory to pages.
    index: FxHashMap<usize, u32>,
    /// The part of the memory and the page of the last object.
    last: Option<(usize, u32)>,
}

/// The objects in one part of the memory: a bit for each address where an object can start, and a
/// slot for each visited object, in the order of the addresses. A page takes a few bytes per
/// object, however far apart the objects are.
#[derive(Default)]
struct Page {
    taken: [u64; SLOTS / 64],
    /// For each word of `taken`: how many bits are set in the words before it.
    before: [u8; SLOTS / 64],
    slots: Vec<Slot>,
}

/// The state of the object at an address: twice its id, plus 1 if it was written; 0 if the object
/// was not visited.
#[derive(Clone, Copy, Default)]
pub(super) struct Slot(u32);

/// The smallest distance between the addresses of two shared objects: each has two counters before
/// it.
const APART: usize = 2 * size_of::<usize>();
/// The largest number of objects on a page: those in 4 KiB of memory (on 64-bit processors).
const SLOTS: usize = 256;

impl Addresses {
    /// Returns the slot of the object at an address.
    #[inline]
    pub(super) fn slot(&mut self, address: usize) -> &mut Slot {
        let (part, slot) = (address / APART / SLOTS, address / APART % SLOTS);
        let page = match self.last {
            Some((last, page)) if last == part => page,
            _ => self.page(part),
        };
        self.pages[page as usize].slot(slot)
    }

    /// Returns the id of the object at an address, if it has one.
    pub(super) fn id(&self, address: usize) -> Option<u64> {
        let (part, slot) = (address / APART / SLOTS, address / APART % SLOTS);
        let page = &self.pages[*self.index.get(&part)? as usize];
        page.find(slot).and_then(|index| page.slots[index].id())
    }

    /// Returns whether no object was visited.
    pub(super) fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    fn page(&mut self, part: usize) -> u32 {
        // There are no more pages than objects, and the ids of objects fit `u32`.
        let next = self.pages.len() as u32;
        let page = *self.index.entry(part).or_insert(next);
        if page == next {
            self.pages.push(Page::default());
        }
        self.last = Some((part, page));
        page
    }
}

impl Page {
    /// Returns the index of a slot, if it is taken.
    fn find(&self, index: usize) -> Option<usize> {
        let (word, bit) = (index / 64, 1 << (index % 64));
        (self.taken[word] & bit != 0).then(|| self.index(word, bit))
    }

    #[inline]
    fn index(&self, word: usize, bit: u64) -> usize {
        usize::from(self.before[word]) + (self.taken[word] & (bit - 1)).count_ones() as usize
    }

    #[inline]
    fn slot(&mut self, index: usize) -> &mut Slot {
        let (word, bit) = (index / 64, 1 << (index % 64));
        let index = self.index(word, bit);
        if self.taken[word] & bit == 0 {
            self.taken[word] |= bit;
            self.before[word + 1..].iter_mut().for_each(|before| *before += 1);
            self.slots.insert(index, Slot::default());
        }
        &mut self.slots[index]
    }
}

impl Slot {
    /// The highest id that fits.
    pub(super) const MAX: u64 = (u32::MAX >> 1) as u64;

    /// Returns the id of the object, if it was visited before.
    #[inline]
    pub(super) fn id(self) -> Option<u64> {
        let id = u64::from(self.0 >> 1);
        (id != 0).then_some(id)
    }

    /// Sets the id, which is at most [`MAX`](Slot::MAX).
    #[inline]
    pub(super) fn set_id(&mut self, id: u64) {
        self.0 = (id as u32) << 1;
    }

    /// Returns whether the object was written before. With `now`, marks it as written.
    #[inline]
    pub(super) fn write(&mut self, now: bool) -> bool {
        let before = self.0 & 1 != 0;
        self.0 |= u32::from(now);
        before
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;
    use std::sync::Arc;

    use super::Addresses;

    /// The smallest shared objects, next to each other, and large ones, far apart: each has its own
    /// id.
    #[test]
    fn no_two_objects_share_a_slot() {
        let units: Vec<Rc<()>> = (0..5000).map(|_| Rc::new(())).collect();
        let bytes: Vec<Arc<u8>> = (0..5000).map(Arc::new).map(|n| Arc::new(*n as u8)).collect();
        let large: Vec<Rc<[u64; 100]>> = (0..500).map(|n| Rc::new([n; 100])).collect();
        let addresses: Vec<usize> = (units.iter().map(|u| Rc::as_ptr(u).addr()))
            .chain(bytes.iter().map(|b| Arc::as_ptr(b).addr()))
            .chain(large.iter().map(|l| Rc::as_ptr(l).addr()))
            .collect();
        let mut table = Addresses::default();
        for (index, address) in addresses.iter().enumerate() {
            let slot = table.slot(*address);
            assert_eq!(slot.id(), None);
            slot.set_id(index as u64 + 1);
            assert!(!slot.write(index % 2 == 0));
        }
        for (index, address) in addresses.iter().enumerate().rev() {
            let slot = table.slot(*address);
            assert_eq!(slot.id(), Some(index as u64 + 1));
            assert_eq!(slot.write(false), index % 2 == 0);
        }
    }
}
