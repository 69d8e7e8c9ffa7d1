//! [`Writer`] and [`Reader`]: a file as an object with named roots.

use std::collections::HashSet;

use crate::archive::{Archive, Body};
use crate::backend::{Backend, New};
use crate::blank::Element;
use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::error::{Error, ErrorKind, Result};
use crate::loading::Loading;
use crate::options::Options;
use crate::saving::Saving;
use crate::scalar::Scalar;
use crate::serialize::{Save, SavedValueOf};
use crate::session::{Report, Session};
use crate::shape::{Class, Shape};

/// The class of a file with named roots, for formats that lay one out in another way than an object:
/// it is known by its address.
pub static ROOTS: Class =
    Class { name: "root", type_name: || "root", version: 0, members: None, size: None };
static SHAPE: Shape = Shape::Class(&ROOTS);

/// Saves named roots into one file. Pointers are shared between them.
///
/// It is an [`Archive`]: roots are its members. Nothing is complete before
/// [`finish`](Writer::finish).
#[must_use = "nothing is written before `finish`"]
pub struct Writer<'o, F: Backend> {
    encoder: F::Encoder<'static>,
    session: Session,
    options: Options<'o>,
    names: HashSet<String>,
    open: bool,
    failed: bool,
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
            names: HashSet::new(),
            open: false,
            failed: false,
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
    /// Those of the format; also if a root failed to save, since it is there in part.
    pub fn finish(mut self) -> Result<F::Output> {
        self.open()?;
        self.session.saved.finish_trees()?;
        self.encoder.end_object()?;
        self.encoder.end_root()?;
        F::output(F::finish(self.encoder)?)
    }

    fn open(&mut self) -> Result {
        if self.failed {
            return Err(Error::custom("a root failed to save, so the file is incomplete"));
        }
        if !self.open {
            self.options.get_targets().check()?;
            self.open = true;
            self.encoder.begin_root(&SHAPE)?;
            self.encoder.begin_object(&ROOTS)?;
        }
        Ok(())
    }

    fn saving(&mut self) -> Saving<'_, F::Encoder<'static>> {
        Saving::new(&mut self.encoder, &mut self.session, &self.options)
    }
}

impl<F: Backend> Archive for Writer<'_, F> {
    const LOADS: Option<bool> = Some(false);

    fn is_loading(&self) -> bool {
        false
    }
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        self.open()?;
        if !self.names.insert(name.to_owned()) {
            let error =
                Error::new(ErrorKind::DuplicateMember, "a root of that name is there already");
            return Err(error.in_member(name));
        }
        let result = self.saving().slot(name, shape, body);
        self.failed = result.is_err();
        result
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

/// Loads named roots from one file, in any order, each once. Pointers are shared between them.
///
/// It is an [`Archive`]: roots are its members. A root that the file does not have, or that was
/// loaded before, leaves its value as it is. After an error the reader gives nothing more.
pub struct Reader<'r, 'o, F: Backend> {
    decoder: F::Decoder<'r>,
    session: Session,
    options: Options<'o>,
    open: bool,
    failed: bool,
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
        // The object around the roots is a level of the file, and none of what was saved.
        let depth = options.get_limits().depth.saturating_add(1);
        Ok(Reader {
            decoder: F::decoder(input.as_ref(), &options.clone().max_depth(depth))?,
            session: Session::reporting(),
            options: options.clone(),
            open: false,
            failed: false,
        })
    }

    /// Loads a root as a new value.
    ///
    /// # Errors
    /// Those of the value; [`ErrorKind::MissingMember`] if the file has no such root.
    pub fn load<T: Element>(&mut self, name: &str) -> Result<T> {
        let mut new = New(None);
        self.slot(name, T::SHAPE, &mut new)?;
        new.0.ok_or_else(|| {
            Error::new(ErrorKind::MissingMember, "the file has no such root").in_member(name)
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
        self.loading().close_object(&ROOTS)?;
        self.decoder.end_root()?;
        self.decoder.locate(&mut self.session.report.errors);
        F::end(self.decoder)?;
        Ok(self.session.report)
    }

    fn open(&mut self) -> Result {
        if self.failed {
            return Err(Error::custom("a root failed to load, so the place in the file is lost"));
        }
        if !self.open {
            self.open = true;
            self.decoder.begin_root(&SHAPE)?;
            self.decoder.begin_object(&ROOTS)?;
        }
        Ok(())
    }

    fn loading(&mut self) -> Loading<'_, F::Decoder<'r>> {
        Loading::new(&mut self.decoder, &mut self.session, &self.options)
    }
}

impl<F: Backend> Archive for Reader<'_, '_, F> {
    const LOADS: Option<bool> = Some(true);

    fn is_loading(&self) -> bool {
        true
    }
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        self.open()?;
        let result = self.loading().named_root(name, shape, body);
        self.failed = result.is_err();
        result.map_err(|mut error| {
            self.decoder.locate(std::slice::from_mut(&mut error));
            error
        })
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
