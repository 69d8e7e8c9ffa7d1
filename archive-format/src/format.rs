//! [`Format`]: a format as a value, selected at run time.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use archive_core::__private::opened_elsewhere;
use archive_core::backend::{self, AnyBackend};
use archive_core::{Backend, Error, ErrorKind, Found, Known, Result};

/// A format, selected at run time: by name, by a file's extension or by its content.
///
/// ```
/// use archive::{Format, Serialize};
///
/// #[derive(Default, PartialEq, Debug, Serialize)]
/// struct Unit { name: String, hp: u32 }
///
/// let unit = Unit { name: "Ann".into(), hp: 7 };
/// for format in Format::all() {
///     let bytes = format.to_vec(&unit)?;
///     assert_eq!(format.from_slice::<Unit>(&bytes)?, unit);
///     assert_eq!(Format::detect(&bytes)?, format);
/// }
/// assert_eq!(Format::from_path("quick.json")?, Format::Json);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// JSON, binary and MessagePack are compiled for each saved type. To add a format of your own,
/// implement [`Backend`]: [`Format::of::<YourFormat>()`](Format::of) has every method, and works
/// through trait objects.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Format {
    /// [`json`](archive_json): readable text.
    #[cfg(feature = "json")]
    Json,
    /// [`binary`](archive_binary): compact, and tolerant of changes to types. Its profiles for
    /// packets are not variants here, because they cannot be detected; use [`of`](Format::of) for
    /// them: `Format::of::<archive::binary::fingerprint::Fingerprint>()`.
    #[cfg(feature = "binary")]
    Binary,
    /// [`blob`](archive_blob): save files of the original ObjectBlob program.
    #[cfg(feature = "blob")]
    Blob,
    /// [`msgpack`](archive_msgpack): MessagePack with named members.
    #[cfg(feature = "msgpack")]
    MessagePack,
    /// A format from outside this library.
    Custom(&'static dyn AnyBackend),
}

/// Evaluates one expression for the format: the first with its [`Backend`] as `$F` if it is built
/// in, otherwise the second with the trait object.
macro_rules! each {
    ($format:expr, $F:ident => $built_in:expr, $custom:ident => $other:expr) => {
        match $format {
            #[cfg(feature = "json")]
            Format::Json => {
                type $F = archive_json::Json;
                $built_in
            }
            #[cfg(feature = "binary")]
            Format::Binary => {
                type $F = archive_binary::Binary;
                $built_in
            }
            #[cfg(feature = "blob")]
            Format::Blob => {
                type $F = archive_blob::Blob;
                $built_in
            }
            #[cfg(feature = "msgpack")]
            Format::MessagePack => {
                type $F = archive_msgpack::MessagePack;
                $built_in
            }
            Format::Custom($custom) => $other,
        }
    };
}
pub(crate) use each;

/// Calls an entry point of the format.
macro_rules! call {
    ($format:expr, $name:ident($($arg:expr),*)) => {
        each!($format, F => F::$name($($arg),*), custom => custom.$name($($arg),*))
    };
}

impl Format {
    /// Returns the built-in formats.
    pub fn all() -> impl Iterator<Item = Format> + Clone {
        const ALL: &[Format] = &[
            #[cfg(feature = "json")]
            Format::Json,
            #[cfg(feature = "msgpack")]
            Format::MessagePack,
            #[cfg(feature = "binary")]
            Format::Binary,
            #[cfg(feature = "blob")]
            Format::Blob,
        ];
        ALL.iter().copied()
    }

    /// Returns a format of your own.
    pub fn of<F: Backend>() -> Format {
        Format::Custom(backend::erase::<F>())
    }

