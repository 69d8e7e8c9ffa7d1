//! Drops values that hold long chains of shared objects, without recursion.
// Why: docs/decisions/pointers.md#the-functions-of-a-value-find-its-objects

mod census;
mod release;

pub(crate) use crate::state::wanted::Wanted;
pub(crate) use census::empty_unheld;

use crate::__unless_erased;
use crate::model::shape::may_point;
use crate::state::chains::may_chain;
use crate::state::options::Options;
use crate::state::registry::Registry;
use crate::visit::body::Body;
use crate::visit::serialize::Serialize;
use census::Census;
use release::release;

/// Drops a value without recursion from one shared object to the next.
///
/// A chain of `Rc<RefCell<Node>>`, each with a pointer to the next, can be saved and loaded at any
/// length. But when Rust drops the first object, it drops the second one inside that call, and so
/// on: some ten thousand objects overflow the stack of a thread. To drop a value that may contain
/// such a chain, pass it to this function:
///
/// ```
/// use std::cell::RefCell;
/// use std::rc::Rc;
///
/// #[derive(Default)]
/// struct Node { next: Option<Rc<RefCell<Node>>> }
/// archive::members!(Node { next });
/// archive::blank!(Node);
///
/// let mut chain = None;
/// for _ in 0..300_000 {
///     chain = Some(Rc::new(RefCell::new(Node { next: chain })));
/// }
/// archive::dismantle(chain);
/// ```
///
/// The objects are found by the type's own functions, as if the value were saved. An object that
/// something else still holds remains unchanged, and so does everything that it holds. Objects in
/// cells that hold each other in a cycle, and that nothing else holds, are emptied and freed. Trait
/// objects in such a cycle are leaked, as they are when the value is dropped.
///
/// Values that are not visited are dropped as usual: skipped fields, the content of a borrowed
/// cell, and chains of `Box`, `Rc` and `Arc` without a cell beyond the depth limit of 128.
///
/// `load_into` does the same with the old content of the value, and a failed load does it with the
/// objects that it created. With a registry, `load_into` assumes that trait objects are of
/// registered types: other trait objects can be neither saved nor loaded.
pub fn dismantle<T: Serialize>(mut value: T) {
    let options = Options::new();
    // The trait objects need not be of registered types.
    let Some(found) = Held::among(&mut value, &options, None) else { return };
    drop(value);
    let rest: Vec<_> =
        release(found.0).into_iter().filter_map(|retained| retained.into_handle()).collect();
    empty_unheld(rest.iter(), &options);
}

/// The objects that a value holds, retained until the value has been changed. Then the objects that
/// nothing else holds are dropped one by one.
pub(crate) struct Held(Census);

impl Held {
    /// Returns the objects that the value holds, if they may form a chain. Its trait objects are of
    /// the types in the registry, if the options have one.
    #[inline]
    pub(crate) fn of<T: Serialize + ?Sized>(value: &mut T, options: &Options<'_>) -> Option<Self> {
        Self::among(value, options, options.settings().registry())
    }

    #[inline]
    fn among<T: Serialize + ?Sized>(
        value: &mut T,
        options: &Options<'_>,
        registry: Option<&Registry>,
    ) -> Option<Self> {
        // A tree does not hold objects of the program's types.
        if const { T::HOLDS_VALUES || !std::mem::needs_drop::<T>() }
            || !may_point(T::SHAPE)
            || !may_chain(T::SHAPE, registry)
        {
            return None;
        }
        let wanted = Wanted::chains(registry);
        Some(Held(Census::of(options, wanted, |ar| {
            let mut value = &mut *value;
            __unless_erased!(
                value.run(ar),
                value.run(&mut crate::visit::archive::Archive::erased(ar))
            )
        })))
    }

    pub(crate) fn release(self) {
        release(self.0);
    }
}

/// Loads over a value, and then drops the objects that it held.
#[inline]
pub fn over<T: Serialize + ?Sized, R>(
    value: &mut T,
    options: &Options<'_>,
    load: impl FnOnce(&mut T) -> R,
) -> R {
    let held = Held::of(value, options);
    let loaded = load(value);
    if let Some(held) = held {
        held.release();
    }
    loaded
}
