//! [`Serialize`] and [`Save`]: the traits that data structures implement.
// Why: docs/decisions/loading-values.md#loading-in-place-needs-two-promises

pub mod bodies;
pub mod of_type;

pub use bodies::{Members, Reference, SavedMembers, Source, shape_of_new, shape_of_value};

use std::sync::Arc;

use bodies::{Fill, Takes, is_block, is_block_of};

use crate::model::error::Result;
use crate::model::members::Lookup;
use crate::model::shape::{About, Class, NameOf, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;

/// Returns the type id of a value.
pub type OwnTypeId<T> = fn(&T) -> Option<Arc<str>>;

/// The shapes of values of a type whose shape is known at run time alone.
pub struct OwnShape<T: ?Sized> {
    /// Returns the shape of a value.
    pub of: fn(&T) -> &'static Shape,
    /// Returns the shape of a value that is loaded with these options.
    pub new: fn(&Options<'_>) -> &'static Shape,
    /// Returns the shape of values that are parts of other types.
    pub part: fn() -> &'static Shape,
}

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
#[doc = include_str!("../../types/impls/stored.md")]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be saved or loaded",
    label = "has no `Serialize`",
    note = "a type of your own: add `#[derive(Serialize)]` to it, or write `impl Serialize` for it by hand",
    note = "a trait object: add `archive::polymorphic!(dyn Trait);` where the trait is defined",
    note = "a type of another crate: the feature of `archive` with its name, if there is one: `chrono`, `glam`, `indexmap`, `jiff`, `slotmap`, `smallvec`, `smol_str`, `uuid`; `glam` and `jiff` are the newest versions, the types of an older one need that version: `glam-0-27`, `glam-0-29` to `glam-0-33`, `jiff-0-2`",
    note = "any type with the traits of serde: `#[archive(serde)]` on the field (feature `serde`), `archive::serde_formats::Serde<T>` inside of containers",
    note = "any other type: put `#[archive(with = module)]` on the field, where `module::save` and `module::load` turn it into something that can be saved and back; for `Instant` that module is `archive::time`",
    note = "a key of slot maps: `archive::slotmap_keys!(Key);` (feature `slotmap`)",
    note = "raw pointers and references have none, since a loaded value owns its contents: use `String`, `Box<str>` or `Cow<str>` for text, `Vec` for lists, `Box`, `Rc`, `Arc` or `Weak` for other values"
)]
pub trait Serialize {
    /// The name of the type, for people and tools. It is informative only: files load without it,
    /// and two types may have the same name. If it is empty, the type's own name is used.
    const NAME: &'static str = "";

    /// The version that objects of this type are saved with. It is written to the file unless it is
    /// zero.
    const VERSION: u32 = 0;

    /// Visits the members, each with [`Archive::serialize`].
    ///
    /// # Errors
    /// Errors of the archive; the function may add its own with
    /// [`Error::custom`](crate::Error::custom).
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result;

