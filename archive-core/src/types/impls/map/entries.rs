//! Maps that are saved from borrowed values, and maps that are loaded without being built.

use std::cell::Cell;
use std::marker::PhantomData;

use super::Entries;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{About, Shape};
use crate::visit::archive::Archive;
use crate::visit::blank::Element;
use crate::visit::body::Body;
use crate::visit::erased::loads;
use crate::visit::facts::BodyFacts;
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};

/// A map that is saved from borrowed values, in the order of the slice. It is stored as a
/// `BTreeMap<K, V>`, and loads as one if no key is there twice.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use archive::json;
/// use archive::tool::BorrowedMap;
///
/// let names = [String::from("Ann"), String::from("Bob")];
/// let entries: Vec<(u32, &String)> = (7..).zip(&names).collect();
/// let text = json::to_string(&BorrowedMap(&entries))?;
/// let map: BTreeMap<u32, String> = json::from_str(&text)?;
/// assert_eq!(map[&8], "Bob");
/// assert_eq!(json::to_string(&map)?, text);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// Loading over one is an error of the kind [`ErrorKind::Unsupported`]: [`EachEntry`] loads such a
/// map.
pub struct BorrowedMap<'a, K, V>(pub &'a [(K, &'a V)]);

impl<K: Element + Save, V: Element + Save> Serialize for BorrowedMap<'_, K, V> {
    const SHAPE: &'static Shape = &Shape::Map(shape_of::<K>(), shape_of::<V>());
    const ABOUT: &'static About = &About::generic("BTreeMap");

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if loads!(A, ar) {
            return Err(Error::new(
                ErrorKind::Unsupported,
                "a map of borrowed values can only be saved",
            ));
        }
        self.save(ar)
    }
}

impl<K: Element + Save, V: Element + Save> Save for BorrowedMap<'_, K, V> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        let entries = self.0.iter().map(|(key, value)| (key, *value));
        ar.map(Self::SHAPE, self.0.len(), &mut Entries(entries))
    }
}

/// A map that is loaded entry by entry. Each entry is passed to the function, in the order of the
/// file. An error of the function gets the path of the entry. A key may come more than once.
///
/// ```
/// use archive::tool::EachEntry;
/// use archive::{Error, ErrorKind, json};
///
/// let mut sum = 0;
/// let mut add = EachEntry::new(|_: String, count: u32| {
///     sum += count;
///     if count > 9 { Err(Error::custom("too many")) } else { Ok(()) }
/// });
/// json::load_into(&mut add, br#"{"wood": 3, "iron": 4}"#)?;
/// let error = json::load_into(&mut add, br#"{"wood": 3, "iron": 40}"#).unwrap_err();
/// assert_eq!(error.to_string(), "iron: too many at line 1 column 21");
/// assert_eq!(json::to_string(&mut add).unwrap_err().kind(), ErrorKind::Unsupported);
/// assert_eq!(sum, 50);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// Saving one is an error of the kind [`ErrorKind::Unsupported`]: [`BorrowedMap`] saves such a map.
pub struct EachEntry<K, V, F> {
    each: F,
    entry: PhantomData<fn(K, V)>,
}

impl<K: Element + Save, V: Element, F: FnMut(K, V) -> Result> EachEntry<K, V, F> {
    /// Creates the map from the function that receives the entries.
    pub const fn new(each: F) -> Self {
        EachEntry { each, entry: PhantomData }
    }
}

impl<K: Element + Save, V: Element, F: FnMut(K, V) -> Result> Serialize for EachEntry<K, V, F> {
    const SHAPE: &'static Shape = &Shape::Map(shape_of::<K>(), shape_of::<V>());
    const ABOUT: &'static About = &About::generic("BTreeMap");

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            let message = "a map that is loaded entry by entry cannot be saved";
            return Err(Error::new(ErrorKind::Unsupported, message));
        }
        ar.map(Self::SHAPE, 0, &mut All(&mut self.each, PhantomData))
    }
}

/// Loads all entries.
struct All<'f, K, V, F>(&'f mut F, PhantomData<fn(K, V)>);

impl<K: Element, V: Element, F: FnMut(K, V) -> Result> Body for All<'_, K, V, F> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let key = Cell::new(None);
        let mut index = 0;
        while ar.entry(index, &mut KeyOf(&key), &mut ValueOf(&key, &mut *self.0, PhantomData))? {
            key.set(None);
            index += 1;
        }
        Ok(())
    }
}

/// Loads the key of an entry.
struct KeyOf<'k, K>(&'k Cell<Option<K>>);

impl<K: Element> Body for KeyOf<'_, K> {
    const FACTS: BodyFacts = BodyFacts::FRESH;

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.set(Some(K::load_element(ar)?));
        Ok(())
    }
}

/// Loads the value of an entry, and passes both to the function.
struct ValueOf<'k, K, V, F>(&'k Cell<Option<K>>, &'k mut F, PhantomData<fn(V)>);

impl<K, V: Element, F: FnMut(K, V) -> Result> Body for ValueOf<'_, K, V, F> {
    const FACTS: BodyFacts = BodyFacts::FRESH;

    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let value = V::load_element(ar)?;
        // The key is missing only if its error went into the report.
        let Some(key) = self.0.take() else { return Ok(()) };
        (self.1)(key, value)
    }
}