    /// Returns the format as a trait object. It saves and loads the same bytes as the format. A type
    /// is compiled once for all trait objects, and not for each of JSON, binary and MessagePack. A
    /// program builds faster and is smaller this way; its saves and loads take somewhat longer.
    ///
    /// ```
    /// # use archive::Format;
    /// let format = Format::Json.erased();
    /// assert_eq!(format.to_vec(&[1, 2])?, b"[1,2]");
    /// assert_eq!(format.from_slice::<[u8; 2]>(b"[1,2]")?, [1, 2]);
    /// # Ok::<(), archive::Error>(())
    /// ```
    // Inlined, it would compile the archives of all formats in the crate that calls it.
    #[inline(never)]
    pub fn erased(&self) -> &'static dyn AnyBackend {
        each!(self, F => backend::erase::<F>(), custom => *custom)
    }

    /// Returns the name: `json`, `binary`, `blob`, `msgpack`.
    pub fn name(&self) -> &'static str {
        each!(self, F => F::NAME, custom => custom.name())
    }

    /// Returns the file name extensions, without the dot.
    pub fn extensions(&self) -> &'static [&'static str] {
        each!(self, F => F::EXTENSIONS, custom => custom.extensions())
    }

    /// Returns the built-in format of that name or extension, ignoring case. `objectblob` is
    /// `blob`, and `messagepack` is `msgpack`.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if there is none; the message lists the names.
    pub fn from_name(name: &str) -> Result<Format> {
        const ALSO: [(&str, &str); 2] = [("objectblob", "blob"), ("messagepack", "msgpack")];
        let also = ALSO.iter().find(|(long, _)| long.eq_ignore_ascii_case(name));
        let wanted = also.map_or(name, |(_, short)| short);
        let is = |other: &&str| other.eq_ignore_ascii_case(wanted);
        Format::all().find(|f| is(&f.name()) || f.extensions().iter().any(is)).ok_or_else(|| {
            let names: Vec<&str> = Format::all().map(|f| f.name()).collect();
            let known = Known::new(name, &names, "there are:");
            unknown(format_args!("no format is called {}{known}", Found::Text(name)))
        })
    }

    /// Returns the built-in format for a file's extension.
    ///
    /// `.sav` is ObjectBlob. It is also the extension of save files, so this reads the first bytes
    /// of such a file, if it exists.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if there is none; the message lists the extensions. The same
    /// error for a save file, which `archive::save::SaveFile` opens.
    pub fn from_path(path: impl AsRef<Path>) -> Result<Format> {
        let path = path.as_ref();
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let is = |other: &&str| other.eq_ignore_ascii_case(extension);
        if is(&"sav")
            && let Some(other) = opened_elsewhere(&first_bytes(path))
        {
            return Err(unknown(format_args!("\"{}\" is {other}", path.display())));
        }
        Format::all().find(|f| f.extensions().iter().any(is)).ok_or_else(|| {
            let known: Vec<&str> = Format::all().flat_map(|f| f.extensions()).copied().collect();
            let (path, known) =
                (path.display(), Known::new(extension, &known, "known extensions:"));
            unknown(format_args!("no format for \"{path}\"{known}"))
        })
    }

    /// Returns the built-in format of a file, judged by its first bytes.
    ///
    /// Binary files begin with a signature. JSON is recognized by its first characters, after white
    /// space, comments or a byte order mark (which can only be loaded with
    /// [relaxed](archive_core::Options::relaxed); the error says so). ObjectBlob and MessagePack
    /// have no signature: content that could be one of these counts as such. For MessagePack that
    /// is exactly one value, or the beginning of one; the first 4096 bytes are checked. More bytes
    /// make the result more certain. Packets of `binary::fingerprint` and `binary::bare` have no
    /// signature either: they are never detected, and can be mistaken for another format.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the content is not in a known format. The message names the
    /// types that open save files and object stores.
    pub fn detect(start: &[u8]) -> Result<Format> {
        // The formats with a signature are at the end of the list, and are tried first.
        let mut formats: Vec<Format> = Format::all().collect();
        formats.reverse();
        let found =
            formats.into_iter().find(|f| each!(f, F => F::detect(start), c => c.detect(start)));
        found.ok_or_else(|| {
            let empty = start.is_empty().then_some("the file is empty");
            let message = empty.unwrap_or("the content is not in a known format");
            match opened_elsewhere(start) {
                Some(other) => unknown(format_args!("{message}: it is {other}")),
                None => unknown(format_args!("{message}")),
            }
        })
    }

    archive_core::entry_points!(@list [self] call [self]);
}

archive_core::entry_points!(@read);

/// Formats are equal if their names are.
impl PartialEq for Format {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Format {}

impl fmt::Debug for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Format({})", self.name())
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cold]
fn unknown(message: fmt::Arguments<'_>) -> Error {
    Error::new(ErrorKind::Unsupported, message)
}

/// Returns the first bytes of the file, or none if it cannot be read.
fn first_bytes(path: &Path) -> Vec<u8> {
    const START: u64 = 64;
    let mut start = Vec::new();
    if let Ok(file) = File::open(path) {
        drop(file.take(START).read_to_end(&mut start));
    }
    start
}
