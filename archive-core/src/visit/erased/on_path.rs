//! Steps of an erased archive along a path. The archive itself takes the last step. These functions
//! are separate, so that other steps take no more instructions.

use super::{Erased, ErasedBody, Way};
use crate::model::error::Result;
use crate::visit::facts::Step;
use crate::visit::guide::{Begun, Route};

impl<W: Way> Erased<'_, W> {
    #[cold]
    pub(super) fn begin_item_on_path(&mut self, route: &Route<'_>, index: usize) -> Result<Begun> {
        match route.goes_to(index) {
            Some(begun) => Ok(begun),
            None => self.archive.begin_item(index),
        }
    }

    /// Visits an object, a sequence or another part of the value at which the archive itself takes
    /// the next step.
    pub(super) fn elsewhere_on_path(
        &mut self,
        route: &Route<'_>,
        step: Step,
        body: &mut dyn ErasedBody,
    ) -> Result<bool> {
        match step {
            Step::Object(class) => {
                route.enter();
                if let Some(outer) = self.archive.begin_object(class)? {
                    let done = body.run_erased(&mut self.going());
                    self.archive.end_object(class, outer, done)?;
                } else {
                    self.archive.elsewhere(step, body)?;
                }
                route.end();
                Ok(true)
            }
            Step::Seq(shape, len) => match self.archive.begin_seq(shape, len)? {
                Some(_) => body.run_erased(&mut self.going()).map(|()| true),
                None => self.archive.elsewhere(step, body),
            },
            _ => self.archive.elsewhere(step, body),
        }
    }
}
