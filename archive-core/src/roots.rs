//! [`Writer`] and [`Reader`]: a file as an object with named roots.

use crate::archive::{Archive, Body};
use crate::backend::Backend;
use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::error::Result;
use crate::loading::Loading;
use crate::options::Options;
use crate::saving::Saving;
use crate::scalar::Scalar;
use crate::serialize::{Save, SavedValueOf};
use crate::session::{Report, Session};
use crate::shape::{Class, Shape};

static ROOT: Class = Class { name: "root", type_name: || "root", version: 0, members: None };
static SHAPE: Shape = Shape::Class(&ROOT);

/// Saves named roots into one file. Pointers are shared between them.
///
/// It is an [`Archive`]: roots are its members. Nothing is complete before
/// [`finish`](Writer::finish).
#[must_use = "nothing is written before `finish`"]
pub struct Writer<'o, F: Backend> {
    encoder: F::Encoder<'static>,
    session: Session,
    options: Options<'o>,
    open: bool,
}

impl<F: Backend> Default for Writer<'_, F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'o, F: Backend> Writer<'o, F> {
    /// A file without roots.
    pub fn new() -> Self {
        Self::with(&Options::new())
    }

    /// A file without roots, with options.
    pub fn with(options: &Options<'o>) -> Self {
        Writer {
            encoder: F::encoder(options, None),
            session: Session::new(),
            options: options.clone(),
            open: false,
        }
    }

    /// Saves a root through a shared reference.
    ///
    /// # Errors
    /// Those of the value.
    pub fn save<T: Save + ?Sized>(&mut self, name: &str, value: &T) -> Result {
        self.slot(name, T::SHAPE, &mut SavedValueOf(value))
    }

    /// Completes the file.
    ///
    /// # Errors
    /// Those of the format.
    pub fn finish(mut self) -> Result<F::Output> {
        self.open()?;
        self.encoder.end_object()?;
        self.encoder.end_root()?;
        F::output(F::finish(self.encoder)?)
    }

    fn open(&mut self) -> Result {
        if !self.open {
            self.open = true;
            self.encoder.begin_root(&SHAPE)?;
            self.encoder.begin_object(&ROOT)?;
        }
        Ok(())
    }

    fn saving(&mut self) -> Saving<'_, F::Encoder<'static>> {
        Saving::new(&mut self.encoder, &mut self.session, &self.options)
    }
}

impl<F: Backend> Archive for Writer<'_, F> {
    fn is_loading(&self) -> bool {
        false
    }
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        self.open()?;
        self.saving().slot(name, shape, body)
    }
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        self.saving().scalar(value)
    }
    fn parts(&self) -> (&Session, &Options<'_>) {
        (&self.session, &self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (&mut self.session, &self.options)
    }
}

/// Loads named roots from one file, in any order. Pointers are shared between them.
///
/// It is an [`Archive`]: roots are its members. A root that the file does not have leaves its
/// value as it is.
pub struct Reader<'r, 'o, F: Backend> {
    decoder: F::Decoder<'r>,
    session: Session,
    options: Options<'o>,
    open: bool,
}

impl<'r, 'o, F: Backend> Reader<'r, 'o, F> {
    /// A file to read roots from.
    ///
    /// # Errors
    /// If the input is not of this format at all.
    pub fn new(input: &'r (impl AsRef<[u8]> + ?Sized)) -> Result<Self> {
        Self::with(input, &Options::new())
    }

    /// A file to read roots from, with options.
    ///
    /// # Errors
    /// If the input is not of this format at all.
    pub fn with(input: &'r (impl AsRef<[u8]> + ?Sized), options: &Options<'o>) -> Result<Self> {
        Ok(Reader {
            decoder: F::decoder(input.as_ref(), options)?,
            session: Session::reporting(),
            options: options.clone(),
            open: false,
        })
    }

    /// What has been noticed so far.
    pub fn report(&self) -> &Report {
        self.session.report()
    }

    /// Checks the rest of the file: roots that nobody asked for (an error under
    /// [`Options::strict`]), and that nothing stands after them.
    ///
    /// # Errors
    /// If there is anything wrong with the rest.
    pub fn finish(mut self) -> Result<Report> {
        self.open()?;
        self.loading().close_object(&ROOT)?;
        self.decoder.end_root()?;
        F::end(self.decoder)?;
        Ok(self.session.report)
    }

    fn open(&mut self) -> Result {
        if !self.open {
            self.open = true;
            self.decoder.begin_root(&SHAPE)?;
            self.decoder.begin_object(&ROOT)?;
        }
        Ok(())
    }

    fn loading(&mut self) -> Loading<'_, F::Decoder<'r>> {
        Loading::new(&mut self.decoder, &mut self.session, &self.options)
    }
}

impl<F: Backend> Archive for Reader<'_, '_, F> {
    fn is_loading(&self) -> bool {
        true
    }
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        self.open()?;
        self.loading().named_root(name, shape, body)
    }
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        self.loading().scalar(value)
    }
    fn parts(&self) -> (&Session, &Options<'_>) {
        (&self.session, &self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (&mut self.session, &self.options)
    }
}

