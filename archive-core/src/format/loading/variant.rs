//! Loading enums.

use super::{Loading, refuse};
use crate::format::decoder::{Decoder, Kind};
use crate::format::tagged::Tagged;
use crate::model::error::Result;
use crate::model::shape::{Enum, Payload, Tag};
use crate::visit::body::{PayloadOf, Variants};
use crate::visit::session::Place;
use crate::visit::visitor::Visitor;
use crate::visit::walk::Walk;

/// A variant that is stored as the value of a member of an object.
pub(super) struct TaggedHead {
    /// The index of the variant, if the enum knows its name.
    index: Option<usize>,
    /// Whether the payload is present, if it is stored in a member.
    content: bool,
}

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Loading<'_, D, FILE_ORDER> {
    /// Checks whether the value at the cursor is an object with that tag. The cursor does not move.
    pub(super) fn find_tag(
        &mut self,
        info: &'static Enum,
        tag: &'static Tag,
    ) -> Result<Option<TaggedHead>> {
        // A file of exactly the program's type stores the variant in the format's own form.
        if self.decoder.has_exact_type() || self.decoder.peek()? != Kind::Object {
            return Ok(None);
        }
        let start = self.decoder.mark();
        self.decoder.begin_object(&tag.class)?;
        let mut head = None;
        if self.decoder.member(tag.name)? && self.decoder.peek()? == Kind::Str {
            let index = info.find(self.decoder.str()?);
            let content = match tag.content {
                Some(content) => self.decoder.member(content)?,
                None => true,
            };
            head = Some(TaggedHead { index, content });
        }
        self.decoder.recover(start);
        Ok(head)
    }

    /// Loads an enum value whose variant is stored in a member.
    pub(super) fn load_tagged<B: Variants>(
        &mut self,
        info: &'static Enum,
        tag: &'static Tag,
        head: TaggedHead,
        body: &mut B,
    ) -> Result {
        let class = tag.class_of(head.index);
        let since = self.session.report().extent();
        let mut tagged = Tagged { info, tag, class, content: head.content, body };
        let loaded = self.object(class, &mut tagged);
        let Some(variant) = head.index.map(|index| &info.variants[index]) else { return loaded };
        loaded.map_err(|error| error.in_variant(info, variant))?;
        if self.session.report().extent() != since {
            self.leave_variant(info, variant, since);
        }
        if !head.content && !matches!(variant.payload, Payload::Unit) {
            self.absent().payload(variant)?;
        }
        Ok(())
    }

    /// Loads an enum value.
    pub(super) fn load_variant<B: Variants>(
        &mut self,
        info: &'static Enum,
        body: &mut B,
    ) -> Result {
        let equal = self.overwrites();
        let head = self.decoder.begin_variant(info)?;
        let payload = match head.index {
            Ok(index) => &info.variants[index].payload,
            Err(_) => &Payload::Unit,
        };
        if head.payload {
            self.session.enter_payload(payload, self.options)?;
        }
        match head.index {
            Ok(index) => {
                let variant = &info.variants[index];
                let unit = matches!(variant.payload, Payload::Unit);
                let stays = self.guide().is_some() && body.current() == index;
                if !stays && !(equal && (head.payload || unit) && body.reuses(index)) {
                    body.select(index, self.options)?;
                }
                if head.payload && unit {
                    if self.decoder.peek()? != Kind::Null {
                        refuse::unknown_payload(info, variant.name, self.session, self.options)?;
                    }
                    self.decoder.skip()?;
                } else if head.payload {
                    let place = Some(Place::Variant(variant.name));
                    let since = self.session.report().extent();
                    self.load_at(place, &mut PayloadOf(body)).map_err(|error| {
                        refuse::other_payload(error, variant).in_variant(info, variant)
                    })?;
                    if self.session.report().extent() != since {
                        self.leave_variant(info, variant, since);
                    }
                } else if !unit {
                    self.absent().payload(variant)?;
                }
            }
            Err(name) => {
                if !body.select_other(&name, self.options) {
                    let error = refuse::unknown_variant(info, &name).at(self.decoder.position());
                    return Err(match info.tag {
                        Some(Tag { name, .. }) if head.payload => {
                            error.with_note(format_args!("no member `{name}` names one of them"))
                        }
                        _ => error,
                    });
                }
                // The payload of an unknown variant is lost.
                refuse::unknown_variant_taken(&name, self.session, self.options)?;
                if head.payload {
                    self.decoder.skip()?;
                }
            }
        }
        if head.payload {
            self.decoder.end_variant()?;
            self.session.leave_payload(payload);
        }
        Ok(())
    }
}
