//! The files of a save: which worlds they contain, and whether each is intact.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use archive::Format;
use archive::save::{FileSystem, Meta, SaveFile};

use crate::saved_worlds::{World, world};

/// Returns the world with that number. Each tenth one has several frames.
pub(crate) fn numbered(tick: u64) -> World {
    world(tick, if tick.is_multiple_of(10) { 6_000 + tick % 1_000 } else { tick % 50 + 1 })
}

/// Returns the number of a world.
///
/// # Errors
/// It is not one of those that [`numbered`] returns.
pub(crate) fn number(world: &World) -> Result<u64, String> {
    if *world == numbered(world.tick) {
        Ok(world.tick)
    } else {
        Err(format!("a mix, with the tick {}", world.tick))
    }
}

/// Adds an ending to the name of a file.
pub(crate) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Returns the world in one file, and its metadata.
pub(crate) fn world_in(system: &Arc<dyn FileSystem>, path: &Path) -> Result<(World, Meta), String> {
    let in_file = |error| format!("{}: {error}", path.display());
    if path.to_string_lossy().contains(".json") {
        let bytes = system.open(path).and_then(|mut file| file.read(0, u64::MAX));
        let bytes = bytes.map_err(|error| format!("{}: {error}", path.display()))?;
        return Ok((Format::Json.from_slice(&bytes).map_err(in_file)?, Meta::default()));
    }
    let file = SaveFile::over(system.clone(), path);
    file.verify().map_err(in_file)?;
    let loaded = file.load::<World>().map_err(in_file)?;
    Ok((loaded.value, loaded.meta))
}

/// Returns the worlds in the file and its backups, the newest first. Each must be intact.
pub(crate) fn worlds_of(
    system: &Arc<dyn FileSystem>,
    path: &Path,
) -> Result<Vec<(World, Meta)>, String> {
    let mut worlds = Vec::new();
    for number in 0..10 {
        let path =
            if number == 0 { path.to_owned() } else { with_ending(path, &format!(".{number}")) };
        if system.exists(&path).map_err(|error| error.to_string())? {
            worlds.push(world_in(system, &path)?);
        }
    }
    Ok(worlds)
}

/// Returns the numbers of those worlds.
pub(crate) fn numbers_of(system: &Arc<dyn FileSystem>, path: &Path) -> Result<Vec<u64>, String> {
    worlds_of(system, path)?.iter().map(|(world, _)| number(world)).collect()
}
