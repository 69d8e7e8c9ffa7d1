//! Collects the references of a file, and the ids in a tree.

use archive_core::bridge::{Mention, mention};
use archive_core::{Error, Value};

use super::{MAX_PAIRS, MAX_PLACES, References, UNKNOWN};
use crate::places::{Place, Step};
use crate::references_in_tree::no_object;

/// A value that was found in a file.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The offset of its first byte.
    pub at: usize,
    /// Its place in the types of the program.
    pub place: Place,
    /// The number of the object around it: its index in the object table plus one, or 0.
    pub owner: u32,
}

/// The object to which a pointer refers.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its id, or 0 if an object after the root is being read.
    pub id: u64,
    /// Its index in the object table and the number of its type, if it is stored.
    pub stored: Option<(usize, u32)>,
    /// Whether it is stored with the pointer.
    pub follows: bool,
}

/// Called by a walk over the whole file.
impl References<'_> {
    /// Returns the place after a step.
    pub fn step(&mut self, from: Place, step: Step) -> Place {
        if self.observed.places.len() > MAX_PLACES {
            self.is_broken = true;
            return from;
        }
        self.observed.places.step(from, step)
    }

    /// Returns a number that distinguishes the class at an index of the type table from others, and its objects
    /// with hand-written functions from other objects.
    pub fn class(&self, index: usize, by_hand: bool) -> Option<usize> {
        let class = self.classes.get(index).copied().flatten()?;
        Some(class[usize::from(by_hand)])
    }

    /// Records a value of a type that may contain pointers. Called before the pointers in it.
    pub fn value(&mut self, value: Found, kind: u32) {
        let first = self.parts.partition_point(|part| part.start < value.at);
        for part in self.parts[first..].iter_mut().take_while(|part| part.start == value.at) {
            if part.kind == kind && part.found.is_none() {
                part.found = Some((value.place, value.owner));
            }
        }
    }

    /// Records a pointer. Returns an error if the pointer is not allowed there. The caller adds the
    /// path, and calls [`refuse`](Self::refuse).
    pub fn pointer(&mut self, at: Found, to: Target, is_strong: bool) -> Option<Error> {
        let id = to.id;
        let is_replaced = self.part_at(at.at);
        if !is_replaced {
            self.last = self.last.max(id);
        }
        let Some((index, concrete)) = to.stored else {
            self.is_broken |= is_strong;
            if self.wanted.contains(&id) {
                self.observed.gone.insert(id);
            }
            return None;
        };
        if to.follows {
            if is_replaced {
                self.lost.resize(self.objects, false);
                self.lost[index] = true;
            } else {
                self.meet(concrete);
            }
        }
        let number = self.number((at.place, concrete));
        let known = &mut self.kind_of[index];
        if *known == UNKNOWN {
            *known = number;
        } else if *known != number {
            let pair = (*known, number);
            if self.joined.len() > MAX_PAIRS {
                self.is_broken = true;
            } else if self.joined.insert(pair) {
                self.observed.join(self.kinds[pair.0 as usize], self.kinds[pair.1 as usize]);
            }
        }
        if is_strong && id != 0 {
            let edge = (at.owner, index as u32 + 1);
            if is_replaced { &mut self.removed } else { &mut self.edges }.push(edge);
            if !is_replaced
                && self.refused.is_none()
                && self.lost.get(index).copied().unwrap_or(false)
            {
                return Some(no_object(id));
            }
        }
        None
    }

    /// Records that error, with its path.
    pub fn refuse(&mut self, error: Error) {
        self.refused = Some(error);
    }

    /// Records a pointer that owns a value of the type with that number.
    pub fn owned(&mut self, at: Found, concrete: u32) {
        self.number((at.place, concrete));
        if !self.part_at(at.at) {
            self.meet(concrete);
        }
    }
}

/// Returns the ids of the objects to which a tree refers, or `None` if the tree contains objects
/// itself.
pub fn referred(tree: &Value) -> Option<Vec<u64>> {
    let (mut found, mut open) = (Vec::new(), vec![tree]);
    while let Some(value) = open.pop() {
        match value {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                match mention(members) {
                    Some((_, Mention::Stored)) => return None,
                    Some((id, _)) => found.push(id),
                    None => {}
                }
                open.extend(members.iter().map(|(_, value)| value));
            }
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    Some(found)
}
