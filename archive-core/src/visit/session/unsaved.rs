//! [`Unsaved`]: copies of fields that are not saved, for an edit that may be taken back.
// Why: docs/decisions/edits-and-conversions.md#a-refused-edit-restores-fields-that-are-not-saved

use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

/// Copies of fields that are not saved, in the order in which a value is visited. They are made while
/// the value is saved into a tree, and given back while that tree is loaded over it.
#[doc(hidden)]
#[derive(Clone, Default)]
pub struct Unsaved(Option<Rc<RefCell<VecDeque<Copied>>>>);

/// `None` for a field whose type has no `Clone`.
type Copied = Option<Box<dyn Any>>;

impl Unsaved {
    /// Returns copies of nothing yet. The default makes no copies and gives none back.
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

    /// Gives the next field its copy back.
    pub(crate) fn give_back<F: 'static>(&self, field: &mut F) {
        let Some(copies) = &self.0 else { return };
        let next = copies.borrow_mut().pop_front().flatten();
        match next.map(|copy| copy.downcast::<F>()) {
            Some(Ok(copy)) => *field = *copy,
            // A function written by hand visits other values than while saving: the rest is of
            // other fields.
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
