//! Lists and maps that do not announce their length.

use std::collections::BTreeMap;

use archive::format::encoder::UNCOUNTED;
use archive::shape::Shape;
use archive::tool::{Body, BodyFacts};
use archive::{Archive, Element, Result, Save, Serialize};

struct Items<'a, T>(&'a [T]);

impl<T: Save> Body for Items<'_, T> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (index, mut item) in self.0.iter().enumerate() {
            ar.item(index, &mut item)?;
        }
        Ok(())
    }
}

struct TypedItems<'a, T>(Items<'a, T>);

impl<T: Save> Body for TypedItems<'_, T> {
    const FACTS: BodyFacts = BodyFacts { typed: true, ..BodyFacts::NONE };

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.run(ar)
    }
}

struct Entries<'a, K, V>(&'a BTreeMap<K, V>);

impl<K: Save, V: Save> Body for Entries<'_, K, V> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        for (index, (mut key, mut value)) in self.0.iter().enumerate() {
            ar.entry(index, &mut key, &mut value)?;
        }
        Ok(())
    }
}

/// A list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Uncounted<T>(pub Vec<T>);

impl<T: Element + Save> Serialize for Uncounted<T> {
    const SHAPE: &'static Shape = <Vec<T>>::SHAPE;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if ar.is_loading() { self.0.serialize(ar) } else { self.save(ar) }
    }
}
impl<T: Element + Save> Save for Uncounted<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.seq(Self::SHAPE, UNCOUNTED, &mut Items(&self.0))
    }
}
archive::blank!(impl<T> Uncounted<T>, Uncounted(Vec::new()));

/// As [`Uncounted`], and declares that no item is self-describing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TypedUncounted<T>(pub Vec<T>);

impl<T: Element + Save> Serialize for TypedUncounted<T> {
    const SHAPE: &'static Shape = <Vec<T>>::SHAPE;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if ar.is_loading() { self.0.serialize(ar) } else { self.save(ar) }
    }
}
impl<T: Element + Save> Save for TypedUncounted<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.seq(Self::SHAPE, UNCOUNTED, &mut TypedItems(Items(&self.0)))
    }
}

/// A map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UncountedMap<K, V>(pub BTreeMap<K, V>);

impl<K: Element + Save + Ord, V: Element + Save> Serialize for UncountedMap<K, V> {
    const SHAPE: &'static Shape = <BTreeMap<K, V>>::SHAPE;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if ar.is_loading() { self.0.serialize(ar) } else { self.save(ar) }
    }
}
impl<K: Element + Save + Ord, V: Element + Save> Save for UncountedMap<K, V> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.map(Self::SHAPE, UNCOUNTED, &mut Entries(&self.0))
    }
}
