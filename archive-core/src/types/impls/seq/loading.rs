//! Loads the items of sequences.

use std::collections::VecDeque;

use super::{in_place, size_of_blocks};
use crate::model::block_size::BlockSize;
use crate::model::error::Result;
use crate::model::shape::Shape;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::{Element, Fresh};
use crate::visit::block::{BlockLoading, LoadBlocks};
use crate::visit::body::{Body, Nothing, when};
use crate::visit::facts::BodyFacts;
use crate::visit::guide::ListChange;
use crate::visit::serialize::Serialize;
use crate::visit::session::Session;
use crate::visit::walk::route;

/// A container that items are loaded into, one after another.
pub(crate) trait Growing {
    type Item: Element;

    /// Whether [`take`](Growing::take) may return `true`.
    const TAKES: bool = false;

    /// Makes room for `len` items, including the existing ones.
    fn make_room(&mut self, len: usize);
    fn push(&mut self, item: Self::Item);
    /// Returns the items. Indexing a slice needs no function for each type of items.
    fn items(&mut self) -> &mut [Self::Item];
    fn truncate(&mut self, len: usize);
    /// Replaces the content with the items of a block, if their bytes in memory are those of the
    /// block. Returns `false` if not.
    fn take(&mut self, block: &[u8]) -> bool {
        let _ = block;
        false
    }
    /// Returns the container, if it is an empty vector.
    #[inline]
    fn as_new(&mut self) -> Option<&mut Vec<Self::Item>> {
        None
    }
}

macro_rules! growing {
    ($Container:ident, $push:ident, |$this:ident| $items:expr $(, $take:item)*) => {
        impl<T: Element> Growing for $Container<T> {
            type Item = T;

            fn make_room(&mut self, len: usize) {
                if self.capacity() == 0 {
                    // Creating a container is cheaper than growing one.
                    *self = Self::with_capacity(len);
                } else {
                    self.reserve(len.saturating_sub(self.len()));
                }
            }
            #[inline]
            fn push(&mut self, item: T) {
                self.$push(item);
            }
            #[inline]
            fn items(&mut self) -> &mut [T] {
                let $this = self;
                $items
            }
            fn truncate(&mut self, len: usize) {
                self.truncate(len);
            }
            $($take)*
        }
    };
}

growing!(
    Vec,
    push,
    |items| items,
    const TAKES: bool = true;,
    fn take(&mut self, block: &[u8]) -> bool {
        T::take_block(block, self)
    },
    #[inline]
    fn as_new(&mut self) -> Option<&mut Vec<T>> {
        if self.is_empty() { Some(self) } else { None }
    }
);

growing!(VecDeque, push_back, |items| items.make_contiguous());

/// Loads items over the existing ones, then appends the rest.
pub(crate) struct Load<'a, C>(pub(crate) &'a mut C);

struct LoadItem<'a, C>(&'a mut C, usize);

impl<C: Growing> Body for LoadItem<'_, C> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let items = self.0.items();
        if self.1 < items.len() {
            items[self.1].load_element_over(ar)?;
            self.1 += 1;
            return Ok(());
        }
        let item = if const { in_place::<C::Item>() } {
            C::Item::fresh(ar.options())
        } else {
            C::Item::load_element(ar)
        };
        match item {
            Ok(item) => self.0.push(item),
            Err(error) => return Err(error),
        }
        if const { in_place::<C::Item>() }
            && let Err(error) = self.0.items()[self.1].value(ar)
        {
            // A load that continues after errors leaves the item out.
            self.0.truncate(self.1);
            return Err(error);
        }
        self.1 += 1;
        Ok(())
    }
}

/// Loads items from a block.
struct LoadItems<'a, C> {
    into: &'a mut C,
    /// The number of items for which room was reserved.
    room: usize,
    loaded: usize,
}

