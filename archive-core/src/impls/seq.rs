//! Sequences: `Vec`, `VecDeque`, and slices through shared references.

use std::collections::VecDeque;

use crate::archive::{Archive, Body, loads};
use crate::blank::{Blank, Element, Fresh};
use crate::block::{BlockLoading, BlockSaving, LoadBlocks, SaveBlocks, Size};
use crate::body::when;
use crate::error::Result;
use crate::field::inside;
use crate::options::Options;
use crate::serialize::Reference;
use crate::session::Session;
use crate::shape::{Shape, shape_of};
use crate::{Save, Serialize};

/// The items of a container that is saved.
pub(crate) struct Items<I>(pub(crate) I);

impl<I: ExactSizeIterator<Item: Reference>> Items<I> {
    const SHAPE: &'static Shape = <I::Item as Reference>::Of::SHAPE;
}

impl<I: ExactSizeIterator<Item: Reference>> Body for Items<I> {
    const NEVER_ANY: bool = !Self::SHAPE.is_any();
    const COUNTED: bool = true;

    #[inline]
    #[expect(clippy::while_let_on_iterator, reason = "adapters are compiled for each type of item")]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if let Some(blocks) =
            const { when!(Self::SHAPE.block_size().is_some(), save_blocks::<Self, A>) }
            && blocks(&mut *self, &mut *ar)?
        {
            return Ok(());
        }
        let mut index = 0;
        while let Some(mut item) = self.0.next() {
            ar.item(index, &mut item)?;
            index += 1;
        }
        Ok(())
    }
}

fn save_blocks<B: SaveBlocks, A: Archive>(items: &mut B, ar: &mut A) -> Result<bool> {
    ar.save_blocks(items)
}

impl<I: ExactSizeIterator<Item: Reference>> SaveBlocks for Items<I> {
    #[inline]
    fn size(&self) -> Size {
        const { size_of_blocks(Self::SHAPE) }
    }

    fn count(&self) -> usize {
        self.0.len()
    }
    #[inline]
    fn next(&mut self, block: &mut BlockSaving<'_>) -> Result {
        match self.0.next() {
            Some(mut item) => item.run(block),
            None => Ok(()),
        }
    }
}

/// Returns the size of each item in a block. The result is not used if items cannot be in blocks.
const fn size_of_blocks(item: &Shape) -> Size {
    match item.block_size() {
        Some(size) => size,
        None => Size::number(0),
    }
}

/// Consecutive items in memory that are saved.
pub(crate) struct SavedSlice<'a, T>(pub(crate) &'a [T]);

impl<T: Save> Body for SavedSlice<'_, T> {
    const NEVER_ANY: bool = !T::SHAPE.is_any();
    const COUNTED: bool = true;

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        match T::block_of(self.0) {
            Some(block) if ar.save_whole_block(block, const { size_of_blocks(T::SHAPE) })? => {
                Ok(())
            }
            _ => Items(self.0.iter()).run(ar),
        }
    }
}

/// As [`SavedSlice`], through `&mut`.
pub(crate) struct Slice<'a, T>(pub(crate) &'a mut [T]);

impl<T: Serialize> Body for Slice<'_, T> {
    const NEVER_ANY: bool = !T::SHAPE.is_any();
    const COUNTED: bool = true;

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        match T::block_of(self.0) {
            Some(block) if ar.save_whole_block(block, const { size_of_blocks(T::SHAPE) })? => {
                Ok(())
            }
            _ => Items(self.0.iter_mut()).run(ar),
        }
    }
}

/// A container that items are loaded into, one after another.
pub(crate) trait Growing {
    type Item: Element;

    /// Makes room for `len` items, including the existing ones.
    fn make_room(&mut self, len: usize);
    fn push(&mut self, item: Self::Item);
    fn get(&mut self, index: usize) -> Option<&mut Self::Item>;
    fn truncate(&mut self, len: usize);
    /// Replaces the content by the items of a block, if they are in memory as they are in the
    /// block. Returns `false` if not.
    fn take(&mut self, block: &[u8]) -> bool {
        let _ = block;
        false
    }
}

macro_rules! growing {
    ($Container:ident, $push:ident $(, $take:item)?) => {
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
            fn get(&mut self, index: usize) -> Option<&mut T> {
                self.get_mut(index)
            }
            fn truncate(&mut self, len: usize) {
                self.truncate(len);
            }
            $($take)?
        }
    };
}
growing!(
    Vec,
    push,
    fn take(&mut self, block: &[u8]) -> bool {
        T::take_block(block, self)
    }
);
growing!(VecDeque, push_back);

/// Returns whether a new value is created in its final place and loaded there, because objects may
/// be large. Types whose blank values allocate, such as pointers, are excluded: they should be
/// created only once.
pub(super) const fn in_place<T: Serialize>() -> bool {
    T::OVERWRITES && matches!(T::SHAPE, Shape::Class(_))
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

fn load_blocks<C: Growing, A: Archive>(into: &mut C, ar: &mut A) -> Result<bool> {
    ar.load_blocks(&mut LoadItems { into, room: 0, loaded: 0 })
}

impl<C: Growing> Body for Load<'_, C> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
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

macro_rules! seq {
    ($($Container:ident |$this:ident| $items:expr, $saved:expr;)*) => { $(
        impl<T: Element> Serialize for $Container<T> {
            const SHAPE: &'static Shape = &Shape::Seq(shape_of::<T>(), "");
            const OVERWRITES: bool = true;
            const HOLDS_VALUES: bool = T::HOLDS_VALUES;
            const MAPS: usize = inside::<T>(1);

            #[inline]
            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                if loads!(A, ar) {
                    ar.seq(Self::SHAPE, 0, &mut Load(self))
                } else {
                    let $this = self;
                    ar.seq(Self::SHAPE, $this.len(), &mut $items)
                }
            }
            #[inline]
            fn load_item<A: Archive>(&mut self, ar: &mut A) -> Result {
                self.value(ar).inspect_err(|_| self.clear())
            }
        }
        impl<T: Element + Save> Save for $Container<T> {
            #[inline]
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                let $this = self;
                ar.seq(Self::SHAPE, $this.len(), &mut $saved)
            }
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
    Vec |items| Slice(items), SavedSlice(items);
    VecDeque |items| Items(items.iter_mut()), Items(items.iter());
}

/// A slice can be saved. Its items can be loaded over, if the file has the same number of items.
impl<T: Element> Serialize for [T] {
    const SHAPE: &'static Shape = &Shape::Seq(shape_of::<T>(), "");

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        let len = self.len();
        struct Slice<'a, T>(&'a mut [T]);
        impl<T: Element> Body for Slice<'_, T> {
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                let len = self.0.len();
                for (index, mut item) in self.0.iter_mut().enumerate() {
                    if loads!(A, ar) {
                        super::tuple_item(ar, index, len, &mut super::tuple::OverItem(item))?;
                    } else {
                        super::tuple_item(ar, index, len, &mut item)?;
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
