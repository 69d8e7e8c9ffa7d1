//! [`Reader`]: loads named roots.

use std::marker::PhantomData;

use super::{ROOTS, SHAPE};
use crate::entry::backend::{AnyBackend, AnyDecoder, Backend, erase};
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
use crate::visit::erased::{Erased, Loads};
use crate::visit::serialize::Serialize;
use crate::visit::serialize::{shape_of_new, shape_of_value};
use crate::visit::session::Session;
use crate::visit::visitor::Visitor;
use crate::visit::walk::Walk;

/// Loads named roots from one file, in any order, each once. Roots may share objects.
///
/// `json::Reader` and similar types are for one format; `Format::reader` creates a reader for any
/// format.
///
/// A reader is an [`Archive`] whose members are the roots. Roots are loaded through trait objects, as
/// with [`erased`](Archive::erased). A root that the file does not have, or that was loaded before,
/// leaves its value unchanged. After an error the reader loads nothing more.
///
/// All roots have one report, which the reader puts where [`Options::report`] says when it is
/// [finished](Reader::finish) or dropped.
pub struct Reader<'r, 'o, F: ?Sized = dyn AnyBackend> {
    file: Box<dyn AnyDecoder + 'r>,
    load: Load<'o>,
    open: bool,
    failed: bool,
    format: PhantomData<fn() -> F>,
}

/// The state of a load of several roots.
struct Load<'o> {
    session: Session,
    options: Options<'o>,
}

/// The report is handed over even if a root failed, like that of a load of one root.
impl Drop for Load<'_> {
    fn drop(&mut self) {
        self.session.hand_over(&self.options);
    }
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
        Self::of(erase::<F>(), input.as_ref(), options)
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
        Self::of(format, input.as_ref(), options)
    }
}

impl<'r, 'o, F: ?Sized> Reader<'r, 'o, F> {
    fn of(format: &dyn AnyBackend, input: &'r [u8], options: &Options<'o>) -> Result<Self> {
        // The file has one more level than its roots: the object around them.
        let levels = options.settings().limits().depth.saturating_add(1);
        Ok(Reader {
            file: format.decoder(input, &options.clone().max_depth(levels))?,
            load: Load { session: Session::for_load(options), options: options.clone() },
            open: false,
            failed: false,
            format: PhantomData,
        })
    }

    /// Loads a root as a new value.
    ///
    /// # Errors
    /// Errors of the value; [`ErrorKind::MissingMember`] if the file has no such root.
    pub fn load<T: Element>(&mut self, name: &str) -> Result<T> {
        let mut new = New(None);
        let shape = shape_of_new::<T>(&self.load.options);
        self.slot(name, shape, &mut new)?;
        new.0.ok_or_else(|| {
            Error::new(ErrorKind::MissingMember, "the file has no such root").in_member(name)
        })
    }

    /// Checks the rest of the file: that all roots were loaded (a remaining one is an error with
    /// [`Options::strict`], otherwise a note), and that there is no data after them.
    ///
    /// # Errors
    /// Returns an error if the rest of the file is not valid.
    pub fn finish(mut self) -> Result {
        self.open()?;
        self.loading().close_object(&ROOTS)?;
        let (decoder, Load { session, options }) = (self.file.decoder(), &mut self.load);
        decoder.end_root()?;
        decoder.locate(&mut session.reporting.report.errors);
        session.left_out(options);
        self.file.end()
    }

    fn open(&mut self) -> Result {
        if self.failed {
            return Err(Error::custom("a root failed to load, so the place in the file is lost"));
        }
        if !self.open {
            self.open = true;
            let decoder = self.file.decoder();
            if decoder.opens_one_each() {
                self.load.session.set_one_each();
            }
            decoder.begin_root(&SHAPE)?;
            decoder.begin_object(&ROOTS)?;
        }
        Ok(())
    }

    fn loading(&mut self) -> Loading<'_, dyn Decoder + '_> {
        Loading::new(self.file.decoder(), &mut self.load.session, &self.load.options)
    }
}

impl<F: ?Sized> Visitor for Reader<'_, '_, F> {
    fn loads(&self) -> bool {
        true
    }
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        self.loading().scalar(value)
    }
    fn parts(&self) -> (&Session, &Options<'_>) {
        (&self.load.session, &self.load.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (&mut self.load.session, &self.load.options)
    }
}

impl<F: ?Sized> Walk for Reader<'_, '_, F> {
    type Way = Loads;
    fn by_name<T: Serialize + ?Sized>(&mut self, name: &str, value: &mut T) -> Result {
        let held = Held::of(value, &self.load.options);
        let shape = shape_of_value::<T>(value);
        let loaded = self.slot(name, shape, &mut &mut *value);
        if let Some(held) = held {
            held.release();
        }
        loaded
    }
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        self.open()?;
        // If the value's function panics and the program catches the panic, the position in the
        // file is lost too.
        self.failed = true;
        let visit = &mut |ar: &mut Erased<'_>| body.run(&mut ar.erased().loading());
        let Load { session, options } = &mut self.load;
        self.file.load_root(name, (shape, visit), session, options).map_err(|mut error| {
            self.file.decoder().locate(std::slice::from_mut(&mut error));
            error
        })?;
        self.failed = false;
        Ok(())
    }
}
