//! The functions that the code written by `#[derive(Serialize)]` and by the macros calls. Not part
//! of the interface: names here change without notice.

pub use crate::pointer::{CellKind, InCell, save_cell_mut};

use crate::archive::{Archive, Body, Variants};
use crate::block::Size;
use crate::error::{Error, Result};
use crate::impls::tuple_item;
use crate::options::Options;
use crate::shape::{Class, Enum, Member, NameOf, Shape, ShapeOf, shape_of};
use crate::{Save, Serialize};

// ---- objects and sequences ----------------------------------------------------------------------

/// The named members of a struct (`VARIANT` 0) or of the struct variant with that index.
pub trait Named<const VARIANT: usize> {
    /// A member for each field that is not skipped, in the order of declaration.
    const MEMBERS: &'static [Member];
    /// The class of the object.
    const CLASS: &'static Class;
}

/// The items of a tuple struct (`VARIANT` 0) or of the tuple variant with that index.
pub trait Items<const VARIANT: usize> {
    /// The shape of each field that is not skipped.
    const ITEMS: &'static [ShapeOf];
    /// The shape of the sequence.
    const SHAPE: &'static Shape = &Shape::Tuple(Self::ITEMS, Self::SIZE, "");
    /// The [`block_size`](Shape::block_size) of the items together; variants have none.
    const SIZE: Option<Size> = None;
}

/// Visits the fields of a tuple struct or of the current variant, without the object or sequence
/// around them.
pub trait Fields {
    /// [`Body::BLOCK`].
    const BLOCK: Option<Size> = None;
    /// [`Body::NEVER_ANY`].
    const NEVER_ANY: bool = false;
    /// Whether all classes that contain the fields have a list of their members.
    const LISTED: bool;
    /// Visits the fields.
    fn fields<A: Archive>(&mut self, ar: &mut A) -> Result;
}

/// As [`Fields`], through a shared reference.
pub trait SavedFields: Fields {
    /// Visits the fields.
    fn save_fields<A: Archive>(&self, ar: &mut A) -> Result;
}

/// A [`Body`] that visits [`Fields`].
pub struct FieldsOf<'a, T: ?Sized>(pub &'a mut T);

impl<T: Fields + ?Sized> Body for FieldsOf<'_, T> {
    const BLOCK: Option<Size> = T::BLOCK;
    const NEVER_ANY: bool = T::NEVER_ANY;
    const COUNTED: bool = true;
    const BY_HAND: Option<bool> = if T::LISTED { Some(false) } else { None };

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.fields(ar)
    }
}

/// A [`Body`] that saves [`SavedFields`].
pub struct SavedFieldsOf<'a, T: ?Sized>(pub &'a T);

impl<T: SavedFields + ?Sized> Body for SavedFieldsOf<'_, T> {
    const BLOCK: Option<Size> = T::BLOCK;
    const NEVER_ANY: bool = T::NEVER_ANY;
    const COUNTED: bool = true;
    const BY_HAND: Option<bool> = if T::LISTED { Some(false) } else { None };

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.save_fields(ar)
    }
}

/// Visits the item `index` of a sequence of exactly `count` items.
///
/// # Errors
/// [`ErrorKind::WrongLength`](crate::ErrorKind::WrongLength) if the sequence has no such item.
#[inline]
pub fn item<T: Serialize + ?Sized, A: Archive>(
    ar: &mut A,
    index: usize,
    count: usize,
    mut value: &mut T,
) -> Result {
    tuple_item(ar, index, count, &mut value)
}

/// As [`item`], through a shared reference.
///
/// # Errors
/// Those of the archive.
#[inline]
pub fn save_item<T: Save + ?Sized, A: Archive>(
    ar: &mut A,
    index: usize,
    count: usize,
    mut value: &T,
) -> Result {
    tuple_item(ar, index, count, &mut value)
}

