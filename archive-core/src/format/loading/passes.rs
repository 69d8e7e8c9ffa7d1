//! Loads roots, and loads them again if keys of sets and maps refer to objects that come later.

use super::Loading;
use crate::format::decoder::Decoder;
use crate::model::error::Result;
use crate::model::reserved::check_name;
use crate::model::shape::Shape;
use crate::state::chains::has_keys;
use crate::visit::session::Place;
use crate::visit::visited::{Visit, Visited};

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Loading<'_, D, FILE_ORDER> {
    /// Loads one of several roots, whose type is erased, including everything that its pointers need.
    pub(crate) fn named_root(
        &mut self,
        name: &str,
        shape: &'static Shape,
        visit: Visit<'_>,
    ) -> Result {
        let result = self.try_named_root(name, shape, visit);
        match result {
            Err(_) => self.session.loaded.abandon(self.options),
            Ok(()) => self.session.keep_objects(),
        }
        result
    }

    fn try_named_root(&mut self, name: &str, shape: &'static Shape, visit: Visit<'_>) -> Result {
        check_name(name)?;
        self.session.begin_root();
        self.measure();
        if !self.decoder.shaped_member(name, shape)? {
            return self.absent().named(name);
        }
        let place = Some(Place::Member(name));
        self.in_passes(shape, |this| match this.typed(shape, visit) {
            Ok(true) => Ok(()),
            Ok(false) => this.load_at(place, &mut Visited::<false>(visit)),
            Err(error) => Err(this.prefix_error(error, place)),
        })
    }

    /// Loads a root on the format's archive for values of known types. Returns `false` if this archive
    /// must load it.
    fn typed(&mut self, shape: &'static Shape, visit: Visit<'_>) -> Result<bool> {
        // With a report, this archive adds the paths to the notes.
        if shape.is_any() || self.session.is_reporting() {
            return Ok(false);
        }
        self.decoder.typed(shape, visit, self.session, self.options)
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
