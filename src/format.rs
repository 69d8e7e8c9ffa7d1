//! [`Format`]: the format as a value, picked at run time.

use std::fmt;
use std::io::{self, Read, Write};
use std::path::Path;

use archive_core::backend::{self, AnyBackend, take_all};
use archive_core::{
    Backend, Element, Error, ErrorKind, Found, Known, Options, Report, Result, Serialize, Source,
};

/// A format, picked at run time: by name, by a file's extension or by its content.
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
/// The built-in formats are compiled for each type that is saved. A format of your own joins by
/// implementing [`Backend`]: [`Format::of::<YourFormat>()`](Format::of) has every method, and goes
/// through trait objects.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub enum Format {
    /// [`json`](crate::json): readable text.
    #[cfg(feature = "json")]
    Json,
    /// [`binary`](crate::binary): compact, and still forgiving. Its profiles for packets are no formats
    /// that could be guessed; [`of`](Format::of) takes them:
    /// `Format::of::<archive::binary::fingerprint::Fingerprint>()`.
    #[cfg(feature = "binary")]
    Binary,
    /// [`blob`](crate::blob): save files of the original ObjectBlob program.
    #[cfg(feature = "blob")]
    Blob,
    /// [`msgpack`](crate::msgpack): MessagePack with named members.
    #[cfg(feature = "msgpack")]
    MessagePack,
    /// A format from outside this library.
    Custom(&'static dyn AnyBackend),
}

/// Evaluates one expression for whichever format it is: with its [`Backend`] as `$F` if it is built
/// in, and another with the trait object if it is not.
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

impl Format {
    /// The built-in formats.
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

    /// A format of your own.
    pub fn of<F: Backend>() -> Format {
        Format::Custom(backend::erase::<F>())
    }

