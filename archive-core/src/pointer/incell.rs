//! Saves the content of a cell: through a shared borrow if the type has `Save`.

use super::contains::Contains;
use crate::model::error::Result;
use crate::visit::archive::Archive;
use crate::visit::serialize::{Save, Serialize};

/// A type whose values can be saved in a cell inside a shared pointer. Types with [`Save`] are
/// saved through a shared borrow. For `#[archive(mut_only)]` types, the cell must not be borrowed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be saved in a shared cell",
    label = "has no `Save`",
    note = "for a hand-written type add one line: `archive::save_by_clone!(Type);`",
    note = "a derived type with `#[archive(mut_only)]` is saved under a mutable borrow instead"
)]
pub trait InCell: Serialize + 'static {
    /// Saves the content of the cell.
    fn save_cell<P: Contains<Self>, A: Archive>(cell: &P, ar: &mut A) -> Result;
}

impl<T: Save + 'static> InCell for T {
    fn save_cell<P: Contains<T>, A: Archive>(cell: &P, ar: &mut A) -> Result {
        cell.with_ref(|value: &T| value.save_value(ar))
    }
}

/// Saves the content of a cell through `&mut`: the code of [`InCell::save_cell`] for types without
/// [`Save`].
pub fn save_cell_mut<T: Serialize + 'static, P: Contains<T>, A: Archive>(
    cell: &P,
    ar: &mut A,
) -> Result {
    cell.with_mut(|value: &mut T| value.value(ar))
}
