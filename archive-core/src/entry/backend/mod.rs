//! [`Backend`]: a complete format, and the functions that every format has.
// Why: docs/decisions/archives-and-bodies.md#the-core-does-no-io
// Why: docs/decisions/compile-time.md#some-formats-compile-each-type

mod any;
mod calls;
mod pieces;

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt::Display;

pub use any::{AnyBackend, AnyDecoder, AnyEncoder, erase};
use calls::calls;
pub use pieces::{Patch, Pieces, patch};

use crate::__unless_erased;
use crate::format::decoder::Decoder;
use crate::format::encoder::Encoder;
use crate::format::loading::Loading;
use crate::format::saving::Saving;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::Shape;
#[doc(hidden)]
pub use crate::pointer::dismantle::over;
use crate::state::options::Options;
use crate::visit::blank::Element;
use crate::visit::body::Body;
#[doc(hidden)]
pub use crate::visit::body::New;
#[doc(hidden)]
pub use crate::visit::erased::ERASES;
use crate::visit::serialize::{Serialize, Source};
use crate::visit::serialize::{shape_of_new, shape_of_value};
use crate::visit::session::reporting::in_session;
use crate::visit::session::{Report, Session};
pub use crate::visit::visited::Visit;
#[doc(hidden)]
pub use crate::visit::visited::{Root, Visited};

/// Receives the bytes of a save that are not kept in memory.
pub type Sink<'w> = &'w mut dyn FnMut(&[u8]) -> Result;

/// Supplies the bytes of a load that are not in memory. The function writes some bytes into the
/// slice and returns their number. 0 means that none are left.
pub type Feed<'r> = &'r mut dyn FnMut(&mut [u8]) -> Result<usize>;

