//! Fields that are not saved, but restored when an edit is undone.

use crate::visit::archive::Archive;
use crate::visit::erased::loads;
use crate::visit::restore::Copies;
use crate::visit::walk::stays;

/// Copies a field of a value that is edited in place, or restores it from its copy, if the archive
/// requests it.
#[inline]
pub fn unsaved<F: 'static, C: Copies<F>, A: Archive>(ar: &mut A, field: &mut F, _: C) {
    if const { A::KIND.guided } && stays(ar) {
        let copies = &ar.session().trees.unsaved;
        if loads!(A, ar) { copies.give_back(field) } else { copies.add(field, C::copy) }
    }
}

/// Like [`unsaved`], through a shared reference.
#[inline]
pub fn saved_unsaved<F: 'static, C: Copies<F>, A: Archive>(ar: &mut A, field: &F, _: C) {
    if const { A::KIND.guided } && stays(ar) {
        ar.session().trees.unsaved.add(field, C::copy);
    }
}
