//! `SecondaryMap` and `SparseSecondaryMap`: maps from keys to values.

use std::hash::BuildHasher;

use slotmap::{Key, SecondaryMap, SparseSecondaryMap};

use super::keys::parts;
use crate::archive::{Archive, Body, loads};
use crate::blank::{Blank, Element};
use crate::error::{Error, ErrorKind, Result};
use crate::impls::map::{Entries, Load, SavedEntries};
use crate::impls::order::sorted;
use crate::options::Options;
use crate::shape::{Shape, shape_of};
use crate::{Save, Serialize};

/// Loads the entries, refuses the null key, and gives the entries with the largest index there is.
struct LoadEntries<'a, K, V>(&'a mut Vec<(K, V)>, u32);

impl<K: Key + Element, V: Element> Body for LoadEntries<'_, K, V> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        Load::new(|key: K, value: V| {
            self.1 = self.1.max(parts(key).0);
            self.0.push((key, value));
            true
        })
        .run(ar)
    }
}

/// Loads the entries of a secondary map; `slot` is how many bytes it needs for each index up to the
/// largest.
fn load<K: Key + Element, V: Element, A: Archive>(
    shape: &'static Shape,
    slot: usize,
    ar: &mut A,
) -> Result<Vec<(K, V)>> {
    let mut entries: Vec<(K, V)> = Vec::new();
    let mut body = LoadEntries(&mut entries, 0);
    ar.map(shape, 0, &mut body)?;
    let largest = body.1;
    if let Some(at) = entries.iter().position(|(key, _)| key.is_null()) {
        let message = "expected the key of a slot, found the null key";
        return Err(Error::new(ErrorKind::OutOfRange, message).in_item(at));
    }
    let unused = u64::from(largest).saturating_sub(entries.len() as u64);
    let limit = ar.options().get_limits().padding;
    let session = ar.session_mut();
    session.padding = session.padding.saturating_add(unused.saturating_mul(slot as u64));
    if session.padding > limit {
        return Err(Error::new(
            ErrorKind::SizeLimit,
            format_args!(
                "a map with the key index {largest} takes more than {limit} bytes for its unused \
                 slots (`Options::max_padding` raises the limit)"
            ),
        ));
    }
    Ok(entries)
}

/// The second entry of one slot.
#[cold]
fn duplicate(index: usize) -> Error {
    let message = "the slot of this map entry stands twice";
    Error::new(ErrorKind::DuplicateMember, message).in_item(index)
}

/// The two maps differ in their order and in what an index costs.
macro_rules! secondary {
    ($Map:ty, [$($S:ident)?], $slot:expr,
        |$entries:ident, $options:ident| $order:expr) => {
        impl<K: Key + Element + Save, V: Element $(, $S: BuildHasher)?> Serialize for $Map {
            const SHAPE: &'static Shape = &Shape::Map(shape_of::<K>, shape_of::<V>);

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                if loads!(A, ar) {
                    self.clear();
                    let entries = load(Self::SHAPE, $slot, ar)?;
                    for (index, (key, value)) in entries.into_iter().enumerate() {
                        self.insert(key, value);
                        if self.len() != index + 1 {
                            return Err(duplicate(index));
                        }
                    }
                    return Ok(());
                }
                let ($entries, $options) = (self.iter_mut(), ar.options());
                let mut entries: Vec<(K, &mut V)> = $order;
                let len = entries.len();
                let entries = entries.iter_mut().map(|(key, value)| (&*key, &mut **value));
                ar.map(Self::SHAPE, len, &mut Entries(Some(entries)))
            }
        }

        impl<K: Key + Element + Save, V: Element + Save $(, $S: BuildHasher)?> Save for $Map {
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                let ($entries, $options) = (self.iter(), ar.options());
                let entries: Vec<(K, &V)> = $order;
                let entries = entries.iter().map(|(key, value)| (key, *value));
                ar.map(Self::SHAPE, self.len(), &mut SavedEntries(Some(entries)))
            }
        }
    };
}

secondary!(SecondaryMap<K, V>, [], size_of::<Option<(u32, V)>>(), |entries, _options| {
    entries.collect()
});
secondary!(SparseSecondaryMap<K, V, S>, [S], 0, |entries, options| {
    sorted(entries, |(key, _)| key, options)?
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
