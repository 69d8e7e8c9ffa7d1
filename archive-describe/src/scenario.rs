//! [`Scenario`]: decides which data an [`Explorer`](super::explorer::Explorer) finds in its made-up
//! file.

use archive_core::Result;
use archive_core::Scalar;
use archive_core::shape::{Class, Enum, Shape};

/// The place of a value in its object or sequence.
#[derive(Clone, Copy)]
pub enum Part<'n> {
    /// A member of an object.
    Member(&'n str, &'static Shape),
    /// An item of a sequence.
    Item(usize),
}

/// What an explorer does with an enum.
pub enum Variation {
    /// It does nothing.
    Nothing,
    /// It selects and visits each variant.
    All,
    /// It selects and visits one variant.
    One(usize),
    /// It selects one variant.
    Selected(usize),
    /// It visits the current variant.
    Current,
}

/// Decides which data is in the made-up file, and records the visited members and values.
///
/// `level` is the number of members and items around a place. It is 0 for the members and items of
/// the root.
pub trait Scenario {
    /// Returns whether the place is in the file. If so, [`leave`](Scenario::leave) is called later.
    fn enter(&mut self, place: Part<'_>, level: usize) -> bool;
    /// Called after the value in the place was visited, with the result.
    fn leave(&mut self, visited: Result);
    /// Called with a scalar to be filled.
    fn scalar(&mut self, value: Scalar<'_>);
    /// Returns the length of a sequence whose length is not fixed.
    fn items(&mut self) -> usize;
    /// Returns whether an option has a value.
    fn some(&mut self) -> bool;
    /// Returns whether the members of the object are visited. If so, [`close`](Scenario::close) is
    /// called later.
    fn open(&mut self, class: &'static Class) -> bool;
    /// Called after the members were visited; `complete` is `false` if an error ended the visit.
    fn close(&mut self, complete: bool);
    /// Returns what to do with an enum.
    fn vary(&mut self, info: &'static Enum) -> Variation;
    /// Called after the enum was visited.
    fn varied(&mut self) {}
    /// Returns the number in a place that accepts any value; `None` for null.
    fn any(&mut self) -> Option<i64> {
        None
    }
    /// Returns the name of the next member of an object whose names are data.
    fn key(&mut self) -> Option<&'static str> {
        None
    }
}
