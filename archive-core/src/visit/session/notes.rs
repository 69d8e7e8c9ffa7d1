//! Adds notes to the report.
//!
//! A note is added with an empty path, and each value around it prepends its place. Notes with the
//! same finding about different objects are joined: notes inside an item when the next item of the
//! list has been loaded, other notes when the object is complete and its class is therefore known.
// Why: docs/decisions/reports-and-errors.md#notes-about-one-member-are-joined

use super::budget::Budget;
use super::note::{Note, NoteKind};
use super::noted::{Begun, OuterClass, Reporting};
use super::report::{Extent, Report};
use super::{Place, Session};
use crate::model::shape::Class;
use crate::state::options::Options;

impl Session {
    /// Adds a note about the value being loaded.
    #[doc(hidden)]
    pub fn note(&mut self, kind: NoteKind) {
        if self.reporting.is_on {
            self.reporting.add(Note::new(kind), &mut self.budget);
        } else {
            self.reporting.missed = true;
        }
    }

    /// Adds a note about the value at that place.
    #[cold]
    pub(crate) fn note_at(&mut self, place: Place<'_>, kind: NoteKind) {
        if self.reporting.is_on {
            let mut note = Note::new(kind);
            note.enter(place);
            self.reporting.add(note, &mut self.budget);
        } else {
            self.reporting.missed = true;
        }
    }

    /// Adds a note about a weak pointer. It is removed if a strong pointer turns out to refer to
    /// the object.
    #[inline]
    pub(crate) fn note_weak(&mut self, id: u64) {
        if self.reporting.looks {
            self.note_dangling(id);
        }
    }

    #[cold]
    fn note_dangling(&mut self, id: u64) {
        if !self.loaded.get(id).is_some_and(|entry| entry.strong) {
            if !self.reporting.is_on {
                self.reporting.missed = true;
                return;
            }
            self.reporting.known.get_or_insert_default().pending = true;
            let note = Note { weak: id, ..Note::new(NoteKind::Dangling) };
            self.reporting.add(note, &mut self.budget);
        }
    }

    /// Prepends a place to the paths of the notes and errors that were added since.
    #[doc(hidden)]
    #[inline]
    pub fn within(&mut self, since: Extent, place: Place<'_>) {
        if self.reporting.is_on && self.reporting.report.extent() != since {
            self.reporting.enter(since, place, &mut self.budget);
        }
    }

    /// Begins an object.
    #[doc(hidden)]
    #[inline]
    pub fn begin_class(&mut self, options: &Options<'_>) -> Option<OuterClass> {
        if self.reporting.is_on || options.strict {
            Some(self.reporting.enter_class())
        } else {
            None
        }
    }

    /// Ends an object: adds the class to the notes and errors that were added since it began, and
    /// drops the list of absent members.
    #[doc(hidden)]
    #[inline]
    pub fn end_class(&mut self, outer: Option<OuterClass>, class: &'static Class) {
        if let Some(outer) = outer {
            self.reporting.leave_class(outer, class, &mut self.budget);
        }
    }

    /// Removes the notes and errors that were added since.
    pub(crate) fn forget_notes(&mut self, since: Extent) {
        self.reporting.forget(since, &mut self.budget);
    }

    /// Removes the notes about weak pointers whose objects turned out to be held.
    pub(crate) fn resolve_weak(&mut self) {
        let loaded = &mut self.loaded;
        let is_held = |id| matches!(loaded.get(id), Some(entry) if entry.strong);
        self.reporting.resolve_weak(is_held, &mut self.budget);
    }

    /// Returns the report of a load that is complete.
    #[doc(hidden)]
    pub fn take_report(&mut self) -> Report {
        self.reporting.take(&mut self.budget)
    }
}

impl Reporting {
    #[cold]
    fn add(&mut self, mut note: Note, budget: &mut Budget) {
        if budget.note_fits(&mut self.report.notes, note.path.capacity()) {
            self.report.notes.push(note);
        } else {
            self.known.get_or_insert_default().omit(&mut note, &mut self.report.omitted);
        }
    }

    #[cold]
    fn enter(&mut self, since: Extent, place: Place<'_>, budget: &mut Budget) {
        let in_list = matches!(place, Place::Item(_) | Place::Key(_));
        let (mut left_out, mut full) = (false, false);
        for index in since.notes..self.report.notes.len() {
            if in_list && self.joins_item(index, since.notes) {
                left_out = true;
                continue;
            }
            let note = &mut self.report.notes[index];
            let before = note.path.capacity();
            if !full {
                note.enter(place);
                full = !budget.note_grows(note.path.capacity() - before);
            }
            if full {
                let hash = note.hash();
                let known = self.known.get_or_insert_default();
                if known.firsts.get(&hash) == Some(&index) {
                    known.firsts.remove(&hash);
                }
                // Each path could grow by a name as long as the file.
                budget.note_shrinks(before);
                note.path = String::new();
                known.omit(note, &mut self.report.omitted);
                left_out = true;
            }
        }
        if left_out {
            self.remove_notes(since.notes, budget);
        }
        self.enter_errors(since.errors, place, budget);
    }

