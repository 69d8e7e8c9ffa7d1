//! [`Options::report`]: sets where loads put their reports. [`Options::watch`]: finds out whether there
//! would be anything in them.
// Why: docs/decisions/reports-and-errors.md#a-watch-finds-out-whether-a-report-would-be-empty

use std::cell::Cell;

use super::{Report, Session};
use crate::model::error::Result;
use crate::state::options::Options;

impl<'a> Options<'a> {
    /// Sets where each load puts its report when it ends, even if it fails. The load replaces the
    /// previous report.
    ///
    /// ```
    /// use std::cell::Cell;
    ///
    /// use archive::{Options, Serialize, json};
    ///
    /// #[derive(Default, Serialize)]
    /// struct Unit { name: String, hp: u32 }
    ///
    /// let mut unit = Unit { name: "Ann".into(), hp: 7 };
    /// let report = Cell::default();
    /// json::load_into_with(&mut unit, br#"{"hp":8}"#, &Options::new().report(&report))?;
    /// assert!(report.take().absent().eq(["name"]));
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn report(self, report: &'a Cell<Report>) -> Self {
        self.provide_ref(report)
    }

    /// Finds out whether the [report](Options::report) of each load would be empty, without the time
    /// that a report takes. For a program that then loads again with a report. Has no effect with a
    /// report.
    ///
    /// ```
    /// use archive::tool::Watch;
    /// use archive::{Options, Serialize, json};
    ///
    /// #[derive(Default, Serialize)]
    /// struct Unit { name: String, hp: u32 }
    ///
    /// let watch = Watch::default();
    /// let options = Options::new().watch(&watch);
    /// json::from_str_with::<Unit>(r#"{"name":"Ann","hp":8}"#, &options)?;
    /// assert!(!watch.found());
    /// json::from_str_with::<Unit>(r#"{"hp":8}"#, &options)?;
    /// assert!(watch.found());
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn watch(self, watch: &'a Watch) -> Self {
        self.provide_ref(watch)
    }
}

/// Whether a load found something for a [`Report`]: [`Options::watch`].
#[derive(Debug, Default)]
pub struct Watch(Cell<bool>);

impl Watch {
    /// Returns whether the report of the last load might not be empty.
    pub fn found(&self) -> bool {
        self.0.get()
    }
}

/// Runs a load in a new session, and puts its report where the options say.
#[inline]
pub(crate) fn in_session(
    options: &Options<'_>,
    load: impl FnOnce(&mut Session) -> Result,
) -> Result {
    let mut session = Session::for_load(options);
    let loaded = load(&mut session);
    if session.looks() {
        session.hand_over(options);
    }
    loaded
}

impl Session {
    /// Creates the session of a load, which looks for what the options ask for.
    pub(crate) fn for_load(options: &Options<'_>) -> Self {
        if options.context::<Cell<Report>>().is_some() {
            Session::reporting()
        } else if options.context::<Watch>().is_some() {
            Session::watching()
        } else {
            Session::new()
        }
    }

    /// Puts the report, or whether there would be one, where the options say.
    #[cold]
    pub(crate) fn hand_over(&mut self, options: &Options<'_>) {
        if let Some(report) = options.context::<Cell<Report>>() {
            report.set(self.take_report());
        } else if let Some(watch) = options.context::<Watch>() {
            watch.0.set(self.reporting.missed);
        }
    }
}
