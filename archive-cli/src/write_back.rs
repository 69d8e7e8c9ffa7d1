//! [`write_back`]: replaces a file by the changed one.

use std::path::Path;

use archive::save::SaveFile;
use archive::{Error, Format, Result, binary};

use crate::args::Write;
use crate::complaint::warn;
use crate::input::Input;
use crate::output;

/// Writes the new bytes of a file, or of the value in a save file. `None` means that nothing changed: a
/// file is then only written if it goes elsewhere.
///
/// # Errors
/// Those of the system.
pub fn write_back(input: &Input, bytes: Option<Vec<u8>>, args: &Write) -> Result {
    let target = match (&args.output, &input.path) {
        (Some(output), _) => output.as_path(),
        (None, Some(path)) => path,
        (None, None) => Path::new("-"),
    };
    let is_in_place = args.output.is_none() && input.path.is_some();
    let Some(bytes) = bytes else {
        return if is_in_place { Ok(()) } else { output::write(target, &input.original()?) };
    };
    if input.format == Format::Binary {
        let old = binary::inspect_types(&input.bytes)?.format_version;
        let new = binary::inspect_types(&bytes)?.format_version;
        if old != new {
            let name = &input.name;
            warn(&format!("{name} had version {old} of the binary format, and now has {new}"));
        }
    }
    match input.meta {
        None if is_in_place => return output::replace(target, &bytes),
        None => return output::write(target, &bytes),
        Some(_) => {}
    }
    let is_file = std::fs::metadata(target).map_or(true, |file| file.is_file());
    if target == Path::new("-") || !is_file {
        // Saving needs a folder, and replaces what is there.
        let folder = tempfile::tempdir().map_err(Error::io)?;
        let path = folder.path().join("save");
        save(&path, input, &bytes, args)?;
        return output::write(target, &std::fs::read(path).map_err(Error::io)?);
    }
    save(target, input, &bytes, args)
}

/// Saves a save file again with its metadata. The old one becomes a backup.
fn save(path: &Path, input: &Input, bytes: &[u8], args: &Write) -> Result {
    let Some(meta) = input.meta.as_deref() else { return Ok(()) };
    let backups = args.backups.unwrap_or_else(|| backups(path).max(1));
    let file =
        SaveFile::new(path).game(&*meta.game).game_version(meta.game_version).backups(backups);
    file.save_body(meta.clone(), bytes).map(drop)
}

/// Returns how many backups a save file has.
fn backups(path: &Path) -> usize {
    let exists = |number: &usize| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{number}"));
        Path::new(&name).exists()
    };
    (1..).take_while(exists).count()
}
