//! What the encoder writes: values that describe themselves, and whatever is behind a trait object.
//! While it writes, it has the output.

use archive_core::pointer::{PointerHead, PointerKind};
use archive_core::shape::Shape;
use archive_core::{Archive, Body, Erased, Result};

use super::{Saving, cannot};
use crate::encoder::is_any;

impl Saving<'_, '_> {
    /// Gives the output to the encoder. It comes back with the next byte that is written here.
    pub(super) fn lend(&mut self) {
        self.encoder.borrow(&mut self.out, self.in_block);
    }

    /// Saves a value that describes itself.
    #[inline(never)]
    pub(super) fn any<B: Body>(&mut self, body: &mut B) -> Result {
        self.lend();
        self.encoder.go_into_any();
        body.run(&mut Erased::over(&mut *self.encoder, self.session, self.options))
    }

    /// Saves a value that may describe itself, and then does if `any` says so.
    #[inline(always)]
    pub(super) fn any_or<B: Body>(&mut self, any: impl FnOnce() -> bool, body: &mut B) -> Result {
        if const { !B::TYPED } && any() { self.any(body) } else { body.run(self) }
    }

    /// Saves a pointer, and what it points to if that comes with it.
    pub(super) fn pointer<B: Body>(&mut self, head: &PointerHead<'_>, body: &mut B) -> Result {
        let tracked = head.kind == PointerKind::Body;
        let outermost = self.session.open_pointer(tracked);
        self.session.enter(self.options)?;
        match head.kind {
            PointerKind::Null => self.put([0]),
            PointerKind::Owned => {
                let concrete = self.encoder.concrete(head);
                self.varint(u64::from(concrete) + 1);
            }
            PointerKind::Body => {
                self.varint(head.id);
                let at = self.out.len();
                self.encoder.begin_body(head, at);
            }
            PointerKind::Seen | PointerKind::Later | PointerKind::Weak => self.varint(head.id),
            PointerKind::Plain => return Err(cannot("a pointer that is none")),
        }
        self.encoder.count_object(head.id);
        if head.has_body() {
            self.any_or(|| head.shape.is_any(), body)?;
        }
        if outermost && self.session.has_deferred() {
            self.erased().save_deferred()?;
        }
        self.session.leave();
        self.session.close_pointer(tracked);
        Ok(())
    }
}

/// Whether what such a value is made of describes itself.
#[inline(always)]
pub(super) fn describes_itself(shape: &'static Shape) -> bool {
    match shape {
        Shape::Seq(part, _) | Shape::Option(part) | Shape::Array(part, ..) => is_any(*part),
        Shape::Tuple(parts, _, _) => parts.iter().any(|part| is_any(*part)),
        Shape::Map(key, value) => is_any(*key) || is_any(*value),
        _ => false,
    }
}