/// Visits the value of a newtype one level deeper. A type whose size is known cannot contain
/// itself, so it adds no level.
#[inline]
fn of_newtype<T: Serialize + ?Sized, A: Archive>(
    ar: &mut A,
    visit: impl FnOnce(&mut A) -> Result,
) -> Result {
    if const { T::SHAPE.block_size().is_some() } {
        visit(ar)
    } else {
        crate::session::nested(ar, visit)
    }
}

/// Visits the one field of a type that is saved as that field.
///
/// # Errors
/// Those of the field, and [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit).
#[inline]
pub fn inner<T: Serialize + ?Sized, A: Archive>(ar: &mut A, value: &mut T) -> Result {
    of_newtype::<T, A>(ar, |ar| value.value(ar))
}

/// Visits the one field of the type `T`, which is saved as whatever the body visits.
///
/// # Errors
/// Those of the body, and the depth limit.
#[inline]
pub fn inner_body<T: Serialize + ?Sized, B: Body, A: Archive>(ar: &mut A, mut body: B) -> Result {
    of_newtype::<T, A>(ar, |ar| body.run(ar))
}

/// Visits the item `index` of a sequence of `len` items.
///
/// # Errors
/// Those of the body and of the archive; an error for a wrong number of items.
#[inline]
pub fn item_body<B: Body, A: Archive>(ar: &mut A, index: usize, len: usize, mut body: B) -> Result {
    tuple_item(ar, index, len, &mut body)
}

/// As [`inner`], through a shared reference.
///
/// # Errors
/// As [`inner`].
#[inline]
pub fn save_inner<T: Save + ?Sized, A: Archive>(ar: &mut A, value: &T) -> Result {
    of_newtype::<T, A>(ar, |ar| value.save_value(ar))
}

// ---- enums --------------------------------------------------------------------------------------

/// A derived enum.
pub trait Choice: Sized {
    /// The description of the enum.
    const INFO: &'static Enum;
    /// [`Variants::NEVER_ANY`].
    const NEVER_ANY: bool = false;
    /// The variant that unknown names from newer files load as.
    const OTHER: Option<usize> = None;
    /// Whether a value can be loaded over another one of the same variant without leaving anything
    /// of it.
    const IN_PLACE: bool = false;
    /// As [`Blank::EXCHANGE_KEPT`](crate::Blank::EXCHANGE_KEPT), for two values of the same
    /// variant.
    const EXCHANGE_KEPT: Option<fn(&mut Self, &mut Self)> = None;

    /// Returns the index of the current variant.
    fn index(&self) -> usize;
    /// Creates a blank value of the variant with that index.
    ///
    /// # Errors
    /// Returns an error if a field has no blank value.
    fn make(index: usize, options: &Options<'_>) -> Result<Self>;
    /// Visits the payload of the current variant.
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result;
    /// [`Variants::members`].
    #[inline]
    fn members<A: Archive>(&mut self, ar: &mut A) -> Result {
        let _ = ar;
        Ok(())
    }
    /// Creates the fallback variant for a name that no variant has, if the enum has a fallback
    /// variant.
    ///
    /// # Errors
    /// Returns an error if a field has no blank value.
    fn make_other(name: &str, options: &Options<'_>) -> Result<Option<Self>> {
        let _ = name;
        Self::OTHER.map(|other| Self::make(other, options)).transpose()
    }
    /// Returns the unknown name for which the value took the fallback variant.
    #[inline]
    fn other_name(&self) -> Option<&str> {
        None
    }
}

/// Creates a blank value of the first of these variants that ends. `preferred` is whether the first
/// one is the type's own choice.
///
/// # Errors
/// [`ErrorKind::Endless`](crate::ErrorKind::Endless) if no variant ends; otherwise those of a
/// variant.
pub fn choose<T: Choice>(variants: &[usize], preferred: bool, options: &Options<'_>) -> Result<T> {
    let mut out = None;
    let count = T::INFO.variants.len();
    options.search.choose(std::any::type_name::<T>(), count, preferred, &mut |index| {
        let made = T::make(*variants.get(index)?, options);
        Some(made.map(|value| out = Some(value)))
    })?;
    out.ok_or_else(|| Error::custom("an enum without variants"))
}

/// The payload of a fallback variant, which keeps the unknown name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the name of an unknown variant",
    label = "has no `From<&str>` and `AsRef<str>`",
    note = "`#[archive(other)]` stands on a variant that carries nothing, or text, as in `Other(String)`"
)]
pub trait UnknownName: Sized {
    /// Creates the payload from the name.
    fn from_name(name: &str) -> Self;
    /// Returns the name.
    fn name(&self) -> &str;
}

