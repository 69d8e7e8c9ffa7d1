//! Sets: stored as sequences whose order has no meaning. Hash sets are written in the order of
//! their encoded elements, so the same set gives the same bytes.

use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher, Hash};

use super::order::sorted;
use super::seq::Items;
use crate::model::error::Result;
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::visit::archive::{Archive, loads};
use crate::visit::blank::{Blank, Element};
use crate::visit::body::Body;
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::session::NoteKind;

/// Loads elements and passes each to the function, which returns whether the element is new.
pub(crate) struct Load<T, F: FnMut(T) -> bool>(F, std::marker::PhantomData<T>);

impl<T, F: FnMut(T) -> bool> Load<T, F> {
    pub(crate) fn new(add: F) -> Self {
        Load(add, std::marker::PhantomData)
    }
}

impl<T: Element, F: FnMut(T) -> bool> Body for Load<T, F> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        struct Item<'a, T, F: FnMut(T) -> bool>(&'a mut F, std::marker::PhantomData<T>);
        impl<T: Element, F: FnMut(T) -> bool> Body for Item<'_, T, F> {
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                let item = T::load_element(ar)?;
                if !(self.0)(item) {
                    ar.session_mut().note(NoteKind::Repeated);
                }
                Ok(())
            }
        }
        let mut item = Item(&mut self.0, std::marker::PhantomData);
        let mut index = 0;
        while ar.item(index, &mut item)? {
            index += 1;
        }
        Ok(())
    }
}

/// Implements the traits for a set; sets differ in their bounds and in how they are saved.
macro_rules! set {
    ($name:literal $Set:ty, [$($generics:tt)*], [$($bounds:tt)*], |$this:ident, $ar:ident| $save:expr) => {
        impl<$($generics)*> Serialize for $Set where T: Element + Save + $($bounds)* {
            const SHAPE: &'static Shape = &Shape::Seq(shape_of::<T>(), "a set");
            const ABOUT: &'static About = &About::generic($name);

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                if !loads!(A, ar) {
                    return self.save(ar);
                }
                $crate::visit::restore::check_whole(ar)?;
                self.clear();
                let add = |item| self.insert(item);
                ar.seq(Self::SHAPE, 0, &mut $crate::types::impls::set::Load::new(add))
            }
        }
        impl<$($generics)*> Save for $Set where T: Element + Save + $($bounds)* {
            fn save<A: Archive>(&self, $ar: &mut A) -> Result {
                let $this = self;
                $save
            }
        }
    };
}

#[cfg(feature = "indexmap")]
pub(crate) use set;

set!("BTreeSet" BTreeSet<T>, [T], [Ord], |set, ar| ar.seq(Self::SHAPE, set.len(), &mut Items(set.iter())));
set!("HashSet" HashSet<T, S>, [T, S: BuildHasher], [Eq + Hash], |set, ar| {
    let items = sorted(set.iter(), |item| *item, ar.options())?;
    ar.seq(Self::SHAPE, set.len(), &mut Items(items.into_iter()))
});

impl<T> Blank for BTreeSet<T> {
    fn blank(_: &Options<'_>) -> Self {
        BTreeSet::new()
    }
}

impl<T, S: Default> Blank for HashSet<T, S> {
    fn blank(_: &Options<'_>) -> Self {
        HashSet::default()
    }
}
