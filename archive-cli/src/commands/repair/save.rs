//! Repairing save files: the newest good backup, or the undamaged frames.

use std::path::{Path, PathBuf};

use archive::save::SaveFile;
use archive::{Error, Format, Result};

use super::{outcome, text};
use crate::args::Repair;
use crate::input::by_name;
use crate::interrupt::guarded;
use crate::{Outcome, output, show};

pub fn repair(path: &Path, args: &Repair) -> Result<Outcome> {
    let name = path.display().to_string();
    let file = SaveFile::new(path);
    let salvaged = file.salvage_body();
    if matches!(&salvaged, Ok((_, _, None))) {
        output::write(&args.output, &std::fs::read(path).map_err(Error::io)?)?;
        return outcome(&name, &[], args);
    }
    if !args.partial
        && let Some((backup, saved)) = good_backup(path)
    {
        output::write(&args.output, &std::fs::read(&backup).map_err(Error::io)?)?;
        let from = backup.display();
        let lost = format!("everything after {saved}, when the backup {from} was saved");
        return outcome(&name, &[lost], args);
    }
    let (meta, body, damage) = salvaged?;
    let format = by_name(&meta.format)?;
    let Some(damage) = damage else { return Ok(Outcome::Done) };
    if !matches!(format, Format::Json | Format::MessagePack) {
        let message = format_args!(
            "{} There is no good backup, and a part of a value in the format {} cannot be read",
            damage.message(),
            meta.format
        );
        return Err(Error::new(damage.kind(), message));
    }
    let (body, mut lost) = text::up_to_the_hole(format, &body, &name)?;
    lost.insert(0, damage.message().to_owned());
    let (new, _guard) = guarded(tempfile::tempdir).map_err(Error::io)?;
    let new = new.path().join("save");
    SaveFile::new(&new).game(&*meta.game).game_version(meta.game_version).save_body(meta, &body)?;
    output::write(&args.output, &std::fs::read(&new).map_err(Error::io)?)?;
    outcome(&name, &lost, args)
}

/// Returns whether a part of a save file can be kept.
pub fn can_repair(path: &Path) -> bool {
    let is_kept = |format: &str| {
        by_name(format).is_ok_and(|format| matches!(format, Format::Json | Format::MessagePack))
    };
    good_backup(path).is_some()
        || SaveFile::new(path)
            .salvage_body()
            .is_ok_and(|(meta, _, damage)| damage.is_none() || is_kept(&meta.format))
}

/// Returns the newest good backup, and when it was saved.
fn good_backup(path: &Path) -> Option<(PathBuf, String)> {
    let named = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    // An old save has this name until it becomes the first backup.
    let numbers = (1..).map(|number| named(&format!(".{number}")));
    let backups = std::iter::once(named(".old")).filter(|old| old.exists());
    backups.chain(numbers.take_while(|backup| backup.exists())).find_map(|backup| {
        let (meta, body) = SaveFile::new(&backup).read_body().ok()?;
        let format = by_name(&meta.format).ok()?;
        crate::stream::check(format, &body).ok()?;
        Some((backup, show::date(meta.created)))
    })
}