#[diagnostic::do_not_recommend]
impl<T: for<'a> From<&'a str> + AsRef<str>> UnknownName for T {
    fn from_name(name: &str) -> Self {
        T::from(name)
    }
    fn name(&self) -> &str {
        self.as_ref()
    }
}

/// As [`Choice`], through a shared reference.
pub trait SavedChoice: Choice {
    /// Visits the payload of the current variant.
    fn save_payload<A: Archive>(&self, ar: &mut A) -> Result;
    /// [`Variants::members`].
    #[inline]
    fn save_members<A: Archive>(&self, ar: &mut A) -> Result {
        let _ = ar;
        Ok(())
    }
}

/// An enum that is saved or loaded.
pub struct ChoiceOf<'a, T>(pub &'a mut T);

impl<T: Choice> Variants for ChoiceOf<'_, T> {
    const NEVER_ANY: bool = T::NEVER_ANY;
    const TAGGED: bool = T::INFO.tag.is_some();

    #[inline]
    fn current(&self) -> usize {
        self.0.index()
    }
    #[inline]
    fn select(&mut self, index: usize, options: &Options<'_>) -> Result {
        let mut new = T::make(index, options)?;
        if let Some(exchange) = T::EXCHANGE_KEPT {
            exchange(&mut new, self.0);
        }
        *self.0 = new;
        Ok(())
    }
    #[inline]
    fn reuses(&self, index: usize) -> bool {
        T::IN_PLACE && self.0.index() == index
    }
    fn select_other(&mut self, name: &str, options: &Options<'_>) -> bool {
        match T::make_other(name, options) {
            Ok(Some(value)) => {
                *self.0 = value;
                true
            }
            _ => false,
        }
    }
    #[inline]
    fn other_name(&self) -> Option<&str> {
        self.0.other_name()
    }
    #[inline]
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.payload(ar)
    }
    #[inline]
    fn members<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.members(ar)
    }
}

/// An enum that is saved through a shared reference.
pub struct SavedChoiceOf<'a, T>(pub &'a T);

impl<T: SavedChoice> Variants for SavedChoiceOf<'_, T> {
    const NEVER_ANY: bool = T::NEVER_ANY;
    const TAGGED: bool = T::INFO.tag.is_some();

    #[inline]
    fn current(&self) -> usize {
        self.0.index()
    }
    fn select(&mut self, _: usize, _: &Options<'_>) -> Result {
        Err(Error::custom("a value behind a shared reference cannot be loaded"))
    }
    #[inline]
    fn other_name(&self) -> Option<&str> {
        self.0.other_name()
    }
    #[inline]
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.save_payload(ar)
    }
    #[inline]
    fn members<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.save_members(ar)
    }
}

// ---- descriptions -------------------------------------------------------------------------------

/// Returns whether no member of the flattened class has the name of a member of the outer class
/// that it is flattened into. Does not look into members that are themselves flattened.
pub const fn apart(outer: &[Member], flattened: &Shape) -> bool {
    let Shape::Class(Class { members: Some(inner), .. }) = flattened else { return true };
    let mut i = 0;
    while i < outer.len() {
        let mut k = 0;
        while k < inner.len() {
            let both = !outer[i].flatten && !inner[k].flatten;
            if both && same(outer[i].name.as_bytes(), inner[k].name.as_bytes()) {
                return false;
            }
            k += 1;
        }
        i += 1;
    }
    true
}

