//! Members that the file does not have.

use super::refuse;
use crate::error::{Error, Position, Result};
use crate::options::Options;
use crate::session::{NoteKind, Session};
use crate::shape::{Absence, Class, Member, Payload, Variant, each_member};

/// Where and how a load notices that a member is absent. `at` tells the place in the input, which is
/// asked for only if it is an error.
pub(crate) struct Absent<'s, 'o, P> {
    pub(crate) session: &'s mut Session,
    pub(crate) options: &'s Options<'o>,
    pub(crate) at: P,
}

impl<P: Fn() -> Position> Absent<'_, '_, P> {
    /// A member that a hand-written function asks for.
    ///
    /// # Errors
    /// Under [`Options::complete`].
    #[cold]
    pub(crate) fn named(&mut self, name: &str) -> Result {
        self.refuse_or_note(name, Absence::Keeps)
    }

    /// A member that is known at compile time.
    ///
    /// # Errors
    /// If the file must have it.
    #[cold]
    pub(crate) fn member(&mut self, info: &'static Member) -> Result {
        if info.is_placeholder() {
            return Err(refuse::missing_object().at((self.at)()).in_member(info.name));
        }
        self.refuse_or_note(info.name, info.absence)
    }

    /// The payload of a variant that was saved when it carried nothing yet.
    ///
    /// # Errors
    /// As [`member`](Absent::member).
    #[cold]
    pub(crate) fn payload(&mut self, variant: &'static Variant) -> Result {
        let Payload::Struct(Class { members: Some(members), .. }) = variant.payload else {
            return self.refuse_or_note(variant.name, Absence::Keeps);
        };
        let since = self.session.report.len();
        let asked = self.session.absent.len();
        each_member(members, &mut |member, _| self.member(member))
            .map_err(|error| error.in_member(variant.name))?;
        self.session.in_member(since, variant.name);
        // They are no members of the object around the variant.
        self.session.absent.truncate(asked);
        Ok(())
    }

    fn refuse_or_note(&mut self, name: &str, absence: Absence) -> Result {
        let Absent { session, options, .. } = self;
        if session.trial.is_on() {
            // The value is loaded again, from blank.
            session.trial.lacks();
            return Ok(());
        }
        if absence.is_refused(options) && !session.exploring {
            return self.refuse(refuse::missing_member().in_member(name));
        }
        session.note_member(name, NoteKind::Absent);
        if options.strict {
            session.absent.push(name.to_owned());
        }
        Ok(())
    }

    /// The error, or its entry in the report of a load that goes on.
    fn refuse(&mut self, error: Error) -> Result {
        let error = error.at((self.at)());
        if !self.session.keeps_going(self.options) {
            return Err(error);
        }
        self.session.keep_error(error, self.options)
    }
}
