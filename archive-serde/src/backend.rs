//! [`SerdeBackend`]: a serde format as a [`Backend`].
// Why: docs/decisions/serde.md#a-serde-format-is-not-an-encoder

use std::marker::PhantomData;

use archive_core::backend::Sink;
use archive_core::bridge;
use archive_core::shape::may_point;
use archive_core::{
    Archive, Backend, Body, Error, Loading, Options, Result, Session, Shape, Source, ValueDecoder,
    ValueEncoder,
};

use crate::decoder::Decoder;
use crate::encoder::Encoder;
use crate::format::SerdeFormat;
use crate::load::Seed;
use crate::locate::{locate, locate_all, of_empty};
use crate::save::Nested;
use crate::shared::{Manner, Shared};
use crate::tree::{Described, DescribedSeed, TreeSeed, Written};

/// A serde format as a [`Backend`]: its entry points, named roots, and a place in `Format`.
///
/// Saving streams into the serializer. In a format that does not describe itself
/// ([`SerdeFormat::DESCRIBES`]) the value is saved again if a weak pointer needs an object that came
/// later.
///
/// Loading runs the functions of types inside serde's visitors, in the order of the input. Members
/// that come before they are requested are kept until then. In the following cases the input is
/// first read as a tree, and the value is loaded from the tree:
///
/// - a load that [continues after errors](Options::keep_going) or
///   [keeps unknown objects](Options::keep_unknown),
/// - a root that is a tree,
/// - a root that is loaded over an old value and may hold pointers,
/// - a new root whose objects are referred to before they come, which is detected during
///   the load.
///
/// A tree has no positions. The error that ends such a load gets its position from a second
/// reading, and so do the first sixteen errors in the report of a load that continues.
///
/// Files with named roots are written from trees and read into trees.
#[derive(Debug)]
pub struct SerdeBackend<F>(PhantomData<fn() -> F>);

pub(crate) const fn manner<F: SerdeFormat>() -> Manner {
    let untagged = F::DESCRIBES && F::FORGETS_VARIANTS;
    Manner { describes: F::DESCRIBES, arrays: F::ARRAYS, untagged, pointees_first: !F::DESCRIBES }
}

impl<F: SerdeFormat> Backend for SerdeBackend<F> {
    const NAME: &'static str = F::NAME;
    const EXTENSIONS: &'static [&'static str] = F::EXTENSIONS;

    type Output = Vec<u8>;
    type Encoder<'w> = Encoder<F>;
    type Decoder<'r> = Decoder<'r, F>;

    fn detect(start: &[u8]) -> bool {
        F::detect(start)
    }

    fn encoder<'w>(options: &Options<'_>, _: Option<Sink<'w>>) -> Encoder<F> {
        Encoder::new(options)
    }

    fn finish(encoder: Encoder<F>) -> Result<Vec<u8>> {
        encoder.finish()
    }

    fn decoder<'r>(input: &'r [u8], options: &Options<'_>) -> Result<Decoder<'r, F>> {
        Ok(Decoder::new(input, *options.settings().limits()))
    }

    fn end(_: Decoder<'_, F>) -> Result {
        Ok(()) // who reads the input checks its end
    }

    fn save_root<S: Source>(
        encoder: &mut Encoder<F>,
        mut value: S,
        options: &Options<'_>,
    ) -> Result {
        encoder.done(save::<F, _>(value.shape(), &mut value, options)?);
        Ok(())
    }

    fn load_root<B: Body>(
        decoder: &mut Decoder<'_, F>,
        shape: &'static Shape,
        body: &mut B,
        session: &mut Session,
        options: &Options<'_>,
    ) -> Result {
        let input = decoder.input();
        load::<F, _>(input, shape, body, B::FACTS.fresh, session, options)
            .map_err(|error| locate::<F>(input, error, options))
    }
}

fn save<F: SerdeFormat, B: Body>(
    shape: &'static Shape,
    body: &mut B,
    options: &Options<'_>,
) -> Result<Vec<u8>> {
    /// How often a save may start again. Objects that were moved to the front may contain others
    /// that must be moved.
    const MAX_STARTS: usize = 16;
    options.settings().targets().check()?;
    let mut early = Vec::new();
    for _ in 0..MAX_STARTS {
        let mut session = Session::new();
        if !F::DESCRIBES {
            session.saved.read_once(early.iter().copied());
        }
        session.number(shape, &mut |ar| body.run(&mut ar.erased().saving()), options);
        let mut shared = Shared::new(&mut session, options, manner::<F>(), usize::MAX);
        let written = F::write(&Nested::new(body, shape, &mut shared), options);
        let bytes = shared.conclude(written)?;
        // A value that is a tree is written without the checks for pointers.
        if !matches!(shape, Shape::Any) {
            session.finish_saving()?;
        }
        if session.saved.late().is_empty() {
            return Ok(bytes);
        }
        early.extend_from_slice(session.saved.late());
    }
    let message =
        "weak pointers refer to objects that come later, in a format that is read only once";
    Err(Error::new(archive_core::ErrorKind::Unsupported, message))
}

