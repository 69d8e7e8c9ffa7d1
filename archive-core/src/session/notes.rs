//! Adds notes and errors to the report. They count against
//! [`Limits::expansion`](crate::Limits::expansion).

use super::{NoteKind, Session};
use crate::error::{Error, Result, prefix_item, prefix_member, prefix_object};
use crate::options::Options;
use crate::session::Note;

impl Session {
    /// Returns whether errors go into the report: [`Options::keep_going`].
    #[inline]
    pub(crate) fn keeps_going(&self, options: &Options<'_>) -> bool {
        options.keep_going && self.reporting && !self.broken
    }

    /// Puts an error into the report.
    ///
    /// # Errors
    /// Returns the error if the report has as many as [`Limits::errors`](crate::Limits::errors)
    /// allows. The load then ends.
    #[cold]
    pub(crate) fn keep_error(&mut self, error: Error, options: &Options<'_>) -> Result {
        let limit = options.get_limits().errors;
        if self.report.errors.len() >= limit {
            self.broken = true;
            let errors = if limit == 1 { "error" } else { "errors" };
            return Err(error.with_note(format_args!(
                "more than {limit} {errors} (`Options::max_errors` raises the limit)"
            )));
        }
        self.add_error(error);
        Ok(())
    }

    /// Returns the number of collected errors and of absent members, to find out later which were
    /// added since.
    #[doc(hidden)]
    #[inline]
    pub fn noticed(&self) -> (usize, usize) {
        (self.report.errors.len(), self.absent.len())
    }

    /// Removes the notes about weak pointers whose objects turned out to be held.
    pub(crate) fn resolve_weak(&mut self) {
        let loaded = &mut self.loaded;
        let mut held = |id| matches!(loaded.get(id), Some(entry) if entry.strong);
        let (gone, kept): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.weak_notes).into_iter().partition(|(_, id)| held(*id));
        // This runs after every root, so the notes are only searched if something has to be
        // removed.
        if !gone.is_empty() {
            let mut gone = gone.into_iter().map(|(note, _)| note).peekable();
            let mut index = 0;
            self.report.notes.retain(|_| {
                index += 1;
                gone.next_if(|note| *note == index - 1).is_none()
            });
        }
        // Only a later root can resolve the other ones. Its notes come after these.
        self.weak_notes = kept;
    }

    /// Called when the load is complete: empties the objects of values that were left out after
    /// errors.
    pub(crate) fn left_out(&self, options: &Options<'_>) {
        if options.keep_going && !self.report.errors.is_empty() {
            self.loaded.empty_unheld(options);
        }
    }

    /// Adds a note about the value being loaded.
    pub(crate) fn note(&mut self, kind: NoteKind) {
        if self.reporting {
            self.add_note(String::new(), kind);
        }
    }

    /// Adds a note about the member of that name.
    #[cold]
    pub(crate) fn note_member(&mut self, name: &str, kind: NoteKind) {
        if self.reporting && !self.budget.is_exceeded() {
            let mut path = String::new();
            prefix_member(&mut path, name);
            self.add_note(path, kind);
        }
    }

    /// Adds a note. Nothing is added to a report that has become too large, because the load ends
    /// with an error.
    #[cold]
    fn add_note(&mut self, path: String, kind: NoteKind) {
        let mut notes = std::mem::take(&mut self.report.notes);
        if self.report_fits().and_then(|()| self.hold(path.capacity())).is_ok() {
            drop(self.hold_item(&mut notes, Note { path, kind }));
        }
        self.report.notes = notes;
    }

    /// Adds an error to the report.
    #[cold]
    pub(crate) fn add_error(&mut self, error: Error) {
        let mut errors = std::mem::take(&mut self.report.errors);
        if self.report_fits().and_then(|()| self.hold(error.size())).is_ok() {
            drop(self.hold_item(&mut errors, error));
        }
        self.report.errors = errors;
    }

    /// Adds a note about a weak pointer. It is removed if it turns out that a strong pointer refers
    /// to the object.
    pub(crate) fn note_weak(&mut self, id: u64) {
        let at = self.report.notes.len();
        self.note(NoteKind::Dangling);
        if self.report.notes.len() > at {
            let mut weak = std::mem::take(&mut self.weak_notes);
            drop(self.hold_item(&mut weak, (at, id)));
            self.weak_notes = weak;
        }
    }

    /// Removes the notes and errors that were added since.
    pub(crate) fn forget_notes(&mut self, (notes, errors): (usize, usize)) {
        let paths = self.report.notes[notes..].iter().map(|note| note.path.capacity()).sum();
        self.let_go(paths);
        self.report.notes.truncate(notes);
        self.report.errors.truncate(errors);
    }

    /// Adds a member's name to the front of the paths that were added since.
    #[doc(hidden)]
    #[inline]
    pub fn in_member(&mut self, since: (usize, usize), name: &str) {
        if self.reporting && self.report.len() != since {
            self.prefix(since, &|path| prefix_member(path, name));
        }
    }

    /// Adds a shared object to the front of the paths that were added since.
    #[doc(hidden)]
    #[inline]
    pub fn in_object(&mut self, since: (usize, usize), id: u64) {
        if self.reporting && self.report.len() != since {
            self.prefix(since, &|path| prefix_object(path, id));
        }
    }

    /// Adds an item's index to the front of the paths that were added since.
    #[doc(hidden)]
    #[inline]
    pub fn in_item(&mut self, since: (usize, usize), index: usize) {
        if self.reporting && self.report.len() != since {
            self.prefix(since, &|path| prefix_item(path, index));
        }
    }

    #[cold]
    fn prefix(&mut self, since: (usize, usize), put: &dyn Fn(&mut String)) {
        let Session { report, budget, .. } = self;
        for note in report.notes.get_mut(since.0..).unwrap_or_default() {
            if !budget.grows(&mut note.path, put) {
                return;
            }
        }
        for error in report.errors.get_mut(since.1..).unwrap_or_default() {
            let mut fits = true;
            error.prefix(|path| fits = budget.grows(path, put));
            if !fits {
                return;
            }
        }
    }
}