impl<C: Growing> LoadBlocks for LoadItems<'_, C> {
    #[inline]
    fn size(&self) -> BlockSize {
        const { size_of_blocks(C::Item::SHAPE) }
    }

    fn take(&mut self, block: &[u8]) -> bool {
        self.into.take(block)
    }
    fn begin(&mut self, count: usize, session: &mut Session, options: &Options<'_>) {
        self.room = session.reserve(count, const { size_of::<C::Item>() }, options);
        self.into.make_room(self.room);
    }
    #[inline]
    fn next(&mut self, block: &mut BlockLoading<'_>) -> Result {
        let items = self.into.items();
        if self.loaded < items.len() {
            items[self.loaded].load_element_over(block)?;
        } else {
            self.into.push(C::Item::load_element(block)?);
        }
        self.loaded += 1;
        Ok(())
    }
    fn end(&mut self, session: &mut Session) {
        self.into.truncate(self.loaded);
        session.filled(self.room, self.loaded, const { size_of::<C::Item>() });
    }
}

/// Moves an item of a slice. The items in between move by one index.
// Rotating the slice would be faster, but adds a dozen functions for each type of items.
fn move_item<T>(items: &mut [T], from: usize, to: usize) {
    for at in from..to {
        items.swap(at, at + 1);
    }
    for at in (to..from).rev() {
        items.swap(at, at + 1);
    }
}

/// Changes the item on the path, or visits it in place.
// Separate from the code that loads all items, so that this code remains small. It calls the
// functions of that code, so that a type adds few functions.
#[cold]
#[inline(never)]
fn change_item<C: Growing, A: Archive>(into: &mut C, ar: &mut A) -> Result {
    let Some(route) = route(ar) else { return Ok(()) };
    let change = route.list_change();
    let Some(index) = route.index() else { return Ok(()) };
    let len = into.items().len();
    let to = match change {
        Some(ListChange::Insert) if index <= len => index,
        Some(ListChange::Move(to)) if index < len && to < len => to,
        Some(ListChange::Remove) | None if index < len => len - 1,
        _ => return Ok(()),
    };
    let from = match change {
        None | Some(ListChange::Insert) => {
            let at = if change.is_none() { index } else { len };
            let done = ar.item(index, &mut LoadItem(into, at));
            if done.is_err() && change.is_some() {
                // The archive may refuse an item after it was loaded.
                into.truncate(len);
            }
            done?;
            len
        }
        Some(ListChange::Move(_) | ListChange::Remove) => {
            ar.item(index, &mut Nothing)?;
            index
        }
    };
    // If the archive leaves the item out, there is nothing to insert.
    if change.is_some() && from < into.items().len() {
        move_item(into.items(), from, to);
    }
    if change == Some(ListChange::Remove) {
        into.truncate(to);
    }
    Ok(())
}

fn load_blocks<C: Growing, A: Archive>(into: &mut C, ar: &mut A) -> Result<bool> {
    ar.load_blocks(&mut LoadItems { into, room: 0, loaded: 0 })
}

impl<C: Growing> Body for Load<'_, C> {
    const FACTS: BodyFacts = BodyFacts {
        item: if C::TAKES { C::Item::SHAPE.block_size() } else { None },
        ..BodyFacts::NONE
    };

    #[inline]
    fn take_block(&mut self, block: &[u8]) -> bool {
        self.0.take(block)
    }
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if let Some(change) = const { when!(A::KIND.guided, change_item::<C, A>) }
            && route(ar).is_some()
        {
            return change(&mut *self.0, &mut *ar);
        }
        if let Some(blocks) =
            const { when!(C::Item::SHAPE.block_size().is_some(), load_blocks::<C, A>) }
            && blocks(&mut *self.0, &mut *ar)?
        {
            return Ok(());
        }
        if let Some(take) = const { when!(A::KIND.gathers, A::take_items::<C::Item>) }
            && let Some(new) = self.0.as_new()
            && take(&mut *ar, new)?
        {
            return Ok(());
        }
        let hint = ar.size_hint();
        let (session, options) = ar.parts_mut();
        let room = session.reserve(hint, const { size_of::<C::Item>() }, options);
        self.0.make_room(room);
        let around = match C::Item::SHAPE {
            Shape::Class(class) if hint > 0 && class.block_size().is_none() => {
                ar.begin_objects(class)
            }
            _ => None,
        };
        let mut item = LoadItem(&mut *self.0, 0);
        let mut index = 0;
        while ar.item(index, &mut item)? {
            index += 1;
        }
        let len = item.1;
        if let (Shape::Class(class), Some(around)) = (C::Item::SHAPE, around) {
            ar.end_objects(class, around)?;
        }
        self.0.truncate(len);
        ar.session_mut().filled(room, len, const { size_of::<C::Item>() });
        Ok(())
    }
}
