//! [`Late`]: items that are added to a set, a map or a heap only after all of them were loaded,
//! because their keys refer to shared objects.
// Why: docs/decisions/pointers.md#keys-of-later-objects-reload-the-root

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::saved_order::save_key;
use crate::format::sort_key::{self, SaveKey};
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{Shape, may_point};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Element;
use crate::visit::body::Body;
use crate::visit::facts::BodyFacts;
use crate::visit::serialize::Save;
use crate::visit::session::Session;
use crate::visit::walk::stays;

/// A key to be loaded.
pub(crate) struct Key<K> {
    pub(crate) key: Option<K>,
    /// Whether the key contains a pointer.
    pub(crate) points: bool,
}

impl<K> Key<K> {
    pub(crate) fn new() -> Self {
        Key { key: None, points: false }
    }
}

impl<K: Element> Body for Key<K> {
    const FACTS: BodyFacts = BodyFacts::FRESH;

    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        if const { matches!(K::SHAPE, Shape::Primitive(..)) } {
            self.key = Some(K::load_element(ar)?);
            return Ok(());
        }
        let before = ar.session().loaded.passes.pointers;
        self.key = Some(K::load_element(ar)?);
        self.points = ar.session().loaded.passes.pointers != before;
        Ok(())
    }
}

/// Returns a number that depends on the comparisons of the items' keys.
pub(crate) type Digest<T> = fn(&[(usize, T)]) -> u64;

/// The items from the first one whose key contains a pointer on, with their indices. Keys are
/// compared when items are added, and the objects to which a key refers may come after it.
pub(crate) struct Late<T> {
    items: Vec<(usize, T)>,
    digest: Option<Digest<T>>,
}

impl<T> Late<T> {
    /// Creates an empty list. Without a digest, no item is late.
    pub(crate) fn new(digest: Option<Digest<T>>) -> Self {
        Late { items: Vec::new(), digest }
    }

    /// Returns items that are all late.
    pub(crate) fn of(items: Vec<T>, digest: Digest<T>) -> Self {
        let mut late = Late::new(Some(digest));
        for (index, item) in items.into_iter().enumerate() {
            late.items.push((index, item));
        }
        late
    }

    /// Returns the item if it can be added now. `points` is whether its key contains a pointer.
    #[inline]
    pub(crate) fn sift(&mut self, points: bool, index: usize, item: T) -> Option<T> {
        if !points && self.items.is_empty() || self.digest.is_none() {
            return Some(item);
        }
        self.items.push((index, item));
        None
    }

    /// Adds the items. If objects of their keys are incomplete, it adds none, and the root is
    /// loaded again.
    pub(crate) fn add<K: Save, A: Archive>(
        self,
        ar: &mut A,
        key: impl Fn(&T) -> &K,
        mut add: impl FnMut(usize, T, &mut A) -> Result,
    ) -> Result {
        if self.items.is_empty() {
            return Ok(());
        }
        check_borrows(self.items.iter().map(|(_, item)| key(item)), ar)?;
        let (session, options) = ar.parts_mut();
        if !session.adds_keys(K::SHAPE, options) {
            return Ok(());
        }
        session.note_keys(|| self.digest.map_or(0, |digest| digest(&self.items)));
        for (index, item) in self.items {
            add(index, item, ar)?;
        }
        Ok(())
    }
}

/// Checks that no key which an edit adds or removes refers to an object that is being changed. The
/// cell of such an object is borrowed, and comparing the key might borrow it too.
///
/// # Errors
/// [`ErrorKind::Borrowed`] if one does.
pub(crate) fn check_borrows<'a, K: Save + 'a, A: Archive>(
    keys: impl Iterator<Item = &'a K>,
    ar: &mut A,
) -> Result {
    if const { matches!(K::SHAPE, Shape::Primitive(..)) } || !stays(ar) || !may_point(K::SHAPE) {
        return Ok(());
    }
    let (session, options) = ar.parts_mut();
    for key in keys {
        check_borrow(session, options, &mut |ar| save_key(key, ar))?;
    }
    Ok(())
}

fn check_borrow(session: &mut Session, options: &Options<'_>, save: SaveKey<'_>) -> Result {
    let outer = session.begin_sorting(true);
    let encoded = sort_key::encode(session, options, save);
    session.end_sorting(outer);
    encoded.map(drop).map_err(|error| match error.kind() {
        ErrorKind::Borrowed => Error::new(
            ErrorKind::Borrowed,
            "a key refers to an object that is being changed, so it cannot be compared with others",
        ),
        _ => error,
    })
}

/// Returns a number that depends on the comparison of each key with the previous one.
pub(crate) fn by_order<T, K: Ord>(items: &[(usize, T)], key: impl Fn(&T) -> &K) -> u64 {
    let mut hasher = FxHasher::default();
    for index in 1..items.len() {
        hasher.write_i8(key(&items[index - 1].1).cmp(key(&items[index].1)) as i8);
    }
    hasher.finish()
}

/// Returns a number that depends on the hash of each key.
pub(crate) fn by_hash<T, K: Hash>(items: &[(usize, T)], key: impl Fn(&T) -> &K) -> u64 {
    let mut hasher = FxHasher::default();
    for (_, item) in items {
        key(item).hash(&mut hasher);
    }
    hasher.finish()
}
