//! A folder in which nothing can be written: a tmpfs that is mounted so, or where none can be mounted, a folder without
//! the permission.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use archive::save::{Saves, SlotState};
use archive::{ErrorKind, Format};

use crate::mount::Mounted;
use crate::proof::files_of_a_save::{number, numbered};
use crate::saved_worlds::World;
use crate::{Row, Rows, folder};

pub(crate) fn rows() -> Rows {
    if let Some(mounted) = Mounted::new("size=4m")? {
        prepare(mounted.path())?;
        mounted.make_read_only()?;
        return Ok(vec![check("a tmpfs that is mounted as read-only", mounted.path())?]);
    }
    let folder = folder()?;
    prepare(folder.path())?;
    let old = fs::metadata(folder.path()).map_err(text)?.permissions();
    let mut new = old.clone();
    new.set_readonly(true);
    fs::set_permissions(folder.path(), new).map_err(text)?;
    let what = "a folder that may not be written, since no tmpfs may be mounted";
    let row = check(what, folder.path());
    fs::set_permissions(folder.path(), old).map_err(text)?;
    Ok(vec![row?])
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Slots that are good, damaged, and left by a save that was interrupted.
fn prepare(folder: &Path) -> Result<(), String> {
    let saves = Saves::in_folder(folder).map_err(text)?.backups(2);
    for name in ["good", "damaged", "interrupted"] {
        for tick in 1..4 {
            let slot = saves.slot(name).map_err(text)?;
            slot.save(&numbered(tick), Format::Binary).map_err(text)?;
        }
    }
    fs::write(folder.join("damaged.sav"), "half").map_err(text)?;
    fs::write(folder.join("interrupted.sav.new"), "half").map_err(text)
}

/// Returns all files.
fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(text)? {
        let path = entry.map_err(text)?.path();
        files.insert(path.display().to_string(), fs::read(&path).map_err(text)?);
    }
    Ok(files)
}

/// Does all that writes, which must be errors, and all that reads, which must work.
fn check(what: &str, folder: &Path) -> Result<Row, String> {
    let before = files(folder)?;
    let saves = Saves::in_folder(folder).map_err(text)?.backups(2);
    let world = numbered(9);
    let save = |name: &str| saves.slot(name)?.save(&world, Format::Binary).map(drop);
    let writes = [
        save("good"),
        save("damaged"),
        save("interrupted"),
        save("new"),
        saves
            .slot("good")
            .and_then(|slot| slot.save_in_background(&world, Format::Binary)?.wait().map(drop)),
        saves.autosave().and_then(|slot| slot.save(&world, Format::Binary)).map(drop),
        saves.copy("good", "b").map(drop),
        saves.rename("good", "b").map(drop),
        saves.delete("good"),
        Saves::in_folder(folder.join("new"))
            .and_then(|saves| saves.slot("a")?.save(&world, Format::Binary))
            .map(drop),
    ];
    for (at, write) in writes.iter().enumerate() {
        match write {
            Err(error)
                if error.kind() == ErrorKind::Io
                    && error.message().contains(&*folder.to_string_lossy()) => {}
            other => return Err(format!("write {at} of {what}: {other:?}")),
        }
    }
    let expected = [
        ("damaged", SlotState::Damaged, 2),
        ("good", SlotState::Good, 3),
        ("interrupted", SlotState::Good, 3),
    ];
    for (name, state, tick) in expected {
        let slot = saves.slot(name).map_err(text)?;
        let loaded = slot.load::<World>().map_err(text)?;
        let is_aside = loaded.damaged.iter().any(|damaged| damaged.aside.is_some());
        if slot.state() != state || number(&loaded.value)? != tick || is_aside {
            return Err(format!("{what}: {name} is {slot:?}"));
        }
    }
    if saves.list().map_err(text)?.len() != expected.len() || files(folder)? != before {
        return Err(format!("{what}: the folder has changed"));
    }
    let result =
        format!("0 bad: each is an error, {} loads work, no file has changed", expected.len());
    Ok(Row::new(format!("writes in {what}"), writes.len(), result))
}
