//! Loads a root, and again if keys of sets and maps refer to objects that come later.

use super::Loading;
use crate::format::decoder::Decoder;
use crate::model::error::Result;
use crate::model::shape::Shape;
use crate::state::chains::has_keys;

impl<D: Decoder + ?Sized, const FILE_ORDER: bool> Loading<'_, D, FILE_ORDER> {
    /// Calls `load` for the root at the cursor, and loads everything that its pointers need. Both are
    /// repeated as long as keys require it.
    pub(super) fn in_passes(
        &mut self,
        shape: &'static Shape,
        mut load: impl FnMut(&mut Self) -> Result,
    ) -> Result {
        let before = self.session.before_root();
        // A decoder of bytes as they arrive keeps all that follows a mark.
        let returns = !self.decoder.drops_input() || has_keys(shape, self.options.get_registry());
        let start = returns.then(|| self.decoder.mark());
        loop {
            load(self)?;
            self.finish_pointers()?;
            let Some(start) = start else { return self.session.check_keys() };
            if !self.session.begins_again(&before, self.options)? {
                return Ok(());
            }
            self.decoder.goto(start);
        }
    }
}
