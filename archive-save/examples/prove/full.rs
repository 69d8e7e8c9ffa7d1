//! A disk without room: a tmpfs that is too small, or where none can be mounted, a file system that counts bytes.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use archive::Format;
use archive::save::{FileSystem, SaveFile, System};

use crate::mount::Mounted;
use crate::proof::failing_system::Failing;
use crate::proof::files_of_a_save::numbered;
use crate::proof::full_disk::{Seen, saves};
use crate::{Row, Rows, folder};

const PAGE: u64 = 4_096;
/// As many files as the second one has.
const FILES: usize = 64;

pub(crate) fn rows() -> Rows {
    let (Some(bytes), Some(files)) =
        (Mounted::new("size=4m")?, Mounted::new(&format!("nr_inodes={FILES}"))?)
    else {
        return Ok(vec![counted()?]);
    };
    Ok(vec![too_small(bytes.path())?, too_few_files(files.path())?])
}

/// Saves to `a.sav` with two backups.
fn prepare(system: &Arc<dyn FileSystem>, folder: &Path) -> Result<PathBuf, String> {
    let path = folder.join("a.sav");
    for tick in 7..10 {
        let file = SaveFile::over(system.clone(), &path).backups(3);
        file.save(&numbered(tick), Format::Binary).map_err(|error| error.to_string())?;
    }
    Ok(path)
}

fn result(seen: &Seen) -> String {
    format!("0 bad: {} errors, then {} saves", seen.failed, seen.succeeded)
}

/// A ballast leaves so many pages free.
fn too_small(folder: &Path) -> Result<Row, String> {
    let system: Arc<dyn FileSystem> = Arc::new(System);
    let path = prepare(&system, folder)?;
    let ballast = folder.join("ballast");
    let mut set_room = |pages: u64| {
        let mut file = File::create(&ballast).expect("a ballast");
        while file.write_all(&[1; PAGE as usize]).is_ok() {}
        let len = file.metadata().expect("its length").len();
        file.set_len(len - pages * PAGE).expect("a shorter ballast");
    };
    let mut seen = Seen::default();
    saves(&system, &path, &mut seen, &mut set_room)?;
    let runs = seen.failed + seen.succeeded;
    Ok(Row::new(
        "saves to a tmpfs that is too small, with 0, 1, 2 and more pages free",
        runs,
        result(&seen),
    ))
}

/// Empty files leave so many free.
fn too_few_files(folder: &Path) -> Result<Row, String> {
    let system: Arc<dyn FileSystem> = Arc::new(System);
    let path = prepare(&system, folder)?;
    let mut set_room = |files: u64| {
        let names = || (0..).map(|number| folder.join(format!("ballast {number}")));
        // Those of the last time have gaps.
        for path in names().take(FILES) {
            _ = fs::remove_file(path);
        }
        let made: Vec<_> = names().take_while(|path| File::create(path).is_ok()).collect();
        for path in made.iter().take(files as usize) {
            fs::remove_file(path).expect("to be removed");
        }
    };
    let mut seen = Seen::default();
    saves(&system, &path, &mut seen, &mut set_room)?;
    let runs = seen.failed + seen.succeeded;
    Ok(Row::new("saves to a tmpfs with 0, 1, 2 and more files free", runs, result(&seen)))
}

/// No tmpfs can be mounted.
fn counted() -> Result<Row, String> {
    let folder = folder()?;
    let failing = Failing::new(Arc::new(System));
    let system: Arc<dyn FileSystem> = Arc::new(failing.clone());
    let path = prepare(&system, folder.path())?;
    let mut seen = Seen::default();
    let mut set_room = |pages: u64| failing.set_room(Some((pages * PAGE) as usize));
    saves(&system, &path, &mut seen, &mut set_room)?;
    let what =
        "saves with 0, 1, 2 and more pages free, by a counter, since no tmpfs may be mounted";
    Ok(Row::new(what, seen.failed + seen.succeeded, result(&seen)))
}
