//! `#[archive(with = module)]`: saves a field as a value of another type.

use std::marker::PhantomData;

use crate::model::error::Result;
use crate::model::shape::{Shape, ShapeOf};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Element, Fresh};
use crate::visit::body::Body;
use crate::visit::erased::loads;
use crate::visit::serialize::Serialize;
use crate::visit::serialize::of_type::shape_of;
use crate::visit::time;
use crate::visit::time::{Time, noting_clamped};
use crate::visit::walk::stays;

/// The function `save` of a module, with or without [`Options`], depending on `M`.
#[diagnostic::on_unimplemented(
    message = "this is not a `save` function for a field of type `{T}`",
    label = "expected `fn(&{T}) -> archive::Result<S>`",
    note = "`#[archive(with = module)]` calls `module::save`, which is `fn(&{T}) -> archive::Result<S>` or `fn(&{T}, &archive::Options<'_>) -> archive::Result<S>`, for any `S` that can be saved and loaded"
)]
pub trait SaveWith<T: ?Sized, M> {
    /// The type that is saved.
    type Stored;

    /// Creates the value that is saved.
    fn make_stored(&self, value: &T, options: &Options<'_>) -> Result<Self::Stored>;
}

/// The function `load` of a module, with or without [`Options`].
#[diagnostic::on_unimplemented(
    message = "this is not a `load` function for a field of type `{T}` that is saved as `{S}`",
    label = "expected `fn({S}) -> archive::Result<{T}>`",
    note = "`#[archive(with = module)]` calls `module::load`, which takes the result of `module::save`: `fn({S}) -> archive::Result<{T}>` or `fn({S}, &archive::Options<'_>) -> archive::Result<{T}>`"
)]
pub trait LoadWith<S, T, M> {
    /// Creates the field's value from the saved one.
    fn make_value(&self, stored: S, options: &Options<'_>) -> Result<T>;
}

/// Identifies functions whose only argument is the value.
pub struct Alone<S>(PhantomData<S>);

/// Identifies functions that also take the options.
pub struct WithOptions<S>(PhantomData<S>);

#[diagnostic::do_not_recommend]
impl<T: ?Sized, S, F: Fn(&T) -> Result<S>> SaveWith<T, Alone<S>> for F {
    type Stored = S;

