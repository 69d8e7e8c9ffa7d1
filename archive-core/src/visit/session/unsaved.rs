//! [`Unsaved`]: copies of fields that are not saved, for an edit that may be undone.
// Why: docs/decisions/edits-and-conversions.md#a-refused-edit-restores-fields-that-are-not-saved

use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

/// Copies of fields that are not saved, in the order in which a value is visited. They are made
/// while the value is saved into a tree, and restored while that tree is loaded over it.
#[doc(hidden)]
#[derive(Clone, Default)]
pub struct Unsaved(Option<Rc<RefCell<VecDeque<Copied>>>>);

/// `None` for a field whose type has no `Clone`.
type Copied = Option<Box<dyn Any>>;

impl Unsaved {
    /// Returns an empty list that will collect copies. The default neither makes copies nor
    /// restores any.
    #[must_use]
    pub fn empty() -> Self {
        Unsaved(Some(Rc::default()))
    }

    /// Makes a copy of a field.
    pub(crate) fn add<F: 'static>(&self, field: &F, copy: fn(&F) -> Option<Box<F>>) {
        if let Some(copies) = &self.0 {
            let copy: Copied = copy(field).map(|copy| -> Box<dyn Any> { copy });
            copies.borrow_mut().push_back(copy);
        }
    }

    /// Restores the next field from its copy.
    pub(crate) fn give_back<F: 'static>(&self, field: &mut F) {
        let Some(copies) = &self.0 else { return };
        let next = copies.borrow_mut().pop_front().flatten();
        match next.map(|copy| copy.downcast::<F>()) {
            Some(Ok(copy)) => *field = *copy,
            // A hand-written function visits other values than while saving, so the remaining
            // copies belong to other fields.
            Some(Err(_)) => copies.borrow_mut().clear(),
            None => {}
        }
    }
}

impl fmt::Debug for Unsaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} copies", self.0.as_ref().map_or(0, |copies| copies.borrow().len()))
    }
}
