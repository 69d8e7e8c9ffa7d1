//! Loading enums.

use super::{Loading, Place, refuse};
use crate::archive::{PayloadOf, Variants};
use crate::decoder::{Decoder, Kind};
use crate::error::Result;
use crate::shape::{Enum, Payload};

impl<D: Decoder + ?Sized> Loading<'_, D> {
    /// Loads an enum value.
    pub(super) fn load_variant<B: Variants>(
        &mut self,
        info: &'static Enum,
        body: &mut B,
    ) -> Result {
        self.session.enter(self.options)?;
        let head = self.decoder.begin_variant(info)?;
        match head.index {
            Ok(index) => {
                body.select(index, self.options)?;
                let variant = &info.variants[index];
                let unit = matches!(variant.payload, Payload::Unit);
                if head.payload && unit {
                    if self.decoder.peek()? != Kind::Null {
                        let (session, options) = (&mut *self.session, self.options);
                        refuse::unknown_payload(info, variant.name, session, options)?;
                    }
                    self.decoder.skip()?;
                } else if head.payload {
                    let place = Some(Place::Member(variant.name));
                    self.place(place, &mut PayloadOf(body))?;
                } else if !unit {
                    self.absent(variant.name);
                }
            }
            Err(name) => {
                if !body.select_other(&name, self.options) {
                    return Err(refuse::unknown_variant(info, &name).at(self.decoder.position()));
                }
                // What the fallback stands for is lost.
                refuse::unknown_variant_taken(&name, self.session, self.options)?;
                if head.payload {
                    self.decoder.skip()?;
                }
            }
        }
        if head.payload {
            self.decoder.end_variant()?;
        }
        self.session.leave();
        Ok(())
    }
}
