//! [`Guide`]: what an [`Explorer`](super::explorer::Explorer) finds in the file that does not exist.

use crate::error::Result;
use crate::scalar::Scalar;
use crate::shape::{Class, Enum, Shape};

/// Where something stands in what holds it.
#[derive(Clone, Copy)]
pub enum Place<'n> {
    /// A member of an object.
    Member(&'n str, &'static Shape),
    /// An item of a sequence.
    Item(usize),
}

/// What is to be done with an enum.
pub enum Variation {
    /// Nothing.
    Nothing,
    /// Each variant is selected and visited.
    All,
    /// One variant is selected and visited.
    One(usize),
    /// One variant is selected.
    Selected(usize),
    /// The variant that there is is visited.
    Current,
}

/// Decides what is found in the file that does not exist, and takes notes.
///
/// `level` counts the members and items around a place: those of the root itself are at level 0.
pub trait Guide {
    /// Whether the place is in the file; if so, [`leave`](Guide::leave) follows.
    fn enter(&mut self, place: Place<'_>, level: usize) -> bool;
    /// The value in the place was visited, if without an error.
    fn leave(&mut self, visited: Result);
    /// A scalar to be filled.
    fn scalar(&mut self, value: Scalar<'_>);
    /// How many items a sequence has whose length is not fixed.
    fn items(&mut self) -> usize;
    /// Whether an option holds a value.
    fn some(&mut self) -> bool;
    /// Whether the members of the object are to be visited; if so, [`close`](Guide::close) follows.
    fn open(&mut self, class: &'static Class) -> bool;
    /// The members were visited, all of them or up to an error.
    fn close(&mut self, complete: bool);
    /// What is to be done with an enum.
    fn vary(&mut self, info: &'static Enum) -> Variation;
    /// The enum was visited.
    fn varied(&mut self) {}
    /// The number that stands where anything may, if not null.
    fn any(&mut self) -> Option<i64> {
        None
    }
    /// The name of another member of an object whose names are data.
    fn key(&mut self) -> Option<&'static str> {
        None
    }
}
