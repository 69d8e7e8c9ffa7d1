//! `SmallVec`: a sequence.

use smallvec::{Array, SmallVec};

use crate::model::error::Result;
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::types::field::{Bytes, Map, inside};
use crate::types::impls::Items;
use crate::types::impls::seq::{Growing, Load};
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element};
use crate::visit::erased::loads;
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};

impl<N: Array<Item: Element>> Growing for SmallVec<N> {
    type Item = N::Item;

    fn make_room(&mut self, len: usize) {
        self.reserve(len.saturating_sub(self.len()));
    }
    #[inline]
    fn push(&mut self, item: N::Item) {
        self.push(item);
    }
    #[inline]
    fn items(&mut self) -> &mut [N::Item] {
        self.as_mut_slice()
    }
    fn truncate(&mut self, len: usize) {
        self.truncate(len);
    }
}

impl<N: Array<Item: Element>> Serialize for SmallVec<N> {
    const SHAPE: &'static Shape = &Shape::Seq(shape_of::<N::Item>(), "");
    const ABOUT: &'static About = &About::generic("SmallVec");
    const MAPS: usize = inside::<N::Item>(1);

    #[inline]
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if loads!(A, ar) {
            ar.seq(Self::SHAPE, 0, &mut Load(self))
        } else {
            ar.seq(Self::SHAPE, self.len(), &mut Items(self.iter_mut()))
        }
    }
}

impl<N: Array<Item: Element + Save>> Save for SmallVec<N> {
    #[inline]
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.seq(Self::SHAPE, self.len(), &mut Items(self.iter()))
    }
}

impl<N: Array<Item: Map + Element>> Map for SmallVec<N> {
    const LEVELS: usize = 1 + N::Item::LEVELS;
}

impl<N: Array<Item = u8>> Bytes for SmallVec<N> {
    fn as_bytes(&self) -> &[u8] {
        self
    }
    fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        Ok(bytes.into())
    }
}

impl<N: Array> Blank for SmallVec<N> {
    #[inline]
    fn blank(_: &Options<'_>) -> Self {
        SmallVec::new()
    }
}
