//! Arrays of any length.

use super::tuple::{SavedTupleItem, TupleItem, tuple_item};
use crate::archive::{Archive, Body};
use crate::blank::{Blank, Element, unwrap_blank};
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;
use crate::shape::{Shape, shape_of};
use crate::{Save, Serialize};

struct Items<'a, T, const N: usize>(&'a mut [T; N]);

impl<T: Serialize, const N: usize> Body for Items<'_, T, N> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (index, item) in self.0.iter_mut().enumerate() {
            tuple_item(ar, index, N, &mut TupleItem(item))?;
        }
        Ok(())
    }
}

struct SavedItems<'a, T, const N: usize>(&'a [T; N]);

impl<T: Save, const N: usize> Body for SavedItems<'_, T, N> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (index, item) in self.0.iter().enumerate() {
            tuple_item(ar, index, N, &mut SavedTupleItem(item))?;
        }
        Ok(())
    }
}

/// New items, pushed one by one: an array cannot be half full.
struct NewItems<T, const N: usize>(Vec<T>);

struct NewItem<'a, T>(&'a mut Vec<T>);

impl<T: Element> Body for NewItem<'_, T> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let item = T::load_element(ar)?;
        self.0.push(item);
        Ok(())
    }
}

impl<T: Element, const N: usize> Body for NewItems<T, N> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for index in 0..N {
            tuple_item(ar, index, N, &mut NewItem(&mut self.0))?;
            if self.0.len() == index {
                // The item's error went into the report.
                self.0.push(T::fresh(ar.options())?);
            }
        }
        Ok(())
    }
}

impl<T: Serialize, const N: usize> Serialize for [T; N] {
    const SHAPE: &'static Shape = &Shape::Array(shape_of::<T>, N);

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
}

impl<T: Element, const N: usize> Blank for [T; N] {
    fn blank(options: &Options<'_>) -> Self {
        unwrap_blank(Self::try_blank(options))
    }

    #[inline]
    fn try_blank(options: &Options<'_>) -> Result<Self> {
        let mut failed = None;
        let items = [(); N].map(|()| match T::fresh(options) {
            Ok(item) => Some(item),
            Err(error) => {
                failed = Some(error);
                None
            }
        });
        match failed {
            Some(error) => Err(error),
            None => full(items.into_iter().flatten()),
        }
    }

    fn load_new<A: Archive>(ar: &mut A) -> Result<Self> {
        let mut items = NewItems::<T, N>(Vec::with_capacity(
            N.min(ar.options().get_limits().reserve / size_of::<T>().max(1)),
        ));
        ar.seq(Self::SHAPE, N, &mut items)?;
        full(items.0.into_iter())
    }

    #[inline]
    fn load_over<A: Archive>(&mut self, ar: &mut A) -> Result {
        struct Over<'a, T, const N: usize>(&'a mut [T; N]);
        struct OverItem<'a, T>(&'a mut T);
        impl<T: Element> Body for OverItem<'_, T> {
            #[inline]
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                self.0.load_element_over(ar)
            }
        }
        impl<T: Element, const N: usize> Body for Over<'_, T, N> {
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

/// An array of just as many items.
#[inline]
fn full<T, const N: usize>(items: impl Iterator<Item = T>) -> Result<[T; N]> {
    let items: Vec<T> = items.collect();
    <[T; N]>::try_from(items).map_err(|items| {
        Error::new(
            ErrorKind::WrongLength,
            format_args!("expected {N} items, found {}", items.len()),
        )
    })
}
