//! [`Input`]: a file whose format was detected.

mod detect;
mod formats;
mod joined;
mod untyped;

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use archive::error::Known;
use archive::format::Decoder;
use archive::save::{Meta, SaveFile};
use archive::shape::Shape;
use archive::{Error, ErrorKind, Format, Result, Value, binary};

use crate::current::{self, Stamp};
use crate::interrupt::guarded;
use crate::show;
pub use detect::utf16;
#[cfg(feature = "view")]
pub use formats::allow_depth;
pub use formats::{
    bins_format, by_name, by_path, explain_limit, format_name, options, tree_options,
};
pub use joined::{has_rows, is_collection, pump_objects, pump_rows};
use joined::{objects, rows};

/// The number of bytes that the detection of the format looks at.
const START: u64 = 64 << 10;

/// The kind of a file, detected from its first bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A value in a format.
    Value(Format),
    /// A save file: a value with metadata.
    Save,
    /// An object store.
    Rows,
}

/// Returns the first bytes of a file, or none if it is not a file.
fn first_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut start = Vec::new();
    if std::fs::metadata(path)?.is_file() {
        File::open(path)?.take(64).read_to_end(&mut start)?;
    }
    Ok(start)
}

/// Returns a similar file name in the folder of a missing file, for a message.
#[cold]
fn similar_name(path: &Path, error: &io::Error) -> String {
    const MAX_FILES: usize = 1000;
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let Ok(entries) = std::fs::read_dir(folder.unwrap_or(Path::new("."))) else {
        return String::new();
    };
    if error.kind() != io::ErrorKind::NotFound {
        return String::new();
    }
    let names: Vec<String> = entries
        .take(MAX_FILES)
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let known = Known::new(&name, &names, "it has").to_string();
    match known.strip_prefix(", did you mean ").and_then(|known| known.split_once("? ")) {
        Some((similar, _)) => format!("; did you mean {similar}?"),
        None => String::new(),
    }
}

/// A file whose first bytes were read.
pub struct Source {
    pub name: String,
    pub path: Option<PathBuf>,
    pub kind: Kind,
    pub start: Vec<u8>,
    pub rest: Box<dyn Read>,
    /// The length of the file, if it is known.
    pub len: Option<u64>,
    /// The stamp of the file before it was read.
    stamp: Option<Stamp>,
}

impl Source {
    /// Opens a file, or standard input for `-`.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the file is not in a known format, and errors of the system.
    pub fn open(path: &Path) -> Result<Source> {
        let is_stdin = path == Path::new("-");
        let name = if is_stdin { "standard input".to_owned() } else { path.display().to_string() };
        let failed = |error: io::Error| {
            let similar = similar_name(path, &error);
            let message = format!("cannot read {name}: {error}{similar}");
            Error::with_source(ErrorKind::Io, message, error)
        };
        let (mut len, mut stamp) = (None, None);
        let mut rest: Box<dyn Read> = if is_stdin {
            Box::new(io::stdin())
        } else {
            let file = File::open(path).map_err(failed)?;
            let meta = file.metadata().map_err(failed)?;
            if meta.is_dir() {
                return Err(failed(io::ErrorKind::IsADirectory.into()));
            }
            stamp = Stamp::of(&meta);
            len = stamp.map(|_| meta.len());
            Box::new(file)
        };
        let mut start = Vec::new();
        rest.by_ref().take(START).read_to_end(&mut start).map_err(failed)?;
        let path = (!is_stdin).then(|| path.to_owned());
        let is_whole = (start.len() as u64) < START;
        let kind = detect::detect(&start, is_whole, path.as_deref());
        let kind = kind.map_err(|error| error.in_file(&name))?;
        Ok(Source { name, path, kind, start, rest, len, stamp })
    }

