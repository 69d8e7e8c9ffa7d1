//! [`Probe`]: finds out which traits the types of fields implement, for the code that
//! `#[derive(Serialize)]` writes.

use std::marker::PhantomData;

use crate::model::error::Result;
use crate::model::shape::{Class, Shape, ShapeOf, TypeInfo};
use crate::state::options::Options;
use crate::types::field::derived::{
    BytesField, BytesOf, Objects, SavedBytesOf, SavedUnorderedOf, UnorderedOf,
};
use crate::types::field::{Map, Unordered};
use crate::visit::archive::Archive;
use crate::visit::blank::{Exchange, Fresh};
use crate::visit::block::Raw;
use crate::visit::body::Nothing;
use crate::visit::polymorphic::Interface;
use crate::visit::restore::{Cloned, NotCloned};
use crate::visit::serialize::bodies::{Fill, Takes};
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::start::{Fresher, NotFresh, Start};

/// Finds out which traits `T` implements, without requiring any. Each inherent item below exists
/// only if its trait is implemented. It then hides the item with the same name in [`Unproven`],
/// which always exists.
///
/// A field type that lacks a trait is therefore reported in one place only, and fallbacks are
/// possible. This works only if `T` is a concrete type, as in generated code; in generic code only
/// the bounds in scope count.
pub struct Probe<T: ?Sized>(PhantomData<T>);

impl<T: Serialize + ?Sized> Probe<T> {
    /// Whether `T` implements `Serialize`.
    pub const SERIALIZE: bool = true;
    /// The shape of `T`.
    pub const SHAPE: &'static Shape = T::SHAPE;
    /// [`Body::NEVER_ANY`](crate::Body::NEVER_ANY) of the value.
    pub const NEVER_ANY: bool = !T::SHAPE.is_any();
    /// [`Serialize::OVERWRITES`].
    pub const OVERWRITES: bool = T::OVERWRITES;
    /// [`Serialize::NULLABLE`].
    pub const NULLABLE: bool = T::NULLABLE;
    /// Whether the members of the value can be stored in place of the value itself (`flatten`).
    pub const CAN_FLATTEN: bool = matches!(T::SHAPE, Shape::Class(_));
    /// The class, if the value can be a base.
    pub const BASE: Option<&'static Class> = match T::SHAPE {
        Shape::Class(class) => Some(class),
        _ => None,
    };
    /// [`Serialize::NAME`].
    pub const NAME: &'static str = T::NAME;
    /// [`Serialize::HOLDS_VALUES`].
    pub const HOLDS_VALUES: bool = T::HOLDS_VALUES;
    /// [`Serialize::KEEPS_UNKNOWN`].
    pub const KEEPS_UNKNOWN: bool = T::KEEPS_UNKNOWN;
    /// Returns the class of the object for a variant with a tag that has the value as its only
    /// content.
    pub const TAGGED: fn() -> &'static Class = || {
        const { &crate::types::derive::tagged_class(Some(T::SHAPE), T::NAME, std::any::type_name::<T>) }
    };
    /// Whether the members are known at compile time.
    pub const KNOWN: bool = matches!(T::SHAPE, Shape::Class(Class { members: Some(_), .. }));

    /// Returns the value to be saved.
    #[inline]
    pub fn shared(value: &T) -> &T
    where
        T: Save,
    {
        value
    }
    /// Returns the value of a field with pointers to objects of the trait `D`.
    #[inline]
    pub fn object<D: ?Sized, K, V: ?Sized>(_: K, value: &mut V) -> &mut V {
        value
    }
    /// [`Serialize::saves_null`].
    #[inline]
    pub fn saves_null(value: &T, options: &Options<'_>, levels: u32) -> bool {
        value.saves_null(options, levels)
    }
    /// [`Serialize::serialize`].
    #[inline]
    pub fn serialize<A: Archive>(value: &mut T, ar: &mut A) -> Result {
        value.serialize(ar)
    }
}

impl<T: Serialize> Probe<T> {
    /// The shape of `T`, for a member.
    pub const SHAPE_FN: ShapeOf = shape_of::<T>();
    /// The type in memory.
    pub const INFO: &'static TypeInfo = TypeInfo::of::<T>();
    /// [`Serialize::RAW`].
    pub const RAW: Option<Raw<T>> = T::RAW;

    /// [`Serialize::taker`].
    #[inline]
    pub fn taker<'c, 'r, F: Fill + 'c>(
        from: Takes<'c, 'r, F>,
    ) -> Option<(impl FnMut() -> T + use<'c, 'r, F, T>, Takes<'c, 'r, F>)>
    where
        T: 'c,
    {
        T::taker(from)
    }
}

