//! [`AnyBackend`]: a [`Backend`] as a trait object, so that formats can be kept in tables.

use std::marker::PhantomData;

use super::{Backend, New, Sink, Visit, save};
use crate::Serialize;
use crate::archive::{Archive, Body, ValueOf};
use crate::blank::Element;
use crate::decoder::Decoder;
use crate::dismantle::over;
use crate::encoder::Encoder;
use crate::erased::Erased;
use crate::error::Result;
use crate::loading::Loading;
use crate::options::Options;
use crate::serialize::Source;
use crate::session::{Report, Session};
use crate::shape::Shape;

/// A [`Backend`] as a trait object. Its encoder and decoder are called through trait objects too.
pub trait AnyBackend: Send + Sync {
    /// [`Backend::NAME`].
    fn name(&self) -> &'static str;
    /// [`Backend::EXTENSIONS`].
    fn extensions(&self) -> &'static [&'static str];
    /// [`Backend::detect`].
    fn detect(&self, start: &[u8]) -> bool;

    /// [`Backend::encoder`].
    fn encoder<'w>(
        &self,
        options: &Options<'_>,
        sink: Option<Sink<'w>>,
    ) -> Box<dyn AnyEncoder + 'w>;
    /// [`Backend::encoder_in`].
    fn encoder_in(&self, buffer: Vec<u8>, options: &Options<'_>) -> Box<dyn AnyEncoder>;
    /// [`Backend::decoder`].
    ///
    /// # Errors
    /// If the input is not of this format at all.
    fn decoder<'r>(
        &self,
        input: &'r [u8],
        options: &Options<'_>,
    ) -> Result<Box<dyn AnyDecoder + 'r>>;

    /// [`Backend::OWN_ARCHIVE`].
    fn own_archive(&self) -> bool;

    /// [`Backend::save_own`], with the memory of a buffer.
    ///
    /// # Errors
    /// As there.
    fn save_own(
        &self,
        buffer: Vec<u8>,
        shape: &'static Shape,
        visit: Visit<'_>,
        options: &Options<'_>,
    ) -> Result<Vec<u8>>;

    /// [`Backend::load_own`].
    ///
    /// # Errors
    /// As there.
    fn load_own(
        &self,
        input: &[u8],
        root: (&'static Shape, Visit<'_>),
        fresh: bool,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result;
}

/// The encoder of an [`AnyBackend`].
pub trait AnyEncoder {
    /// The encoder itself.
    fn encoder(&mut self) -> &mut dyn Encoder;
    /// [`Backend::finish`].
    ///
    /// # Errors
    /// Those of the format.
    fn finish(self: Box<Self>) -> Result<Vec<u8>>;
}

/// The decoder of an [`AnyBackend`].
pub trait AnyDecoder {
    /// The decoder itself.
    fn decoder(&mut self) -> &mut dyn Decoder;
    /// [`Backend::end`].
    ///
    /// # Errors
    /// If anything is left of the input.
    fn end(self: Box<Self>) -> Result;
}

struct Saving<'w, F: Backend>(F::Encoder<'w>);

impl<F: Backend> AnyEncoder for Saving<'_, F> {
    fn encoder(&mut self) -> &mut dyn Encoder {
        &mut self.0
    }
    fn finish(self: Box<Self>) -> Result<Vec<u8>> {
        F::finish(self.0)
    }
}

struct Open<'r, F: Backend>(F::Decoder<'r>);

impl<F: Backend> AnyDecoder for Open<'_, F> {
    fn decoder(&mut self) -> &mut dyn Decoder {
        &mut self.0
    }
    fn end(self: Box<Self>) -> Result {
        F::end(self.0)
    }
}

struct Of<F>(PhantomData<fn() -> F>);

/// A format as a trait object.
pub fn erase<F: Backend>() -> &'static dyn AnyBackend {
    const { &Of::<F>(PhantomData) }
}

impl<F: Backend> AnyBackend for Of<F> {
    fn name(&self) -> &'static str {
        F::NAME
    }
    fn extensions(&self) -> &'static [&'static str] {
        F::EXTENSIONS
    }
    fn detect(&self, start: &[u8]) -> bool {
        F::detect(start)
    }

    fn encoder<'w>(
        &self,
        options: &Options<'_>,
        sink: Option<Sink<'w>>,
    ) -> Box<dyn AnyEncoder + 'w> {
        Box::new(Saving::<F>(F::encoder(options, sink)))
    }
    fn encoder_in(&self, buffer: Vec<u8>, options: &Options<'_>) -> Box<dyn AnyEncoder> {
        Box::new(Saving::<F>(F::encoder_in(buffer, options)))
    }
    fn decoder<'r>(
        &self,
        input: &'r [u8],
        options: &Options<'_>,
    ) -> Result<Box<dyn AnyDecoder + 'r>> {
        Ok(Box::new(Open::<F>(F::decoder(input, options)?)))
    }

    fn own_archive(&self) -> bool {
        F::OWN_ARCHIVE
    }

    fn save_own(
        &self,
        buffer: Vec<u8>,
        shape: &'static Shape,
        visit: Visit<'_>,
        options: &Options<'_>,
    ) -> Result<Vec<u8>> {
        let mut encoder = F::encoder_in(buffer, options);
        F::save_own(&mut encoder, shape, visit, options)?;
        F::finish(encoder)
    }

    fn load_own(
        &self,
        input: &[u8],
        root: (&'static Shape, Visit<'_>),
        fresh: bool,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        let mut decoder = F::decoder(input, options)?;
        F::load_own(&mut decoder, root, fresh, session, options)?;
        F::end(decoder)
    }
}

