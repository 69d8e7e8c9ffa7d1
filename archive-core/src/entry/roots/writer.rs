//! [`Writer`]: saves named roots.

use std::collections::HashSet;
use std::marker::PhantomData;

use super::{ROOTS, SHAPE};
use crate::entry::backend::{AnyBackend, AnyEncoder, Backend, erase};
use crate::format::encoder::Encoder;
use crate::format::saving::Saving;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::scalar::Scalar;
use crate::model::shape::Shape;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::body::Body;
use crate::visit::erased::{Erased, Saves};
use crate::visit::serialize::Save;
use crate::visit::serialize::shape_of_value;
use crate::visit::session::Session;
use crate::visit::visitor::Visitor;
use crate::visit::walk::Walk;

/// Saves named roots into one file. Roots may share objects.
///
/// `json::Writer` and similar types are for one format; `Format::writer` creates a writer for any
/// format.
///
/// A writer is an [`Archive`] whose members are the roots. Roots are saved through trait objects, as
/// with [`erased`](Archive::erased). The file is complete only after [`finish`](Writer::finish).
#[must_use = "nothing is written before `finish`"]
pub struct Writer<'o, F: ?Sized = dyn AnyBackend> {
    file: Box<dyn AnyEncoder>,
    session: Session,
    options: Options<'o>,
    names: HashSet<String>,
    open: bool,
    failed: bool,
    format: PhantomData<fn() -> F>,
}

impl<F: Backend> Default for Writer<'_, F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'o, F: Backend> Writer<'o, F> {
    /// Creates a file without roots.
    pub fn new() -> Self {
        Self::with(&Options::new())
    }

    /// Creates a file without roots, with options.
    pub fn with(options: &Options<'o>) -> Self {
        Self::of(erase::<F>(), options)
    }

    /// Completes the file.
    ///
    /// # Errors
    /// Errors of the format. Also returns an error if saving a root failed, because the file then
    /// contains a part of that root.
    pub fn finish(self) -> Result<F::Output> {
        F::output(self.finish_bytes()?)
    }
}

impl<'o> Writer<'o, dyn AnyBackend> {
    /// Creates a file without roots, in a format given as a trait object.
    pub fn with_any(format: &dyn AnyBackend, options: &Options<'o>) -> Self {
        Self::of(format, options)
    }

    /// Completes the file.
    ///
    /// # Errors
    /// Errors of the format. Also returns an error if saving a root failed, because the file then
    /// contains a part of that root.
    pub fn finish(self) -> Result<Vec<u8>> {
        self.finish_bytes()
    }
}

impl<'o, F: ?Sized> Writer<'o, F> {
    fn of(format: &dyn AnyBackend, options: &Options<'o>) -> Self {
        Writer {
            file: format.encoder(options, None),
            session: Session::new(),
            options: options.clone(),
            names: HashSet::new(),
            open: false,
            failed: false,
            format: PhantomData,
        }
    }

    /// Saves a root through a shared reference.
    pub fn save<T: Save + ?Sized>(&mut self, name: &str, mut value: &T) -> Result {
        self.slot(name, shape_of_value::<T>(value), &mut value)
    }

    fn finish_bytes(mut self) -> Result<Vec<u8>> {
        self.open()?;
        self.session.saved.finish_trees()?;
        let encoder = self.file.encoder();
        encoder.end_object()?;
        encoder.end_root()?;
        self.file.finish()
    }

    fn open(&mut self) -> Result {
        if self.failed {
            return Err(Error::custom("a root failed to save, so the file is incomplete"));
        }
        if !self.open {
            self.options.settings().targets().check()?;
            self.open = true;
            let encoder = self.file.encoder();
            if encoder.opens_one_each() {
                self.session.set_one_each();
            }
            encoder.begin_root(&SHAPE)?;
            encoder.begin_object(&ROOTS)?;
        }
        Ok(())
    }

    fn saving(&mut self) -> Saving<'_, dyn Encoder + '_> {
        Saving::new(self.file.encoder(), &mut self.session, &self.options)
    }
}

impl<F: ?Sized> Visitor for Writer<'_, F> {
    fn loads(&self) -> bool {
        false
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

impl<F: ?Sized> Walk for Writer<'_, F> {
    type Way = Saves;
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        self.open()?;
        if !self.names.insert(name.to_owned()) {
            let error =
                Error::new(ErrorKind::DuplicateMember, "there is already a root of that name");
            return Err(error.in_member(name));
        }
        // If the value's function panics and the program catches the panic, the file remains
        // incomplete.
        self.failed = true;
        let visit = &mut |ar: &mut Erased<'_>| body.run(&mut ar.erased().saving());
        let Writer { file, session, options, .. } = self;
        file.save_root(name, (shape, visit), session, options)?;
        self.failed = false;
        Ok(())
    }
}
