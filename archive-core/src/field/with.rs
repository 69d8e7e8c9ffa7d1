//! `#[archive(with = module)]`: a field that is saved as a value of another type.

use std::marker::PhantomData;

use crate::Serialize;
use crate::archive::{Archive, Body, loads};
use crate::blank::{Element, Fresh};
use crate::error::Result;
use crate::options::Options;
use crate::shape::{Shape, ShapeOf, shape_of};
use crate::time::{self, Time, noting_clamped};

/// The `save` of a module: with or without [`Options`], which `M` tells.
#[diagnostic::on_unimplemented(
    message = "this is no `save` for a field of type `{T}`",
    label = "expected `fn(&{T}) -> archive::Result<S>`",
    note = "`#[archive(with = module)]` calls `module::save`, which is `fn(&{T}) -> archive::Result<S>` or `fn(&{T}, &archive::Options<'_>) -> archive::Result<S>`, for any `S` that can be saved and loaded"
)]
pub trait SaveWith<T: ?Sized, M> {
    /// What is saved.
    type Stored;

    /// Makes what is saved.
    ///
    /// # Errors
    /// Those of the function.
    fn make_stored(&self, value: &T, options: &Options<'_>) -> Result<Self::Stored>;
}

/// The `load` of a module, as [`SaveWith`].
#[diagnostic::on_unimplemented(
    message = "this is no `load` for a field of type `{T}` that is saved as `{S}`",
    label = "expected `fn({S}) -> archive::Result<{T}>`",
    note = "`#[archive(with = module)]` calls `module::load`, which takes what `module::save` gives: `fn({S}) -> archive::Result<{T}>` or `fn({S}, &archive::Options<'_>) -> archive::Result<{T}>`"
)]
pub trait LoadWith<S, T, M> {
    /// Makes the value of what was saved.
    ///
    /// # Errors
    /// Those of the function.
    fn make_value(&self, stored: S, options: &Options<'_>) -> Result<T>;
}

/// Marks functions of a value alone.
pub struct Alone<S>(PhantomData<S>);

/// Marks functions that also want the options.
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

/// The functions of a module, for a field of type `T`. What is wrong with them is said here, and
/// nowhere else.
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

/// The functions of [`time`](crate::time), for a field of type `T`. That a type is no time is said
/// here, and not of the functions.
pub const fn with_time<T: Time>() -> WithTime<T> {
    with(time::save::<T> as SaveTime<T>, time::load::<T> as LoadTime<T>)
}

impl<T, S, L, M, N> With<T, S, L, M, N> {
    /// The shape of what is saved.
    pub const fn shape(&self) -> &'static Shape {
        self.shape
    }

    /// The shape of what is saved, for a member.
    pub const fn shape_fn(&self) -> ShapeOf {
        self.shape_fn
    }

    /// Whether what is saved may be null.
    pub const fn nullable(&self) -> bool {
        self.nullable
    }

    /// Whether what the field is saved as is null: [`Serialize::saves_null`].
    pub fn saves_null(self, value: &T, options: &Options<'_>, levels: u32) -> bool
    where
        S: SaveWith<T, M, Stored: Element>,
    {
        self.nullable
            && self.save.make_stored(value, options).is_ok_and(|s| s.saves_null(options, levels))
    }

    /// The field as a [`Body`].
    #[inline]
    pub fn of(self, value: &mut T) -> WithOf<'_, T, S, L, M, N, false> {
        WithOf(self, value)
    }

    /// The field behind a shared reference as a [`Body`].
    #[inline]
    pub fn saved(self, value: &T) -> SavedWithOf<'_, T, S, L, M, N, false> {
        SavedWithOf(self, value)
    }

    /// The members of what the field is saved as, as a [`Body`].
    #[inline]
    pub fn members_of(self, value: &mut T) -> WithOf<'_, T, S, L, M, N, true> {
        WithOf(self, value)
    }

    /// As [`members_of`](With::members_of), behind a shared reference.
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

    fn load<A: Archive, const MEMBERS: bool>(&self, ar: &mut A) -> Result<T> {
        ar.session_mut().trial.certain()?;
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

/// A field, or the members of what it is saved as.
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
        *self.1 = self.0.load::<A, MEMBERS>(ar)?;
        Ok(())
    }
}

/// As [`WithOf`], behind a shared reference.
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
