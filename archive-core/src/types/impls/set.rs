//! Sets: stored as sequences whose order has no meaning. Hash sets are written in the order of
//! their encoded elements, so equal sets give equal bytes.

use std::collections::{BTreeSet, HashSet};
use std::hash::{BuildHasher, Hash};

use super::late::{Digest, Key, Late};
use super::saved_order::{Unsorted, keep_order};
use super::seq::Items;
use crate::model::error::Result;
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element};
use crate::visit::body::Body;
use crate::visit::erased::loads;
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::session::{NoteKind, Place};

/// Loads elements and passes each to the function, which returns whether the element is new.
pub(crate) struct Load<T, F: FnMut(T) -> bool> {
    pub(crate) add: F,
    /// Returns a number that depends on the comparisons of the elements.
    pub(crate) digest: Digest<T>,
}

impl<T: Element + Save, F: FnMut(T) -> bool> Body for Load<T, F> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        struct Item<'a, T, F>(&'a mut F, Late<T>, usize);
        impl<T: Element, F: FnMut(T) -> bool> Body for Item<'_, T, F> {
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                let Item(add, late, index) = self;
                let mut item = Key::new();
                item.run(ar)?;
                if let Some(key) = item.key
                    && let Some(item) = late.sift(item.points, *index, key)
                    && !add(item)
                {
                    ar.session_mut().note(NoteKind::Repeated);
                }
                Ok(())
            }
        }
        let mut item = Item(&mut self.add, Late::new(Some(self.digest)), 0);
        while ar.item(item.2, &mut item)? {
            item.2 += 1;
        }
        let Item(add, late, _) = item;
        late.add(
            ar,
            |item| item,
            |index, item, ar| {
                if !add(item) {
                    ar.session_mut().note_at(Place::Item(index), NoteKind::Repeated);
                }
                Ok(())
            },
        )
    }
}

/// Implements the traits for a set. Sets differ in their bounds and in how they are saved.
macro_rules! set {
    (
        $name:literal $Set:ty, [$($generics:tt)*], [$($bounds:tt)*], $digest:ident,
        |$this:ident, $ar:ident| $save:expr
    ) => {
        impl<$($generics)*> Serialize for $Set where T: Element + Save + $($bounds)* {
            const SHAPE: &'static Shape = &Shape::Seq(shape_of::<T>(), $crate::model::shape::SET);
            const ABOUT: &'static About = &About::generic($name);

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                if !loads!(A, ar) {
                    return self.save(ar);
                }
                $crate::visit::walk::check_whole(ar)?;
                $crate::types::impls::late::check_borrows(self.iter(), ar)?;
                self.clear();
                ar.seq(Self::SHAPE, 0, &mut $crate::types::impls::set::Load {
                    add: |item| self.insert(item),
                    digest: |items| $crate::types::impls::late::$digest(items, |item| item),
                })
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

set!("BTreeSet" BTreeSet<T>, [T], [Ord], by_order, |set, ar| {
    let items = keep_order(set.iter(), |item| *item, ar)?;
    ar.seq(Self::SHAPE, set.len(), &mut Items(items))
});
set!("HashSet" HashSet<T, S>, [T, S: BuildHasher], [Eq + Hash], by_hash, |set, ar| {
    ar.seq(Self::SHAPE, set.len(), &mut Unsorted::new(set.iter(), |item| *item, Items))
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
