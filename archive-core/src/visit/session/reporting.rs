//! [`Options::report`]: sets where loads put their reports.

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
}

/// Runs a load in a new session, and puts its report where the options say.
#[inline]
pub(crate) fn in_session(
    options: &Options<'_>,
    load: impl FnOnce(&mut Session) -> Result,
) -> Result {
    let Some(report) = options.context::<Cell<Report>>() else {
        return load(&mut Session::new());
    };
    let mut session = Session::reporting();
    let loaded = load(&mut session);
    report.set(session.take_report());
    loaded
}
