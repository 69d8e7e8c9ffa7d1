//! Places: where a value is in the program's types, as far as the types of the file tell.
//!
//! A place is a path from the root, or from the object of a pointer, through members, items and
//! variants, without the indices of items. All values at one place have the same type in the
//! program. If a class contains itself, the inner object is at the place of the outer one.

use std::collections::HashMap;

/// A place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(u32);

impl Place {
    /// The root.
    pub const ROOT: Place = Place(0);
}

/// One step of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// From outside, to the object of a pointer, which has this type.
    Pointee(u32),
    /// Into an object of the class at this address.
    Class(usize),
    /// To the member, the variant, or the part of a tuple with this index.
    Part(usize),
    /// To the items of a sequence, or the value in an option.
    Inner,
}

#[derive(Default)]
pub(super) struct Places {
    /// The places. A place comes after the place around it.
    all: Vec<(Place, Step)>,
    known: HashMap<(Place, Step), Place>,
}

impl Places {
    pub fn step(&mut self, from: Place, step: Step) -> Place {
        if let Some(known) = self.known.get(&(from, step)) {
            return *known;
        }
        let place = self.outer(from, step).unwrap_or_else(|| {
            self.all.push((from, step));
            Place(u32::try_from(self.all.len()).unwrap_or(u32::MAX))
        });
        self.known.insert((from, step), place);
        place
    }

    /// Returns the number of places, without the root.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns the place of an outer object of the same class.
    fn outer(&self, mut at: Place, step: Step) -> Option<Place> {
        if !matches!(step, Step::Class(_)) {
            return None;
        }
        while at != Place::ROOT {
            let (outer, of) = self.all[at.0 as usize - 1];
            if of == step {
                return Some(at);
            }
            at = outer;
        }
        None
    }
}
