//! `SlotMap` and `DenseSlotMap`: stored as an object with their entries and their vacant slots.

use slotmap::{DenseSlotMap, Key, SlotMap};

use super::copied::Copied;
use super::keys::parts;
use super::layout::{Slots, Vacant, find_vacant, make_free, next_version};
use super::limit::{count_removals, count_vacant};
use super::rebuild::Parts;
use crate::model::error::Result;
use crate::model::shape::{Class, Member, NameOf, Shape, ShapeOf};
use crate::state::options::Options;
use crate::types::impls::map::{Entries, Load};
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element, Fresh};
use crate::visit::body::Body;
use crate::visit::erased::loads;
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};
use crate::visit::walk::check_whole;

/// The description of a slot map.
trait Described {
    const ENTRIES: &'static Shape;
    const MEMBERS: &'static [Member];
}

const fn member(name: &'static str, shape: ShapeOf) -> Member {
    Member::new(name, shape)
}

fn entries_shape<T: Described>() -> &'static Shape {
    T::ENTRIES
}

/// The entries of a slot map, saved as a map in a slot.
struct SaveEntries<'a, K, V>(&'static Shape, Vec<(K, &'a V)>);

impl<K: Save, V: Save> Body for SaveEntries<'_, K, V> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let entries = self.1.iter().map(|(key, value)| (key, *value));
        ar.map(self.0, self.1.len(), &mut Entries(entries))
    }
}

/// Like [`SaveEntries`], through `&mut`.
struct VisitEntries<'a, K, V>(&'static Shape, Vec<(K, &'a mut V)>);

impl<K: Save, V: Serialize> Body for VisitEntries<'_, K, V> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let len = self.1.len();
        let entries = self.1.iter_mut().map(|(key, value)| (&*key, &mut **value));
        ar.map(self.0, len, &mut Entries(entries))
    }
}

/// The entries of a slot map to be loaded.
struct LoadEntries<'a, K, V>(&'static Shape, &'a mut Vec<(K, V)>);

impl<K: Element + Save, V: Element> Body for LoadEntries<'_, K, V> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.1.clear();
        let add = |key, value| {
            self.1.push((key, value));
            Ok(())
        };
        ar.map(self.0, 0, &mut Load { add, digest: None })
    }
}

/// Saves the members after the entries.
fn save_vacant<K: Element + Save, A: Archive>(
    vacant: &Vacant<K>,
    members: &'static [Member],
    ar: &mut A,
) -> Result {
    ar.named(&members[1], &mut &vacant.free)?;
    ar.named(&members[2], &mut &vacant.detached)
}

/// Finds the vacant slots of a map that is saved in place. If there are free slots, the map is
/// rebuilt, because finding them counted their versions up.
fn look<M: Slots, A: Archive>(map: &mut M, ar: &mut A) -> Result<Vacant<M::Key>>
where
    M::Value: Element,
{
    let (mut vacant, filler) = find_vacant(map, || M::Value::fresh(ar.options()))?;
    let keys = map.keys();
    if let Some(filler) = filler {
        if vacant.detached.is_empty() {
            let entries = keys.iter().filter_map(|key| Some((*key, map.detach(*key)?))).collect();
            let again = Vacant { free: vacant.free.clone(), detached: Vec::new() };
            *map = Parts::new(entries, again)?.build(|| Ok(filler))?;
        } else {
            // Detached slots cannot be restored, so the map is saved in its current state.
            make_free(map, vacant.free.iter().copied(), filler);
            vacant.free.iter_mut().for_each(|key| *key = next_version(*key));
        }
    }
    count::<M, A>(keys.into_iter(), &vacant, ar)?;
    Ok(vacant)
}

/// Counts the cost of building a map from these parts.
fn count<M: Slots, A: Archive>(
    entries: impl Iterator<Item = M::Key>,
    vacant: &Vacant<M::Key>,
    ar: &mut A,
) -> Result {
    count_vacant(vacant.len() as u64, M::VACANT, ar)?;
    // Versions of values are odd. The number of removals is half the version, rounded down.
    let versions = entries.chain(vacant.free.iter().copied()).map(|key| parts(key).1);
    let removals: u64 = versions.map(|version| u64::from(version / 2)).sum();
    count_removals(removals + vacant.detached.len() as u64, size_of::<M::Value>(), ar)
}

/// Builds the map that was loaded.
fn make<M: Slots, A: Archive>(
    entries: Vec<(M::Key, M::Value)>,
    vacant: Vacant<M::Key>,
    ar: &mut A,
) -> Result<M>
where
    M::Value: Element,
{
    let cost = count::<M, A>(entries.iter().map(|(key, _)| *key), &vacant, ar);
    let parts = Parts::<M>::new(entries, vacant)?;
    cost?;
    parts.build(|| M::Value::fresh(ar.options()))
}

macro_rules! slot_map {
    ($($Map:ident),*) => { $(
        impl<K: Key + Element + Save, V: Element> Described for $Map<K, V> {
            const ENTRIES: &'static Shape = &Shape::Map(shape_of::<K>(), shape_of::<V>());
            const MEMBERS: &'static [Member] = &[
                member("entries", ShapeOf::untyped(entries_shape::<Self>)),
                member("free", shape_of::<Vec<K>>()),
                member("detached", shape_of::<Vec<u32>>()),
            ];
        }

        impl<K: Key + Element + Save, V: Element> Serialize for $Map<K, V> {
            const NAME: &'static str = stringify!($Map);
            const SHAPE: &'static Shape = &Shape::Class(&Class::new(stringify!($Map), NameOf::Type(std::any::type_name::<Self>), 0).with_members(Some(Self::MEMBERS), None).with_meaning(stringify!($Map)));

            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                let members = Self::MEMBERS;
                if !loads!(A, ar) {
                    let vacant = look(self, ar)?;
                    let entries = self.iter_mut().collect();
                    ar.named(&members[0], &mut VisitEntries(Self::ENTRIES, entries))?;
                    return save_vacant(&vacant, members, ar);
                }
                check_whole(ar)?;
                let (mut entries, mut vacant) = (Vec::new(), Vacant::default());
                ar.named(&members[0], &mut LoadEntries(Self::ENTRIES, &mut entries))?;
                ar.named(&members[1], &mut &mut vacant.free)?;
                ar.named(&members[2], &mut &mut vacant.detached)?;
                *self = make(entries, vacant, ar)?;
                Ok(())
            }
        }

        /// The values must be `Clone`, because the vacant slots can only be found in a copy.
        impl<K: Key + Element + Save, V: Element + Save + Copied> Save for $Map<K, V> {
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                let entries = self.iter().collect();
                ar.named(&Self::MEMBERS[0], &mut SaveEntries(Self::ENTRIES, entries))?;
                // Done after the entries: a borrowed cell was refused while saving them, so the
                // clone cannot panic.
                let (vacant, _) = find_vacant(&mut self.clone(), || V::fresh(ar.options()))?;
                count::<Self, A>(self.keys(), &vacant, ar)?;
                save_vacant(&vacant, Self::MEMBERS, ar)
            }
        }

        impl<K: Key, V> Blank for $Map<K, V> {
            fn blank(_: &Options<'_>) -> Self {
                $Map::with_key()
            }
        }
    )* };
}
slot_map!(SlotMap, DenseSlotMap);
