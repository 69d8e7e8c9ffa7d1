//! A disk without room.

use std::path::Path;
use std::sync::Arc;

use archive::save::{FileSystem, SaveFile};
use archive::{ErrorKind, Format};

use super::files_of_a_save::{number, numbered, numbers_of};
use crate::saved_worlds::World;

/// How the saves ended.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    pub(crate) failed: u64,
    pub(crate) succeeded: u64,
}

/// Saves with more and more room, until three saves in a row succeed. `set_room` sets the room. The
/// file has two backups at first, and the next world has several frames.
///
/// # Errors
/// A description of the fault.
pub(crate) fn saves(
    system: &Arc<dyn FileSystem>,
    path: &Path,
    seen: &mut Seen,
    set_room: &mut dyn FnMut(u64),
) -> Result<(), String> {
    let file = SaveFile::over(system.clone(), path).backups(3);
    let mut good = numbers_of(system, path)?;
    let mut enough = 0;
    for room in 0.. {
        set_room(room);
        let tick = good[0] + 1;
        let result = file.save(&numbered(tick), Format::Binary);
        if result.is_ok() {
            good.insert(0, tick);
            good.truncate(4);
            (seen.succeeded, enough) = (seen.succeeded + 1, enough + 1);
        } else {
            (seen.failed, enough) = (seen.failed + 1, 0);
        }
        if let Err(error) = &result {
            let cause = std::error::Error::source(error).and_then(|cause| cause.downcast_ref());
            let cause = cause.map(std::io::Error::kind);
            if error.kind() != ErrorKind::Io || cause != Some(std::io::ErrorKind::StorageFull) {
                return Err(format!("the error is {error:?}"));
            }
        }
        let loaded = file.load::<World>().map_err(|error| format!("room {room}: {error}"))?;
        let found = numbers_of(system, path)?;
        if !loaded.is_newest() || number(&loaded.value)? != good[0] || found != good {
            return Err(format!("room {room}: {found:?} where {good:?} were saved, {result:?}"));
        }
        let folder = path.parent().expect("a folder");
        let names = system.list(folder).map_err(|error| error.to_string())?;
        if names.iter().any(|name| name.ends_with(".new")) {
            return Err(format!("room {room}: a file is left"));
        }
        if enough == 3 {
            break;
        }
    }
    if seen.failed == 0 { Err("there was always room".into()) } else { Ok(()) }
}