impl<T: Save> Probe<T> {
    /// Saves a part of each value of a group.
    #[inline]
    pub fn save_part<S, A: Archive>(group: &[&S], part: impl Fn(&S) -> &T, ar: &mut A) -> Result {
        T::save_part(group, part, ar)
    }
}

impl<T: Save + Fresh> Probe<T> {
    /// Fills the columns of a value that a block lacks.
    #[inline(always)]
    pub fn filled<'c, 'r, F: Fill>(from: Takes<'c, 'r, F>) -> Option<Takes<'c, 'r, F>> {
        if from.lacks() { from.fill::<T>() } else { Some(from) }
    }
}

impl<T: Interface + ?Sized> Probe<T> {
    /// Returns a proof that `polymorphic!` was called for the trait object.
    #[inline]
    pub fn interface() -> Called {
        Called
    }
}

impl<T: Save + ?Sized> Probe<T> {
    /// [`Save::save`].
    #[inline]
    pub fn save<A: Archive>(value: &T, ar: &mut A) -> Result {
        value.save(ar)
    }
}

impl<T: Fresh> Probe<T> {
    /// The blank values of `T`.
    pub const START: Fresher = Fresher;
    /// Whether `T` implements `Blank`, or is a cell around a type that does.
    pub const FRESH: bool = true;
    /// [`Blank::EXCHANGE_KEPT`](crate::Blank::EXCHANGE_KEPT).
    pub const KEPT: Option<Exchange<T>> = T::KEPT;
    /// [`Blank::IS_POINTER`](crate::Blank::IS_POINTER).
    pub const POINTER: bool = T::POINTER;
}

impl<T: Clone> Probe<T> {
    /// The type that copies values.
    pub const COPY: Cloned = Cloned;
}

impl<T: Default> Probe<T> {
    /// Whether `T` implements `Default`.
    pub const DEFAULT: bool = true;

    /// Returns the default value.
    #[inline]
    pub fn by_default() -> Option<T> {
        Some(T::default())
    }
}

/// The bodies of fields with attributes. Whether their types are suitable is checked where their
/// shapes are used.
impl<T: BytesField> Probe<T> {
    /// Returns the body of a field with `bytes`.
    #[inline]
    pub fn bytes_of(value: &mut T) -> BytesOf<'_, T> {
        BytesOf(value)
    }
    /// Like [`bytes_of`](Probe::bytes_of), through a shared reference.
    #[inline]
    pub fn saved_bytes_of(value: &T) -> SavedBytesOf<'_, T> {
        SavedBytesOf(value)
    }
}

impl<T: Map> Probe<T> {
    /// Returns the body of a field with `as_object`.
    #[inline]
    pub fn object_of(value: &mut T) -> Objects<&mut T> {
        Objects(value, T::LEVELS)
    }
    /// Like [`object_of`](Probe::object_of), through a shared reference.
    #[inline]
    pub fn saved_object_of(value: &T) -> Objects<&T> {
        Objects(value, T::LEVELS)
    }
}

impl<T: Map + Unordered> Probe<T> {
    /// Returns the body of a field with `as_object` and `unordered`.
    #[inline]
    pub fn unordered_object_of(value: &mut T) -> Objects<UnorderedOf<'_, T>> {
        Objects(UnorderedOf(value), T::LEVELS)
    }
    /// Like [`unordered_object_of`](Probe::unordered_object_of), through a shared reference.
    #[inline]
    pub fn saved_unordered_object_of(value: &T) -> Objects<SavedUnorderedOf<'_, T>> {
        Objects(SavedUnorderedOf(value), T::LEVELS)
    }
}

impl<T: Unordered> Probe<T> {
    /// Returns the body of a field with `unordered`.
    #[inline]
    pub fn unordered_of(value: &mut T) -> UnorderedOf<'_, T> {
        UnorderedOf(value)
    }
    /// Like [`unordered_of`](Probe::unordered_of), through a shared reference.
    #[inline]
    pub fn saved_unordered_of(value: &T) -> SavedUnorderedOf<'_, T> {
        SavedUnorderedOf(value)
    }
}

/// The items of [`Probe`] for types without an implementation.
#[allow(missing_docs)] // like the items of `Probe`
pub trait Unproven {
    type Target: ?Sized;

