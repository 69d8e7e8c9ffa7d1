//! Sequences: `Vec`, `VecDeque`, and slices through shared references.

mod loading;
mod saving;

use std::collections::VecDeque;

#[cfg(feature = "smallvec")]
pub(crate) use loading::Growing;
pub(crate) use loading::Load;
pub(crate) use saving::{Items, SavedSlice, Slice};

use crate::model::block_size::BlockSize;
use crate::model::error::Result;
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::types::field::inside;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element};
use crate::visit::body::Body;
use crate::visit::columns::items_of;
use crate::visit::erased::loads;
use crate::visit::serialize::bodies::{Fill, Takes, tuple_item};
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::walk::stays;

/// Returns the size of each item in a block. The result is unused if items cannot be in blocks.
const fn size_of_blocks(item: &Shape) -> BlockSize {
    match item.block_size() {
        Some(size) => size,
        None => BlockSize::number(0),
    }
}

/// Returns whether a new value is created and loaded in its final place, because objects may be
/// large. A `Box` is excluded: loading a new one creates its object once, and loading over an old
/// one costs a second attempt if the file lacks a member.
pub(super) const fn in_place<T: Element>() -> bool {
    T::OVERWRITES && matches!(T::SHAPE, Shape::Class(_)) && !T::POINTER
}

macro_rules! seq {
    ($($Container:ident |$this:ident| $items:expr, $saved:expr $(, $group:item $taker:item)?;)*) => { $(
        impl<T: Element> Serialize for $Container<T> {
            const SHAPE: &'static Shape = &Shape::Seq(shape_of::<T>(), "");
            const ABOUT: &'static About = &About::generic(stringify!($Container));
            const OVERWRITES: bool = true;
            const HOLDS_VALUES: bool = T::HOLDS_VALUES;
            const MAPS: usize = inside::<T>(1);

            #[inline]
            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                self.value(ar)
            }
            // Not by `serialize`, which would add one function for each type of items.
            #[inline]
            fn value<A: Archive>(&mut self, ar: &mut A) -> Result {
                if loads!(A, ar) {
                    ar.seq(Self::SHAPE, 0, &mut Load(self))
                } else {
                    let $this = self;
                    ar.seq(Self::SHAPE, $this.len(), &mut $items)
                }
            }
            #[inline]
            fn load_item<A: Archive>(&mut self, ar: &mut A) -> Result {
                let stays = stays(ar);
                self.value(ar).inspect_err(|_| if !stays { self.clear() })
            }
            $($taker)?
        }
        impl<T: Element + Save> Save for $Container<T> {
            #[inline]
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                self.save_value(ar)
            }
            #[inline]
            fn save_value<A: Archive>(&self, ar: &mut A) -> Result {
                let $this = self;
                ar.seq(Self::SHAPE, $this.len(), &mut $saved)
            }
            $($group)?
        }
        impl<T> Blank for $Container<T> {
            #[inline]
            fn blank(_: &Options<'_>) -> Self {
                $Container::new()
            }
            /// In place: the items are loaded over, each starting from blank.
            #[inline]
            fn load_over<A: Archive>(&mut self, ar: &mut A) -> Result
            where
                Self: Serialize,
            {
                self.value(ar)
            }
        }
    )* };
}
seq! {
    Vec |items| Slice(items), SavedSlice(items),
        #[inline]
        fn save_group<A: Archive>(group: &[&Self], ar: &mut A) -> Result {
            items_of(group.iter().map(|items| &items[..]), ar)
        }
        // A type that contains itself is in lists of itself, so the function has no type of its own.
        #[inline]
        fn taker<'c, 'r, F: Fill + 'c>(
            from: Takes<'c, 'r, F>,
        ) -> Option<(impl FnMut() -> Self, Takes<'c, 'r, F>)> where Self: 'c {
            let (lens, from) = from.column()?;
            let (mut list, from) = boxed_taker::<F, T>(from)?;
            from.with(#[inline(always)] move || list(lens.ints.take_len()))
        };
    VecDeque |items| Items(items.iter_mut()), Items(items.iter());
}

/// A function that takes lists.
type TakeList<'c, T> = Box<dyn FnMut(usize) -> Vec<T> + 'c>;

fn boxed_taker<'c, 'r: 'c, F: Fill + 'c, T: Element + 'c>(
    from: Takes<'c, 'r, F>,
) -> Option<(TakeList<'c, T>, Takes<'c, 'r, F>)> {
    let (list, from) = T::list_taker(from)?;
    Some((Box::new(list), from))
}

/// A slice can be saved. Its items can be loaded over, if the file has the same number of items.
impl<T: Element> Serialize for [T] {
    const SHAPE: &'static Shape = &Shape::Seq(shape_of::<T>(), "");
    const ABOUT: &'static About = &About::generic("[]");

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        let len = self.len();
        struct Slice<'a, T>(&'a mut [T]);
        impl<T: Element> Body for Slice<'_, T> {
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                let len = self.0.len();
                for (index, mut item) in self.0.iter_mut().enumerate() {
                    if loads!(A, ar) {
                        tuple_item(ar, index, len, &mut super::tuple::OverItem(item))?;
                    } else {
                        tuple_item(ar, index, len, &mut item)?;
                    }
                }
                Ok(())
            }
        }
        ar.seq(Self::SHAPE, len, &mut Slice(self))
    }
}

impl<T: Element + Save> Save for [T] {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.seq(Self::SHAPE, self.len(), &mut SavedSlice(self))
    }
}