    /// Reads the whole file.
    pub fn load(mut self) -> Result<Input> {
        if let (Kind::Save | Kind::Rows, None) = (self.kind, &self.path) {
            return self.load_from_copy();
        }
        let named = |error: Error| error.in_file(&self.name);
        let path = self.path.clone().unwrap_or_default();
        let mut meta = None;
        let (format, mut bytes) = match self.kind {
            Kind::Rows => (Format::MessagePack, rows(&path)?),
            Kind::Save => {
                let (of_save, body) = SaveFile::new(&path).read_body()?;
                let format = by_name(&of_save.format).map_err(named)?;
                meta = Some(Box::new(of_save));
                (format, body)
            }
            Kind::Value(format) => (format, self.take_bytes()?),
        };
        let has_columns = format == Format::Binary && binary::columns::has_columns(&bytes);
        if has_columns {
            let rows = binary::columns::to_rows(&bytes);
            bytes = rows.map_err(|error| error.in_file(&self.name))?.into_owned();
        }
        let mut input = Input {
            name: self.name,
            path: self.path,
            format,
            bytes,
            meta,
            joined: None,
            has_columns,
            original: None,
            stamp: self.stamp,
        };
        if self.kind == Kind::Rows {
            input.joined = Some(Joined::Rows);
        } else if input.format == bins_format() && is_collection(&input.bytes) {
            let objects = objects(&input.bytes).map_err(|error| error.in_file(&input.name))?;
            input.joined = Some(Joined::Objects(std::mem::replace(&mut input.bytes, objects)));
            input.format = Format::MessagePack;
        }
        Ok(input)
    }

    /// Reads the bytes of the file.
    pub fn read_bytes(mut self) -> Result<Vec<u8>> {
        self.take_bytes()
    }

    fn take_bytes(&mut self) -> Result<Vec<u8>> {
        let mut bytes = std::mem::take(&mut self.start);
        let len = usize::try_from(self.len.unwrap_or(0)).ok();
        let room = len.map(|len| bytes.try_reserve_exact(len.saturating_sub(bytes.len())));
        if !matches!(room, Some(Ok(()))) {
            let size = show::bytes(self.len.unwrap_or(0));
            let message =
                format!("cannot read {}: it has {size}, and there is not enough memory", self.name);
            return Err(Error::with_source(
                ErrorKind::Io,
                message,
                io::Error::from(io::ErrorKind::OutOfMemory),
            ));
        }
        let read = self.rest.read_to_end(&mut bytes);
        read.map_err(|error| Error::io(error).in_file(&self.name))?;
        Ok(bytes)
    }

    /// Reads a file from standard input whose format needs a path, through a temporary copy.
    fn load_from_copy(mut self) -> Result<Input> {
        let (mut copy, _guard) = guarded(tempfile::NamedTempFile::new).map_err(Error::io)?;
        io::copy(&mut self.start.chain(&mut self.rest), &mut copy).map_err(Error::io)?;
        let mut input = Source::open(copy.path())?.load()?;
        let original = std::fs::read(copy.path()).map_err(Error::io)?;
        (input.name, input.path, input.original) = (self.name, None, Some(original));
        input.stamp = None;
        Ok(input)
    }
}

/// A whole file in memory.
pub struct Input {
    pub name: String,
    pub path: Option<PathBuf>,
    /// The format of the bytes.
    pub format: Format,
    pub bytes: Vec<u8>,
    /// The metadata, if the file is a save file.
    pub meta: Option<Box<Meta>>,
    /// The kind of file from which `bytes` was converted, if it is not the content of the file.
    pub joined: Option<Joined>,
    /// Whether `bytes` was converted from columns.
    pub has_columns: bool,
    /// The content of standard input, if `bytes` is not that.
    original: Option<Vec<u8>>,
    stamp: Option<Stamp>,
}

/// A file of many values that is presented as one value.
pub enum Joined {
    /// A collection of packed objects, presented as a list, and its bytes.
    Objects(Vec<u8>),
    /// An object store, presented as objects by key in classes by name.
    Rows,
}

impl Input {
    /// Opens and reads a file, or standard input for `-`.
    ///
    /// # Errors
    /// As [`Source::open`] and [`Source::load`].
    pub fn open(path: &Path) -> Result<Input> {
        Source::open(path)?.load()
    }

    /// Returns a file in the same format with other content, which does not exist on disk.
    pub fn with_bytes(&self, bytes: Vec<u8>) -> Input {
        Input {
            name: self.name.clone(),
            path: None,
            format: self.format,
            bytes,
            meta: None,
            joined: None,
            has_columns: self.has_columns,
            original: None,
            stamp: None,
        }
    }

