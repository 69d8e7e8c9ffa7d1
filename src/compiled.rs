//! The macro `register!`, which also compiles the functions of each type for the formats that have
//! archives of their own.

use archive_core::{Blank, Registry, Save, Serialize};

/// Registers types for a trait: `register!(registry, dyn Command { MoveTo, Follow as "follow" })?`.
///
/// Without `as`, a type's id is its [`NAME`](crate::Serialize::NAME), or its name as written in the
/// call, without the module. The arguments of generic types are part of the id (`Spawn<Orc>`). The
/// trait object is written with the bounds that the pointers have (`dyn Command + Send + Sync`).
/// The macro returns a [`Result`](crate::Result): see
/// [`Registry::register`](crate::Registry::register).
///
/// In the binary format, objects of types that are registered in this way are saved and loaded as
/// fast as values that are not trait objects, because the macro compiles their functions for that
/// format.
///
/// With [`Unknown`](crate::Unknown) in the list, [`Options::keep_unknown`](crate::Options::keep_unknown)
/// keeps objects whose type ids are not registered.
#[macro_export]
macro_rules! register {
    ($registry:expr, dyn $($rest:tt)+) => {
        $crate::__private::__register!([$crate::__private::Compiled] $registry, [] $($rest)+)
    };
}

/// The formats for which `register!` compiles functions.
#[doc(hidden)]
pub struct Compiled;

impl archive_core::AddFunctions for Compiled {
    fn add<T: Serialize + Save + Blank + 'static>(registry: &mut Registry) {
        #[cfg(feature = "binary")]
        archive_core::__unless_erased!(
            registry.add_functions::<T, _>(archive_binary::Functions::of::<T>()),
            _ = registry
        );
        #[cfg(not(feature = "binary"))]
        {
            _ = registry;
        }
    }
}
