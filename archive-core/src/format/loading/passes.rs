//! Loads roots, and loads them again if keys of sets and maps refer to objects that come later.

use super::Loading;
use crate::format::decoder::Decoder;
use crate::model::error::Result;
use crate::model::reserved::check_name;
use crate::model::shape::Shape;
use crate::state::chains::has_keys;
use crate::visit::body::Body;
use crate::visit::session::Place;

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Loading<'_, D, FILE_ORDER> {
    /// Loads one of several roots, including everything that its pointers need.
    pub(crate) fn named_root<B: Body>(
        &mut self,
        name: &str,
        shape: &'static Shape,
        body: &mut B,
    ) -> Result {
        let result = self.try_named_root(name, shape, body);
        match result {
            Err(_) => self.session.loaded.abandon(self.options),
            Ok(()) => self.session.keep_objects(),
        }
        result
    }

    fn try_named_root<B: Body>(
        &mut self,
        name: &str,
        shape: &'static Shape,
        body: &mut B,
    ) -> Result {
        check_name(name)?;
        self.session.begin_root();
        self.measure();
        if !self.decoder.shaped_member(name, shape)? {
            return self.absent().named(name);
        }
        self.in_passes(shape, |this| this.load_at(Some(Place::Member(name)), body))
    }

    /// Calls `load` for the root at the cursor, and loads everything that its pointers need. Both are
    /// repeated as long as keys require it.
    pub(super) fn in_passes(
        &mut self,
        shape: &'static Shape,
        mut load: impl FnMut(&mut Self) -> Result,
    ) -> Result {
        let before = self.session.before_root();
        // A decoder of bytes as they arrive keeps all input after a mark.
        let returns =
            !self.decoder.drops_input() || has_keys(shape, self.options.settings().registry());
        let start = returns.then(|| self.decoder.mark());
        loop {
            load(self)?;
            self.finish_pointers()?;
            let Some(start) = start else { return self.session.check_keys() };
            if !self.session.begins_again(&before, true, self.options)? {
                return Ok(());
            }
            self.decoder.restart(start);
        }
    }
}