/// Returns whether no member of a shape has that name. Does not look into flattened members.
pub const fn lacks(name: &str, shape: &Shape) -> bool {
    let Shape::Class(Class { members: Some(members), .. }) = shape else { return true };
    let mut i = 0;
    while i < members.len() {
        if !members[i].flatten && same(name.as_bytes(), members[i].name.as_bytes()) {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns the class of the object for a tagged variant: that of the struct that the variant
/// carries alone, whose members are stored with the tag, or a class without a version.
pub const fn tagged_class(
    carried: Option<&'static Shape>,
    name: &'static str,
    type_name: fn() -> &'static str,
) -> Class {
    let (name, type_name, version) = match carried {
        Some(Shape::Class(class)) => (class.name, class.type_name, class.version),
        _ => (name, NameOf::Type(type_name), 0),
    };
    Class { name, type_name, version, members: None, size: None, meaning: "" }
}

/// Returns the name of a base: [`Serialize::NAME`], or else the type's own name as it is written in
/// the source.
pub const fn base_name(name: &'static str, written: &'static str) -> &'static str {
    if name.is_empty() { written } else { name }
}

/// Returns whether no class occurs twice among a class, its members, and the bases of its bases.
pub const fn bases_once(name: &str, members: &[Member]) -> bool {
    are_once(name, members, members)
}

const fn are_once(own: &str, all: &[Member], members: &[Member]) -> bool {
    let mut i = 0;
    while i < members.len() {
        if let Some(class) = members[i].base {
            let name = members[i].name;
            if same(name.as_bytes(), own.as_bytes()) || times(name, all, true) != 1 {
                return false;
            }
            if let Some(inner) = class.members
                && !are_once(own, all, inner)
            {
                return false;
            }
        }
        i += 1;
    }
    true
}

/// Counts the bases with that name; with `own`, also the members of the class itself.
const fn times(name: &str, members: &[Member], own: bool) -> usize {
    let (mut i, mut count) = (0, 0);
    while i < members.len() {
        let member = &members[i];
        if (own && !member.flatten || member.base.is_some())
            && same(name.as_bytes(), member.name.as_bytes())
        {
            count += 1;
        }
        if let Some(Class { members: Some(inner), .. }) = member.base {
            count += times(name, inner, false);
        }
        i += 1;
    }
    count
}

/// Returns whether the name of a base can be put before the names of its members: `A::list`.
pub const fn can_qualify(name: &str) -> bool {
    let name = name.as_bytes();
    let mut i = 1;
    while i < name.len() {
        if name[i - 1] == b':' && name[i] == b':' {
            return false;
        }
        i += 1;
    }
    name.is_empty() || name[0] != b'$'
}

/// Returns the size in a block of the members of a class, if all of them are known.
pub const fn class_size(
    members: Option<&'static [Member]>,
    shapes: &[&'static Shape],
) -> Option<Size> {
    match members {
        Some(members) => crate::block::members_size(shapes, members),
        None => None,
    }
}

/// Compares slices, which `==` cannot do in constants.
const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// Returns the members of a class, if those of all its flattened members are known too.
pub const fn known(
    members: &'static [Member],
    flattened: &[&'static Shape],
) -> Option<&'static [Member]> {
    let mut i = 0;
    while i < flattened.len() {
        if !matches!(flattened[i], Shape::Class(Class { members: Some(_), .. })) {
            return None;
        }
        i += 1;
    }
    Some(members)
}

/// Returns the shape of the field that `_field` returns.
pub const fn shape_of_field<T, F: Serialize>(_field: fn(&T) -> &F) -> ShapeOf {
    shape_of::<F>()
}

/// Returns the shape of the field that `_field` returns.
pub const fn field_shape<T, F: Serialize>(_field: fn(&T) -> &F) -> &'static Shape {
    F::SHAPE
}

/// Returns the name of a field without the `r#` of a raw identifier.
pub const fn unraw(name: &'static str) -> &'static str {
    if let [b'r', b'#', ..] = name.as_bytes() { name.split_at(2).1 } else { name }
}

/// Returns the name of a member, after checking that it is not reserved.
pub const fn checked_name(name: &'static str) -> &'static str {
    assert!(
        name.is_empty() || name.as_bytes()[0] != b'$',
        "member names that start with `$` are reserved"
    );
    name
}
