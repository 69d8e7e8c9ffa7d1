//! The lean path: a whole file whose types are known from the start and equal to those of the
//! program, without pointers, trait objects, hand-written functions or values that describe
//! themselves. Nothing is left to decide then, so [`Writer`] and [`Reader`] decide nothing: they
//! write and read the same bytes as the encoder and the decoder around them, which handle all the rest.

mod reader;
mod writer;

use archive_core::backend::keeps_going;
use archive_core::{
    Body, Error, ErrorKind, Loading, Options, Result, Saving, Session, Shape, Source,
};

use crate::{Decoder, Encoder};
pub(crate) use reader::Reader;
pub(crate) use writer::Writer;

/// Saves a value as the one root.
pub(crate) fn save_root<S: Source>(
    encoder: &mut Encoder<'_>,
    mut value: S,
    options: &Options<'_>,
) -> Result {
    let session = &mut Session::new();
    match encoder.straight(S::SHAPE)? {
        Some(mut writer) => {
            Saving::new(&mut writer, session, options).root(&mut value)?;
            encoder.go_on(writer);
            Ok(())
        }
        None => Saving::new(encoder, session, options).root(&mut value),
    }
}

/// Loads the one root.
pub(crate) fn load_root<B: Body>(
    decoder: &mut Decoder<'_>,
    shape: &'static Shape,
    body: &mut B,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    if !keeps_going(session, options)
        && let Some(mut reader) = decoder.straight(shape, options)?
    {
        Loading::new(&mut reader, session, options).root(shape, body)?;
        decoder.go_on(&reader);
        return Ok(());
    }
    Loading::new(decoder, session, options).root(shape, body)
}

/// A type saves or loads something that it does not say it is made of.
#[cold]
fn cannot(what: &str) -> Error {
    let message = format_args!("the type is said to hold no such thing as {what}");
    Error::new(ErrorKind::Unsupported, message)
}
