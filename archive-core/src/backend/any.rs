//! [`AnyBackend`]: a [`Backend`] as a trait object, so that formats can be kept in tables.

use std::marker::PhantomData;

use super::{Backend, Feed, Root, Sink, Visit, load_erased, take_all};
use crate::Serialize;
use crate::archive::{Body, ValueOf};
use crate::blank::Element;
use crate::body::New;
use crate::decoder::Decoder;
use crate::dismantle::over;
use crate::encoder::Encoder;
use crate::erased::Erased;
use crate::error::Result;
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

    /// Saves the one root, into the memory of a buffer. With a sink, the answer is what did not go there yet.
    ///
    /// # Errors
    /// Those of the value and of the sink.
    fn save(
        &self,
        buffer: Vec<u8>,
        sink: Option<Sink<'_>>,
        root: (&'static Shape, Visit<'_>),
        options: &Options<'_>,
    ) -> Result<Vec<u8>>;

    /// Loads the one root. With `fresh`, each visit makes the value anew, so that there may be a second one.
    ///
    /// # Errors
    /// Those of the value and of the input.
    fn load(
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

    fn save(
        &self,
        buffer: Vec<u8>,
        sink: Option<Sink<'_>>,
        (shape, visit): (&'static Shape, Visit<'_>),
        options: &Options<'_>,
    ) -> Result<Vec<u8>> {
        let root = Root(shape, visit);
        if let Some(sink) = sink {
            let mut encoder = F::encoder(options, Some(sink));
            F::save_root(&mut encoder, root, options)?;
            F::finish(encoder)
        } else {
            let mut encoder = F::encoder_in(buffer, options);
            F::save_root(&mut encoder, root, options)?;
            F::finish(encoder)
        }
    }

    fn load(
        &self,
        input: &[u8],
        root: (&'static Shape, Visit<'_>),
        fresh: bool,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        let mut decoder = F::decoder(input, options)?;
        load_erased::<F>(&mut decoder, root, fresh, session, options)?;
        F::end(decoder).inspect_err(|_| session.loaded.abandon(options))
    }
}

/// The entry points of [`Backend`], for a format behind a trait object.
impl dyn AnyBackend {
    /// As [`Backend::to_vec_with`].
    ///
    /// # Errors
    /// Those of the value.
    pub fn to_vec_with<S: Source>(&self, value: S, options: &Options<'_>) -> Result<Vec<u8>> {
        self.save_root(Vec::new(), None, value, options)
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
        *buffer = self.save_root(memory, None, value, options)?;
        Ok(())
    }

    /// As [`Backend::to_sink`].
    ///
    /// # Errors
    /// Those of the value and of the sink.
    pub fn to_sink<S: Source>(&self, value: S, sink: Sink<'_>, options: &Options<'_>) -> Result {
        let rest = self.save_root(Vec::new(), Some(&mut *sink), value, options)?;
        if rest.is_empty() { Ok(()) } else { sink(&rest) }
    }

    /// As [`Backend::from_slice_with`].
    ///
    /// # Errors
    /// Those of the input and of the value.
    pub fn from_slice_with<T: Element>(&self, input: &[u8], options: &Options<'_>) -> Result<T> {
        let mut new = New(None);
        self.load_root(T::SHAPE, &mut new, input, &mut Session::new(), options)?;
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
        self.load_root(T::SHAPE, &mut new, input, &mut session, options)?;
        Ok((new.take()?, session.report))
    }

    /// As [`Backend::from_feed`].
    ///
    /// # Errors
    /// Those of the feed, of the input and of the value.
    pub fn from_feed<T: Element>(&self, feed: Feed<'_>, options: &Options<'_>) -> Result<T> {
        self.from_slice_with(&take_all(feed)?, options)
    }

    /// As [`Backend::from_feed_report`].
    ///
    /// # Errors
    /// Those of the feed, of the input and of the value.
    pub fn from_feed_report<T: Element>(
        &self,
        feed: Feed<'_>,
        options: &Options<'_>,
    ) -> Result<(T, Report)> {
        self.from_slice_report(&take_all(feed)?, options)
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
            self.load_root(T::SHAPE, &mut ValueOf(value), input, &mut Session::new(), options)
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
            self.load_root(T::SHAPE, &mut ValueOf(value), input, &mut session, options)
        })?;
        Ok(session.report)
    }

    fn save_root<S: Source>(
        &self,
        buffer: Vec<u8>,
        sink: Option<Sink<'_>>,
        mut value: S,
        options: &Options<'_>,
    ) -> Result<Vec<u8>> {
        let shape = value.shape();
        self.save(buffer, sink, (shape, &mut |ar| value.visit(ar)), options)
    }

    fn load_root<B: Body>(
        &self,
        shape: &'static Shape,
        body: &mut B,
        input: &[u8],
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        let mut visit = |ar: &mut Erased<'_>| body.run(ar);
        let loaded = self.load(input, (shape, &mut visit), B::FRESH, session, options);
        loaded.inspect_err(|_| session.loaded.abandon(options))
    }
}