    /// Returns whether the file is still the one that was read.
    pub fn is_current(&self) -> Result<bool> {
        let (Some(path), Some(stamp)) = (&self.path, self.stamp) else { return Ok(true) };
        let is_current = || {
            let file = std::fs::metadata(path)?;
            let is_whole = self.meta.is_none() && self.joined.is_none() && !self.has_columns;
            // The clock of a file system may be too coarse to show a change.
            Ok(Stamp::of(&file) == Some(stamp)
                && (!is_whole || current::has_bytes(path, &self.bytes)?))
        };
        is_current().map_err(|error: io::Error| Error::io(error).in_file(&self.name))
    }

    /// Returns the stamp of the file that was read, if it can change.
    #[cfg(feature = "view")]
    pub fn stamp(&self) -> Option<Stamp> {
        self.path.as_ref().and(self.stamp)
    }

    /// Returns whether the file on disk still has the stamp of the one that was read.
    #[cfg(feature = "view")]
    pub fn has_stamp(&self) -> bool {
        let Some(path) = &self.path else { return true };
        let now = std::fs::metadata(path).ok().and_then(|file| Stamp::of(&file));
        now == self.stamp
    }

    /// Returns the kind of the file, for messages.
    pub fn kind(&self) -> String {
        let kind = match &self.joined {
            Some(Joined::Objects(_)) => "packed objects",
            Some(Joined::Rows) => "object store",
            None if self.has_columns => "binary with columns",
            None => format_name(self.format),
        };
        if self.meta.is_some() { format!("save file of {kind}") } else { kind.to_owned() }
    }

    /// Returns the name of the file, for errors with a position in `bytes`, and what `bytes` is.
    pub fn place_of_bytes(&self) -> String {
        match (&self.meta, &self.joined) {
            (None, None) if self.has_columns => format!("{} (as rows)", self.name),
            (None, None) => self.name.clone(),
            (Some(_), _) => format!("{} (the value in it)", self.name),
            (None, Some(_)) => format!("{} (as MessagePack)", self.name),
        }
    }

    /// Returns the bytes of the whole file.
    pub fn original(&self) -> Result<Vec<u8>> {
        match (&self.original, &self.joined, &self.path) {
            (Some(bytes), _, _) | (None, Some(Joined::Objects(bytes)), _) => Ok(bytes.clone()),
            (None, _, Some(path)) => std::fs::read(path).map_err(Error::io),
            (None, _, None) => Ok(self.bytes.clone()),
        }
    }

    /// Runs a function on a decoder at the root.
    ///
    /// # Errors
    /// Errors of the file, with its name, and of the function.
    pub fn read<R>(&self, visit: impl FnOnce(&mut dyn Decoder) -> Result<R>) -> Result<R> {
        let read = || {
            let mut decoder = self.format.erased().decoder(&self.bytes, &options())?;
            decoder.decoder().begin_root(&Shape::Any)?;
            visit(decoder.decoder())
        };
        read().map_err(|error: Error| error.in_file(self.place_of_bytes()))
    }

    /// Reads the whole file, and checks that nothing follows.
    ///
    /// # Errors
    /// Errors of the file, with its name, and of the function.
    pub fn read_all<R>(&self, visit: impl FnOnce(&mut dyn Decoder) -> Result<R>) -> Result<R> {
        let read = || {
            let mut decoder = self.format.erased().decoder(&self.bytes, &options())?;
            decoder.decoder().begin_root(&Shape::Any)?;
            let result = visit(decoder.decoder())?;
            decoder.decoder().end_root()?;
            decoder.end()?;
            Ok(result)
        };
        read().map_err(|error: Error| error.in_file(self.place_of_bytes()))
    }

    /// Loads the file as a tree.
    ///
    /// # Errors
    /// Errors of the file, with its name.
    pub fn value(&self) -> Result<Value> {
        let options = tree_options(self.bytes.len());
        let value = self.format.erased().from_slice_with(&self.bytes, &options);
        value.map_err(|error: Error| explain_limit(error).in_file(self.place_of_bytes()))
    }
}
