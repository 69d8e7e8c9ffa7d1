//! [`Waiting`]: how objects are filled that were referred to before they were read.

use archive_core::pointer::Filler;
use archive_core::shape::Shape;

/// How objects are filled that were referred to before they were read, by their ids.
///
/// Every object of a file may be one of them, so each takes a byte. This is possible because few
/// types of pointers occur in a program, and because the ids of a root follow each other: they are
/// assigned in the order of the first references.
pub(super) struct Waiting<A> {
    ways: Vec<Way<A>>,
    /// The id of the first object.
    first: u64,
    /// For each id from `first` on: the number of a way, counted from 1, or 0.
    numbers: Vec<u8>,
    /// How many objects were known when the first was added.
    known: Option<usize>,
}

/// How an object is filled: the shape that it must have, unless that depends on the concrete type, and
/// a function of the archive.
type Way<A> = (Option<&'static Shape>, Filler<A>);

impl<A> Waiting<A> {
    /// Returns whether there are no objects.
    pub(super) fn is_empty(&self) -> bool {
        self.ways.is_empty()
    }

    /// Adds an object. `known` objects are known, including this one. An object whose id is far from
    /// the others is left out, and the general archive fills it: memory and time depend on the number
    /// of objects, and not on forged ids.
    pub(super) fn add(&mut self, id: u64, known: usize, way: Way<A>) {
        let known_before = *self.known.get_or_insert_with(|| {
            self.first = id;
            known
        });
        let most = 4096 + 16 * known.saturating_sub(known_before);
        let index = usize::try_from(id.wrapping_sub(self.first)).unwrap_or(usize::MAX);
        if index >= most {
            return;
        }
        let is_known = |known: &Way<A>| {
            known.0.map(std::ptr::from_ref) == way.0.map(std::ptr::from_ref)
                && std::ptr::fn_addr_eq(known.1, way.1)
        };
        let way = match self.ways.iter().rposition(is_known) {
            Some(way) => way,
            None => {
                self.ways.push(way);
                self.ways.len() - 1
            }
        };
        let Ok(number) = u8::try_from(way + 1) else { return };
        if index >= self.numbers.len() {
            self.numbers.resize(index + 1, 0);
        }
        self.numbers[index] = number;
    }

    /// Removes an object, and returns how it is filled.
    pub(super) fn take(&mut self, id: u64) -> Option<Way<A>> {
        let index = usize::try_from(id.wrapping_sub(self.first)).ok()?;
        let number = std::mem::take(self.numbers.get_mut(index)?);
        self.ways.get(usize::from(number).checked_sub(1)?).copied()
    }
}

impl<A> Default for Waiting<A> {
    fn default() -> Self {
        Waiting { ways: Vec::new(), first: 0, numbers: Vec::new(), known: None }
    }
}

#[cfg(test)]
mod tests {
    use super::{Waiting, Way};

    fn way(_: u64, (): &mut ()) -> archive_core::Result {
        Ok(())
    }

    /// Most objects are read at once, so that few have to be filled, with other objects between them.
    #[test]
    fn objects_that_are_far_apart() {
        let mut waiting = Waiting::default();
        let all = (0..10_000).map(|index| 7 + 100 * index);
        for id in all.clone() {
            waiting.add(id, id as usize, (None, way));
        }
        assert_eq!(waiting.ways.len(), 1);
        for id in all {
            assert!(waiting.take(id + 1).is_none() && waiting.take(id).is_some(), "{id}");
            assert!(waiting.take(id).is_none(), "{id}");
        }
    }

    #[test]
    fn forged_ids_take_no_memory() {
        let mut waiting = Waiting::default();
        let way: Way<()> = (None, way);
        for (known, id) in [5, u64::MAX, 4, 5 + 4096 + 100, 1 << 40, 6].into_iter().enumerate() {
            waiting.add(id, known, way);
        }
        assert!(waiting.numbers.capacity() < 100);
        let is_known = |id| waiting.take(id).is_some();
        assert_eq!(
            [4, 5, 6, 7, 4201, u64::MAX].map(is_known),
            [false, true, true, false, false, false]
        );
    }
}
