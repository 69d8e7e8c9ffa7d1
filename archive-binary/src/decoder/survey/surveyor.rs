//! [`Surveyor`]: what a survey reports.

use archive_core::Error;

use crate::in_shape::{Place, Step};
use crate::types::TypeId;

/// Receives what a survey finds.
pub(crate) trait Surveyor {
    /// Returns the place that a step leads to.
    fn step(&mut self, from: Place, step: Step) -> Place;
    /// Returns what distinguishes a class from others, and the objects of functions written by hand from those of
    /// a type.
    fn class(&self, kind: TypeId, by_hand: bool) -> Option<usize>;
    /// Receives a value that may contain pointers, before these.
    fn value(&mut self, value: Surveyed, kind: TypeId);
    /// Receives a pointer. Returns an error if it may not be there, which is then refused.
    fn pointer(&mut self, pointer: Surveyed, to: Target, is_strong: bool) -> Option<Error>;
    /// Receives that error, with its path.
    fn refuse(&mut self, error: Error);
    /// Receives a pointer that owns a value of the type with that number.
    fn owned(&mut self, pointer: Surveyed, concrete: u32);
}

/// The object that a pointer refers to.
#[derive(Clone, Copy)]
pub(crate) struct Target {
    /// Its id, or 0 where an object after the root is read.
    pub(crate) id: u64,
    /// Its index in the object table and the number of its type, if it is stored.
    pub(crate) stored: Option<(usize, u32)>,
    /// Whether it follows the pointer.
    pub(crate) follows: bool,
}

/// Where a value is.
#[derive(Clone, Copy)]
pub(crate) struct Surveyed {
    /// The offset of its first byte.
    pub(crate) at: usize,
    pub(crate) place: Place,
    /// The number of the object around it: its index in the object table plus one, or 0.
    pub(crate) owner: u32,
}