    /// The name: `json`, `binary`, `blob`, `msgpack`.
    pub fn name(&self) -> &'static str {
        each!(self, F => F::NAME, custom => custom.name())
    }

    /// The file name extensions, without the dot.
    pub fn extensions(&self) -> &'static [&'static str] {
        each!(self, F => F::EXTENSIONS, custom => custom.extensions())
    }

    /// The built-in format of that name or extension, in any case. `objectblob` is `blob`, and
    /// `messagepack` is `msgpack`.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`]; the message lists the names there are.
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

    /// The built-in format that a file's extension stands for.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`]; the message lists the extensions there are.
    pub fn from_path(path: impl AsRef<Path>) -> Result<Format> {
        let path = path.as_ref();
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        let is = |other: &&str| other.eq_ignore_ascii_case(extension);
        Format::all().find(|f| f.extensions().iter().any(is)).ok_or_else(|| {
            let known: Vec<&str> = Format::all().flat_map(|f| f.extensions()).copied().collect();
            let (path, known) =
                (path.display(), Known::new(extension, &known, "known extensions:"));
            unknown(format_args!("no format for \"{path}\"{known}"))
        })
    }

    /// The built-in format that a file's content is in, to go by its first bytes.
    ///
    /// Binary files begin with a signature, JSON with what JSON may begin with, after white space, comments
    /// or a byte order mark (which only load [relaxed](Options::relaxed); the error says so). ObjectBlob and
    /// MessagePack have no signature: content is one of these if it could be, as far as it is there, so files
    /// of other programs may be taken for MessagePack, such as PNG images. The load then is the error. Packets
    /// of `binary::fingerprint` and `binary::bare` begin with nothing of
    /// their own: they are never found, and may be taken for files of another format.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`].
    pub fn detect(start: &[u8]) -> Result<Format> {
        // The list ends with the formats that have a signature, and they are asked first.
        let mut formats: Vec<Format> = Format::all().collect();
        formats.reverse();
        let found =
            formats.into_iter().find(|f| each!(f, F => F::detect(start), c => c.detect(start)));
        found.ok_or_else(|| unknown(format_args!("the content is in none of the known formats")))
    }

    /// Saves `&value` of a type with `Save`, or `&mut value` of any type.
    ///
    /// # Errors
    /// Those of the value.
    pub fn to_vec<S: Source>(&self, value: S) -> Result<Vec<u8>> {
        self.to_vec_with(value, &Options::new())
    }

    /// As [`to_vec`](Format::to_vec), with options.
    ///
    /// # Errors
    /// Those of the value.
    pub fn to_vec_with<S: Source>(&self, value: S, options: &Options<'_>) -> Result<Vec<u8>> {
        each!(self, F => F::to_vec_with(value, options), c => c.to_vec_with(value, options))
    }

    /// Saves a value in place of what is in the buffer, whose memory is reused.
    ///
    /// # Errors
    /// Those of the value; the buffer is empty then.
    pub fn save_into<S: Source>(&self, buffer: &mut Vec<u8>, value: S) -> Result {
        self.save_into_with(buffer, value, &Options::new())
    }

    /// As [`save_into`](Format::save_into), with options.
    ///
    /// # Errors
    /// Those of the value; the buffer is empty then.
    pub fn save_into_with<S: Source>(
        &self,
        buffer: &mut Vec<u8>,
        value: S,
        options: &Options<'_>,
    ) -> Result {
        each!(self, F => F::save_into(buffer, value, options), c => c.save_into(buffer, value, options))
    }

    /// Saves a value to a writer.
    ///
    /// # Errors
    /// Those of the value and of the writer.
    pub fn to_writer<S: Source>(&self, writer: impl Write, value: S) -> Result {
        self.to_writer_with(writer, value, &Options::new())
    }

    /// As [`to_writer`](Format::to_writer), with options.
    ///
    /// # Errors
    /// Those of the value and of the writer.
    pub fn to_writer_with<S: Source>(
        &self,
        mut writer: impl Write,
        value: S,
        options: &Options<'_>,
    ) -> Result {
        let sink = &mut |bytes: &[u8]| writer.write_all(bytes).map_err(Error::io);
        each!(self, F => F::to_sink(value, sink, options), c => c.to_sink(value, sink, options))
    }

    /// Loads a new value.
    ///
    /// # Errors
    /// Those of the input and of the value.
    pub fn from_slice<T: Element>(&self, input: &[u8]) -> Result<T> {
        self.from_slice_with(input, &Options::new())
    }

    /// As [`from_slice`](Format::from_slice), with options.
    ///
    /// # Errors
    /// Those of the input and of the value.
    pub fn from_slice_with<T: Element>(&self, input: &[u8], options: &Options<'_>) -> Result<T> {
        each!(self, F => F::from_slice_with(input, options), c => c.from_slice_with(input, options))
    }

    /// Loads a new value from a reader, which is read to its end.
    ///
    /// # Errors
    /// Those of the reader, of the input and of the value.
    pub fn from_reader<T: Element>(&self, reader: impl Read) -> Result<T> {
        self.from_reader_with(reader, &Options::new())
    }

    /// As [`from_reader`](Format::from_reader), with options.
    ///
    /// # Errors
    /// Those of the reader, of the input and of the value.
    pub fn from_reader_with<T: Element>(
        &self,
        mut reader: impl Read,
        options: &Options<'_>,
    ) -> Result<T> {
        let feed = &mut |room: &mut [u8]| read(&mut reader, room);
        each!(self, F => F::from_feed(feed, options),
              c => c.from_slice_with(&take_all(feed)?, options))
    }

    /// Loads a new value and tells what the load noticed.
    ///
    /// # Errors
    /// Those of the input and of the value.
    pub fn from_slice_report<T: Element>(&self, input: &[u8]) -> Result<(T, Report)> {
        self.from_slice_report_with(input, &Options::new())
    }

    /// As [`from_slice_report`](Format::from_slice_report), with options.
    ///
    /// # Errors
    /// Those of the input and of the value.
    pub fn from_slice_report_with<T: Element>(
        &self,
        input: &[u8],
        options: &Options<'_>,
    ) -> Result<(T, Report)> {
        each!(self, F => F::from_slice_report(input, options),
              c => c.from_slice_report(input, options))
    }

    /// Loads a new value from a reader, which is read to its end, and tells what the load noticed.
    ///
    /// # Errors
    /// Those of the reader, of the input and of the value.
    pub fn from_reader_report<T: Element>(&self, reader: impl Read) -> Result<(T, Report)> {
        self.from_reader_report_with(reader, &Options::new())
    }

    /// As [`from_reader_report`](Format::from_reader_report), with options.
    ///
    /// # Errors
    /// Those of the reader, of the input and of the value.
    pub fn from_reader_report_with<T: Element>(
        &self,
        mut reader: impl Read,
        options: &Options<'_>,
    ) -> Result<(T, Report)> {
        let feed = &mut |room: &mut [u8]| read(&mut reader, room);
        each!(self, F => F::from_feed_report(feed, options),
              c => c.from_slice_report(&take_all(feed)?, options))
    }

    /// Loads into an existing value: members that are absent in the file keep what they have.
    ///
    /// # Errors
    /// Those of the input and of the value. What the value holds after an error is unspecified but valid:
    /// members are old, loaded or blank, and every value with an `after_load` has passed it, is as it was
    /// before or is blank.
    pub fn load_into<T: Serialize + ?Sized>(&self, value: &mut T, input: &[u8]) -> Result {
        self.load_into_with(value, input, &Options::new())
    }

    /// As [`load_into`](Format::load_into), with options.
    ///
    /// # Errors
    /// Those of the input and of the value. What the value holds after an error is unspecified but valid:
    /// members are old, loaded or blank, and every value with an `after_load` has passed it, is as it was
    /// before or is blank.
    pub fn load_into_with<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        input: &[u8],
        options: &Options<'_>,
    ) -> Result {
        each!(self, F => F::load_into(value, input, options),
              c => c.load_into(value, input, options))
    }

    /// Loads into an existing value and tells what the load noticed.
    ///
    /// # Errors
    /// As [`load_into`](Format::load_into).
    pub fn load_into_report<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        input: &[u8],
    ) -> Result<Report> {
        self.load_into_report_with(value, input, &Options::new())
    }

    /// As [`load_into_report`](Format::load_into_report), with options.
    ///
    /// # Errors
    /// As [`load_into`](Format::load_into).
    pub fn load_into_report_with<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        input: &[u8],
        options: &Options<'_>,
    ) -> Result<Report> {
        each!(self, F => F::load_into_report(value, input, options),
              c => c.load_into_report(value, input, options))
    }
}

/// What a reader has, as far as there is room.
fn read(reader: &mut impl Read, room: &mut [u8]) -> Result<usize> {
    loop {
        match reader.read(room) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            count => return count.map_err(Error::io),
        }
    }
}

/// Formats are the same if their names are.
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
