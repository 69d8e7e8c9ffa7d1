//! Implements [`Polymorphic`] for every type with the required traits.

use super::Polymorphic;
use crate::model::error::Result;
use crate::model::identity::Identity;
use crate::visit::blank::Blank;
use crate::visit::erased::{Erased, Loads, Saves};
use crate::visit::restore::fill;
use crate::visit::serialize::{Save, Serialize};

impl<T: Serialize + Save + Blank + 'static> Polymorphic for T {
    fn __archive_identity(&self) -> Identity {
        Identity::of_value(self)
    }
    fn __archive_save(&self, ar: &mut Erased<'_>) -> Result {
        self.save_value(&mut ar.going::<Saves>())
    }
    fn __archive_load(&mut self, ar: &mut Erased<'_>) -> Result {
        fill(self, &mut ar.going::<Loads>())
    }
    fn __archive_object(&self) -> &dyn Polymorphic {
        self
    }
    fn __archive_object_mut(&mut self) -> &mut dyn Polymorphic {
        self
    }
}
