//! [`Content`]: what a place is given.

use archive_core::session::{Links, Unsaved};
use archive_core::{Erased, Options, Polymorphic, Result, Value};

use crate::tree::{self, Live};

/// What a [`Change`](super::Change) puts into a place: a tree, and the live objects that it refers
/// to.
///
/// A tree alone comes from `From`: `Content::from(7)`. [`apply`](super::apply) returns contents with
/// live objects, so that what is taken back has the same objects as before.
#[derive(Clone, Debug, Default)]
pub struct Content {
    pub(super) tree: Value,
    pub(super) links: Links,
    /// Whether the content was in the value before, and is put back as it was.
    pub(super) was_there: bool,
    /// Whether the ids in parts that are loaded as a [`Value`] stay. Otherwise the objects that these
    /// parts refer to must be in the content.
    pub(super) same_ids: bool,
    /// Copies of the fields that are not saved, for an edit that is refused.
    pub(super) unsaved: Unsaved,
}

impl Content {
    /// Returns a content that holds the objects of the pointers in the value, and not copies of
    /// them.
    ///
    /// ```
    /// use std::cell::RefCell;
    /// use std::rc::Rc;
    ///
    /// use archive::path::Path;
    /// use archive::{Options, reflect};
    ///
    /// let object = Rc::new(RefCell::new(7));
    /// let mut slots = vec![None, None];
    /// let content = reflect::Content::live(&object, &Options::new())?;
    /// let edit = reflect::Edit::new()
    ///     .set(Path::parse("[0]")?, content.clone())
    ///     .set(Path::parse("[1]")?, content);
    /// reflect::apply(&mut slots, &edit, &Options::new())?;
    /// assert!(slots.iter().all(|slot| Rc::ptr_eq(slot.as_ref().unwrap(), &object)));
    /// # Ok::<(), archive::Error>(())
    /// ```
    pub fn live(value: &dyn Polymorphic, options: &Options<'_>) -> Result<Self> {
        let visit = &mut |ar: &mut Erased<'_>| value.__archive_save(ar);
        let (tree, links) = tree::save_live(visit, &Unsaved::default(), options)?;
        Ok(Content { tree, links, ..Content::default() })
    }

    /// Returns whether both are equal trees with the same objects.
    pub(super) fn is_same_as(&self, other: &Content) -> bool {
        self.tree == other.tree && self.links.are(&other.links)
    }

    /// Returns what a value is loaded from.
    pub(super) fn live_tree(&self) -> Live<'_> {
        let Content { tree, links, same_ids, unsaved, .. } = self;
        Live { tree, links, unsaved, same_ids: *same_ids }
    }

    /// Returns the tree. A pointer to a live object is an object with `$id` alone.
    #[must_use]
    pub fn tree(&self) -> &Value {
        &self.tree
    }

    /// Returns whether the content has live objects. It cannot be saved then.
    #[must_use]
    pub fn is_live(&self) -> bool {
        !self.links.is_empty()
    }
}

impl<V: Into<Value>> From<V> for Content {
    fn from(tree: V) -> Self {
        Content { tree: tree.into(), ..Content::default() }
    }
}
