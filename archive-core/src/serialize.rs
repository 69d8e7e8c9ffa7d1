//! [`Serialize`] and [`Save`]: what a data structure implements.

use crate::archive::{Archive, Body};
use crate::block::Size;
use crate::body::when;
use crate::error::Result;
use crate::lookup::Lookup;
use crate::members;
use crate::options::Options;
use crate::shape::{Class, NameOf, Shape};

/// A data structure: one function that names its members, for saving and for loading.
///
/// ```
/// use archive::{Archive, Result, Serialize};
///
/// #[derive(Default, Clone)]
/// struct Rect { x: i16, y: i16, w: u16, h: u16 }
///
/// impl Serialize for Rect {
///     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
///         ar.serialize("X", &mut self.x)?;
///         ar.serialize("Y", &mut self.y)?;
///         ar.serialize("W", &mut self.w)?;
///         ar.serialize("H", &mut self.h)
///     }
/// }
/// archive::save_by_clone!(Rect);
/// archive::blank!(Rect);
/// ```
///
#[doc = include_str!("impls/stored.md")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be saved or loaded",
    label = "has no `Serialize`",
    note = "a type of your own: add `#[derive(Serialize)]` to it, or write `impl Serialize for {Self}` by hand",
    note = "a trait object: add `archive::polymorphic!(dyn Trait);` where the trait is defined",
    note = "a type of another crate: put `#[archive(with = module)]` on the field, where `module::save` and `module::load` turn it into something that can be saved and back; for `Instant` that module is `archive::time`",
    note = "a key of slot maps: `archive::slotmap_keys!({Self});` (feature `slotmap`)",
    note = "raw pointers and references have none: use `Box`, `Rc`, `Arc` or `Weak`"
)]
pub trait Serialize {
    /// The name of the type, for people and tools: it is informative, files load without it, and
    /// equal names in two modules are no conflict. Empty stands for the type's own name.
    const NAME: &'static str = "";

    /// The version that objects of this type are saved with. It is stored when it is not zero.
    const VERSION: u32 = 0;

    /// Visits the members.
    ///
    /// # Errors
    /// Those of the archive; the function may add its own with [`Error::custom`](crate::Error::custom).
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result;