    #[inline]
    fn make_stored(&self, value: &T, _: &Options<'_>) -> Result<S> {
        self(value)
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized, S, F: Fn(&T, &Options<'_>) -> Result<S>> SaveWith<T, WithOptions<S>> for F {
    type Stored = S;

    #[inline]
    fn make_stored(&self, value: &T, options: &Options<'_>) -> Result<S> {
        self(value, options)
    }
}

#[diagnostic::do_not_recommend]
impl<S, T, F: Fn(S) -> Result<T>> LoadWith<S, T, Alone<S>> for F {
    #[inline]
    fn make_value(&self, stored: S, _: &Options<'_>) -> Result<T> {
        self(stored)
    }
}

#[diagnostic::do_not_recommend]
impl<S, T, F: Fn(S, &Options<'_>) -> Result<T>> LoadWith<S, T, WithOptions<S>> for F {
    #[inline]
    fn make_value(&self, stored: S, options: &Options<'_>) -> Result<T> {
        self(stored, options)
    }
}

/// The functions of a module, for a field of type `T`.
pub struct With<T, S, L, M, N> {
    save: S,
    load: L,
    shape: &'static Shape,
    shape_fn: ShapeOf,
    nullable: bool,
    of: PhantomData<fn(T, M, N)>,
}

/// Returns the functions of a module, for a field of type `T`. Errors in their types are reported
/// only here.
pub const fn with<T, S, L, M, N>(save: S, load: L) -> With<T, S, L, M, N>
where
    S: SaveWith<T, M, Stored: Element>,
    L: LoadWith<S::Stored, T, N>,
{
    let shape = <S::Stored as Serialize>::SHAPE;
    let nullable = <S::Stored as Serialize>::NULLABLE;
    With { save, load, shape, shape_fn: shape_of::<S::Stored>(), nullable, of: PhantomData }
}

type SaveTime<T> = fn(&T, &Options<'_>) -> Result<<T as Time>::Distance>;
type LoadTime<T> = fn(<T as Time>::Distance, &Options<'_>) -> Result<T>;
type WithTime<T> = With<
    T,
    SaveTime<T>,
    LoadTime<T>,
    WithOptions<<T as Time>::Distance>,
    WithOptions<<T as Time>::Distance>,
>;

/// Returns the functions of [`time`](crate::time), for a field of type `T`. A type that is not a
/// time is reported here, and not in the functions.
pub const fn with_time<T: Time>() -> WithTime<T> {
    with(time::save::<T> as SaveTime<T>, time::load::<T> as LoadTime<T>)
}

impl<T, S, L, M, N> With<T, S, L, M, N> {
    /// Returns the shape of the saved value.
    pub const fn shape(&self) -> &'static Shape {
        self.shape
    }

    /// Returns the shape of the saved value, for a member.
    pub const fn shape_fn(&self) -> ShapeOf {
        self.shape_fn
    }

    /// Returns whether the saved value may be null.
    pub const fn nullable(&self) -> bool {
        self.nullable
    }

    /// Returns whether the saved value of the field is null: [`Serialize::saves_null`].
    pub fn saves_null(self, value: &T, options: &Options<'_>, levels: u32) -> bool
    where
        S: SaveWith<T, M, Stored: Element>,
    {
        self.nullable
            && self.save.make_stored(value, options).is_ok_and(|s| s.saves_null(options, levels))
    }

    /// Returns a [`Body`] that visits the field.
    #[inline]
    pub fn of(self, value: &mut T) -> WithOf<'_, T, S, L, M, N, false> {
        WithOf(self, value)
    }

    /// Returns a [`Body`] that saves the field through a shared reference.
    #[inline]
    pub fn saved(self, value: &T) -> SavedWithOf<'_, T, S, L, M, N, false> {
        SavedWithOf(self, value)
    }

    /// Returns a [`Body`] that visits the members of the saved value.
    #[inline]
    pub fn members_of(self, value: &mut T) -> WithOf<'_, T, S, L, M, N, true> {
        WithOf(self, value)
    }

    /// Like [`members_of`](With::members_of), through a shared reference.
    #[inline]
    pub fn saved_members(self, value: &T) -> SavedWithOf<'_, T, S, L, M, N, true> {
        SavedWithOf(self, value)
    }
}

impl<T, S, L, M, N> With<T, S, L, M, N>
where
    S: SaveWith<T, M, Stored: Element>,
    L: LoadWith<S::Stored, T, N>,
{
    fn save<A: Archive, const MEMBERS: bool>(&self, value: &T, ar: &mut A) -> Result {
        let mut stored = self.save.make_stored(value, ar.options())?;
        if MEMBERS { stored.serialize(ar) } else { stored.value(ar) }
    }

    /// Changes the saved value.
    fn load_over<A: Archive, const MEMBERS: bool>(&self, value: &T, ar: &mut A) -> Result<T> {
        let mut stored = self.save.make_stored(value, ar.options())?;
        if MEMBERS { stored.serialize(ar) } else { stored.value(ar) }?;
        noting_clamped(ar, |options| self.load.make_value(stored, options))
    }

    fn load<A: Archive, const MEMBERS: bool>(&self, ar: &mut A) -> Result<T> {
        ar.session_mut().attempt.abort_if_on()?;
        let stored = if MEMBERS {
            let mut stored = <S::Stored as Fresh>::fresh(ar.options())?;
            stored.serialize(ar)?;
            stored
        } else {
            <S::Stored as Element>::load_element(ar)?
        };
        noting_clamped(ar, |options| self.load.make_value(stored, options))
    }
}

/// A [`Body`] for a field, or for the members of its saved value.
pub struct WithOf<'a, T, S, L, M, N, const MEMBERS: bool>(With<T, S, L, M, N>, &'a mut T);

impl<T, S, L, M, N, const MEMBERS: bool> Body for WithOf<'_, T, S, L, M, N, MEMBERS>
where
    S: SaveWith<T, M, Stored: Element>,
    L: LoadWith<S::Stored, T, N>,
{
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return self.0.save::<A, MEMBERS>(self.1, ar);
        }
        *self.1 = if stays(ar) {
            self.0.load_over::<A, MEMBERS>(self.1, ar)?
        } else {
            self.0.load::<A, MEMBERS>(ar)?
        };
        Ok(())
    }
}

/// Like [`WithOf`], through a shared reference.
pub struct SavedWithOf<'a, T, S, L, M, N, const MEMBERS: bool>(With<T, S, L, M, N>, &'a T);

impl<T, S, L, M, N, const MEMBERS: bool> Body for SavedWithOf<'_, T, S, L, M, N, MEMBERS>
where
    S: SaveWith<T, M, Stored: Element>,
    L: LoadWith<S::Stored, T, N>,
{
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.save::<A, MEMBERS>(self.1, ar)
    }
}
