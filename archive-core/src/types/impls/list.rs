//! `LinkedList`: stored as a sequence. `BinaryHeap`: stored as a sequence from its greatest item to
//! its least, so equal items give equal bytes in any order of pushing them, and a loaded heap is
//! saved to the same bytes again. Items that compare as equal but differ are saved in the order of
//! their encoding. They may be popped from the loaded heap in a different order than from the saved
//! one.
// Why: docs/decisions/types.md#heaps-are-written-in-pop-order

use std::cmp::Reverse;
use std::collections::{BinaryHeap, LinkedList};

use super::late::{Late, by_order, check_borrows};
use super::saved_order::sorted;
use super::seq::Items;
use crate::model::error::Result;
use crate::model::shape::{About, HEAP, Shape};
use crate::state::options::Options;
use crate::types::field::inside;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element};
use crate::visit::body::{Body, New};
use crate::visit::erased::loads;
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::walk::check_whole;

impl<T: Element> Serialize for LinkedList<T> {
    const SHAPE: &'static Shape = &Shape::Seq(shape_of::<T>(), "");
    const ABOUT: &'static About = &About::generic("LinkedList");
    const MAPS: usize = inside::<T>(1);

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return ar.seq(Self::SHAPE, self.len(), &mut Items(self.iter_mut()));
        }
        check_whole(ar)?;
        self.clear();
        ar.seq(Self::SHAPE, 0, &mut Push(self))
    }
}

/// Loads items and appends each to the list.
struct Push<'a, T>(&'a mut LinkedList<T>);

impl<T: Element> Body for Push<'_, T> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let mut index = 0;
        let mut item = New(None);
        while ar.item(index, &mut item)? {
            // The item is only missing if its error went into the report.
            self.0.extend(item.0.take());
            index += 1;
        }
        Ok(())
    }
}

impl<T: Element + Save> Save for LinkedList<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.seq(Self::SHAPE, self.len(), &mut Items(self.iter()))
    }
}

impl<T> Blank for LinkedList<T> {
    fn blank(_: &Options<'_>) -> Self {
        LinkedList::new()
    }
}

impl<T: Element + Save + Ord> Serialize for BinaryHeap<T> {
    const SHAPE: &'static Shape = &Shape::Seq(shape_of::<T>(), HEAP);
    const ABOUT: &'static About = &About::generic("BinaryHeap");

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return self.save(ar);
        }
        // The heap has its items in a different order than the file.
        check_whole(ar)?;
        check_borrows(self.iter(), ar)?;
        let mut items = std::mem::take(self).into_vec();
        let before = ar.session().loaded.passes.pointers;
        let mut result = items.serialize(ar);
        if ar.session().loaded.passes.pointers != before {
            let late = Late::of(std::mem::take(&mut items), |items| by_order(items, |item| item));
            let mut add = |_, item, _: &mut A| {
                items.push(item);
                Ok(())
            };
            result = result.and_then(|()| late.add(ar, |item| item, &mut add));
        }
        *self = items.into();
        result
    }
}

impl<T: Element + Save + Ord> Save for BinaryHeap<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        let mut items: Vec<&T> = self.iter().collect();
        items.sort_by_key(|item| Reverse(*item));
        if items.windows(2).any(|pair| pair[0].cmp(pair[1]).is_eq()) {
            items = sorted(items.into_iter(), |item| *item, ar)?;
            items.sort_by_key(|item| Reverse(*item));
        }
        ar.seq(Self::SHAPE, items.len(), &mut Items(items.into_iter()))
    }
}

impl<T: Ord> Blank for BinaryHeap<T> {
    fn blank(_: &Options<'_>) -> Self {
        BinaryHeap::new()
    }
}
