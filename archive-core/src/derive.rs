//! What the code written by `#[derive(Serialize)]` and by the macros calls. Not for people: names
//! here change without notice.

use std::marker::PhantomData;

pub use crate::pointer::{CellKind, InCell, save_cell_mut};

use crate::archive::{Archive, Body, Variants};
use crate::blank::Fresh;
use crate::error::{Error, Result};
use crate::impls::tuple_item;
use crate::options::Options;
use crate::serialize::{SavedValueOf, ValueOf};
use crate::shape::{Class, Enum, Member, Shape, ShapeFn, shape_of};
use crate::unknown::KeepUnknown;
use crate::value::Value;
use crate::{Save, Serialize};

// ---- objects and sequences ----------------------------------------------------------------------

/// The named members of a struct (`VARIANT` 0) or of the struct variant with that index.
pub trait Named<const VARIANT: usize> {
    /// One for each field that is not skipped, in the order of the declaration.
    const MEMBERS: &'static [Member];
    /// The object around them.
    const CLASS: &'static Class;
}

/// The items of a tuple struct (`VARIANT` 0) or of the tuple variant with that index.
pub trait Items<const VARIANT: usize> {
    /// One for each field that is not skipped.
    const ITEMS: &'static [ShapeFn];
    /// The sequence around them.
    const SHAPE: &'static Shape = &Shape::Tuple(Self::ITEMS);
}

/// Visits the fields of a tuple struct, or those of the current variant, without what stands around
/// them.
pub trait Fields {
    /// Visits the fields.
    fn fields<A: Archive>(&mut self, ar: &mut A) -> Result;
}

/// As [`Fields`], through a shared reference.
pub trait SavedFields {
    /// Visits the fields.
    fn save_fields<A: Archive>(&self, ar: &mut A) -> Result;
}

/// [`Fields`] as a body.
pub struct FieldsOf<'a, T: ?Sized>(pub &'a mut T);

impl<T: Fields + ?Sized> Body for FieldsOf<'_, T> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.fields(ar)
    }
}

/// [`SavedFields`] as a body.
pub struct SavedFieldsOf<'a, T: ?Sized>(pub &'a T);

impl<T: SavedFields + ?Sized> Body for SavedFieldsOf<'_, T> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.save_fields(ar)
    }
}

/// Visits item `index` of a sequence of exactly `count`.
///
/// # Errors
/// [`ErrorKind::WrongLength`](crate::ErrorKind::WrongLength) if there is none.
#[inline]
pub fn item<T: Serialize + ?Sized, A: Archive>(
    ar: &mut A,
    index: usize,
    count: usize,
    value: &mut T,
) -> Result {
    tuple_item(ar, index, count, &mut ValueOf(value))
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
    value: &T,
) -> Result {
    tuple_item(ar, index, count, &mut SavedValueOf(value))
}

/// Visits the one field of a type that is saved as that field.
///
/// # Errors
/// Those of the field, and [`ErrorKind::DepthLimit`](crate::ErrorKind::DepthLimit).
#[inline]
pub fn inner<T: Serialize + ?Sized, A: Archive>(ar: &mut A, value: &mut T) -> Result {
    crate::session::nested(ar, |ar| value.value(ar))
}

/// As [`inner`], through a shared reference.
///
/// # Errors
/// As [`inner`].
#[inline]
pub fn save_inner<T: Save + ?Sized, A: Archive>(ar: &mut A, value: &T) -> Result {
    crate::session::nested(ar, |ar| value.save_value(ar))
}

// ---- enums --------------------------------------------------------------------------------------

/// A derived enum.
pub trait Choice: Sized {
    /// What it looks like.
    const INFO: &'static Enum;
    /// The variant that names from newer files become.
    const OTHER: Option<usize> = None;

    /// The index of the variant.
    fn index(&self) -> usize;
    /// The variant of that index, blank.
    ///
    /// # Errors
    /// If a field has no blank value.
    fn make(index: usize, options: &Options<'_>) -> Result<Self>;
    /// Visits what the variant carries.
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result;
}

/// As [`Choice`], through a shared reference.
pub trait SavedChoice: Choice {
    /// Visits what the variant carries.
    fn save_payload<A: Archive>(&self, ar: &mut A) -> Result;
}

/// An enum being saved or loaded.
pub struct ChoiceOf<'a, T>(pub &'a mut T);

impl<T: Choice> Variants for ChoiceOf<'_, T> {
    #[inline]
    fn current(&self) -> usize {
        self.0.index()
    }
    #[inline]
    fn select(&mut self, index: usize, options: &Options<'_>) -> Result {
        *self.0 = T::make(index, options)?;
        Ok(())
    }
    fn select_other(&mut self, _: &str, options: &Options<'_>) -> bool {
        match T::OTHER.map(|other| T::make(other, options)) {
            Some(Ok(value)) => {
                *self.0 = value;
                true
            }
            _ => false,
        }
    }
    #[inline]
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.payload(ar)
    }
}

/// An enum being saved through a shared reference.
pub struct SavedChoiceOf<'a, T>(pub &'a T);

impl<T: SavedChoice> Variants for SavedChoiceOf<'_, T> {
    #[inline]
    fn current(&self) -> usize {
        self.0.index()
    }
    fn select(&mut self, _: usize, _: &Options<'_>) -> Result {
        Err(Error::custom("a value behind a shared reference cannot be loaded"))
    }
    #[inline]
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.save_payload(ar)
    }
}

// ---- questions about field types ----------------------------------------------------------------

