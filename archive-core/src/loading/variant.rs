//! Loading enums.

use super::{Loading, Place, refuse};
use crate::archive::{Archive, PayloadOf, Variants};
use crate::decoder::{Decoder, Kind};
use crate::error::Result;
use crate::session::NoteKind;
use crate::shape::{Class, Enum, Member, Payload, Shape, Variant};

impl<D: Decoder + ?Sized, const FOUND: bool> Loading<'_, D, FOUND> {
    /// Loads an enum value.
    pub(super) fn load_variant<B: Variants>(
        &mut self,
        info: &'static Enum,
        body: &mut B,
    ) -> Result {
        let equal = self.overwrites();
        let head = self.decoder.begin_variant(info)?;
        if head.payload {
            self.session.enter(self.options)?;
        }
        match head.index {
            Ok(index) => {
                let variant = &info.variants[index];
                let unit = matches!(variant.payload, Payload::Unit);
                if !(equal && (head.payload || unit) && body.reuses(index)) {
                    body.select(index, self.options)?;
                }
                if head.payload && unit {
                    if self.decoder.peek()? != Kind::Null {
                        refuse::unknown_payload(info, variant.name, self.session, self.options)?;
                    }
                    self.decoder.skip()?;
                } else if head.payload {
                    let place = Some(Place::Member(variant.name));
                    let since = self.session.noticed();
                    self.place(place, &mut PayloadOf(body))
                        .map_err(|error| error.in_variant(info, variant))?;
                    if self.session.noticed() != since {
                        self.leave_variant(info, variant, since);
                    }
                } else if !unit {
                    self.absent_payload(variant)?;
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
            self.session.leave();
        }
        Ok(())
    }

    /// A variant that was saved when it carried nothing yet.
    #[cold]
    fn absent_payload(&mut self, variant: &'static Variant) -> Result {
        let Payload::Struct(Class { members: Some(members), .. }) = variant.payload else {
            self.session.note_member(variant.name, NoteKind::Absent);
            return Ok(());
        };
        let since = self.session.report.len();
        let asked = self.session.absent.len();
        self.absent_members(members).map_err(|error| error.in_member(variant.name))?;
        self.session.in_member(since, variant.name);
        // They are no members of the object around the variant.
        self.session.absent.truncate(asked);
        Ok(())
    }

    fn absent_members(&mut self, members: &'static [Member]) -> Result {
        members.iter().try_for_each(|member| match (member.shape)() {
            Shape::Class(Class { members: Some(inner), .. }) if member.flatten => {
                self.absent_members(inner)
            }
            _ => self.absent_member(member),
        })
    }
}