    /// The shape of the type.
    #[doc(hidden)]
    const SHAPE: &'static Shape = &Shape::Class(&Class::new(
        Self::NAME,
        NameOf::Type(std::any::type_name::<Self>),
        Self::VERSION,
    ));

    /// The name of the type, if the shape does not have it, and the description of the type for
    /// people.
    #[doc(hidden)]
    const ABOUT: &'static About = About::PLAIN;

    /// Returns the type id of the value itself, if the type represents objects of types that the
    /// program does not know, or that are made at run time.
    #[doc(hidden)]
    const OWN_TYPE_ID: Option<OwnTypeId<Self>> = None;

    /// The shapes of values, if they are known at run time alone. [`SHAPE`](Self::SHAPE) is then
    /// [`Shape::Any`].
    #[doc(hidden)]
    const OWN_SHAPE: Option<OwnShape<Self>> = None;

    /// Whether a value may be null. If so, an `Option` around it must call
    /// [`saves_null`](Self::saves_null).
    #[doc(hidden)]
    const NULLABLE: bool = false;

    /// Returns whether the value is saved as null, or as an object whose first member is
    /// [`reserved::SOME`](crate::reserved::SOME): an `Option` around such a value wraps it. Called
    /// only for types whose values [may be null](Self::NULLABLE). Options nested deeper than
    /// `levels` are not examined. They count as null, which costs one wrapper that every reader
    /// accepts.
    #[doc(hidden)]
    #[inline]
    fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        let _ = (options, levels);
        false
    }

    /// Whether a field keeps the members that the type does not know. Such a type cannot be
    /// flattened into another.
    #[doc(hidden)]
    const KEEPS_UNKNOWN: bool = false;

    /// Whether a value is a tree ([`Value`](crate::Value)), or a container of trees. If several
    /// trees share an object, the first one that is loaded contains it, so the order of loading
    /// must not change.
    #[doc(hidden)]
    const HOLDS_VALUES: bool = Self::SHAPE.is_any();

    /// The nesting level of the innermost maps, if the value is a map (which is at level 1) or a
    /// container of maps; 0 otherwise. A map counts only if all its possible keys have names.
    /// `as_object` applies down to this level.
    #[doc(hidden)]
    const MAPS: usize = 0;

    /// Whether loading every part replaces the whole old value, apart from its kept fields.
    #[doc(hidden)]
    const OVERWRITES: bool = false;

    /// Whether a hand-written function visits the members of the value.
    #[doc(hidden)]
    const BY_HAND: bool = matches!(Self::SHAPE, Shape::Class(Class { members: None, .. }));

    /// Whether [`BY_HAND`](Self::BY_HAND) is true of an item, if the value is an array or a tuple.
    #[doc(hidden)]
    const ITEMS_BY_HAND: bool = false;

    /// Loads over an item of an array or a tuple. As far as the type supports it, the item starts
    /// blank and is blank after an error. A hand-written function loads over the old item.
    #[doc(hidden)]
    #[inline]
    fn load_item<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.value(ar)
    }

    /// How values are copied to and from a block, if their bytes in memory are those of a block.
    #[doc(hidden)]
    const RAW: Option<crate::visit::block::Raw<Self>> = None;

    /// Returns the bytes of `values`, if their bytes in memory are those of a block.
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

    /// Returns the bytes of the value, if its bytes in memory are those of a block.
    #[doc(hidden)]
    #[inline]
    fn as_block(&self) -> Option<&[u8]> {
        match Self::RAW {
            Some(raw) if is_block(self) => Some(raw.bytes_of(self)),
            _ => None,
        }
    }

    /// Replaces the content of `into` with the values of a block, if these can be copied at once.
    /// Returns `false` if they must be loaded one by one.
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

    /// Visits the member with that index, after it was found:
    /// [`Body::run_member`](crate::Body::run_member). The function of a derived type can also visit
    /// all members.
    #[doc(hidden)]
    #[inline]
    fn members<A: Archive>(&mut self, index: usize, ar: &mut A) -> Result {
        let _ = (index, ar);
        Ok(())
    }

    /// Returns a function that takes values from the columns of a block one by one, and the columns after
    /// them. If a value is not valid, one of its columns has [failed](crate::columns::Ints::fail). Returns
    /// `None` if values of the type can only be loaded by an archive.
    #[doc(hidden)]
    fn taker<'c, 'r, F: Fill + 'c>(
        from: Takes<'c, 'r, F>,
    ) -> Option<(impl FnMut() -> Self, Takes<'c, 'r, F>)>
    where
        Self: Sized + 'c,
    {
        let _ = from;
        None::<(fn() -> Self, Takes<'c, 'r, F>)>
    }

    /// Like [`taker`](Self::taker), for lists of a length.
    #[doc(hidden)]
    #[allow(clippy::type_complexity)] // an alias cannot have an `impl`
    fn list_taker<'c, 'r, F: Fill + 'c>(
        from: Takes<'c, 'r, F>,
    ) -> Option<(impl FnMut(usize) -> Vec<Self>, Takes<'c, 'r, F>)>
    where
        Self: Sized + 'c,
    {
        let (mut one, from) = Self::taker(from)?;
        Some((move |len| (0..len).map(|_| one()).collect(), from))
    }

    /// Whether [`absent_member`](Self::absent_member) or [`finish_members`](Self::finish_members)
    /// is overridden.
    #[doc(hidden)]
    const COMPLETES: bool = false;

    /// [`Body::absent`](crate::Body::absent).
    #[doc(hidden)]
    fn absent_member<A: Archive>(&mut self, index: usize, ar: &mut A) {
        let _ = (index, ar);
    }

    /// [`Body::finish`](crate::Body::finish).
    #[doc(hidden)]
    #[inline]
    fn finish_members<A: Archive>(&mut self, ar: &mut A) -> Result {
        let _ = ar;
        Ok(())
    }

    /// Visits the value in its slot: an object around the members, unless the type is not an
    /// object.
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

/// A [`Serialize`] type whose values can be saved through a shared reference.
///
/// The derive writes this impl from the same list of members. A hand-written type that is `Clone`
/// gets it from [`save_by_clone!`](crate::save_by_clone). Without this trait, a type is saved
/// through `&mut` and cannot be used where only shared references exist (map keys, set elements,
/// `Rc` and `Arc` without a cell). Where a clone costs too much, write the impl by hand with the
/// same names:
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
    note = "for a hand-written type add one line: `archive::save_by_clone!(Type);`",
    note = "if `{Self}` is a reference, save what it refers to: where `value` is a reference already, pass `value`, not `&value`",
    note = "or save through `&mut`; in a derived type `#[archive(mut_only)]` does without `Save`"
)]
pub trait Save: Serialize {
    /// Visits the members. `ar` always saves.
    fn save<A: Archive>(&self, ar: &mut A) -> Result;

    /// Visits the value in its slot.
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

    /// Saves several values at once in the [columns](crate::columns) of the archive: at least one,
    /// and at most [`GROUP`](crate::columns::GROUP).
    #[doc(hidden)]
    #[inline]
    fn save_group<A: Archive>(group: &[&Self], ar: &mut A) -> Result {
        bodies::one_by_one(group, ar)
    }

    /// Like [`save_group`](Self::save_group), for a part of each value.
    #[doc(hidden)]
    #[inline(always)]
    fn save_part<S, A: Archive>(group: &[&S], part: impl Fn(&S) -> &Self, ar: &mut A) -> Result
    where
        Self: Sized,
    {
        bodies::part_of(group, part, ar)
    }
}
