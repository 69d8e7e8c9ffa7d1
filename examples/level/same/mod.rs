//! Whether two worlds are the same: equal values, and pointers that are shared in the same way.
//!
//! `PartialEq` cannot decide this: it calls a world equal whose definitions were all copied, and
//! never ends on cyclic pointers. So the two worlds are visited side by side, and every object of
//! the one is paired with the object at the same place of the other. An object that is visited
//! again must be visited together with its partner. Then the two pointer graphs are the same.

mod values;
mod world;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::rc::{Rc, Weak};

/// A value that can be visited side by side with another one of its type.
pub trait Same {
    /// Whether both are the same, as far as they were visited.
    fn same(&self, other: &Self, walk: &mut Walk) -> Result<(), Difference>;
}

/// Visits two worlds, and returns the numbers of shared objects.
pub fn compare<T: Same>(left: &T, right: &T) -> Result<Sharing, Difference> {
    let mut walk = Walk::default();
    left.same(right, &mut walk)?;
    Ok(Sharing { objects: walk.partner.len(), pointers: walk.pointers })
}

/// How much a world shares.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub struct Sharing {
    /// Objects in pointers.
    pub objects: usize,
    /// Pointers to them.
    pub pointers: usize,
}

/// The address of an object.
type Address = *const ();

/// The visited objects.
#[derive(Default)]
pub struct Walk {
    /// The partner of each object of the left world.
    partner: HashMap<Address, Address>,
    /// The partners, so that no two objects have the same one.
    taken: HashSet<Address>,
    /// The objects whose content was visited.
    walked: HashSet<Address>,
    /// The number of visited pointers.
    pointers: usize,
}

impl Walk {
    /// Two pointers in the same place: their objects must be partners from now on.
    fn pair(&mut self, left: Address, right: Address) -> Result<(), Difference> {
        self.pointers += 1;
        match self.partner.get(&left) {
            Some(&partner) if partner == right => Ok(()),
            Some(_) => Err(Difference::new("what was one object is two")),
            None if self.taken.contains(&right) => {
                Err(Difference::new("what were two objects is one"))
            }
            None => {
                self.partner.insert(left, right);
                self.taken.insert(right);
                Ok(())
            }
        }
    }

    /// The content of two partners, unless it was visited.
    fn content<T: Same>(&mut self, at: Address, left: &T, right: &T) -> Result<(), Difference> {
        if self.walked.insert(at) { left.same(right, self) } else { Ok(()) }
    }
}

impl<T: Same> Same for Rc<T> {
    fn same(&self, other: &Self, walk: &mut Walk) -> Result<(), Difference> {
        let (left, right) = (Rc::as_ptr(self).cast(), Rc::as_ptr(other).cast());
        walk.pair(left, right)?;
        walk.content(left, &**self, &**other)
    }
}

impl<T: Same> Same for RefCell<T> {
    fn same(&self, other: &Self, walk: &mut Walk) -> Result<(), Difference> {
        self.borrow().same(&other.borrow(), walk)
    }
}

/// A weak pointer does not lead to an object's content: its owner does.
impl<T> Same for Weak<T> {
    fn same(&self, other: &Self, walk: &mut Walk) -> Result<(), Difference> {
        match (self.upgrade(), other.upgrade()) {
            (Some(left), Some(right)) => {
                walk.pair(Rc::as_ptr(&left).cast(), Rc::as_ptr(&right).cast())
            }
            (None, None) => Ok(()),
            (Some(_), None) => Err(Difference::new("a weak pointer lost its object")),
            (None, Some(_)) => Err(Difference::new("a dangling pointer found an object")),
        }
    }
}

/// The first difference of two worlds.
#[derive(Debug)]
pub struct Difference {
    /// The path, its last step first.
    path: Vec<String>,
    /// The difference.
    message: String,
}

impl Difference {
    /// A difference at this place.
    fn new(message: impl Into<String>) -> Self {
        Difference { path: Vec::new(), message: message.into() }
    }

    /// The difference is in the part of that name.
    fn inside(mut self, step: impl Into<String>) -> Self {
        self.path.push(step.into());
        self
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("world")?;
        for step in self.path.iter().rev() {
            f.write_str(step)?;
        }
        write!(f, ": {}", self.message)
    }
}
