//! The class that an [`Error`] names.

use super::{Class, Enum, Variant};
use crate::model::error::Error;

impl Error {
    /// Sets the class of the object in which the error occurred, unless the error already has the
    /// class of an inner object.
    #[cold]
    #[must_use]
    pub fn in_class(mut self, class: &'static Class) -> Self {
        self.set_class(class);
        self
    }

    /// Like [`in_class`](Error::in_class), in place.
    pub(crate) fn set_class(&mut self, class: &'static Class) {
        if self.0.class.is_empty() {
            self.0.class = class.name().to_owned();
            self.0.class_type = class.type_name.get();
        }
    }

    /// Adds the name of the enum to the class, if that is the class of the given struct variant:
    /// `State::Attacking`.
    #[cold]
    #[must_use]
    #[doc(hidden)]
    pub fn in_variant(mut self, info: &'static Enum, variant: &'static Variant) -> Self {
        self.set_variant(info, variant);
        self
    }

    /// Like [`in_variant`](Error::in_variant), in place.
    pub(crate) fn set_variant(&mut self, info: &'static Enum, variant: &'static Variant) {
        if self.0.class == variant.name && self.0.class_type == info.type_name.get() {
            self.0.class = format!("{}::{}", info.name(), variant.name);
        }
    }
}