/// A format: its name, and how to create its encoder and decoder. A format that implements this
/// trait gets every entry point: the provided methods here, and `Format` for a choice at run time.
pub trait Backend: Sized + 'static {
    /// The name, for people and for selecting the format: `json`.
    const NAME: &'static str;
    /// File name extensions, without the dot. By default the name is the only one.
    const EXTENSIONS: &'static [&'static str] = &[Self::NAME];

    /// The result of a save: `String` for text, `Vec<u8>` for bytes.
    type Output: AsRef<[u8]> + TryFrom<Vec<u8>, Error: Display>;

    /// The writing half.
    type Encoder<'w>: Encoder;
    /// The reading half.
    type Decoder<'r>: Decoder;

    /// Returns whether a file that begins with these bytes may be in this format. By default, files
    /// are not recognized by their content.
    fn detect(start: &[u8]) -> bool {
        let _ = start;
        false
    }

    /// Creates an encoder. With a sink, the encoder may send bytes to it before the end.
    fn encoder<'w>(options: &Options<'_>, sink: Option<Sink<'w>>) -> Self::Encoder<'w>;

    /// Like [`encoder`](Backend::encoder) without a sink. The output may use the memory of
    /// `buffer`, which is empty.
    fn encoder_in(buffer: Vec<u8>, options: &Options<'_>) -> Self::Encoder<'static> {
        drop(buffer);
        Self::encoder(options, None)
    }

    /// Completes the output. Returns the bytes that were not sent to the sink: all of them if there
    /// is no sink, or if the format needs the whole output before it can send the first byte.
    fn finish(encoder: Self::Encoder<'_>) -> Result<Vec<u8>>;

    /// Converts the bytes of a finished save to the output type.
    ///
    /// # Errors
    /// Never, if the bytes come from [`finish`](Backend::finish).
    fn output(bytes: Vec<u8>) -> Result<Self::Output> {
        Self::Output::try_from(bytes).map_err(|error| Error::new(ErrorKind::Syntax, error))
    }

    /// Returns an input in the form that [`decoder`](Backend::decoder) reads. A format may have files in
    /// another form, such as a compressed one. By default, there is only one form.
    ///
    /// # Errors
    /// Returns an error if the input is damaged.
    fn expand<'r>(input: &'r [u8], options: &Options<'_>) -> Result<Cow<'r, [u8]>> {
        let _ = options;
        Ok(Cow::Borrowed(input))
    }

    /// Creates a decoder.
    ///
    /// # Errors
    /// Returns an error if the input is not of this format at all.
    fn decoder<'r>(input: &'r [u8], options: &Options<'_>) -> Result<Self::Decoder<'r>>;

    /// Checks that there is no data after the value.
    ///
    /// # Errors
    /// [`ErrorKind::TrailingData`] if there is data.
    fn end(decoder: Self::Decoder<'_>) -> Result;

    /// Saves a value as the one root. A format may have a faster way for some types.
    fn save_root<S: Source>(
        encoder: &mut Self::Encoder<'_>,
        value: S,
        options: &Options<'_>,
    ) -> Result {
        let (mut value, session) = (value, &mut Session::new());
        let mut saving = Saving::new(encoder, session, options);
        if Self::STATIC { saving.root(&mut value) } else { saving.root_erased(&mut value) }
    }

    /// Loads the one root. A format may have a faster way for some inputs.
    fn load_root<B: Body>(
        decoder: &mut Self::Decoder<'_>,
        shape: &'static Shape,
        body: &mut B,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        let mut loading = Loading::new(decoder, session, options);
        if Self::STATIC { loading.root(shape, body) } else { loading.root_erased(shape, body) }
    }

    /// Loads the one root from an input that [`expand`](Backend::expand) would change, if the format can.
    /// Returns `false` if nothing was loaded, and the input must be expanded.
    ///
    /// # Errors
    /// Errors of the input and of the value.
    fn load_unexpanded<B: Body>(
        input: &[u8],
        shape: &'static Shape,
        body: &mut B,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result<bool> {
        let _ = (input, shape, body, session, options);
        Ok(false)
    }

    /// Whether the functions of types are compiled for this format, which makes them faster and the
    /// program larger. Otherwise roots are saved and loaded through [`Erased`](crate::Erased); see
    /// [`Saving::root_erased`] and [`Loading::root_erased`], which keep the compiler from analyzing
    /// code that it will not compile.
    const STATIC: bool = true;

    /// Whether the encoder saves values whose types are known when they are loaded on an archive of
    /// its own ([`Encoder::typed`]).
    #[doc(hidden)]
    const TYPED: bool = false;

    /// Loads the one root from bytes as they arrive, up to the end of the feed. A format may keep
    /// only the bytes that it still needs.
    fn load_feed<B: Body>(
        feed: Feed<'_>,
        shape: &'static Shape,
        body: &mut B,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        load::<Self, B>(body, shape, &take_all(feed)?, session, options)
    }

    calls!([] save::<Self, _>, load::<Self, _>, feed::<Self, _>);
}

/// Saves a value as the one root.
fn save<F: Backend, S: Source>(
    buffer: Vec<u8>,
    sink: Option<Sink<'_>>,
    value: S,
    options: &Options<'_>,
) -> Result<Vec<u8>> {
    __unless_erased!(save_as::<F, S>(buffer, sink, value, options), {
        let mut value = value;
        let root = Root(value.shape(), &mut |ar| {
            value.run(&mut crate::visit::archive::Archive::erased(ar).saving())
        });
        save_as::<F, _>(buffer, sink, root, options)
    })
}

/// Saves a value as the one root, with [`Backend::save_root`].
fn save_as<F: Backend, S: Source>(
    buffer: Vec<u8>,
    sink: Option<Sink<'_>>,
    value: S,
    options: &Options<'_>,
) -> Result<Vec<u8>> {
    if sink.is_some() {
        let mut encoder = F::encoder(options, sink);
        F::save_root(&mut encoder, value, options)?;
        F::finish(encoder)
    } else {
        let mut encoder = F::encoder_in(buffer, options);
        F::save_root(&mut encoder, value, options)?;
        F::finish(encoder)
    }
}

/// Returns whether errors go into the report of this load instead of ending it.
#[doc(hidden)]
pub fn keeps_going(session: &Session, options: &Options<'_>) -> bool {
    options.keep_going && session.is_reporting()
}

/// Loads the one root of a decoder that finds members by name (see [`Loading::in_file_order`]). For
/// formats that have a separate decoder for bytes that arrive piece by piece. `end` checks that no
/// data follows.
pub fn load_in_file_order<B: Body, D: Decoder>(
    mut decoder: D,
    end: impl FnOnce(D) -> Result,
    shape: &'static Shape,
    body: &mut B,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    let mut loading = Loading::in_file_order(&mut decoder, session, options);
    __unless_erased!(loading.root(shape, body), loading.root_erased(shape, body))?;
    end(decoder).inspect_err(|_| session.loaded.abandon(options))
}

/// Returns all bytes of a feed.
pub fn take_all(feed: Feed<'_>) -> Result<Vec<u8>> {
    let mut bytes = vec![0; 8 * 1024];
    let mut len = 0;
    loop {
        if len == bytes.len() {
            bytes.resize(2 * len, 0);
        }
        let count = feed(&mut bytes[len..])?;
        if count == 0 {
            bytes.truncate(len);
            return Ok(bytes);
        }
        // A feed may return a larger number than the slice has room for.
        len = (len + count).min(bytes.len());
    }
}

/// Loads the one root, whose type is erased.
pub(crate) fn load_erased<F: Backend>(
    input: &[u8],
    (shape, visit): (&'static Shape, Visit<'_>),
    fresh: bool,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    if fresh {
        load_as::<F, _>(&mut Visited::<true>(visit), shape, input, session, options)
    } else {
        load_as::<F, _>(&mut Visited::<false>(visit), shape, input, session, options)
    }
}

/// Loads the one root.
fn load<F: Backend, B: Body>(
    body: &mut B,
    shape: &'static Shape,
    input: &[u8],
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    __unless_erased!(load_as::<F, B>(body, shape, input, session, options), {
        let mut visit = |ar: &mut crate::visit::erased::Erased<'_>| {
            body.run(&mut crate::visit::archive::Archive::erased(ar).loading())
        };
        load_erased::<F>(input, (shape, &mut visit), B::FACTS.fresh, session, options)
    })
}

/// Loads the one root, with [`Backend::load_root`].
fn load_as<F: Backend, B: Body>(
    body: &mut B,
    shape: &'static Shape,
    input: &[u8],
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    if F::load_unexpanded(input, shape, body, session, options)? {
        return Ok(());
    }
    let input = F::expand(input, options)?;
    let mut decoder = F::decoder(&input, options)?;
    F::load_root(&mut decoder, shape, body, session, options)?;
    F::end(decoder).inspect_err(|_| session.loaded.abandon(options))
}

/// Loads the one root from bytes as they arrive.
fn feed<F: Backend, B: Body>(
    body: &mut B,
    shape: &'static Shape,
    feed: Feed<'_>,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    F::load_feed(feed, shape, body, session, options)
}
