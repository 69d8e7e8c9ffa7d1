//! `Option`: stored as null or the value.
// Why: docs/decisions/members-and-evolution.md#some-is-wrapped-if-its-value-is-null

use super::seq::in_place;
use crate::format::decoder::NESTED_OPTIONS;
use crate::model::error::Result;
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element};
use crate::visit::body::{Body, Nothing};
use crate::visit::columns::some_of;
use crate::visit::erased::loads;
use crate::visit::guide::null;
use crate::visit::serialize::bodies::{Fill, Takes, columns, one_by_one};
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::walk::{route, stays};

/// Loads over the existing value, or loads a new one.
struct Load<'a, T>(&'a mut Option<T>);

impl<T: Element> Body for Load<'_, T> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if let Some(value) = self.0 {
            return value.load_element_over(ar);
        }
        let new =
            if const { in_place::<T>() } { T::fresh(ar.options()) } else { T::load_element(ar) };
        match new {
            Ok(new) => *self.0 = Some(new),
            Err(error) => return Err(error),
        }
        if const { in_place::<T>() }
            && let Some(value) = self.0
            && let Err(error) = value.value(ar)
        {
            clear(self.0);
            return Err(error);
        }
        Ok(())
    }
}

#[inline]
fn clear<T>(option: &mut Option<T>) {
    if const { std::mem::needs_drop::<T>() } { drop_value(option) } else { *option = None }
}

/// One function for each type instead of one for each archive, because the code that drops a value
/// may be long.
#[inline(never)]
fn drop_value<T>(option: &mut Option<T>) {
    *option = None;
}

impl<T: Element> Serialize for Option<T> {
    const SHAPE: &'static Shape = &Shape::Option(shape_of::<T>());
    const ABOUT: &'static About = &About::generic("Option");
    const NULLABLE: bool = true;
    const HOLDS_VALUES: bool = T::HOLDS_VALUES;
    const MAPS: usize = T::MAPS;
    const OVERWRITES: bool = true;

    #[inline]
    fn saves_null(&self, options: &Options<'_>, levels: u32) -> bool {
        saves_null(self.as_ref(), options, levels)
    }

    #[inline]
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.value(ar)
    }
    // Not by `serialize`, which would add one function for each type of values.
    #[inline]
    fn value<A: Archive>(&mut self, ar: &mut A) -> Result {
        if loads!(A, ar) {
            if const { A::KIND.guided } && route(ar).is_some() {
                return match self {
                    Some(value) => value.load_element_over(ar),
                    None => Err(null()),
                };
            }
            if !ar.option(Self::SHAPE, false, T::NULLABLE, &mut Load(self))? {
                clear(self);
            }
            return Ok(());
        }
        match self {
            Some(value) => {
                let null = T::NULLABLE && value.saves_null(ar.options(), NESTED_OPTIONS);
                ar.option(Self::SHAPE, true, null, &mut &mut *value)?
            }
            None => ar.option(Self::SHAPE, false, false, &mut Nothing)?,
        };
        Ok(())
    }
    #[inline]
    fn load_item<A: Archive>(&mut self, ar: &mut A) -> Result {
        let stays = stays(ar);
        self.value(ar).inspect_err(|_| {
            if !stays {
                clear(self)
            }
        })
    }
    #[inline]
    fn taker<'c, 'r, F: Fill + 'c>(
        from: Takes<'c, 'r, F>,
    ) -> Option<(impl FnMut() -> Self, Takes<'c, 'r, F>)>
    where
        Self: 'c,
    {
        let (flags, from) = from.column()?;
        let (mut value, from) = T::taker(from)?;
        from.with(
            #[inline(always)]
            move || match flags.ints.word() {
                [0] => None,
                _ => Some(value()),
            },
        )
    }
}

impl<T: Element + Save> Save for Option<T> {
    #[inline]
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        self.save_value(ar)
    }
    #[inline]
    fn save_value<A: Archive>(&self, ar: &mut A) -> Result {
        match self {
            Some(value) => {
                let null =
                    T::NULLABLE && Serialize::saves_null(value, ar.options(), NESTED_OPTIONS);
                ar.option(Self::SHAPE, true, null, &mut &*value)?
            }
            None => ar.option(Self::SHAPE, false, false, &mut Nothing)?,
        };
        Ok(())
    }
    #[inline]
    fn save_group<A: Archive>(group: &[&Self], ar: &mut A) -> Result {
        if const { T::NULLABLE } {
            return one_by_one(group, ar);
        }
        let columns = columns(ar)?;
        let end = columns.end_of(columns.at);
        columns.ints(group.iter().map(|value| [u8::from(value.is_some())]));
        some_of(group.iter().map(|value| value.as_ref()), end, ar)
    }
}

/// Saves null or the value.
#[inline]
pub(super) fn save<T: Element + Save, A: Archive>(value: Option<&T>, ar: &mut A) -> Result {
    let shape = <Option<T> as Serialize>::SHAPE;
    match value {
        Some(mut value) => ar.option(shape, true, wraps(value, ar), &mut value)?,
        None => ar.option(shape, false, false, &mut Nothing)?,
    };
    Ok(())
}

/// Implements [`Serialize::saves_null`] for an option: true if it has no value, or a value that
/// must be wrapped.
#[inline]
pub(super) fn saves_null<T: Serialize>(
    value: Option<&T>,
    options: &Options<'_>,
    levels: u32,
) -> bool {
    match value {
        None => true,
        Some(value) if T::NULLABLE => match levels.checked_sub(1) {
            Some(levels) => value.saves_null(options, levels),
            None => true,
        },
        Some(_) => false,
    }
}

/// Returns whether an option must wrap its value while saving.
#[inline]
pub(crate) fn wraps<T: Serialize + ?Sized, A: Archive>(value: &T, ar: &A) -> bool {
    T::NULLABLE && value.saves_null(ar.options(), NESTED_OPTIONS)
}

impl<T> Blank for Option<T> {
    #[inline]
    fn blank(_: &Options<'_>) -> Self {
        None
    }
    /// In place: the value is loaded over, starting from blank.
    #[inline]
    fn load_over<A: Archive>(&mut self, ar: &mut A) -> Result
    where
        Self: Serialize,
    {
        self.value(ar)
    }
}
