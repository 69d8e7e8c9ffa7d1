//! [`AnyBackend`]: a [`Backend`] as a trait object, for tables of formats.

use std::borrow::Cow;
use std::cell::Cell;
use std::marker::PhantomData;

use super::calls::calls;
use super::{Backend, Feed, Root, Sink, load_erased, take_all};
use crate::format::decoder::Decoder;
use crate::format::encoder::Encoder;
use crate::format::loading::Loading;
use crate::format::saving::Saving;
use crate::model::error::Result;
use crate::model::shape::Shape;
use crate::pointer::dismantle::over;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Element;
use crate::visit::body::{Body, New};
use crate::visit::erased::Erased;
use crate::visit::serialize::{Serialize, Source};
use crate::visit::serialize::{shape_of_new, shape_of_value};
use crate::visit::session::reporting::in_session;
use crate::visit::session::{Report, Session};
use crate::visit::visited::Visit;

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
    /// [`Backend::expand`].
    ///
    /// # Errors
    /// Returns an error if the input is damaged.
    fn expand<'r>(&self, input: &'r [u8], options: &Options<'_>) -> Result<Cow<'r, [u8]>>;
    /// [`Backend::decoder`].
    ///
    /// # Errors
    /// Returns an error if the input is not of this format at all.
    fn decoder<'r>(
        &self,
        input: &'r [u8],
        options: &Options<'_>,
    ) -> Result<Box<dyn AnyDecoder + 'r>>;

    /// Saves the one root, reusing the memory of `buffer`. Returns the bytes that were not sent to
    /// the sink: all of them if there is no sink.
    fn save(
        &self,
        buffer: Vec<u8>,
        sink: Option<Sink<'_>>,
        root: (&'static Shape, Visit<'_>),
        options: &Options<'_>,
    ) -> Result<Vec<u8>>;

    /// Loads the one root. With `fresh`, each visit creates a new value, so the load may visit it
    /// again.
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
    /// Returns the encoder itself.
    fn encoder(&mut self) -> &mut dyn Encoder;
    /// Saves one of several roots, on an archive that is compiled for this encoder.
    #[doc(hidden)]
    fn save_root(
        &mut self,
        name: &str,
        root: (&'static Shape, Visit<'_>),
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result;
    /// [`Backend::finish`].
    fn finish(self: Box<Self>) -> Result<Vec<u8>>;
}

/// The decoder of an [`AnyBackend`].
pub trait AnyDecoder {
    /// Returns the decoder itself.
    fn decoder(&mut self) -> &mut dyn Decoder;
    /// Loads one of several roots, on an archive that is compiled for this decoder.
    #[doc(hidden)]
    fn load_root(
        &mut self,
        name: &str,
        root: (&'static Shape, Visit<'_>),
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result;
    /// [`Backend::end`].
    ///
    /// # Errors
    /// Returns an error if any input is left.
    fn end(self: Box<Self>) -> Result;
}

struct Begun<'w, F: Backend>(F::Encoder<'w>);

impl<F: Backend> AnyEncoder for Begun<'_, F> {
    fn encoder(&mut self) -> &mut dyn Encoder {
        &mut self.0
    }
    fn save_root(
        &mut self,
        name: &str,
        (shape, visit): (&'static Shape, Visit<'_>),
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        Saving::new(&mut self.0, session, options).named_root(name, shape, visit)
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
    fn load_root(
        &mut self,
        name: &str,
        (shape, visit): (&'static Shape, Visit<'_>),
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        Loading::new(&mut self.0, session, options).named_root(name, shape, visit)
    }
    fn end(self: Box<Self>) -> Result {
        F::end(self.0)
    }
}

struct Of<F>(PhantomData<fn() -> F>);

/// Returns a format as a trait object.
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
        Box::new(Begun::<F>(F::encoder(options, sink)))
    }
    fn expand<'r>(&self, input: &'r [u8], options: &Options<'_>) -> Result<Cow<'r, [u8]>> {
        F::expand(input, options)
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
        super::save_as::<F, _>(buffer, sink, Root(shape, visit), options)
    }

    fn load(
        &self,
        input: &[u8],
        root: (&'static Shape, Visit<'_>),
        fresh: bool,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        load_erased::<F>(input, root, fresh, session, options)
    }
}

/// The functions of [`Backend`] that save and load one root, for a format as a trait object.
impl dyn AnyBackend {
    calls!(pub [self] Self::save_root, Self::load_root, Self::load_feed);

    fn save_root<S: Source>(
        &self,
        buffer: Vec<u8>,
        sink: Option<Sink<'_>>,
        mut value: S,
        options: &Options<'_>,
    ) -> Result<Vec<u8>> {
        let shape = value.shape();
        self.save(buffer, sink, (shape, &mut |ar| value.run(&mut ar.erased().saving())), options)
    }

    fn load_root<B: Body>(
        &self,
        body: &mut B,
        shape: &'static Shape,
        input: &[u8],
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        let mut visit = |ar: &mut Erased<'_>| body.run(&mut ar.erased().loading());
        let loaded = self.load(input, (shape, &mut visit), B::FACTS.fresh, session, options);
        loaded.inspect_err(|_| session.loaded.abandon(options))
    }

    fn load_feed<B: Body>(
        &self,
        body: &mut B,
        shape: &'static Shape,
        feed: Feed<'_>,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        self.load_root(body, shape, &take_all(feed)?, session, options)
    }
}
