//! Loads the members of an object in the order of the file.

use super::Loading;
use crate::archive::{Archive, Body};
use crate::decoder::{Decoder, Mark};
use crate::error::Result;
use crate::lookup::{Lookup, Seen, VersionAt};
use crate::reserved;
use crate::shape::Class;

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Loading<'_, D, FILE_ORDER> {
    /// Loads an object whose members are stored with their names.
    #[inline]
    pub(super) fn load_in_file_order<B: Body>(
        &mut self,
        class: &'static Class,
        lookup: &'static Lookup,
        body: &mut B,
    ) -> Result {
        self.session.enter_object(class, self.options)?;
        let mut seen = Seen::default();
        let version = self.decoder.begin_members(class, &mut seen)?;
        if let VersionAt::MayFollow(start) = seen.version {
            if self.has_late_version(class, start)? {
                self.session.leave_object(class);
                return self.erased().loading().object(class, body);
            }
            self.decoder.begin_members(class, &mut seen)?;
        }
        match self.members_found(class, version, lookup, &mut seen, body) {
            Ok(()) => {}
            Err(error) => return Err(self.in_class(error, class)),
        }
        self.session.leave_object(class);
        Ok(())
    }

    /// Returns whether the object at `start` has a version, which is not its first member. Moves to
    /// the object.
    #[cold]
    fn has_late_version(&mut self, class: &'static Class, start: Mark) -> Result<bool> {
        self.decoder.recover(start);
        self.decoder.begin_object(class)?;
        let found = self.decoder.member(reserved::VERSION);
        self.decoder.recover(start);
        found
    }

    #[inline]
    fn members_found<B: Body>(
        &mut self,
        class: &'static Class,
        version: u32,
        lookup: &'static Lookup,
        seen: &mut Seen,
        body: &mut B,
    ) -> Result {
        if version > class.version {
            return Err(super::refuse::newer(class, version).at(self.decoder.position()));
        }
        let outer = self.session.set_version(version);
        while let Some(index) = self.decoder.next_member(lookup, seen)? {
            body.run_member(index, self)?;
        }
        if !seen.has_all(lookup.len()) {
            self.members_absent(lookup, seen, body)?;
        }
        body.finish(self)?;
        self.session.set_version(outer);
        self.decoder.end_members(seen)
    }

    /// Handles the members that the file does not have.
    #[cold]
    fn members_absent<B: Body>(
        &mut self,
        lookup: &'static Lookup,
        seen: &Seen,
        body: &mut B,
    ) -> Result {
        for (index, info) in lookup.members().iter().enumerate() {
            if !seen.has(index) {
                self.absent().member(info)?;
                body.absent(index, self);
            }
        }
        Ok(())
    }

    /// Loads over an old value, on the assumption that the file has all members of it and of the
    /// values inside. Returns `false` if it does not.
    #[inline]
    pub(super) fn try_in_place<B: Body>(&mut self, body: &mut B) -> Result<bool> {
        if self.session.reporting || self.options.strict || !self.session.in_place_attempt.begin() {
            return Ok(false);
        }
        let at = self.decoder.mark();
        let (levels, elements) = (self.session.levels(), self.session.elements);
        let result = body.run(self);
        if self.session.in_place_attempt.end() {
            return match result {
                Ok(()) => Ok(true),
                Err(error) => Err(error),
            };
        }
        self.decoder.recover(at);
        self.session.set_levels(levels);
        self.session.elements = elements;
        Ok(false)
    }
}