    const SERIALIZE: bool = false;
    const SHAPE: &'static Shape = &Shape::Any;
    const RAW: Option<Raw<Self::Target>> = None;
    const INFO: &'static TypeInfo = TypeInfo::UNKNOWN;
    const SHAPE_FN: ShapeOf = ShapeOf::untyped(|| &Shape::Any);
    const NEVER_ANY: bool = false;
    const OVERWRITES: bool = false;
    const NULLABLE: bool = false;
    const CAN_FLATTEN: bool = false;
    const BASE: Option<&'static Class> = None;
    const NAME: &'static str = "";
    const HOLDS_VALUES: bool = false;
    const KEEPS_UNKNOWN: bool = false;
    const KNOWN: bool = false;
    const TAGGED: fn() -> &'static Class =
        || const { &crate::types::derive::tagged_class(None, "", || "") };
    const FRESH: bool = false;
    const KEPT: Option<Exchange<Self::Target>> = None;
    const POINTER: bool = false;
    const START: NotFresh = NotFresh;
    const COPY: NotCloned = NotCloned;
    const DEFAULT: bool = false;

    /// Returns a value that has [`Save`], so that a type without [`Serialize`] is not reported
    /// twice.
    fn shared(_: &Self::Target) -> &() {
        &()
    }
    /// Returns a value that has `KeepUnknown`, so that a type without it is not reported twice.
    fn unknown(_: &Self::Target) -> &NotKept {
        &NotKept
    }
    /// Requires that `polymorphic!` was called for the trait. If the call is missing, only that is
    /// reported, and not also the pointers around the trait's objects.
    fn object<D: Interface + ?Sized, K: Reported, V: ?Sized>(_: K, value: &mut V) -> &mut K::Of<V> {
        K::of(value)
    }
    fn interface() -> NotCalled {
        NotCalled
    }
    fn saves_null(_: &Self::Target, _: &Options<'_>, _: u32) -> bool {
        false
    }
    fn serialize<A: Archive>(_: &mut Self::Target, _: &mut A) -> Result {
        Ok(())
    }
    fn save<A: Archive>(_: &Self::Target, _: &mut A) -> Result {
        Ok(())
    }
    fn save_part<S, A: Archive>(_: &[&S], _: impl Fn(&S) -> &Self::Target, _: &mut A) -> Result {
        Ok(())
    }
    fn filled<'c, 'r, F: Fill>(from: Takes<'c, 'r, F>) -> Option<Takes<'c, 'r, F>> {
        if from.lacks() { None } else { Some(from) }
    }
    fn taker<'c, 'r, F: Fill + 'c>(_: Takes<'c, 'r, F>) -> NoTaker<'c, 'r, F, Self::Target>
    where
        Self::Target: Sized,
    {
        None
    }
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

/// No function that takes values.
type NoTaker<'c, 'r, F, T> = Option<(fn() -> Option<T>, Takes<'c, 'r, F>)>;

impl<T: ?Sized> Unproven for Probe<T> {
    type Target = T;
}

/// Proof that `polymorphic!` was called for a trait object.
pub struct Called;

/// Used if `polymorphic!` was not called for a trait object.
pub struct NotCalled;

/// Selects the errors for a field that holds trait objects: errors of the field, or only the
/// missing call of `polymorphic!`.
#[allow(missing_docs)] // like the items of `Probe`
pub trait Reported {
    type Of<V: ?Sized>: ?Sized;

    fn of<V: ?Sized>(value: &mut V) -> &mut Self::Of<V>;
}

impl Reported for Called {
    type Of<V: ?Sized> = V;

    fn of<V: ?Sized>(value: &mut V) -> &mut V {
        value
    }
}

impl Reported for NotCalled {
    type Of<V: ?Sized> = ();

    fn of<V: ?Sized>(_: &mut V) -> &mut () {
        unreachable!("does not compile")
    }
}

/// The requirements of a derived type beyond traits, checked at compile time.
pub trait Checked {
    /// Fails to compile if a requirement is not met.
    const CHECK: ();
}

/// Ends the compilation with the message unless `holds`.
#[track_caller]
pub const fn check(holds: bool, message: &str) {
    if !holds {
        panic!("{}", message);
    }
}

/// Returns the initial value of a field: its blank value or its default. [`Checked`] has ensured
/// that there is one.
#[inline]
pub fn start<T, S: Start<T>>(
    _: S,
    default: impl FnOnce() -> Option<T>,
    options: &Options<'_>,
) -> Result<T> {
    if const { !S::IS_FRESH } {
        return Ok(default_of(default()));
    }
    match S::fresh(options) {
        Ok(value) => Ok(default_of(value)),
        Err(error) => Err(error),
    }
}

/// Returns the value. [`Checked`] has ensured that there is one.
#[inline]
pub fn default_of<T>(found: Option<T>) -> T {
    match found {
        Some(value) => value,
        None => unreachable!("checked at compile time"),
    }
}

/// Replaces a field that cannot keep unknown members.
pub struct NotKept;
