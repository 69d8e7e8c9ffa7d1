//! The items of sequences, being loaded.

use std::collections::VecDeque;

use super::{in_place, size_of_blocks};
use crate::Serialize;
use crate::archive::{Archive, Body};
use crate::blank::{Element, Fresh};
use crate::block::{BlockLoading, LoadBlocks, Size};
use crate::body::{New, Nothing, when};
use crate::error::Result;
use crate::options::Options;
use crate::path::{ListChange, route};
use crate::session::Session;

/// A container that items are loaded into, one after another.
pub(crate) trait Growing {
    type Item: Element;

    /// Makes room for `len` items, including the existing ones.
    fn make_room(&mut self, len: usize);
    fn push(&mut self, item: Self::Item);
    fn len(&self) -> usize;
    fn get(&mut self, index: usize) -> Option<&mut Self::Item>;
    fn truncate(&mut self, len: usize);
    /// Moves the item at `from` to `to`; the items between them move by one place.
    fn shift(&mut self, from: usize, to: usize);
    /// Replaces the content by the items of a block, if they are in memory as they are in the
    /// block. Returns `false` if not.
    fn take(&mut self, block: &[u8]) -> bool {
        let _ = block;
        false
    }
}

macro_rules! growing {
    ($Container:ident, $push:ident, |$this:ident| $items:expr $(, $take:item)?) => {
        impl<T: Element> Growing for $Container<T> {
            type Item = T;

            #[inline]
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
            fn len(&self) -> usize {
                self.len()
            }
            #[inline]
            fn get(&mut self, index: usize) -> Option<&mut T> {
                self.get_mut(index)
            }
            fn truncate(&mut self, len: usize) {
                self.truncate(len);
            }
            fn shift(&mut self, from: usize, to: usize) {
                let $this = self;
                shift($items, from, to);
            }
            $($take)?
        }
    };
}

growing!(
    Vec,
    push,
    |items| items,
    fn take(&mut self, block: &[u8]) -> bool {
        T::take_block(block, self)
    }
);

growing!(VecDeque, push_back, |items| items.make_contiguous());

/// Moves an item in a slice: see [`Growing::shift`].
pub(crate) fn shift<T>(items: &mut [T], from: usize, to: usize) {
    if from < to {
        items[from..=to].rotate_left(1);
    } else {
        items[to..=from].rotate_right(1);
    }
}

/// Loads items over the existing ones, and then after them.
pub(crate) struct Load<'a, C>(pub(crate) &'a mut C);

struct LoadItem<'a, C>(&'a mut C, usize);

impl<C: Growing> Body for LoadItem<'_, C> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if let Some(item) = self.0.get(self.1) {
            item.load_element_over(ar)?;
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
            && let Some(item) = self.0.get(self.1)
            && let Err(error) = item.value(ar)
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
    fn size(&self) -> Size {
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
        match self.into.get(self.loaded) {
            Some(item) => item.load_element_over(block)?,
            None => {
                let item = C::Item::load_element(block)?;
                self.into.push(item);
            }
        }
        self.loaded += 1;
        Ok(())
    }
    fn end(&mut self, session: &mut Session) {
        self.into.truncate(self.loaded);
        session.filled(self.room, self.loaded, const { size_of::<C::Item>() });
    }
}

/// Changes the item that a path leads to, or visits it in place.
// Apart from the code that loads all items, which stays as small as it is without this.
#[cold]
#[inline(never)]
fn change_item<C: Growing, A: Archive>(into: &mut C, ar: &mut A) -> Result {
    let Some(route) = route(ar) else { return Ok(()) };
    let change = route.list_change();
    let Some(index) = route.index() else { return Ok(()) };
    let len = into.len();
    match change {
        None => match into.get(index) {
            Some(mut item) => ar.item(index, &mut item).map(drop),
            None => Ok(()),
        },
        Some(ListChange::Insert) if index <= len => {
            let mut new = New(None);
            ar.item(index, &mut new)?;
            // Nothing is there if the archive leaves the item out.
            if let Some(item) = new.0 {
                into.push(item);
                into.shift(len, index);
            }
            Ok(())
        }
        Some(ListChange::Remove) if index < len => {
            ar.item(index, &mut Nothing)?;
            into.shift(index, len - 1);
            into.truncate(len - 1);
            Ok(())
        }
        Some(ListChange::Move(to)) if index < len && to < len => {
            ar.item(index, &mut Nothing)?;
            into.shift(index, to);
            Ok(())
        }
        Some(_) => Ok(()),
    }
}

fn load_blocks<C: Growing, A: Archive>(into: &mut C, ar: &mut A) -> Result<bool> {
    ar.load_blocks(&mut LoadItems { into, room: 0, loaded: 0 })
}

impl<C: Growing> Body for Load<'_, C> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if let Some(change) = const { when!(A::GUIDED, change_item::<C, A>) }
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
        let hint = ar.size_hint();
        let (session, options) = ar.parts_mut();
        let room = session.reserve(hint, const { size_of::<C::Item>() }, options);
        self.0.make_room(room);
        let mut item = LoadItem(&mut *self.0, 0);
        let mut index = 0;
        while ar.item(index, &mut item)? {
            index += 1;
        }
        let len = item.1;
        self.0.truncate(len);
        ar.session_mut().filled(room, len, const { size_of::<C::Item>() });
        Ok(())
    }
}
