//! A world in memory, as bytes of a format.
//!
//! The format is a trait object here, so that the game builds faster.

use archive::{Format, Result};

use crate::{World, options, saved_options};

/// The bytes of a world in a format.
pub fn save(world: &World, format: Format) -> Result<Vec<u8>> {
    format.erased().to_vec_with(world, &options())
}

/// The world that bytes in a format hold.
///
/// # Errors
/// An error if the world cannot be played, and errors of the input.
pub fn load(bytes: &[u8], format: Format) -> Result<World> {
    let world: World = format.erased().from_slice_with(bytes, &saved_options())?;
    // The world was checked when its last member had been loaded. A unit that the file stores in an
    // unknown member is loaded after that check, and was blank then.
    world.check()?;
    Ok(world)
}
