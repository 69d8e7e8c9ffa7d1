//! Descriptions of types that can be saved, for code that handles any type.

use std::any::TypeId;

use super::{Serialize, shape_of_value};
use crate::model::identity::Identity;
use crate::model::shape::{Class, Shape, ShapeOf, TypeInfo};
use crate::state::options::Options;

/// Returns a reference to the shape of `T`. Can be used in constants.
pub const fn shape_of<T: Serialize>() -> ShapeOf {
    ShapeOf::Type(shape::<T>, TypeInfo::of::<T>())
}

// A function rather than a closure, which would be two functions for each type.
fn shape<T: Serialize>() -> &'static Shape {
    match const { T::OWN_SHAPE } {
        Some(own) => (own.part)(),
        None => T::SHAPE,
    }
}

impl TypeInfo {
    /// Returns the description of `T`.
    pub const fn of<T: Serialize>() -> &'static TypeInfo {
        const { &TypeInfo::with::<T>(T::ABOUT) }
    }
}

impl Identity {
    /// Returns the identity of the type `T`.
    pub fn of<T: Serialize + 'static>() -> Self {
        Identity {
            type_id: TypeId::of::<T>(),
            type_name: std::any::type_name::<T>(),
            shape: T::SHAPE,
            info: TypeInfo::of::<T>(),
            is_fallback: const { T::OWN_TYPE_ID.is_some() && T::OWN_SHAPE.is_none() },
            own_id: None,
        }
    }

    /// Returns the identity of a value.
    pub fn of_value<T: Serialize + 'static>(value: &T) -> Self {
        let mut identity = Self::of::<T>();
        if let Some(own) = const { T::OWN_TYPE_ID } {
            identity.own_id = own(value);
        }
        identity.shape = shape_of_value(value);
        identity
    }
}

impl Options<'_> {
    /// Saves objects of type `T` as an older version, at any depth and in every format, so that a
    /// previous release of the program can load them. While they are saved,
    /// [`Archive::version`](crate::Archive::version) returns `version`, and `version` is written to
    /// the file. Other types keep their versions, and loading ignores this option.
    ///
    /// A derived type writes all its members in every version, and the changes that its
    /// `after_load` makes to values of older versions are not undone. If the meaning of a member
    /// changed, the type therefore needs a hand-written function. An older program skips members
    /// that it does not have, unless it is [`strict`](Options::strict). A type that is flattened
    /// into another has no version of its own. The type is identified by its full path, including
    /// generic arguments.
    ///
    /// A derived type is written with its current values under the old version number. Do not use
    /// this for a derived type whose `after_load` branches on the version: the loading program
    /// would convert values that are already up to date. Write the function of such a type by hand.
    ///
    /// Type ids of trait objects have no versions. To export a renamed type, use a separate registry in which the type
    /// has its old id; [`Registry::alias`](crate::Registry::alias) is for loading only.
    ///
    /// A version newer than `T::VERSION` makes every save fail
    /// ([`ErrorKind::NewerVersion`](crate::ErrorKind::NewerVersion)). If `T` is not saved as an
    /// object with named members, the call does not compile.
    ///
    /// ```
    /// use archive::{Archive, Options, Result, Serialize, Value};
    ///
    /// #[derive(Default)]
    /// struct Unit { hp: u32 }
    ///
    /// impl Serialize for Unit {
    ///     const VERSION: u32 = 1;
    ///     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
    ///         if ar.version() == 0 {
    ///             // The first release stored tenths.
    ///             let mut tenths = self.hp * 10;
    ///             ar.serialize("hp", &mut tenths)?;
    ///             self.hp = tenths / 10;
    ///             return Ok(());
    ///         }
    ///         ar.serialize("hp", &mut self.hp)
    ///     }
    /// }
    ///
    /// let export = Options::new().target_version::<Unit>(0);
    /// let tree = Value::of_with(&mut Unit { hp: 7 }, &export)?;
    /// assert_eq!(tree.get("hp"), Some(&Value::from(70)));
    /// assert_eq!(tree.get("$version"), None);
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// ```compile_fail
    /// let options = archive::Options::new().target_version::<Vec<u32>>(0);
    /// ```
    #[must_use]
    pub fn target_version<T: Serialize + ?Sized>(mut self, version: u32) -> Self {
        self.targets.set(const { class_of::<T>() }, version);
        self
    }
}

/// Returns the class of a type, which must have one.
pub(crate) const fn class_of<T: Serialize + ?Sized>() -> &'static Class {
    match T::SHAPE {
        Shape::Class(class) => class,
        _ => panic!("only types that are saved as objects with named members have a version"),
    }
}