    /// What the type looks like.
    #[doc(hidden)]
    const SHAPE: &'static Shape = &Shape::Class(&Class {
        name: Self::NAME,
        type_name: NameOf::Type(std::any::type_name::<Self>),
        version: Self::VERSION,
        members: None,
        size: None,
        meaning: "",
    });

    /// Whether a value may be null, so that an `Option` around it must ask [`saves_null`](Self::saves_null).
    #[doc(hidden)]
    const NULLABLE: bool = false;

    /// Whether the value is saved as null, or as an object whose first member is
    /// [`reserved::SOME`](crate::reserved::SOME): an `Option` around it wraps it. Asked only where a
    /// value [may be null](Self::NULLABLE). Options nested deeper than `levels` are not looked into: they
    /// count as null, which costs one wrapper that every reader takes.
    #[doc(hidden)]
    #[inline]
    fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        let _ = (options, levels);
        false
    }

    /// Whether a field keeps the members that the type does not know, so that the type cannot stand
    /// among the members of another.
    #[doc(hidden)]
    const KEEPS_UNKNOWN: bool = false;

    /// Whether a value is a tree, or a container of trees. Which of several trees holds the objects that
    /// they share is settled by which is loaded first, so they are not loaded in any order.
    #[doc(hidden)]
    const HOLDS_VALUES: bool = Self::SHAPE.is_any();

    /// At which level the innermost maps stand, where the value is a map or a container of maps, itself at the
    /// first level; 0 where it is neither. A map whose keys do not all have names counts as none. So far
    /// `as_object` reaches.
    #[doc(hidden)]
    const MAPS: usize = 0;

    /// Whether loading all parts of a value leaves nothing of what it was, but for what a type keeps on
    /// purpose.
    #[doc(hidden)]
    const OVERWRITES: bool = false;

    /// Whether the members of the value are visited by a function written by hand.
    #[doc(hidden)]
    const BY_HAND: bool = matches!(Self::SHAPE, Shape::Class(Class { members: None, .. }));

    /// Whether that is so of an item of the array or the tuple that the value is.
    #[doc(hidden)]
    const ITEMS_BY_HAND: bool = false;

    /// Loads over an item of an array or a tuple: from blank, and blank after an error, as far as the type
    /// says how. A function written by hand does not.
    ///
    /// # Errors
    /// Those of the value.
    #[doc(hidden)]
    #[inline]
    fn load_item<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.value(ar)
    }

    /// Whether values lie in memory as they do in a block.
    #[doc(hidden)]
    const RAW: Option<crate::block::Raw<Self>> = None;

    /// The block that values are already.
    #[doc(hidden)]
    #[inline]
    fn block_of(values: &[Self]) -> Option<&[u8]>
    where
        Self: Sized,
    {
        if const { Self::RAW.is_some() && is_block_of::<Self>() }
            && let Some(raw) = Self::RAW
        {
            Some(raw.bytes(values))
        } else {
            None
        }
    }

    /// The block that the value is already.
    #[doc(hidden)]
    #[inline]
    fn as_block(&self) -> Option<&[u8]> {
        None
    }

    /// Makes `into` the values of a block, if that is simpler than one by one and nothing is wrong with
    /// them.
    #[doc(hidden)]
    #[inline]
    fn take_block(block: &[u8], into: &mut Vec<Self>) -> bool
    where
        Self: Sized,
    {
        match Self::RAW {
            Some(raw) if const { is_block_of::<Self>() } => {
                raw.load(block, into);
                true
            }
            _ => false,
        }
    }

    /// The names of the members, if they can be loaded one by one in any order.
    #[doc(hidden)]
    const LOOKUP: Option<&'static Lookup> = None;

    /// [`Body::run_member`].
    #[doc(hidden)]
    #[inline]
    fn load_member<A: Archive>(&mut self, index: usize, ar: &mut A) -> Result {
        let _ = (index, ar);
        Ok(())
    }

    /// [`Body::absent`].
    #[doc(hidden)]
    fn absent_member<A: Archive>(&mut self, index: usize, ar: &mut A) {
        let _ = (index, ar);
    }

    /// [`Body::finish`].
    #[doc(hidden)]
    #[inline]
    fn finish_members<A: Archive>(&mut self, ar: &mut A) -> Result {
        let _ = ar;
        Ok(())
    }

    /// Visits the value as it sits in its slot: an object around the members, unless the type is
    /// something else than an object.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value<A: Archive>(&mut self, ar: &mut A) -> Result {
        if const { matches!(Self::SHAPE, Shape::Class(_)) }
            && let Shape::Class(class) = Self::SHAPE
        {
            ar.object(class, &mut Members(self))
        } else {
            self.serialize(ar)
        }
    }
}

/// A [`Serialize`] type that can be saved through a shared reference.
///
/// The derive writes it from the same list of members. A hand-written type gets it from
/// [`save_by_clone!`](crate::save_by_clone) if it is `Clone`; without it the type is saved through
/// `&mut` and cannot stand where only shared references exist (map keys, set elements, `Rc` and
/// `Arc` without a cell). Where a clone costs too much, it is written by hand from the same names:
///
/// ```
/// use archive::{Archive, Result, Save, Serialize};
///
/// struct Heights { width: u32, cells: Vec<f32> }
///
/// impl Serialize for Heights {
///     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
///         ar.serialize("width", &mut self.width)?;
///         ar.serialize("cells", &mut self.cells)
///     }
/// }
/// impl Save for Heights {
///     fn save<A: Archive>(&self, ar: &mut A) -> Result {
///         ar.save("width", &self.width)?;
///         ar.save("cells", &self.cells)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be saved through a shared reference",
    label = "has no `Save`",
    note = "for a hand-written type add one line: `archive::save_by_clone!({Self});`",
    note = "if `{Self}` is a reference, save what it refers to: where `value` is a reference already, pass `value`, not `&value`",
    note = "or save through `&mut`; in a derived type `#[archive(mut_only)]` does without `Save`"
)]
pub trait Save: Serialize {
    /// Visits the members; `ar` is always saving.
    ///
    /// # Errors
    /// Those of the archive.
    fn save<A: Archive>(&self, ar: &mut A) -> Result;

    /// Visits the value as it sits in its slot.
    #[doc(hidden)]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn save_value<A: Archive>(&self, ar: &mut A) -> Result {
        if const { matches!(Self::SHAPE, Shape::Class(_)) }
            && let Shape::Class(class) = Self::SHAPE
        {
            ar.object(class, &mut SavedMembers(self))
        } else {
            self.save(ar)
        }
    }
}

