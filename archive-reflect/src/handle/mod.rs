//! References as numbers: a [`Handle`] refers to a value that a [`HandleMap`] owns.

mod iter;
mod map;
mod slot;
mod stale;
mod stored;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use archive_core::shape::Shape;
use archive_core::{Archive, Blank, Error, Options, Result, Save, Serialize};

pub use iter::{IntoIter, Iter, IterMut};
pub use map::HandleMap;
pub use stale::{Stale, stale_handles};

/// A reference to a value in a [`HandleMap`], as a number that can be copied.
///
/// A handle owns nothing and never dangles: after its value was removed, it refers to no value,
/// even if another value takes the same slot. [`NULL`](Handle::NULL), which is also the default,
/// never refers to a value.
///
/// It is saved as the number [`to_raw`](Handle::to_raw): 0 for the null handle, 1 for the value in
/// the first slot of a new map, 2 for the next. The map saves its slots unchanged, so handles refer
/// to the same values after a load, in any order of members.
///
/// ```
/// use archive::Serialize;
/// use archive::reflect::{Handle, HandleMap};
///
/// #[derive(Debug, Default, PartialEq, Serialize)]
/// struct Unit { hp: u16, target: Handle<Unit> }
///
/// let mut units = HandleMap::new();
/// let tank = units.insert(Unit { hp: 90, target: Handle::NULL });
/// let jeep = units.insert(Unit { hp: 40, target: tank });
///
/// let text = archive::json::to_string(&units)?;
/// assert_eq!(text, r#"[{"value":{"hp":90,"target":0}},{"value":{"hp":40,"target":1}}]"#);
/// let mut units: HandleMap<Unit> = archive::json::from_str(&text)?;
/// assert_eq!(units[units[jeep].target].hp, 90);
///
/// units.remove(tank);
/// assert_eq!(units.get(units[jeep].target), None);
/// # Ok::<(), archive::Error>(())
/// ```
pub struct Handle<T: ?Sized> {
    /// The index of the slot plus 1, and 0 for the null handle.
    number: u32,
    generation: u32,
    of: PhantomData<fn() -> Box<T>>,
}

impl<T: ?Sized> Handle<T> {
    /// Refers to no value.
    pub const NULL: Self = Handle { number: 0, generation: 0, of: PhantomData };

    pub(crate) const fn new(index: usize, generation: u32) -> Self {
        // A map has at most `u32::MAX` slots.
        Handle { number: index as u32 + 1, generation, of: PhantomData }
    }

    pub(crate) const fn index(self) -> Option<usize> {
        match self.number {
            0 => None,
            number => Some(number as usize - 1),
        }
    }

    /// Returns how many values the slot had before the one that the handle refers to.
    #[must_use]
    pub const fn generation(self) -> u32 {
        self.generation
    }

    /// Returns whether the handle is [`NULL`](Handle::NULL). A handle that is not null may refer to a
    /// value that was removed: see [`HandleMap::contains`].
    #[must_use]
    pub const fn is_null(self) -> bool {
        self.number == 0
    }

    /// Returns the handle as a number: the number of its slot, counted from 1, in the lower 32 bits,
    /// and the [generation](Handle::generation) in the upper ones.
    #[must_use]
    pub const fn to_raw(self) -> u64 {
        (self.generation as u64) << 32 | self.number as u64
    }

    /// Returns the handle with this number. `None` if it has a generation and no slot.
    ///
    /// ```
    /// use archive::reflect::Handle;
    ///
    /// let handle = Handle::<u8>::from_raw(3).unwrap();
    /// assert_eq!((handle.to_raw(), handle.generation()), (3, 0));
    /// assert_eq!(Handle::<u8>::from_raw(0), Some(Handle::NULL));
    /// assert_eq!(Handle::<u8>::from_raw(1 << 32), None);
    /// ```
    #[must_use]
    pub const fn from_raw(raw: u64) -> Option<Self> {
        let (number, generation) = (raw as u32, (raw >> 32) as u32);
        if number == 0 && generation != 0 {
            return None;
        }
        Some(Handle { number, generation, of: PhantomData })
    }
}

impl<T: ?Sized> Clone for Handle<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Handle<T> {}

impl<T: ?Sized> Default for Handle<T> {
    fn default() -> Self {
        Handle::NULL
    }
}

impl<T: ?Sized> PartialEq for Handle<T> {
    fn eq(&self, other: &Self) -> bool {
        self.to_raw() == other.to_raw()
    }
}

impl<T: ?Sized> Eq for Handle<T> {}

impl<T: ?Sized> PartialOrd for Handle<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// In the order of the slots.
impl<T: ?Sized> Ord for Handle<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.number, self.generation).cmp(&(other.number, other.generation))
    }
}

impl<T: ?Sized> Hash for Handle<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.to_raw().hash(state);
    }
}

/// `#3`, or `#3v2` if the slot had two values before.
impl<T: ?Sized> fmt::Display for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.number)?;
        match self.generation {
            0 => Ok(()),
            generation => write!(f, "v{generation}"),
        }
    }
}

/// As [`Display`](fmt::Display).
impl<T: ?Sized> fmt::Debug for Handle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<T: ?Sized + 'static> Serialize for Handle<T> {
    const SHAPE: &'static Shape = <u64 as Serialize>::SHAPE;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            return self.save(ar);
        }
        let mut raw = 0_u64;
        raw.serialize(ar)?;
        *self = Handle::from_raw(raw).ok_or_else(|| no_handle(raw))?;
        Ok(())
    }
}

impl<T: ?Sized + 'static> Save for Handle<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        stale::found(*self, ar);
        self.to_raw().save(ar)
    }
}

impl<T: ?Sized> Blank for Handle<T> {
    fn blank(_: &Options<'_>) -> Self {
        Handle::NULL
    }
}

#[cold]
fn no_handle(raw: u64) -> Error {
    Error::custom(format_args!("{raw} is not a handle: it has a generation but no slot"))
}
