//! [`deep_clone`]: a copy that shares nothing with the value.

use archive_core::{Blank, Options, Polymorphic, Result, Save, Serialize};

use crate::tree;

/// Returns a copy of the saved content of a value, with the objects to which pointers refer.
/// Pointers that share an object in the value share its copy, cycles and weak pointers are
/// preserved, and the copy shares nothing with the value. A weak pointer to an object outside of
/// the value refers to nothing in the copy.
///
/// The copy is made by saving and loading: fields that are not saved start blank, and `after_load`
/// runs. Trait objects need the registry.
///
/// ```
/// use archive::Options;
/// use archive::reflect::deep_clone;
/// use std::cell::RefCell;
/// use std::rc::Rc;
///
/// let shared = Rc::new(RefCell::new(7));
/// let value = vec![shared.clone(), shared];
/// let copy = deep_clone(&value, &Options::new())?;
/// *copy[0].borrow_mut() = 8;
/// assert_eq!((*copy[1].borrow(), *value[0].borrow()), (8, 7));
/// # Ok::<(), archive::Error>(())
/// ```
pub fn deep_clone<T: Serialize + Save + Blank + 'static>(
    value: &T,
    options: &Options<'_>,
) -> Result<T> {
    let mut copy = T::try_blank(options)?;
    copy_over(value, &mut copy, options)?;
    Ok(copy)
}

fn copy_over(value: &dyn Polymorphic, copy: &mut dyn Polymorphic, options: &Options<'_>) -> Result {
    let saved = tree::save(&mut |ar| value.__archive_save(ar), options)?;
    tree::load(&mut |ar| copy.__archive_load(ar), &saved, options)
}