/// Whether a value is as large as the block that the shape says it is.
const fn is_block_of<T: Serialize>() -> bool {
    match T::SHAPE.block_size() {
        Some(size) => size.bytes == size_of::<T>(),
        None => false,
    }
}

/// Whether the function that visits the members is written by hand.
const fn by_hand(shape: &Shape) -> Option<bool> {
    match shape {
        Shape::Class(class) => Some(class.members.is_none()),
        _ => None,
    }
}

/// Visits members by a function that was written by hand.
fn visit_by_hand<T: Serialize + ?Sized, A: Archive>(value: &mut T, ar: &mut A) -> Result {
    let Shape::Class(class) = T::SHAPE else { return value.serialize(ar) };
    members::visit(ar, class, |ar| value.serialize(ar))
}

/// As [`visit_by_hand`], through a shared reference.
fn save_by_hand<T: Save + ?Sized, A: Archive>(value: &T, ar: &mut A) -> Result {
    let Shape::Class(class) = T::SHAPE else { return value.save(ar) };
    members::visit(ar, class, |ar| value.save(ar))
}

/// The members of a value, as a [`Body`].
pub struct Members<'a, T: ?Sized>(pub &'a mut T);

impl<T: Serialize + ?Sized> Body for Members<'_, T> {
    const BLOCK: Option<Size> = T::SHAPE.block_size();
    const BY_HAND: Option<bool> = by_hand(T::SHAPE);
    const LOOKUP: Option<&'static Lookup> = T::LOOKUP;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        match const { when!(matches!(Self::BY_HAND, Some(true)), visit_by_hand::<T, A>) } {
            Some(visit) => visit(&mut *self.0, ar),
            None => self.0.serialize(ar),
        }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run_member<A: Archive>(&mut self, index: usize, ar: &mut A) -> Result {
        self.0.load_member(index, ar)
    }
    fn absent<A: Archive>(&mut self, index: usize, ar: &mut A) {
        self.0.absent_member(index, ar);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.finish_members(ar)
    }
}

/// The members of a value behind a shared reference, as a [`Body`].
pub struct SavedMembers<'a, T: ?Sized>(pub &'a T);

impl<T: Save + ?Sized> Body for SavedMembers<'_, T> {
    const BLOCK: Option<Size> = T::SHAPE.block_size();
    const BY_HAND: Option<bool> = by_hand(T::SHAPE);

    #[inline]
    fn as_block(&self) -> Option<&[u8]> {
        self.0.as_block()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        match const { when!(matches!(Self::BY_HAND, Some(true)), save_by_hand::<T, A>) } {
            Some(save) => save(self.0, ar),
            None => self.0.save(ar),
        }
    }
}

/// A value in its slot, which is saved.
impl<T: Save + ?Sized> Body for &T {
    const NEVER_ANY: bool = !T::SHAPE.is_any();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.save_value(ar)
    }
}

/// A value in its slot.
impl<T: Serialize + ?Sized> Body for &mut T {
    const NEVER_ANY: bool = !T::SHAPE.is_any();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.value(ar)
    }
}

/// A reference through which a value is saved: `&mut`, or `&` to a type with [`Save`].
pub trait Reference: Source {
    /// The type of the value.
    type Of: Serialize + ?Sized;
}

impl<T: Save + ?Sized> Reference for &T {
    type Of = T;
}

impl<T: Serialize + ?Sized> Reference for &mut T {
    type Of = T;
}

/// What the `to_*` functions take: `&value` of a type with [`Save`], or `&mut value` of any type
/// with [`Serialize`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be saved",
    label = "neither `&T` with `T: Save` nor `&mut T` with `T: Serialize`",
    note = "pass `&mut value`, or give a hand-written type `Save` by `archive::save_by_clone!(Type);`"
)]
pub trait Source: Body {
    /// What the value looks like.
    #[doc(hidden)]
    fn shape(&self) -> &'static Shape;
}

impl<T: Save + ?Sized> Source for &T {
    fn shape(&self) -> &'static Shape {
        T::SHAPE
    }
}

impl<T: Serialize + ?Sized> Source for &mut T {
    fn shape(&self) -> &'static Shape {
        T::SHAPE
    }
}