/// What `T` implements, asked without demanding it: the inherent items below exist where the trait
/// is implemented and hide those of [`Unproven`], which exist always.
///
/// So a field type that lacks a trait is reported in one place, and a fallback is possible where
/// there is one. It works where `T` is spelled out, which in generated code it is; in generic code
/// the bounds in scope count.
pub struct Probe<T: ?Sized>(PhantomData<T>);

impl<T: Serialize + ?Sized> Probe<T> {
    /// Whether there is `Serialize`.
    pub const SERIALIZE: bool = true;
    /// The shape.
    pub const SHAPE: &'static Shape = T::SHAPE;
    /// The shape, for a member.
    pub const SHAPE_FN: ShapeFn = shape_of::<T>;
    /// [`Serialize::NULLABLE`].
    pub const NULLABLE: bool = T::NULLABLE;
    /// Whether there are members that can stand in the place of the value.
    pub const CAN_FLATTEN: bool = matches!(T::SHAPE, Shape::Class(_));
    /// [`Serialize::KEEPS_UNKNOWN`].
    pub const KEEPS_UNKNOWN: bool = T::KEEPS_UNKNOWN;
    /// Whether the members are known at compile time.
    pub const KNOWN: bool = matches!(T::SHAPE, Shape::Class(Class { members: Some(_), .. }));

    /// The value, to be saved; whether it has [`Save`] is for the one who saves it to find out.
    #[inline]
    pub fn shared(value: &T) -> &T {
        value
    }
    /// [`Serialize::serialize`].
    #[inline]
    pub fn serialize<A: Archive>(value: &mut T, ar: &mut A) -> Result {
        value.serialize(ar)
    }
}

impl<T: Save + ?Sized> Probe<T> {
    /// [`Save::save`].
    #[inline]
    pub fn save<A: Archive>(value: &T, ar: &mut A) -> Result {
        value.save(ar)
    }
}

impl<T: KeepUnknown + ?Sized> Probe<T> {
    /// The value, whose unknown members are to be saved.
    #[inline]
    pub fn unknown(value: &T) -> &T {
        value
    }
}

impl<T: Fresh> Probe<T> {
    /// Whether there is `Blank`, or a wrapper around a type that has it.
    pub const FRESH: bool = true;

    /// A value to load into.
    ///
    /// # Errors
    /// If it holds a trait object of which no type is registered.
    #[inline]
    pub fn fresh(options: &Options<'_>) -> Result<Option<T>> {
        T::fresh(options).map(Some)
    }
}

impl<T: Default> Probe<T> {
    /// Whether there is `Default`.
    pub const DEFAULT: bool = true;

    /// The default.
    #[inline]
    pub fn by_default() -> Option<T> {
        Some(T::default())
    }
}

/// What [`Probe`] answers where it knows of no implementation.
#[allow(missing_docs)] // as there
pub trait Unproven {
    type Target: ?Sized;

    const SERIALIZE: bool = false;
    const SHAPE: &'static Shape = &Shape::Any;
    const SHAPE_FN: ShapeFn = || &Shape::Any;
    const NULLABLE: bool = false;
    const CAN_FLATTEN: bool = false;
    const KEEPS_UNKNOWN: bool = false;
    const KNOWN: bool = false;
    const FRESH: bool = false;
    const DEFAULT: bool = false;

    /// Something that has [`Save`], so that a type without [`Serialize`] is not reported twice.
    fn shared(_: &Self::Target) -> &() {
        &()
    }
    /// Something that has [`KeepUnknown`], so that a type without it is not reported twice.
    fn unknown(_: &Self::Target) -> &Value {
        &Value::Null
    }
    fn serialize<A: Archive>(_: &mut Self::Target, _: &mut A) -> Result {
        Ok(())
    }
    fn save<A: Archive>(_: &Self::Target, _: &mut A) -> Result {
        Ok(())
    }
    #[inline]
    fn fresh(_: &Options<'_>) -> Result<Option<Self::Target>>
    where
        Self::Target: Sized,
    {
        Ok(None)
    }
    #[inline]
    fn by_default() -> Option<Self::Target>
    where
        Self::Target: Sized,
    {
        None
    }
}

impl<T: ?Sized> Unproven for Probe<T> {
    type Target = T;
}

/// What a derived type needs beside traits, checked at compile time.
pub trait Checked {
    /// Fails to evaluate if something is missing.
    const CHECK: ();
}

/// Ends the compilation with the message unless the condition holds.
#[track_caller]
pub const fn check(holds: bool, message: &str) {
    if !holds {
        panic!("{}", message);
    }
}

/// What a blank starts a field with: the field's own blank or its default. [`Checked`] has seen to
/// it that there is one.
#[inline]
pub fn start<T>(fresh: Option<T>, by_default: fn() -> Option<T>) -> T {
    fresh.or_else(by_default).expect("checked at compile time")
}

// ---- descriptions -------------------------------------------------------------------------------

/// Whether no member of the flattened class has the name of a member of the outer one, among which
/// they stand.
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

/// Equality, which is not there for slices in constants.
const fn same(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// The members of a class, if those of all its flattened members are known too.
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

/// The shape of the type of the field that `_field` gives.
pub const fn shape_of_field<T, F: Serialize>(_field: fn(&T) -> &F) -> ShapeFn {
    shape_of::<F>
}

/// The name of a field without the `r#` that makes a keyword an identifier.
pub const fn unraw(name: &'static str) -> &'static str {
    if let [b'r', b'#', ..] = name.as_bytes() { name.split_at(2).1 } else { name }
}

/// The name of a member, which must not be reserved.
pub const fn checked_name(name: &'static str) -> &'static str {
    assert!(
        name.is_empty() || name.as_bytes()[0] != b'$',
        "member names that start with `$` are reserved"
    );
    name
}