/// Writes the entry points of a format as functions of its module, over its [`Backend`]; for
/// format crates.
#[macro_export]
macro_rules! entry_points {
    ($Backend:ty) => {
        /// Saves named roots into one file.
        pub type Writer<'o> = $crate::Writer<'o, $Backend>;
        /// Loads named roots from one file.
        pub type Reader<'r, 'o> = $crate::Reader<'r, 'o, $Backend>;

        /// Saves `&value` of a type with `Save`, or `&mut value` of any type.
        ///
        /// # Errors
        /// Those of the value.
        pub fn to_vec<S: $crate::Source>(value: S) -> $crate::Result<Vec<u8>> {
            <$Backend as $crate::Backend>::to_vec_with(value, &$crate::Options::new())
        }

        /// As [`to_vec`], with options.
        ///
        /// # Errors
        /// Those of the value.
        pub fn to_vec_with<S: $crate::Source>(
            value: S,
            options: &$crate::Options<'_>,
        ) -> $crate::Result<Vec<u8>> {
            <$Backend as $crate::Backend>::to_vec_with(value, options)
        }

        /// Saves a value to a writer.
        ///
        /// # Errors
        /// Those of the value and of the writer.
        pub fn to_writer<S: $crate::Source>(
            writer: impl std::io::Write,
            value: S,
        ) -> $crate::Result {
            to_writer_with(writer, value, &$crate::Options::new())
        }

        /// As [`to_writer`], with options.
        ///
        /// # Errors
        /// Those of the value and of the writer.
        pub fn to_writer_with<S: $crate::Source>(
            mut writer: impl std::io::Write,
            value: S,
            options: &$crate::Options<'_>,
        ) -> $crate::Result {
            let mut sink = |bytes: &[u8]| writer.write_all(bytes).map_err($crate::Error::io);
            <$Backend as $crate::Backend>::to_sink(value, &mut sink, options)
        }

        /// Loads a new value.
        ///
        /// # Errors
        /// Those of the input and of the value.
        pub fn from_slice<T: $crate::__private::Element>(input: &[u8]) -> $crate::Result<T> {
            <$Backend as $crate::Backend>::from_slice_with(input, &$crate::Options::new())
        }

        /// As [`from_slice`], with options.
        ///
        /// # Errors
        /// Those of the input and of the value.
        pub fn from_slice_with<T: $crate::__private::Element>(
            input: &[u8],
            options: &$crate::Options<'_>,
        ) -> $crate::Result<T> {
            <$Backend as $crate::Backend>::from_slice_with(input, options)
        }

        /// Loads a new value from a reader, which is read to its end.
        ///
        /// # Errors
        /// Those of the reader, of the input and of the value.
        pub fn from_reader<T: $crate::__private::Element>(
            reader: impl std::io::Read,
        ) -> $crate::Result<T> {
            from_reader_with(reader, &$crate::Options::new())
        }

        /// As [`from_reader`], with options.
        ///
        /// # Errors
        /// Those of the reader, of the input and of the value.
        pub fn from_reader_with<T: $crate::__private::Element>(
            mut reader: impl std::io::Read,
            options: &$crate::Options<'_>,
        ) -> $crate::Result<T> {
            let mut input = Vec::new();
            reader.read_to_end(&mut input).map_err($crate::Error::io)?;
            from_slice_with(&input, options)
        }

        /// Loads a new value and tells what the load noticed.
        ///
        /// # Errors
        /// Those of the input and of the value.
        pub fn from_slice_report<T: $crate::__private::Element>(
            input: &[u8],
        ) -> $crate::Result<(T, $crate::Report)> {
            from_slice_report_with(input, &$crate::Options::new())
        }

        /// As [`from_slice_report`], with options.
        ///
        /// # Errors
        /// Those of the input and of the value.
        pub fn from_slice_report_with<T: $crate::__private::Element>(
            input: &[u8],
            options: &$crate::Options<'_>,
        ) -> $crate::Result<(T, $crate::Report)> {
            <$Backend as $crate::Backend>::from_slice_report(input, options)
        }

        /// Loads into an existing value: members that are absent in the file keep what they have.
        ///
        /// # Errors
        /// Those of the input and of the value, which is valid but unspecified afterwards.
        pub fn load_into<T: $crate::Serialize + ?Sized>(
            value: &mut T,
            input: &[u8],
        ) -> $crate::Result {
            load_into_with(value, input, &$crate::Options::new())
        }

        /// As [`load_into`], with options.
        ///
        /// # Errors
        /// Those of the input and of the value, which is valid but unspecified afterwards.
        pub fn load_into_with<T: $crate::Serialize + ?Sized>(
            value: &mut T,
            input: &[u8],
            options: &$crate::Options<'_>,
        ) -> $crate::Result {
            <$Backend as $crate::Backend>::load_into(value, input, options)
        }
    };
}