fn load<F: SerdeFormat, B: Body>(
    input: &[u8],
    shape: &'static Shape,
    body: &mut B,
    fresh: bool,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    session.set_one_each();
    let needs_tree = F::DESCRIBES
        && (archive_core::backend::keeps_going(session, options)
            || options.settings().keep_unknown()
            || matches!(shape, Shape::Any)
            || (!fresh && may_point(shape)));
    if !needs_tree {
        let before = bridge::begin_root(session, shape);
        let (restart, done, stopped) = loop {
            let mut shared = Shared::new(session, options, manner::<F>(), input.len());
            shared.can_restart = F::DESCRIBES && fresh;
            shared.session.set_input(input.len(), options);
            let seed = Seed { body: &mut *body, shape, shared: &mut shared };
            let read = crate::format::read::<F, _>(input, seed, options);
            let restart = shared.restart;
            let done = shared.conclude(read);
            let stopped = shared.stopped;
            if done.is_err() || restart || !bridge::begins_again(session, &before, options)? {
                break (restart, done, stopped);
            }
        };
        let pending = done.is_ok() && !session.next_to_fill().is_empty();
        if !restart && !pending {
            match done {
                Ok(()) => {
                    bridge::end_root(session).inspect_err(|_| session.loaded.abandon(options))?;
                }
                Err(error) => {
                    session.loaded.abandon(options);
                    let Some(stopped) = stopped else { return Err(error) };
                    let error = locate::<F>(input, error, options);
                    return Err(if error.position().is_some() { error } else { error.at(stopped) });
                }
            }
            return Ok(());
        }
        session.loaded.abandon(options);
        if !F::DESCRIBES || !fresh {
            return match done {
                Err(error) => Err(error),
                Ok(()) => Err(missing()),
            };
        }
        *session = bridge::fresh(session);
    }
    let mut decoder = read_tree::<F>(input, options)?;
    session.set_input(input.len(), options);
    session.hold(decoder.size())?;
    Loading::new(&mut decoder, session, options).root(shape, body)?;
    locate_all::<F>(input, &mut session.reporting.report.errors, options);
    Ok(())
}

#[cold]
fn missing() -> Error {
    let message = "a pointer refers to an object that was not loaded";
    Error::new(archive_core::ErrorKind::BadPointer, message)
}

/// Reads the input as a tree, and returns a decoder of it.
pub(crate) fn read_tree<F: SerdeFormat>(
    input: &[u8],
    options: &Options<'_>,
) -> Result<ValueDecoder<'static>> {
    let read = |manner: Manner| {
        let mut session = Session::new();
        session.set_input(input.len(), options);
        let mut shared = Shared::new(&mut session, options, manner, input.len());
        let read = if F::DESCRIBES {
            crate::format::read::<F, _>(input, TreeSeed::new(&mut shared, &mut false), options)
        } else {
            crate::format::read::<F, _>(input, DescribedSeed::new(&mut shared), options)
        };
        shared.conclude(read).map(|value| (value, shared.is_text))
    };
    let manner = manner::<F>();
    let (value, is_text) = match read(manner) {
        // Trees in serde's own buffer have no paths.
        Err(error) if manner.untagged => {
            return match read(Manner { untagged: false, ..manner }) {
                Err(again) if again.kind() == error.kind() => Err(again),
                _ => Err(error),
            };
        }
        read => read.map_err(|error| of_empty(input, error))?,
    };
    Ok(ValueDecoder::owned(value).with_arrays(F::ARRAYS).with_text_floats(is_text))
}

/// Writes a tree.
pub(crate) fn write_tree<F: SerdeFormat>(
    tree: ValueEncoder,
    options: &Options<'_>,
) -> Result<Vec<u8>> {
    let tree = tree.finish()?;
    if F::DESCRIBES {
        F::write(&Written(&tree), options)
    } else {
        F::write(&Described(&tree), options)
    }
}
