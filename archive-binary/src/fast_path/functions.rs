//! [`Functions`]: the functions of the type of a trait object, compiled for the archives of this
//! format.
// Why: docs/decisions/binary.md#trait-objects-have-functions-for-the-fast-path

use std::any::{Any, TypeId};

use archive_core::pointer::{fill, wrong_pointee};
use archive_core::{Blank, Options, Registry, Result, Save, Serialize, Shape};

use super::{Loading, Saving};

/// The functions of the type of a trait object, compiled for the archives of this format. Passed
/// to [`Registry::add_functions`].
pub struct Functions {
    /// The shape of the type.
    pub(crate) shape: &'static Shape,
    pub(super) save: for<'a, 'w> fn(&dyn Any, &mut Saving<'a, 'w>) -> Result,
    pub(super) load: for<'a, 'r> fn(&mut dyn Any, &mut Loading<'a, 'r>) -> Result,
}

impl Functions {
    /// Returns the functions of `T`.
    pub fn of<T: Serialize + Save + Blank + 'static>() -> &'static Functions {
        &Functions {
            shape: T::SHAPE,
            save: |object, ar| match object.downcast_ref::<T>() {
                Some(object) => object.save_value(ar),
                None => Err(wrong_pointee()),
            },
            load: |object, ar| match object.downcast_mut::<T>() {
                Some(object) => fill(object, ar),
                None => Err(wrong_pointee()),
            },
        }
    }

    /// Returns the functions of a concrete type, if they were added and its values are not
    /// self-describing.
    pub(crate) fn find(concrete: TypeId, options: &Options<'_>) -> Option<&'static Functions> {
        let functions: &Functions =
            options.settings().registry().and_then(|known: &Registry| known.compiled(concrete))?;
        (!functions.shape.is_any()).then_some(functions)
    }
}
