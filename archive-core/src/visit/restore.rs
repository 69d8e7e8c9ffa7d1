//! [`Restore`]: puts a value back when loading over it fails.
//!
//! A load fills values in place, so an error leaves a mix of old and loaded members, which the
//! type's own function might not accept. A value of a type with such a function (`after_load` or a
//! hand-written one) gets its old content back, or becomes blank.
// Why: docs/decisions/loading-values.md#refused-values-are-restored

use crate::model::error::Result;
use crate::model::shape::Class;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element, Fresh, exchange};
use crate::visit::body::Body;
use crate::visit::erased::loads;
use crate::visit::facts::BodyFacts;
use crate::visit::serialize::{Members, Serialize};
use crate::visit::session::Session;
use crate::visit::start::{Fresher, Start, StartOver};
use crate::visit::walk::stays;

/// How to put a value back, depending on the traits of its type according to
/// [`Probe`](crate::__private::Probe).
#[derive(Clone, Copy)]
pub struct Restore<C, S>(pub C, pub S);

/// Whether values of `T` can be copied.
pub trait Copies<T>: Copy {
    /// Returns a copy of the value, if the type has `Clone`.
    fn copy(value: &T) -> Option<Box<T>>;
}

/// [`Copies`] of a type with `Clone`.
#[derive(Clone, Copy)]
pub struct Cloned;

impl<T: Clone> Copies<T> for Cloned {
    fn copy(value: &T) -> Option<Box<T>> {
        Some(Box::new(value.clone()))
    }
}

/// No [`Copies`].
#[derive(Clone, Copy)]
pub struct NotCloned;

impl<T> Copies<T> for NotCloned {
    fn copy(_: &T) -> Option<Box<T>> {
        None
    }
}

impl<C, S> Restore<C, S> {
    /// Visits the value, and puts it back after an error.
    #[inline]
    pub fn around<T, A: Archive>(
        self,
        value: &mut T,
        ar: &mut A,
        visit: impl FnOnce(&mut T, &mut A) -> Result,
    ) -> Result
    where
        C: Copies<T>,
        S: Start<T>,
    {
        let old = self.before(value, ar);
        let result = visit(value, ar);
        self.after(value, old, result, ar)
    }

    /// Returns a copy of a value, for putting it back, if the load may continue after an error.
    #[inline]
    pub fn before<T, A: Archive>(&self, value: &T, ar: &A) -> Option<Box<T>>
    where
        C: Copies<T>,
    {
        if loads!(A, ar) && ar.options().keep_going && ar.session().is_reporting() {
            C::copy(value)
        } else {
            None
        }
    }

    /// Puts the value back after an error.
    #[inline]
    pub fn after<T, A: Archive>(
        &self,
        value: &mut T,
        old: Option<Box<T>>,
        result: Result,
        ar: &mut A,
    ) -> Result
    where
        S: Start<T>,
    {
        if result.is_err() && loads!(A, ar) && !stays(ar) {
            put_back::<T, S>(value, old, ar.parts_mut());
        }
        result
    }
}

#[cold]
fn put_back<T, S: Start<T>>(
    value: &mut T,
    old: Option<Box<T>>,
    (session, options): (&mut Session, &Options<'_>),
) {
    if let Some(old) = old {
        *value = *old;
        return;
    }
    // If nothing can replace the value, the load must not continue.
    session.reporting.broken |= clear::<T, S>(value, options).is_err();
}

/// Makes the value blank, except for its kept fields.
fn clear<T, S: Start<T>>(value: &mut T, options: &Options<'_>) -> Result {
    if let Some(mut blank) = S::fresh(options)? {
        exchange(S::KEPT, &mut blank, value, false);
        *value = blank;
    }
    Ok(())
}

/// Makes an item or the content of a cell blank if its load failed.
#[inline]
pub(crate) fn or_blank<T: Fresh, A: Archive>(value: &mut T, result: Result, ar: &mut A) -> Result {
    if result.is_err() && loads!(A, ar) && !stays(ar) {
        put_back::<T, Fresher>(value, None, ar.parts_mut());
    }
    result
}

/// Loads over an item of an array or a tuple: implements [`Serialize::load_item`] for derived
/// types.
#[inline]
pub fn load_item<T: Serialize, S: StartOver<T>, A: Archive>(
    item: &mut T,
    ar: &mut A,
    start: S,
) -> Result {
    let result = match S::load_over(item, ar) {
        Ok(false) => item.value(ar),
        loaded => loaded.map(drop),
    };
    Restore(NotCloned, start).after(item, None, result, ar)
}

/// Like [`load_item`], for types with blank values.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn load_element_item<T: Element, A: Archive>(item: &mut T, ar: &mut A) -> Result {
    let result = item.load_element_over(ar);
    or_blank(item, result, ar)
}

/// A [`Body`] for a field if its type, or the type of its items, has a hand-written function. Such
/// a function may refuse the value that it has loaded.
pub struct Restoring<'a, T, C, S> {
    pub(crate) value: &'a mut T,
    pub(crate) restore: Restore<C, S>,
}

impl<T: Serialize, C: Copies<T>, S: StartOver<T>> Body for Restoring<'_, T, C, S> {
    const FACTS: BodyFacts = BodyFacts::value(T::SHAPE);

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if const { T::BY_HAND } {
            return self.restore.around(self.value, ar, |value, ar| value.value(ar));
        }
        if loads!(A, ar) && S::load_over(self.value, ar)? {
            return Ok(());
        }
        self.value.value(ar)
    }
}

/// Calls a closure, so that `?` inside it does not leave the calling function.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn attempt(visit: impl FnOnce() -> Result) -> Result {
    visit()
}

/// Visits a value whose own function checks its members when they are loaded. After an error inside
/// that function, the function restores the value. Members that are loaded in file order are loaded
/// outside it, and are restored here.
#[inline]
pub fn guarded<T: Serialize, C, S: Start<T>, A: Archive>(
    value: &mut T,
    ar: &mut A,
    class: &'static Class,
    restore: Restore<C, S>,
) -> Result {
    let mut members = Guarded { value, open: false };
    let result = ar.object(class, &mut members);
    let open = members.open;
    if open { restore.after(value, None, result, ar) } else { result }
}

/// The members of a value whose own function checks them.
struct Guarded<'a, T> {
    value: &'a mut T,
    /// Whether members were loaded that the function has not checked yet.
    open: bool,
}

impl<T: Serialize> Body for Guarded<'_, T> {
    const FACTS: BodyFacts = Members::<'_, T>::FACTS;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        Members(&mut *self.value).run(ar)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn run_member<A: Archive>(&mut self, index: usize, ar: &mut A) -> Result {
        self.open = true;
        self.value.members(index, ar)
    }
    fn absent<A: Archive>(&mut self, index: usize, ar: &mut A) {
        self.open = true;
        self.value.absent_member(index, ar);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.open = true;
        self.value.finish_members(ar)?;
        self.open = false;
        Ok(())
    }
}

/// Loads the content of a cell. If a hand-written function refuses the content, the content becomes
/// blank for all pointers to it. Other types handle errors themselves.
pub fn fill<T: Blank + Serialize, A: Archive>(value: &mut T, ar: &mut A) -> Result {
    if const { T::ITEMS_BY_HAND } {
        return value.load_over(ar);
    }
    let result = value.value(ar);
    if const { T::BY_HAND } { or_blank(value, result, ar) } else { result }
}
