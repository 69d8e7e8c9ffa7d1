//! Adds errors to the report. They count against [`Limits::expansion`](crate::Limits::expansion).

use super::report::Extent;
use super::{Place, Session};
use crate::model::error::{Error, Result};
use crate::state::options::Options;

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
    pub(crate) fn collect_error(&mut self, error: Error, options: &Options<'_>) -> Result {
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

    /// Adds an error to the report.
    #[cold]
    fn add_error(&mut self, error: Error) {
        let mut errors = std::mem::take(&mut self.report.errors);
        if self.report_fits().and_then(|()| self.hold(error.size())).is_ok() {
            drop(self.hold_item(&mut errors, error));
        }
        self.report.errors = errors;
    }

    /// Adds a place to the front of the paths of the errors that were added since.
    pub(super) fn prefix_errors(&mut self, since: Extent, place: Place<'_>) {
        let Session { report, budget, .. } = self;
        for error in report.errors.get_mut(since.errors..).unwrap_or_default() {
            let mut fits = true;
            error.prefix(|path| fits = budget.grows(path, &|path| place.prefix(path)));
            if !fits {
                return;
            }
        }
    }

    /// Called when the load is complete: empties the objects of values that were left out after
    /// errors.
    pub(crate) fn left_out(&self, options: &Options<'_>) {
        if options.keep_going && !self.report.errors.is_empty() {
            self.loaded.empty_unheld(options);
        }
    }
}
