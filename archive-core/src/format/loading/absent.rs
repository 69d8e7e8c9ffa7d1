//! Members that the file does not have.

use super::refuse;
use crate::model::error::{Error, Position, Result};
use crate::model::shape::{Absence, Class, Member, Payload, Variant, each_member};
use crate::state::options::Options;
use crate::visit::session::{NoteKind, Place, Session};

/// Handles members that the file does not have. `at` returns the position in the input; it is
/// called only for an error.
pub(crate) struct Absent<'s, 'o, P> {
    pub(crate) session: &'s mut Session,
    pub(crate) options: &'s Options<'o>,
    pub(crate) at: P,
}

impl<P: Fn() -> Position> Absent<'_, '_, P> {
    /// Handles an absent member that a hand-written function requests.
    ///
    /// # Errors
    /// Returns an error with [`Options::complete`].
    #[cold]
    pub(crate) fn named(&mut self, name: &str) -> Result {
        self.refuse_or_note(Place::Member(name), Absence::Keeps, refuse::missing_member)
    }

    /// Handles an absent member that is known at compile time.
    ///
    /// # Errors
    /// Returns an error if the file must have the member.
    #[cold]
    pub(crate) fn member(&mut self, info: &'static Member) -> Result {
        if info.is_placeholder() {
            return Err(refuse::missing_object().at((self.at)()).in_member(info.name));
        }
        self.refuse_or_note(Place::Member(info.name), info.absence, refuse::missing_member)
    }

    /// Handles the absent payload of a variant that was a unit variant when it was saved.
    #[cold]
    pub(crate) fn payload(&mut self, variant: &'static Variant) -> Result {
        let place = Place::Variant(variant.name);
        let Payload::Struct(class @ Class { members: Some(members), .. }) = variant.payload else {
            return self.refuse_or_note(place, Absence::Keeps, || refuse::missing_payload(variant));
        };
        let since = self.session.report().extent();
        let outer = self.session.begin_class(self.options);
        each_member(members, &mut |member, _| self.member(member)).map_err(|error| {
            let has = format_args!("the file has `{}`, but the type has `{variant}`", variant.name);
            place.of(error.with_note(has))
        })?;
        self.session.end_class(outer, class);
        self.session.within(since, place);
        Ok(())
    }

    fn refuse_or_note(
        &mut self,
        place: Place<'_>,
        absence: Absence,
        missing: impl FnOnce() -> Error,
    ) -> Result {
        let Absent { session, options, .. } = self;
        if session.attempt.is_on() {
            // The value will be loaded again, over a blank one.
            session.attempt.note_absent();
            return Ok(());
        }
        if absence.is_refused(options) && !session.attempt.exploring {
            return self.refuse(place, missing());
        }
        session.note_at(place, NoteKind::Absent);
        if options.strict
            && let Place::Member(name) = place
        {
            session.reporting.absent.push(name.to_owned());
        }
        Ok(())
    }

    /// Returns the error, or puts it into the report of a load that continues.
    fn refuse(&mut self, place: Place<'_>, error: Error) -> Result {
        let error = error.at((self.at)());
        if !self.session.keeps_going(self.options) {
            return Err(place.of(error));
        }
        let since = self.session.report().extent();
        self.session.collect_error(error, self.options);
        self.session.within(since, place);
        self.session.check_errors(self.options)
    }
}

impl Absence {
    pub(super) fn is_refused(self, options: &Options<'_>) -> bool {
        match self {
            Absence::Keeps => options.complete,
            Absence::Defaults => false,
            Absence::Refused => true,
        }
    }
}
