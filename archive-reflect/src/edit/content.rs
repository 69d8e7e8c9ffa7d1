//! [`Content`]: the new content of a place.

use archive_core::session::{Links, Unsaved};
use archive_core::{Erased, Options, Polymorphic, Result, Value};

use crate::tree::{self, Live};

/// The content that a [`Change`](super::Change) puts into a place: a tree, and the live objects to
/// which it refers.
///
/// `From` creates a content without live objects: `Content::from(7)`. [`apply`](super::apply)
/// returns contents with live objects, so that undo restores the same objects.
#[derive(Clone, Debug, Default)]
pub struct Content {
    pub(super) tree: Value,
    pub(super) links: Links,
    /// Whether this is old content that is restored.
    pub(super) was_there: bool,
    /// Whether the ids in parts that are loaded as a [`Value`] are kept. Otherwise the objects to
    /// which these parts refer must be in the content.
    pub(super) same_ids: bool,
    /// Copies of the fields that are not saved, for an edit that is refused.
    pub(super) unsaved: Unsaved,
}

impl Content {
    /// Returns a content with the objects of the pointers in the value, not copies of them.
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

    /// Returns the tree from which a value is loaded.
    pub(super) fn live_tree(&self) -> Live<'_> {
        let Content { tree, links, same_ids, unsaved, .. } = self;
        Live { tree, links, unsaved, same_ids: *same_ids }
    }

    /// Returns the tree. A pointer to a live object is an object with only `$id`.
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
