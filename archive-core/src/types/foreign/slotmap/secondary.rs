//! `SecondaryMap` and `SparseSecondaryMap`: maps from keys to values.

use std::hash::BuildHasher;
use std::num::NonZero;

use slotmap::{Key, SecondaryMap, SparseSecondaryMap};

use super::keys::parts;
use super::limit::count_vacant;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::types::impls::map::{Entries, Load};
use crate::types::impls::saved_order::sorted;
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element};
use crate::visit::erased::loads;
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::walk::check_whole;

/// Loads the entries of a secondary map. The map takes `slot` bytes for each index up to the
/// largest.
fn load<K: Key + Element + Save, V: Element, A: Archive>(
    shape: &'static Shape,
    slot: usize,
    ar: &mut A,
) -> Result<Vec<(K, V)>> {
    let mut entries: Vec<(K, V)> = Vec::new();
    let add = |key, value| {
        entries.push((key, value));
        Ok(())
    };
    ar.map(shape, 0, &mut Load { add, digest: None })?;
    if let Some(at) = entries.iter().position(|(key, _)| key.is_null()) {
        let message = "expected the key of a slot, found the null key";
        return Err(Error::new(ErrorKind::OutOfRange, message).in_item(at));
    }
    count_unused(entries.iter().map(|(key, _)| *key), slot, ar)?;
    Ok(entries)
}

/// Counts the slots without values, up to the largest index.
fn count_unused<K: Key, A: Archive>(
    keys: impl ExactSizeIterator<Item = K>,
    slot: usize,
    ar: &mut A,
) -> Result {
    let count = keys.len() as u64;
    let largest = keys.map(|key| parts(key).0).max().unwrap_or_default();
    count_vacant(u64::from(largest).saturating_sub(count), slot, ar)
}

/// Returns the error for a second entry of the same slot.
#[cold]
fn duplicate(slot: u32, index: usize) -> Error {
    let message = format_args!("duplicate slot {slot}");
    Error::new(ErrorKind::DuplicateMember, message).in_item(index)
}

/// Implements the traits for both maps. They differ in their order and in the memory per index.
macro_rules! secondary {
    ($Map:ty, [$($S:ident)?], $slot:expr,
        |$entries:ident, $ar:ident| $order:expr) => {
        impl<K: Key + Element + Save, V: Element $(, $S: BuildHasher)?> Serialize for $Map {
            const SHAPE: &'static Shape = &Shape::Map(shape_of::<K>(), shape_of::<V>());
            const ABOUT: &'static About = &About::generic(stringify!($Map));

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                if loads!(A, ar) {
                    check_whole(ar)?;
                    self.clear();
                    let entries = load(Self::SHAPE, $slot, ar)?;
                    for (index, (key, value)) in entries.into_iter().enumerate() {
                        self.insert(key, value);
                        if self.len() != index + 1 {
                            return Err(duplicate(parts(key).0, index));
                        }
                    }
                    return Ok(());
                }
                let ($entries, $ar) = (self.iter_mut(), &mut *ar);
                let mut entries: Vec<(K, &mut V)> = $order;
                count_unused(entries.iter().map(|(key, _)| *key), $slot, ar)?;
                let len = entries.len();
                let entries = entries.iter_mut().map(|(key, value)| (&*key, &mut **value));
                ar.map(Self::SHAPE, len, &mut Entries(entries))
            }
        }

        impl<K: Key + Element + Save, V: Element + Save $(, $S: BuildHasher)?> Save for $Map {
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                let ($entries, $ar) = (self.iter(), &mut *ar);
                let entries: Vec<(K, &V)> = $order;
                count_unused(entries.iter().map(|(key, _)| *key), $slot, ar)?;
                let entries = entries.iter().map(|(key, value)| (key, *value));
                ar.map(Self::SHAPE, self.len(), &mut Entries(entries))
            }
        }
    };
}

secondary!(SecondaryMap<K, V>, [], size_of::<Option<(NonZero<u32>, V)>>(), |entries, _ar| {
    entries.collect()
});
secondary!(SparseSecondaryMap<K, V, S>, [S], 0, |entries, ar| {
    sorted(entries, |(key, _)| key, ar)?
});

impl<K: Key, V> Blank for SecondaryMap<K, V> {
    fn blank(_: &Options<'_>) -> Self {
        SecondaryMap::new()
    }
}

impl<K: Key, V, S: BuildHasher + Default> Blank for SparseSecondaryMap<K, V, S> {
    fn blank(_: &Options<'_>) -> Self {
        SparseSecondaryMap::default()
    }
}
