//! [`Ref`]: a reference to an object.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use archive_core::shape::Shape;
use archive_core::{Archive, Blank, Options, Result, Save, Serialize};

use crate::row::Row;
use crate::run::Run;

/// A reference to an object of a class: its key, as a number that can be copied. `pool[r]` is the
/// object. [`NONE`](Ref::NONE), which is also the default, refers to no object.
///
/// A reference costs nothing to load, and references may form cycles. After a load,
/// [`Store::finish_load`](crate::Store::finish_load) lists the references to objects that do not
/// exist. A reference is always saved as the number [`key`](Ref::key).
///
/// A reference to an object of a trait is a `Ref<Box<dyn Trait>>`.
pub struct Ref<T: ?Sized> {
    key: u64,
    of: PhantomData<fn() -> Box<T>>,
}

impl<T: ?Sized> Ref<T> {
    /// Refers to no object.
    pub const NONE: Ref<T> = Ref::new(0);

    /// Refers to the object with that key, whether it exists or not.
    pub const fn new(key: u64) -> Self {
        Ref { key, of: PhantomData }
    }

    /// Returns the key of the object, or 0.
    pub const fn key(self) -> u64 {
        self.key
    }

    /// Returns whether the reference refers to no object.
    pub const fn is_none(self) -> bool {
        self.key == 0
    }
}

impl<T: ?Sized> Clone for Ref<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Ref<T> {}

impl<T: ?Sized> Default for Ref<T> {
    fn default() -> Self {
        Ref::NONE
    }
}

impl<T: ?Sized> PartialEq for Ref<T> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<T: ?Sized> Eq for Ref<T> {}

impl<T: ?Sized> PartialOrd for Ref<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: ?Sized> Ord for Ref<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

impl<T: ?Sized> Hash for Ref<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

/// `#7`.
impl<T: ?Sized> fmt::Debug for Ref<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.key)
    }
}

impl<T: Row> Serialize for Ref<T> {
    const SHAPE: &'static Shape = <u64 as Serialize>::SHAPE;

    #[inline]
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.key.serialize(ar)?;
        if ar.is_loading()
            && self.key != 0
            && let Some(run) = Run::of(ar)
        {
            run.refer::<T>(self.key)?;
        }
        Ok(())
    }
}

impl<T: Row> Save for Ref<T> {
    #[inline]
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        self.key.save(ar)
    }
}

impl<T: ?Sized> Blank for Ref<T> {
    fn blank(_: &Options<'_>) -> Self {
        Ref::NONE
    }
}