    /// Joins a note inside an item to one inside an earlier item.
    fn joins_item(&mut self, index: usize, item: usize) -> bool {
        const NEAR: usize = 8;
        let (earlier, later) = self.report.notes.split_at_mut(index);
        let note = &mut later[0];
        let items = earlier.get_mut(self.begun.notes..item).unwrap_or_default();
        let first = items.iter_mut().rev().take(NEAR).find(|first| first.is_like_inside(note));
        if let Some(first) = first {
            first.count += std::mem::take(&mut note.count);
        }
        note.count == 0
    }

    #[cold]
    fn enter_class(&mut self) -> OuterClass {
        let since = self.report.extent();
        let begun = Begun { notes: since.notes, errors: since.errors };
        let begun = std::mem::replace(&mut self.begun, begun);
        OuterClass { since, absent: self.absent.len(), begun }
    }

    #[cold]
    fn leave_class(&mut self, outer: OuterClass, class: &'static Class, budget: &mut Budget) {
        self.begun = outer.begun;
        self.absent.truncate(outer.absent);
        let Extent { notes, errors, .. } = outer.since;
        self.leave_errors(errors, class, budget);
        let mut joined = false;
        for index in notes..self.report.notes.len() {
            let note = &mut self.report.notes[index];
            if note.set_class(class) && note.weak == 0 {
                joined |= self.joins(index, budget);
            }
        }
        if joined {
            self.remove_notes(notes, budget);
        }
    }

    /// Joins a note to another one about the same member, if there is one. If there is none, and
    /// the report has no more room, the note is left out. Returns whether a note is to be removed.
    fn joins(&mut self, index: usize, budget: &Budget) -> bool {
        let Report { notes, omitted, .. } = &mut self.report;
        let known = self.known.get_or_insert_default();
        let size = Budget::size_of(&notes[index]);
        let full = known.full || budget.notes_are_full(known.firsts_size + size);
        let hash = notes[index].hash();
        match known.firsts.get(&hash).copied() {
            Some(other) if notes.get(other).is_some_and(|other| other.is_like(&notes[index])) => {
                // The note of an object may come before the notes of the objects inside it, whose
                // class was known earlier.
                let (first, last) = (index.min(other), index.max(other));
                notes[first].count += std::mem::take(&mut notes[last].count);
                known.firsts.insert(hash, first);
                true
            }
            _ if full => {
                known.omit(&mut notes[index], omitted);
                true
            }
            // Of notes with the same hash, only the first is found.
            Some(_) => false,
            None => {
                known.firsts.insert(hash, index);
                known.firsts_size += size;
                false
            }
        }
    }

    /// Removes the notes since `from` that were joined to others or left out.
    fn remove_notes(&mut self, from: usize, budget: &mut Budget) {
        let notes = &mut self.report.notes;
        if from == notes.len() {
            return;
        }
        let firsts = &mut self.known.get_or_insert_default().firsts;
        let mut kept = from;
        for index in from..notes.len() {
            let note = &notes[index];
            let is_kept = note.count > 0;
            if !is_kept || kept != index {
                let hash = note.hash();
                if firsts.get(&hash) == Some(&index) {
                    if is_kept {
                        firsts.insert(hash, kept);
                    } else {
                        firsts.remove(&hash);
                    }
                }
            }
            if is_kept {
                notes.swap(kept, index);
                kept += 1;
            } else {
                budget.note_shrinks(note.path.capacity());
            }
        }
        notes.truncate(kept);
    }

    fn forget(&mut self, since: Extent, budget: &mut Budget) {
        let Report { notes, errors, groups, omitted } = &mut self.report;
        notes[since.notes..].iter_mut().for_each(|note| note.count = 0);
        *omitted = since.omitted;
        errors.truncate(since.errors);
        groups.truncate(since.errors);
        self.remove_notes(since.notes, budget);
    }

    fn resolve_weak(&mut self, mut is_held: impl FnMut(u64) -> bool, budget: &mut Budget) {
        let Some(known) = self.known.as_mut().filter(|known| known.pending) else {
            return;
        };
        known.pending = false;
        for note in self.report.notes.iter_mut().filter(|note| note.weak != 0) {
            if is_held(note.weak) {
                note.count = 0;
            } else {
                known.pending = true;
            }
        }
        // The remaining notes can only be resolved by a later root.
        known.weak.retain(|id, _| !is_held(*id));
        known.pending |= !known.weak.is_empty();
        self.remove_notes(0, budget);
    }

    fn take(&mut self, budget: &mut Budget) -> Report {
        if self.known.as_ref().is_some_and(|known| known.pending) {
            for index in 0..self.report.notes.len() {
                let note = &mut self.report.notes[index];
                if std::mem::take(&mut note.weak) != 0 && note.is_about_something() {
                    self.joins(index, budget);
                }
            }
            self.remove_notes(0, budget);
            let weak = self.known.iter().flat_map(|known| known.weak.values());
            self.report.omitted += weak.sum::<u64>();
        }
        std::mem::take(&mut self.report)
    }
}
