//! Arrays of any length.

use super::tuple::{ItemOf, OverItem};
use crate::model::block_size::array_size;
use crate::model::error::Result;
use crate::model::shape::Shape;
use crate::state::options::Options;
use crate::types::field::inside;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element, unwrap_blank};
use crate::visit::block::{Raw, raw};
use crate::visit::body::{Body, New};
use crate::visit::columns::{all_items, tuples};
use crate::visit::facts::BodyFacts;
use crate::visit::guide::Route;
use crate::visit::serialize::bodies::{Fill, Takes, columns, one_by_one, too_few, tuple_item};
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::walk::route;

/// Returns the index of the next item on the path.
#[inline(always)]
fn only_item<A: Archive>(ar: &A) -> Option<usize> {
    if const { A::KIND.guided } { route(ar).and_then(Route::index) } else { None }
}

struct Items<'a, T, const N: usize>(&'a mut [T; N]);

impl<T: Serialize, const N: usize> Body for Items<'_, T, N> {
    const FACTS: BodyFacts = BodyFacts::items(array_size(T::SHAPE, N), !T::SHAPE.is_any());

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if let Some(only) = only_item(ar) {
            let item = self.0.get_mut(only);
            return item.map_or(Ok(()), |item| tuple_item(ar, only, N, &mut ItemOf(item)));
        }
        for (index, item) in self.0.iter_mut().enumerate() {
            tuple_item(ar, index, N, &mut ItemOf(item))?;
        }
        Ok(())
    }
}

struct SavedItems<'a, T, const N: usize>(&'a [T; N]);

impl<T: Save, const N: usize> Body for SavedItems<'_, T, N> {
    const FACTS: BodyFacts = BodyFacts::items(array_size(T::SHAPE, N), !T::SHAPE.is_any());

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if let Some(only) = only_item(ar) {
            let item = self.0.get(only);
            return item.map_or(Ok(()), |mut item| tuple_item(ar, only, N, &mut item));
        }
        for (index, mut item) in self.0.iter().enumerate() {
            tuple_item(ar, index, N, &mut item)?;
        }
        Ok(())
    }
    #[inline]
    fn as_block(&self) -> Option<&[u8]> {
        T::block_of(self.0)
    }
}

/// New items of an array; each is `None` until it is loaded.
struct NewItems<'a, T, const N: usize>(&'a mut [New<T>]);

impl<T: Element, const N: usize> Body for NewItems<'_, T, N> {
    const FACTS: BodyFacts = BodyFacts::items(array_size(T::SHAPE, N), !T::SHAPE.is_any());

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (index, item) in self.0.iter_mut().enumerate() {
            tuple_item(ar, index, N, item)?;
            if item.0.is_none() {
                // The item's error went into the report, so the item is blank.
                item.0 = Some(T::fresh(ar.options())?);
            }
        }
        Ok(())
    }
}

impl<T: Serialize, const N: usize> Serialize for [T; N] {
    const SHAPE: &'static Shape = &Shape::Array(shape_of::<T>(), N, array_size(T::SHAPE, N), "");
    const OVERWRITES: bool = T::OVERWRITES;
    const MAPS: usize = inside::<T>(1);
    const ITEMS_BY_HAND: bool = T::BY_HAND || T::ITEMS_BY_HAND;
    const RAW: Option<Raw<Self>> = raw::array(T::RAW);

    #[inline]
    fn taker<'c, 'r, F: Fill + 'c>(
        from: Takes<'c, 'r, F>,
    ) -> Option<(impl FnMut() -> Self, Takes<'c, 'r, F>)>
    where
        Self: 'c,
    {
        // Other arrays may have no columns.
        if const { T::SHAPE.block_size().is_none() || N == 0 || size_of::<Self>() > ON_STACK } {
            return None;
        }
        let (_, from) = from.column()?;
        let (mut item, from) = T::taker(from)?;
        from.with(
            #[inline(always)]
            move || std::array::from_fn(|_| item()),
        )
    }

    #[inline]
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.seq(Self::SHAPE, N, &mut Items(self))
    }
}

impl<T: Save, const N: usize> Save for [T; N] {
    #[inline]
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.seq(Self::SHAPE, N, &mut SavedItems(self))
    }
    #[inline]
    fn save_group<A: Archive>(group: &[&Self], ar: &mut A) -> Result {
        // Other arrays may have no columns.
        if const { T::SHAPE.block_size().is_none() || N == 0 } {
            return one_by_one(group, ar);
        }
        let columns = columns(ar)?;
        let end = columns.end_of(columns.at);
        columns.at += 1;
        tuples(N, group.len(), ar, |ar| all_items(group.iter().map(|array| &array[..]), end, ar))
    }
}

impl<T: Element, const N: usize> Blank for [T; N] {
    fn blank(options: &Options<'_>) -> Self {
        unwrap_blank(options)
    }

    #[inline]
    fn try_blank(options: &Options<'_>) -> Result<Self> {
        let mut failed = None;
        let items = [(); N].map(|()| match T::fresh(options) {
            Ok(item) => New(Some(item)),
            Err(error) => {
                failed = Some(error);
                New(None)
            }
        });
        match failed {
            Some(error) => Err(error),
            None => full(items),
        }
    }

    #[inline]
    fn load_new<A: Archive>(ar: &mut A) -> Result<Self> {
        if const { size_of::<[Option<T>; N]>() <= ON_STACK } {
            load_small(ar)
        } else {
            load_large(ar)
        }
    }

    #[inline]
    fn load_over<A: Archive>(&mut self, ar: &mut A) -> Result {
        struct Over<'a, T, const N: usize>(&'a mut [T; N]);
        impl<T: Element, const N: usize> Body for Over<'_, T, N> {
            const FACTS: BodyFacts =
                BodyFacts { block: array_size(T::SHAPE, N), ..BodyFacts::NONE };

            #[inline]
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                for (index, item) in self.0.iter_mut().enumerate() {
                    tuple_item(ar, index, N, &mut OverItem(item))?;
                }
                Ok(())
            }
        }
        ar.seq(Self::SHAPE, N, &mut Over(self))
    }
}

/// The number of bytes of items that may be on the stack until all items are loaded.
const ON_STACK: usize = 1 << 12;

#[inline]
fn load_small<T: Element, const N: usize, A: Archive>(ar: &mut A) -> Result<[T; N]> {
    let mut items = [const { New(None::<T>) }; N];
    ar.seq(<[T; N]>::SHAPE, N, &mut NewItems::<T, N>(&mut items))?;
    full(items)
}

#[inline(never)] // so that its caller needs no room for small arrays
fn load_large<T: Element, const N: usize, A: Archive>(ar: &mut A) -> Result<[T; N]> {
    let mut items: Vec<New<T>> = (0..N).map(|_| New(None)).collect();
    ar.seq(<[T; N]>::SHAPE, N, &mut NewItems::<T, N>(&mut items))?;
    let items: Vec<T> = items.into_iter().filter_map(|item| item.0).collect();
    <[T; N]>::try_from(items).map_err(|items| too_few(N, items.len()))
}

/// Returns the items, after checking that all were loaded.
#[inline]
fn full<T, const N: usize>(items: [New<T>; N]) -> Result<[T; N]> {
    match items.iter().position(|item| item.0.is_none()) {
        None => Ok(items.map(|item| match item.0 {
            Some(item) => item,
            None => unreachable!("all items were looked at"),
        })),
        Some(found) => Err(too_few(N, found)),
    }
}
