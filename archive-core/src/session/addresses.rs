//! [`Addresses`]: the ids of objects by address.

use rustc_hash::FxHashMap;

/// The ids of objects by address.
///
/// Objects that were allocated together are usually met together. So neighbours share a page of the
/// table, which is found at once if it is that of the object before, and a map finds the others: it has
/// an entry for every few objects and stays in the processor's cache long after one for each would not.
#[derive(Default)]
pub(super) struct Addresses {
    pages: Vec<Page>,
    /// Which page is about which part of the memory.
    index: FxHashMap<usize, u32>,
    /// The part and the page of the last object.
    last: Option<(usize, u32)>,
}

/// The objects in one part of the memory: a bit for each place where one can start, and what is known of
/// those that were met, by place. So an object takes a few bytes, however far it lies from the next.
#[derive(Default)]
struct Page {
    places: [u64; PLACES / 64],
    /// How many were met in the words before.
    before: [u8; PLACES / 64],
    slots: Vec<Slot>,
}

/// What is known of the object at an address: twice its id, and one more if it is written; or nothing.
#[derive(Clone, Copy, Default)]
pub(super) struct Slot(u32);

/// Two counters stand in front of each shared object, so the addresses of two of them are never less
/// than this apart.
const APART: usize = 2 * size_of::<usize>();
/// How many objects a page is for at most: those in 4 KiB of memory.
const PLACES: usize = 256;

impl Addresses {
    /// What is known of the object at an address.
    #[inline]
    pub(super) fn slot(&mut self, address: usize) -> &mut Slot {
        let (part, place) = (address / APART / PLACES, address / APART % PLACES);
        let page = match self.last {
            Some((last, page)) if last == part => page,
            _ => self.page(part),
        };
        self.pages[page as usize].slot(place)
    }

    fn page(&mut self, part: usize) -> u32 {
        // There are fewer pages than objects, whose ids fit.
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
    #[inline]
    fn slot(&mut self, place: usize) -> &mut Slot {
        let (word, bit) = (place / 64, 1 << (place % 64));
        let before = (self.places[word] & (bit - 1)).count_ones() as usize;
        let index = usize::from(self.before[word]) + before;
        if self.places[word] & bit == 0 {
            self.places[word] |= bit;
            self.before[word + 1..].iter_mut().for_each(|before| *before += 1);
            self.slots.insert(index, Slot::default());
        }
        &mut self.slots[index]
    }
}

impl Slot {
    /// The highest id that fits.
    pub(super) const MAX: u64 = (u32::MAX >> 1) as u64;

    /// The id of the object, if it was met before.
    #[inline]
    pub(super) fn id(self) -> Option<u64> {
        let id = u64::from(self.0 >> 1);
        (id != 0).then_some(id)
    }

    /// Gives an id of at most [`MAX`](Slot::MAX).
    #[inline]
    pub(super) fn set_id(&mut self, id: u64) {
        self.0 = (id as u32) << 1;
    }

    /// Whether the object was written, which it is from now on if it is `now`.
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

    /// The least of shared objects, next to each other, and far apart: each has its own id.
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
