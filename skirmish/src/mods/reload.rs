//! A game takes mods that have changed.

use std::path::Path;

use archive::{Error, Format, Options, Result};

use super::Mods;
use crate::{Game, World, save};

impl Game {
    /// Reads the mods in a folder again, and uses them from now on: objects of types that changed are loaded as those of an
    /// older file are.
    ///
    /// # Errors
    /// Mistakes in the mods, and objects that do not fit the new types. The game then keeps the old ones.
    pub fn reload_mods(&mut self, folder: &Path) -> Result {
        let mods = Mods::read(folder)?;
        let file = save(self.world(), Format::Json)?;
        let options = Options::new().registry(mods.registry()).keep_unknown(true);
        let world: World = Format::Json.erased().from_slice_with(&file, &options)?;
        world.check()?;
        mods.install();
        *self = Game::resume(world).map_err(Error::custom)?;
        Ok(())
    }
}
