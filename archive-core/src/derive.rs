//! What the code written by `#[derive(Serialize)]` and by the macros calls. Not for people: names
//! here change without notice.

use std::marker::PhantomData;

pub use crate::pointer::{CellKind, InCell, save_cell_mut};

use crate::archive::{Archive, Body, Variants};
use crate::blank::Fresh;
use crate::error::{Error, Result};
use crate::field::Unordered;
use crate::field::derived::{
    BytesField, BytesOf, ObjectField, ObjectOf, SavedBytesOf, SavedObjectOf, SavedUnorderedOf,
    UnorderedOf,
};
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

/// Visits the value of a newtype, one level deeper.
///
/// # Errors
/// Those of the body, and the depth limit.
#[inline]
pub fn inner_body<B: Body, A: Archive>(ar: &mut A, mut body: B) -> Result {
    crate::session::nested(ar, |ar| body.run(ar))
}

/// Visits one item of a sequence of `len`.
///
/// # Errors
/// Those of the body and of the archive; the wrong number of items.
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
    /// As [`Blank::exchange_kept`](crate::Blank::exchange_kept), if both are the same variant.
    #[inline]
    fn exchange_kept(&mut self, other: &mut Self) {
        let _ = other;
    }
    /// The variant that a name becomes which no variant has.
    ///
    /// # Errors
    /// If a field has no blank value.
    fn make_other(name: &str, options: &Options<'_>) -> Result<Option<Self>> {
        let _ = name;
        Self::OTHER.map(|other| Self::make(other, options)).transpose()
    }
    /// The name that the value stands for, if it became of one that no variant has.
    #[inline]
    fn other_name(&self) -> Option<&str> {
        None
    }
}

/// What a variant carries that stands for names which no variant has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the name of an unknown variant",
    label = "has no `From<&str>` and `AsRef<str>`",
    note = "`#[archive(other)]` stands on a variant that carries nothing, or text, as in `Other(String)`"
)]
pub trait UnknownName: Sized {
    /// Takes the name.
    fn from_name(name: &str) -> Self;
    /// The name.
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
        let mut new = T::make(index, options)?;
        new.exchange_kept(self.0);
        *self.0 = new;
        Ok(())
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
    fn other_name(&self) -> Option<&str> {
        self.0.other_name()
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

    /// [`Blank::exchange_kept`](crate::Blank::exchange_kept).
    #[inline]
    pub fn exchange_kept(one: &mut T, other: &mut T, enums: bool) {
        one.exchange_kept_in(other, enums);
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

/// The bodies of fields with attributes. Whether their types fit is said where their shapes are
/// asked for.
impl<T: BytesField> Probe<T> {
    /// A field with `bytes`.
    #[inline]
    pub fn bytes_of(value: &mut T) -> BytesOf<'_, T> {
        BytesOf(value)
    }
    /// As [`bytes_of`](Probe::bytes_of), through a shared reference.
    #[inline]
    pub fn saved_bytes_of(value: &T) -> SavedBytesOf<'_, T> {
        SavedBytesOf(value)
    }
}

impl<T: ObjectField> Probe<T> {
    /// A field with `as_object`, sorted if it has no order of its own.
    #[inline]
    pub fn object_of(value: &mut T) -> ObjectOf<'_, T, true> {
        ObjectOf(value)
    }
    /// As [`object_of`](Probe::object_of), through a shared reference.
    #[inline]
    pub fn saved_object_of(value: &T) -> SavedObjectOf<'_, T, true> {
        SavedObjectOf(value)
    }
    /// A field with `as_object` and `unordered`.
    #[inline]
    pub fn unordered_object_of(value: &mut T) -> ObjectOf<'_, T, false> {
        ObjectOf(value)
    }
    /// As [`unordered_object_of`](Probe::unordered_object_of), through a shared reference.
    #[inline]
    pub fn saved_unordered_object_of(value: &T) -> SavedObjectOf<'_, T, false> {
        SavedObjectOf(value)
    }
}

impl<T: Unordered> Probe<T> {
    /// A field with `unordered`.
    #[inline]
    pub fn unordered_of(value: &mut T) -> UnorderedOf<'_, T> {
        UnorderedOf(value)
    }
    /// As [`unordered_of`](Probe::unordered_of), through a shared reference.
    #[inline]
    pub fn saved_unordered_of(value: &T) -> SavedUnorderedOf<'_, T> {
        SavedUnorderedOf(value)
    }
}

/// A body that visits nothing.
pub struct Nothing;

impl Body for Nothing {
    fn run<A: Archive>(&mut self, _: &mut A) -> Result {
        Ok(())
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
    fn exchange_kept(_: &mut Self::Target, _: &mut Self::Target, _: bool) {}
    fn bytes_of(_: &mut Self::Target) -> Nothing {
        Nothing
    }
    fn saved_bytes_of(_: &Self::Target) -> Nothing {
        Nothing
    }
    fn object_of(_: &mut Self::Target) -> Nothing {
        Nothing
    }
    fn saved_object_of(_: &Self::Target) -> Nothing {
        Nothing
    }
    fn unordered_object_of(_: &mut Self::Target) -> Nothing {
        Nothing
    }
    fn saved_unordered_object_of(_: &Self::Target) -> Nothing {
        Nothing
    }
    fn unordered_of(_: &mut Self::Target) -> Nothing {
        Nothing
    }
    fn saved_unordered_of(_: &Self::Target) -> Nothing {
        Nothing
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
