//! Fields that are not saved, and come back all the same when an edit is taken back.

use crate::visit::archive::Archive;
use crate::visit::erased::loads;
use crate::visit::restore::Copies;
use crate::visit::walk::stays;

/// Copies a field of a value that stays, or gives it its copy back, if the archive wants it.
#[inline]
pub fn unsaved<F: 'static, C: Copies<F>, A: Archive>(ar: &mut A, field: &mut F, _: C) {
    if const { A::KIND.guided } && stays(ar) {
        let copies = &ar.session().trees.unsaved;
        if loads!(A, ar) { copies.give_back(field) } else { copies.add(field, C::copy) }
    }
}

/// As [`unsaved`], through a shared reference.
#[inline]
pub fn saved_unsaved<F: 'static, C: Copies<F>, A: Archive>(ar: &mut A, field: &F, _: C) {
    if const { A::KIND.guided } && stays(ar) {
        ar.session().trees.unsaved.add(field, C::copy);
    }
}
