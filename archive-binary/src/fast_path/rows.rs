//! Rows, which are many and short. They are saved and loaded without a separate encoder or decoder,
//! if possible.

use archive_core::{Body, Error, ErrorKind, Options, Result, Session};

use super::Loading;
use super::Saving;
use super::late::{Late, Row};
use crate::Encoder;
use crate::cursor::{Cursor, offset};
use crate::implied::Implied;

/// Loads a row without tables whose types match those of the program.
pub(crate) fn load_row<B: Body>(
    bytes: &[u8],
    types: &Implied,
    body: &mut B,
    session: &mut Session,
    options: &Options<'_>,
) -> Result {
    session.begin_root();
    session.set_input(bytes.len(), options);
    let row = Late::Row(Row { bytes, types, options, made: None });
    let mut loading = Loading::at(Cursor::new(bytes, 1), row, session, options);
    let loaded = match body.run(&mut loading) {
        Ok(()) if loading.data.left() > 0 => {
            let error = Error::new(ErrorKind::TrailingData, "trailing data after the value");
            Err(error.at(offset(loading.data.at())))
        }
        Ok(()) => Ok(()),
        Err(error) => Err(loading.located(error)),
    };
    loaded.inspect_err(|_| session.loaded.abandon(options))
}

/// Appends the data of a row to the output of the encoder, which is used for many rows. Returns
/// `false` if the row needs tables.
pub(crate) fn save_row<B: Body>(
    encoder: &mut Encoder<'_>,
    value: &mut B,
    session: &mut Session,
    options: &Options<'_>,
) -> Result<bool> {
    let mut saving = Saving::new(encoder, None, session, options);
    let saved = value.run(&mut saving);
    // The output must be returned even after an error.
    saving.finish();
    saved?;
    session.finish_saving()?;
    Ok(!encoder.needs_tables())
}
