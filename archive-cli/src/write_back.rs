//! [`write_back`]: replaces a file by its changed content.

use std::path::{Path, PathBuf};

use archive::binary::columns::from_rows;
use archive::bins::Header;
use archive::save::SaveFile;
use archive::{Error, ErrorKind, Format, Result, binary};

use crate::args::Write;
use crate::complaint::warn;
use crate::current::Lock;
use crate::input::{Input, Joined, bins_format, options};
use crate::interrupt::guarded;
use crate::output;

/// What happened to a changed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// The file was written.
    Changed,
    /// Nothing changed.
    Same,
    /// The file was changed since it was read, so it was not replaced.
    Outdated,
}

/// Writes the new bytes of a file, or of the value in a save file. `None` means that nothing
/// changed. The file is then written only if there is another output.
pub fn write_back(input: &Input, bytes: Option<Vec<u8>>, args: &Write) -> Result<Written> {
    let bytes = match bytes {
        Some(rows) if input.has_columns => Some(
            from_rows(&rows, &options()).map_err(|error| error.in_file(&input.name))?.into_owned(),
        ),
        other => other,
    };
    let Some(own) = input.path.as_deref().filter(|own| is_in_place(own, args)) else {
        let target = args.output.as_deref().unwrap_or(Path::new("-"));
        let Some(bytes) = bytes else {
            return output::write(target, &input.original()?).map(|()| Written::Same);
        };
        return write_elsewhere(target, input, &bytes, args).map(|()| Written::Changed);
    };
    if std::fs::metadata(own).is_ok_and(|file| !file.is_file()) {
        let message =
            "a pipe or a device is not changed in place: name the file to write with --output";
        return Err(Error::new(ErrorKind::Unsupported, message).in_file(&input.name));
    }
    let Some(bytes) = bytes else { return Ok(Written::Same) };
    let own = output::resolve(own)?;
    let is_file = own.is_file();
    let lock = if is_file { Some(Lock::take(&own)?) } else { None };
    if is_file && !input.is_current()? {
        return Ok(Written::Outdated);
    }
    warn_of_version(input, &bytes)?;
    match input.meta {
        Some(_) if is_file => save(&own, input, &bytes, args)?,
        // The file was removed meanwhile.
        Some(_) => save_elsewhere(&own, input, &bytes, args)?,
        None => output::replace(&own, &bytes)?,
    }
    drop(lock);
    Ok(Written::Changed)
}

/// Returns whether the changed file replaces the one that was read.
pub fn is_in_place(own: &Path, args: &Write) -> bool {
    let same = |output: &Path| {
        let both = [output, own].map(std::fs::canonicalize);
        output == own || matches!(&both, [Ok(output), Ok(own)] if output == own)
    };
    args.output.as_deref().is_none_or(same)
}

/// Writes a changed file to another path, or to standard output.
fn write_elsewhere(target: &Path, input: &Input, bytes: &[u8], args: &Write) -> Result {
    warn_of_version(input, bytes)?;
    if input.meta.is_none() {
        return output::write(target, bytes);
    }
    let is_file = std::fs::metadata(target).map_or(true, |file| file.is_file());
    if target != Path::new("-") && is_file {
        return save(&output::resolve(target)?, input, bytes, args);
    }
    save_elsewhere(target, input, bytes, args)
}

/// Saves a save file to a path that cannot be replaced. Saving needs a folder.
fn save_elsewhere(target: &Path, input: &Input, bytes: &[u8], args: &Write) -> Result {
    let (folder, _guard) = guarded(tempfile::tempdir).map_err(Error::io)?;
    let path = folder.path().join("save");
    save(&path, input, bytes, args)?;
    output::write(target, &std::fs::read(path).map_err(Error::io)?)
}

/// Warns if the new file is in a later version of its format, which older programs may not read.
fn warn_of_version(input: &Input, new: &[u8]) -> Result {
    let versions = match (&input.joined, input.format) {
        (None, Format::Binary) => {
            let version = |bytes| binary::inspect_types(bytes).map(|types| types.format_version);
            ("binary", u64::from(version(&input.bytes)?), u64::from(version(new)?))
        }
        (Some(Joined::Objects(old)), _) => bins_versions(old, new)?,
        (None, format) if format == bins_format() => bins_versions(&input.bytes, new)?,
        _ => return Ok(()),
    };
    let (format, old, new) = versions;
    if old != new {
        let name = &input.name;
        let message = format!("{name} had version {old} of the {format} format, and now has {new}");
        warn(&message);
    }
    Ok(())
}

/// Returns the versions of the first object whose version differs.
fn bins_versions(old: &[u8], new: &[u8]) -> Result<(&'static str, u64, u64)> {
    let versions = |mut rest: &[u8]| {
        let mut found = Vec::new();
        while let Ok(header) = Header::read(rest) {
            found.push(u64::from(header.version));
            rest = rest.get(header.size as usize..).unwrap_or_default();
        }
        found
    };
    let (old, new) = (versions(old), versions(new));
    let differs = old.into_iter().zip(new).find(|(old, new)| old != new);
    let (old, new) = differs.unwrap_or_default();
    Ok(("Bins", old, new))
}

/// Saves a save file again with its metadata. The old file becomes a backup, and the new one gets
/// its owner and permissions.
fn save(path: &Path, input: &Input, bytes: &[u8], args: &Write) -> Result {
    let Some(meta) = input.meta.as_deref() else { return Ok(()) };
    let old = std::fs::metadata(path).ok();
    let backups = args.backups.unwrap_or_else(|| backups(path).max(1));
    let file =
        SaveFile::new(path).game(&*meta.game).game_version(meta.game_version).backups(backups);
    file.save_body(meta.clone(), bytes)?;
    if let Some(old) = old {
        let kept = std::fs::File::open(path).and_then(|new| output::keep_attributes(&new, &old));
        kept.map_err(|error| output::failed("keep the permissions of", path, error))?;
    }
    Ok(())
}

/// Returns the number of backups of a save file.
fn backups(path: &Path) -> usize {
    (1..).take_while(|number| backup(path, *number).exists()).count()
}

/// Returns the path of a backup of a save file.
pub fn backup(path: &Path, number: usize) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{number}"));
    name.into()
}
