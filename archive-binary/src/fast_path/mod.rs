//! Archives that read and write the same bytes as the encoder and the decoder, but faster.
//! [`Saving`] saves values with known types; the encoder saves self-describing ones. [`Loading`]
//! loads a file whose types are known from the start and equal to those of the program; the decoder
//! loads all others.
// Why: docs/decisions/binary.md#the-binary-format-has-archives-of-its-own

mod any;
mod by_hand;
mod count;
mod forecast;
mod functions;
mod general;
mod items;
mod late;
mod loading;
mod parts;
mod pointers;
mod room;
mod rows;
mod saving;
mod waiting;

pub use functions::Functions;
pub(crate) use rows::{load_row, save_row};

use std::any::Any;

use archive_core::backend::Visit;
use archive_core::{
    Archive, Body, Encoder as _, Error, ErrorKind, Options, Polymorphic, Result, Session, Shape,
    Source,
};

use crate::{Decoder, Encoder};
pub(crate) use any::load_any;
pub(crate) use count::more_items;
pub(crate) use loading::Loading;
pub(crate) use saving::Saving;

/// Saves a value as the one root.
pub(crate) fn save_root<S: Source>(
    encoder: &mut Encoder<'_>,
    mut value: S,
    options: &Options<'_>,
) -> Result {
    let session = &mut Session::new();
    let shape = value.shape();
    if shape.is_any() {
        return archive_core::Saving::new(encoder, session, options).root_erased(&mut value);
    }
    options.settings().targets().check()?;
    session.number(shape, &mut |ar| value.run(&mut ar.erased().saving()), options);
    encoder.begin_root(shape)?;
    let sink = encoder.sink_of(shape);
    let mut saving = Saving::new(encoder, sink, session, options);
    value.run(&mut saving)?;
    let written = saving.finish();
    encoder.handed_over(written);
    session.finish_saving()?;
    encoder.end_root()
}

/// Loads the one root: by position if all of its types are equal to those of the program. Otherwise
/// the whole root is loaded by name, through the erased archive.
pub(crate) fn load_root<B: Body>(
    decoder: &mut Decoder<'_>,
    shape: &'static Shape,
    body: &mut B,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    let mut general = archive_core::Loading::new(decoder, session, options);
    general.root_by(shape, |general| {
        let (decoder, session, options) = general.as_parts();
        // The general archive adds the paths to the notes of a report.
        if session.is_reporting() || !decoder.matches_program() {
            return general.value_erased(body);
        }
        let mut loading = Loading::new(decoder, session, options);
        let loaded = body.run(&mut loading).and_then(|()| loading.fill_pending());
        loaded.map_err(|error| loading.located(error))?;
        loading.finish();
        Ok(())
    })
}

/// Saves a value of a known type within the output of the encoder.
pub(crate) fn save_part(
    encoder: &mut Encoder<'_>,
    visit: Visit<'_>,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    let mut saving = Saving::partial(encoder, session, options);
    let saved = visit(&mut saving.erased());
    saving.finish();
    saved
}

/// Loads one of several roots, whose type is erased, within the input of the decoder. Returns `false`
/// if its type in the file does not match.
pub(crate) fn load_part(
    decoder: &mut Decoder<'_>,
    shape: &'static Shape,
    visit: Visit<'_>,
    session: &mut Session,
    options: &Options<'_>,
) -> Result<bool> {
    if !decoder.open_matching(shape) {
        return Ok(false);
    }
    let mut loading = Loading::new(decoder, session, options);
    let loaded = visit(&mut loading.erased()).and_then(|()| loading.fill_pending());
    loaded.map_err(|error| loading.located(error))?;
    loading.finish();
    decoder.close_matching()?;
    Ok(true)
}

/// Loads the object of a trait object within the input of the decoder. Returns `false` if its
/// function was not compiled for this format, or the type in the file does not match.
pub(crate) fn load_object(
    decoder: &mut Decoder<'_>,
    object: &mut dyn Polymorphic,
    session: &mut Session,
    options: &Options<'_>,
) -> Result<bool> {
    let functions = Functions::find((&*object as &dyn Any).type_id(), options);
    let Some(functions) = functions.filter(|functions| decoder.open_matching(functions.shape))
    else {
        return Ok(false);
    };
    let mut loading = Loading::new(decoder, session, options);
    (functions.load)(object, &mut loading).map_err(|error| loading.located(error))?;
    loading.finish();
    decoder.close_matching()?;
    Ok(true)
}

/// Creates the error for a type that saves or loads a value that its shape does not contain.
#[cold]
pub(crate) fn cannot(what: &str) -> Error {
    let message = format_args!("the shape of the type does not have {what}");
    Error::new(ErrorKind::Unsupported, message)
}
