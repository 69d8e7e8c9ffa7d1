//! Saves the items of sequences.

use super::size_of_blocks;
use crate::model::block_size::BlockSize;
use crate::model::error::Result;
use crate::model::shape::Shape;
use crate::visit::archive::Archive;
use crate::visit::block::{BlockSaving, SaveBlocks};
use crate::visit::body::{Body, when};
use crate::visit::facts::BodyFacts;
use crate::visit::serialize::{Reference, Save, Serialize};
use crate::visit::walk::route;

/// The items of a container to be saved.
pub(crate) struct Items<I>(pub(crate) I);

impl<I: ExactSizeIterator<Item: Reference>> Items<I> {
    const SHAPE: &'static Shape = <I::Item as Reference>::Of::SHAPE;
}

impl<I: ExactSizeIterator<Item: Reference>> Body for Items<I> {
    const FACTS: BodyFacts = BodyFacts::items(None, !Self::SHAPE.is_any());

    #[expect(clippy::while_let_on_iterator, reason = "adapters are compiled for each type of item")]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if const { A::KIND.guided }
            && let Some(route) = route(ar)
        {
            let Some(index) = route.index() else { return Ok(()) };
            return match self.0.nth(index) {
                Some(mut item) => ar.item(index, &mut item).map(drop),
                None => Ok(()),
            };
        }
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
    fn size(&self) -> BlockSize {
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

macro_rules! slice {
    ($(#[$doc:meta])* $Slice:ident: $Bound:ident, $iter:ident $($mut:ident)?$(, $gather:ident)?) => {
        $(#[$doc])*
        pub(crate) struct $Slice<'a, T>(pub(crate) &'a $($mut)? [T]);

        impl<T: $Bound> Body for $Slice<'_, T> {
            const FACTS: BodyFacts = BodyFacts {
                item: T::SHAPE.block_size(),
                ..BodyFacts::items(None, !T::SHAPE.is_any())
            };

            #[inline]
            fn as_block(&self) -> Option<&[u8]> {
                T::block_of(self.0)
            }
            #[inline]
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                if const { A::KIND.guided }
                    && let Some(route) = route(ar)
                {
                    return match route.index() {
                        Some(index) if index < self.0.len() => {
                            ar.item(index, &mut &$($mut)? self.0[index]).map(drop)
                        }
                        _ => Ok(()),
                    };
                }
                if let Some(block) = T::block_of(self.0)
                    && ar.save_whole_block(block, const { size_of_blocks(T::SHAPE) })?
                {
                    return Ok(());
                }
                $(
                    if let Some(save) = const { when!(A::KIND.gathers, A::$gather::<T>) }
                        && save(&mut *ar, self.0)?
                    {
                        return Ok(());
                    }
                )?
                // An iterator would add four functions for each type of items.
                if const { T::SHAPE.block_size().is_some() } {
                    return Items(self.0.$iter()).run(ar);
                }
                let around = match T::SHAPE {
                    Shape::Class(class) if !self.0.is_empty() => ar.begin_objects(class),
                    _ => None,
                };
                for index in 0..self.0.len() {
                    ar.item(index, &mut &$($mut)? self.0[index])?;
                }
                match (T::SHAPE, around) {
                    (Shape::Class(class), Some(around)) => ar.end_objects(class, around),
                    _ => Ok(()),
                }
            }
        }
    };
}

slice! {
    /// Consecutive items in memory, to be saved.
    SavedSlice: Save, iter, save_items
}
slice! {
    /// Like [`SavedSlice`], through `&mut`.
    Slice: Serialize, iter_mut mut
}
