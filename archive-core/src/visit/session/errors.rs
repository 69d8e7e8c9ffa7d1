//! Adds errors to the report. They count against [`Limits::expansion`](crate::Limits::expansion).
//!
//! Errors of one kind about the same member of a class are joined, like notes: errors inside an item when
//! the item has been loaded, other errors when the object is complete.

use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;

use super::about::{About, Group};
use super::{Place, Session};
use crate::model::error::{Error, Result};
use crate::model::shape::Class;
use crate::state::options::Options;

impl Session {
    /// Returns whether errors go into the report: [`Options::keep_going`].
    #[inline]
    pub(crate) fn keeps_going(&self, options: &Options<'_>) -> bool {
        options.keep_going && self.reporting.is_on && !self.reporting.broken
    }

    /// Puts an error into the report.
    #[cold]
    pub(crate) fn collect_error(&mut self, error: Error, options: &Options<'_>) {
        let mut errors = std::mem::take(&mut self.reporting.report.errors);
        let mut groups = std::mem::take(&mut self.reporting.report.groups);
        let apart = options.each_error;
        let group = Group { about: About::new(), count: 1, apart, stays: apart };
        if self.report_fits().is_ok()
            && self.hold(error.size()).is_ok()
            && self.hold_item(&mut groups, group).is_ok()
            && self.hold_item(&mut errors, error).is_err()
        {
            groups.pop();
        }
        (self.reporting.report.errors, self.reporting.report.groups) = (errors, groups);
    }

    /// Called when the place of a value was added to the errors inside it.
    ///
    /// # Errors
    /// Returns an error of the report if there are more of different kinds than
    /// [`Limits::errors`](crate::Limits::errors) allows. The load then ends.
    #[inline]
    pub(crate) fn check_errors(&mut self, options: &Options<'_>) -> Result {
        let limit = options.settings().limits().errors;
        if self.reporting.report.errors.len() > limit {
            self.end_if_too_many(limit)
        } else {
            Ok(())
        }
    }

    #[cold]
    fn end_if_too_many(&mut self, limit: usize) -> Result {
        // The limit also applies to an object that has that many errors by itself.
        let all = limit == 0 || self.reporting.report.errors.len() / 2 > limit;
        let groups = self.reporting.report.groups.iter().enumerate();
        let Some((last, _)) = groups.filter(|(_, group)| group.stays || all).nth(limit) else {
            return Ok(());
        };
        self.reporting.broken = true;
        let error = self.reporting.report.errors.remove(last);
        self.reporting.report.groups.remove(last);
        let errors = if limit == 1 { "error" } else { "errors" };
        Err(error.with_note(format_args!(
            "more than {limit} {errors} (`Options::max_errors` raises the limit)"
        )))
    }

    /// Prepends a place to the paths of the errors that were added since.
    pub(super) fn enter_errors(&mut self, since: usize, place: Place<'_>) {
        if matches!(place, Place::Item(_) | Place::Key(_) | Place::Object(_)) {
            self.join_errors(since, |_| true);
        }
        let (report, budget) = (&mut self.reporting.report, &mut self.budget);
        for (error, group) in report.errors.iter_mut().zip(&mut report.groups).skip(since) {
            let mut fits = true;
            error.prefix(|path| {
                group.about.enter(path, place, |path| {
                    fits = budget.grows(path, &|path| place.prefix(path));
                });
            });
            if !fits {
                return;
            }
        }
    }

    /// Adds the class to the errors that were added since its object began.
    pub(super) fn leave_errors(&mut self, since: usize, class: &'static Class) {
        self.reporting.report.errors[since..].iter_mut().for_each(|error| error.set_class(class));
        self.join_errors(since, |group| group.about.set_class(class));
    }

    /// Joins the errors that were added since to other errors about the same member.
    fn join_errors(&mut self, since: usize, mut which: impl FnMut(&mut Group) -> bool) {
        let mut joined = false;
        for index in since..self.reporting.report.errors.len() {
            let group = &mut self.reporting.report.groups[index];
            joined |= which(group) && !group.apart && self.joins_error(index);
        }
        if joined {
            self.remove_errors(since);
        }
    }

    /// Joins an error to another one about the same member, if there is one. Returns whether the
    /// error is to be removed.
    fn joins_error(&mut self, index: usize) -> bool {
        let hash = self.hash_of_error(index);
        let other = self.reporting.known.get_or_insert_default().first_errors.get(&hash).copied();
        let other = other.filter(|&other| other != index && self.is_like_error(index, other));
        let (first, last) =
            other.map_or((index, index), |other| (index.min(other), index.max(other)));
        let groups = &mut self.reporting.report.groups;
        if first < last {
            groups[first].count += std::mem::take(&mut groups[last].count);
        }
        groups[first].stays |= groups[first].about.has_class();
        self.reporting.known.get_or_insert_default().first_errors.insert(hash, first);
        first < last
    }

    /// Returns whether both errors are of one kind and about the same member. If their classes are not
    /// known, they must be in the same object.
    fn is_like_error(&self, index: usize, other: usize) -> bool {
        let what = |index: usize| {
            let (error, group) =
                (&self.reporting.report.errors[index], &self.reporting.report.groups[index]);
            (error.kind(), group.about.has_class(), group.about.names(error.path()))
        };
        self.reporting.report.groups.get(other).is_some_and(|group| group.count > 0)
            && (self.reporting.report.groups[index].about.has_class()
                || other >= self.reporting.begun.errors)
            && what(index) == what(other)
    }

    /// Returns a hash that is the same for errors that are alike.
    fn hash_of_error(&self, index: usize) -> u64 {
        let (error, group) =
            (&self.reporting.report.errors[index], &self.reporting.report.groups[index]);
        let object = if group.about.has_class() { None } else { Some(self.reporting.begun.errors) };
        let mut hasher = FxHasher::default();
        (error.kind(), object, group.about.names(error.path())).hash(&mut hasher);
        hasher.finish()
    }

    /// Removes the errors since `from` that were joined to others.
    #[cold]
    fn remove_errors(&mut self, from: usize) {
        let mut kept = from;
        for index in from..self.reporting.report.errors.len() {
            if self.reporting.report.groups[index].count == 0 {
                let size = self.reporting.report.errors[index].size();
                self.let_go(size);
                continue;
            }
            if kept != index {
                let hash = self.hash_of_error(index);
                let firsts = &mut self.reporting.known.get_or_insert_default().first_errors;
                if firsts.get(&hash) == Some(&index) {
                    firsts.insert(hash, kept);
                }
                self.reporting.report.errors.swap(kept, index);
                self.reporting.report.groups.swap(kept, index);
            }
            kept += 1;
        }
        self.reporting.report.errors.truncate(kept);
        self.reporting.report.groups.truncate(kept);
    }

    /// Called when the load is complete: empties the objects that only left-out values held.
    pub(crate) fn left_out(&self, options: &Options<'_>) {
        if options.keep_going && !self.reporting.report.errors.is_empty() {
            self.loaded.empty_unheld(options);
        }
    }
}
