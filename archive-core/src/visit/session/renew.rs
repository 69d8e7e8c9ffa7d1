//! Using one session for many small loads or saves, one after the other. Creating a session takes
//! longer than loading a small value.

use super::Session;
use super::budget::Budget;
use super::depth::Nesting;
use super::elements::Elements;
use super::in_place_attempt::InPlaceAttempt;
use super::passes::Passes;
use super::trees::LoadedTrees;

impl Session {
    /// Makes this a new session without a report. Takes little time if the last load or save had
    /// no pointers, no trees and no report.
    #[doc(hidden)]
    #[inline]
    pub fn renew(&mut self) {
        if !self.restarts() {
            *self = Session::default();
        }
    }

    /// Sets all counters to those of a new session. Returns `false` if anything else was used.
    #[inline]
    fn restarts(&mut self) -> bool {
        // Lists every field, so that a new one is not forgotten.
        let Session {
            saved,
            loaded,
            links,
            unsaved: _, // edits begin sessions of their own
            makers,
            passes,
            report,
            reporting,
            absent,
            nesting,
            pointers_open,
            pointer_base,
            root_depth,
            elements,
            uncounted,
            filling,
            #[cfg(feature = "slotmap")]
            generations,
            #[cfg(feature = "slotmap")]
            padding,
            size_hint,
            budget,
            expected,
            trees,
            same_ids: _, // set for sessions that are used once
            unknown,
            in_place_attempt,
            broken,
            keyed,
            objects_to,
            exploring,
            names,
            report_begun: _, // used with a report alone
            notes: _,
            version,
        } = self;
        let unused = saved.is_unused()
            && loaded.is_unused()
            && links.is_empty()
            && makers.is_unused()
            && trees.is_unused()
            && unknown.is_unused()
            && report.is_empty()
            && !(*reporting | *exploring | *filling | *broken);
        if !unused {
            return false;
        }
        absent.clear();
        names.clear();
        *nesting = Nesting::default();
        (*pointers_open, *pointer_base, *root_depth, *uncounted) = (0, 0, 0, 0);
        (*keyed, *objects_to, *size_hint, *version) = (false, 0, 0, 0);
        #[cfg(feature = "slotmap")]
        {
            (*generations, *padding) = (0, 0);
        }
        *elements = Elements::default();
        *budget = Budget::default();
        *passes = Passes::default();
        *expected = None;
        *in_place_attempt = InPlaceAttempt::default();
        trees.whole = false;
        true
    }
}

impl LoadedTrees {
    #[inline]
    fn is_unused(&self) -> bool {
        let LoadedTrees { pointees, met_pointer, fetching, whole: _, marks, layout } = self;
        pointees.is_none() && layout.is_none() && !(*met_pointer | *fetching | *marks)
    }
}
