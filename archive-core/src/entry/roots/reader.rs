//! [`Reader`]: loads named roots.

use super::{ROOTS, RootFormat, SHAPE};
use crate::entry::backend::{AnyBackend, Backend};
use crate::format::decoder::Decoder;
use crate::format::loading::Loading;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::scalar::Scalar;
use crate::model::shape::Shape;
use crate::pointer::dismantle::Held;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Element;
use crate::visit::body::{Body, New};
use crate::visit::erased::Loads;
use crate::visit::serialize::Serialize;
use crate::visit::session::{Report, Session};
use crate::visit::visitor::Visitor;

/// Loads named roots from one file, in any order, each once. Roots may share objects.
///
/// `json::Reader` and similar types are for one format; `Format::reader` creates a reader for any
/// format.
///
/// A reader is an [`Archive`] whose members are the roots. A root that the file does not have, or
/// that was loaded before, leaves its value unchanged. After an error the reader loads nothing
/// more.
pub struct Reader<'r, 'o, F: RootFormat + ?Sized = dyn AnyBackend> {
    file: F::Loading<'r>,
    session: Session,
    options: Options<'o>,
    open: bool,
    failed: bool,
}

impl<'r, 'o, F: Backend> Reader<'r, 'o, F> {
    /// Opens a file.
    ///
    /// # Errors
    /// Returns an error if the input is not of this format at all.
    pub fn new(input: &'r (impl AsRef<[u8]> + ?Sized)) -> Result<Self> {
        Self::with(input, &Options::new())
    }

    /// Opens a file, with options.
    ///
    /// # Errors
    /// Returns an error if the input is not of this format at all.
    pub fn with(input: &'r (impl AsRef<[u8]> + ?Sized), options: &Options<'o>) -> Result<Self> {
        Ok(Self::of(F::decoder(input.as_ref(), &deeper(options))?, options))
    }
}

impl<'r, 'o> Reader<'r, 'o, dyn AnyBackend> {
    /// Opens a file in a format given as a trait object.
    ///
    /// # Errors
    /// Returns an error if the input is not of this format at all.
    pub fn with_any(
        format: &dyn AnyBackend,
        input: &'r (impl AsRef<[u8]> + ?Sized),
        options: &Options<'o>,
    ) -> Result<Self> {
        Ok(Self::of(format.decoder(input.as_ref(), &deeper(options))?, options))
    }
}

impl<'r, 'o, F: RootFormat + ?Sized> Reader<'r, 'o, F> {
    fn of(file: F::Loading<'r>, options: &Options<'o>) -> Self {
        Reader {
            file,
            session: Session::reporting(),
            options: options.clone(),
            open: false,
            failed: false,
        }
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

    /// Returns the report so far.
    pub fn report(&self) -> &Report {
        self.session.report()
    }

    /// Checks the rest of the file: that there are no roots that were not loaded (an error with
    /// [`Options::strict`], otherwise a note), and that no data follows.
    ///
    /// # Errors
    /// Returns an error if the rest of the file is not valid.
    pub fn finish(mut self) -> Result<Report> {
        self.open()?;
        self.loading().close_object(&ROOTS)?;
        let decoder = F::decoder_of(&mut self.file);
        decoder.end_root()?;
        decoder.locate(&mut self.session.report.errors);
        self.session.left_out(&self.options);
        F::end_file(self.file)?;
        Ok(self.session.take_report())
    }

    fn open(&mut self) -> Result {
        if self.failed {
            return Err(Error::custom("a root failed to load, so the place in the file is lost"));
        }
        if !self.open {
            self.open = true;
            let decoder = F::decoder_of(&mut self.file);
            if decoder.opens_one_each() {
                self.session.set_one_each();
            }
            decoder.begin_root(&SHAPE)?;
            decoder.begin_object(&ROOTS)?;
        }
        Ok(())
    }

    fn loading(&mut self) -> Loading<'_, F::Decoder<'_, 'r>> {
        Loading::new(F::decoder_of(&mut self.file), &mut self.session, &self.options)
    }
}

impl<F: RootFormat + ?Sized> Visitor for Reader<'_, '_, F> {
    fn loads(&self) -> bool {
        true
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

impl<F: RootFormat + ?Sized> Archive for Reader<'_, '_, F> {
    type Way = Loads;
    fn serialize<T: Serialize + ?Sized>(&mut self, name: &str, value: &mut T) -> Result {
        let held = Held::of(value, &self.options);
        let loaded = self.slot(name, T::SHAPE, &mut &mut *value);
        if let Some(held) = held {
            held.release();
        }
        loaded
    }
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        self.open()?;
        // If the value's function panics and the program catches that, the place is lost, too.
        self.failed = true;
        F::load_root(self.loading(), name, shape, body).map_err(|mut error| {
            F::decoder_of(&mut self.file).locate(std::slice::from_mut(&mut error));
            error
        })?;
        self.failed = false;
        Ok(())
    }
}

/// Returns options for the file, which has one more level than its roots: the object around them.
fn deeper<'o>(options: &Options<'o>) -> Options<'o> {
    options.clone().max_depth(options.get_limits().depth.saturating_add(1))
}