/// What is saved or loaded, on an erased archive: for the formats behind trait objects, values are
/// compiled once.
pub(crate) struct OnErased<T>(pub(crate) T);

impl<S: Source> Source for OnErased<S> {
    const SHAPE: &'static Shape = S::SHAPE;

    fn visit<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.visit(&mut ar.erased())
    }
}
impl<B: Body> Body for OnErased<&mut B> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.run(&mut ar.erased())
    }
}

/// The entry points of [`Backend`], for a format behind a trait object.
impl dyn AnyBackend {
    /// As [`Backend::to_vec_with`].
    ///
    /// # Errors
    /// Those of the value.
    pub fn to_vec_with<S: Source>(&self, value: S, options: &Options<'_>) -> Result<Vec<u8>> {
        if self.own_archive() {
            return self.save_erased(Vec::new(), value, options);
        }
        let mut file = self.encoder(options, None);
        save(file.encoder(), OnErased(value), options)?;
        file.finish()
    }

    /// As [`Backend::save_into`].
    ///
    /// # Errors
    /// Those of the value; the buffer is empty then.
    pub fn save_into<S: Source>(
        &self,
        buffer: &mut Vec<u8>,
        value: S,
        options: &Options<'_>,
    ) -> Result {
        let mut memory = std::mem::take(buffer);
        memory.clear();
        if self.own_archive() {
            *buffer = self.save_erased(memory, value, options)?;
            return Ok(());
        }
        let mut file = self.encoder_in(memory, options);
        save(file.encoder(), OnErased(value), options)?;
        *buffer = file.finish()?;
        Ok(())
    }

    /// As [`Backend::to_sink`].
    ///
    /// # Errors
    /// Those of the value and of the sink.
    pub fn to_sink<S: Source>(&self, value: S, sink: Sink<'_>, options: &Options<'_>) -> Result {
        if self.own_archive() {
            return sink(&self.save_erased(Vec::new(), value, options)?);
        }
        let mut file = self.encoder(options, Some(&mut *sink));
        save(file.encoder(), OnErased(value), options)?;
        let rest = file.finish()?;
        if rest.is_empty() { Ok(()) } else { sink(&rest) }
    }

    /// As [`Backend::from_slice_with`].
    ///
    /// # Errors
    /// Those of the input and of the value.
    pub fn from_slice_with<T: Element>(&self, input: &[u8], options: &Options<'_>) -> Result<T> {
        let mut new = New(None);
        self.load(T::SHAPE, &mut new, input, &mut Session::new(), options)?;
        new.take()
    }

    /// As [`Backend::from_slice_report`].
    ///
    /// # Errors
    /// Those of the input and of the value.
    pub fn from_slice_report<T: Element>(
        &self,
        input: &[u8],
        options: &Options<'_>,
    ) -> Result<(T, Report)> {
        let mut session = Session::reporting();
        let mut new = New(None);
        self.load(T::SHAPE, &mut new, input, &mut session, options)?;
        Ok((new.take()?, session.report))
    }

    /// As [`Backend::load_into`].
    ///
    /// # Errors
    /// Those of the input and of the value.
    pub fn load_into<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        input: &[u8],
        options: &Options<'_>,
    ) -> Result {
        over(value, options, |value| {
            self.load(T::SHAPE, &mut ValueOf(value), input, &mut Session::new(), options)
        })
    }

    /// As [`Backend::load_into_report`].
    ///
    /// # Errors
    /// Those of the input and of the value.
    pub fn load_into_report<T: Serialize + ?Sized>(
        &self,
        value: &mut T,
        input: &[u8],
        options: &Options<'_>,
    ) -> Result<Report> {
        let mut session = Session::reporting();
        over(value, options, |value| {
            self.load(T::SHAPE, &mut ValueOf(value), input, &mut session, options)
        })?;
        Ok(session.report)
    }

    fn save_erased<S: Source>(
        &self,
        buffer: Vec<u8>,
        mut value: S,
        options: &Options<'_>,
    ) -> Result<Vec<u8>> {
        self.save_own(buffer, S::SHAPE, &mut |ar| value.visit(ar), options)
    }

    fn load<B: Body>(
        &self,
        shape: &'static Shape,
        body: &mut B,
        input: &[u8],
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        if self.own_archive() {
            let mut visit = |ar: &mut Erased<'_>| body.run(ar);
            let result = self.load_own(input, (shape, &mut visit), B::FRESH, session, options);
            return result.inspect_err(|_| session.loaded.abandon(options));
        }
        let result = self.decoder(input, options).and_then(|mut file| {
            Loading::new(file.decoder(), session, options).root(shape, &mut OnErased(body))?;
            file.end()
        });
        result.inspect_err(|_| session.loaded.abandon(options))
    }
}
