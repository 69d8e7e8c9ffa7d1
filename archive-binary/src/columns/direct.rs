//! Saves values with columns and loads them without rows in between, if their types have neither
//! pointers nor parts that only their values describe.
// Why: docs/decisions/binary.md#columns-are-a-second-form-of-rows

use std::sync::Arc;

use archive_core::{Body, Encoder as _, Loading, Options, Result, Session, Shape, Source, Visitor};

use super::changed;
use super::input::Input;
use super::output::Output;
use super::runs::Runs;
use super::runs_in::RunsIn;
use crate::columnar::Layouts;
use crate::container;
use crate::encoder::InColumns;
use crate::fast_path;
use crate::implied::Implied;
use crate::read_tables::Tables;
use crate::{Decoder, Encoder};

/// Saves a value as the one root, with lists of that many entries as blocks.
pub(super) fn save_root<S: Source>(
    many: u64,
    encoder: &mut Encoder<'_>,
    mut value: S,
    options: &Options<'_>,
) -> Result {
    let shape = value.shape();
    let (limits, targets) = (options.settings().limits(), options.settings().targets());
    let output = match shape {
        _ if shape.is_any() || !targets.is_empty() => None,
        _ => Output::new(Implied::of(shape), usize::try_from(many).unwrap_or(usize::MAX), limits),
    };
    let Some(mut output) = output else { return fast_path::save_root(encoder, value, options) };
    targets.check()?;
    encoder.begin_root(shape)?;
    let session = &mut Session::new();
    let rows = fast_path::Saving::new(encoder, None, session, options);
    let mut runs = Runs { rows, output: &mut output };
    value.run(&mut runs)?;
    runs.rows.finish();
    session.finish_saving()?;
    let rows = encoder.take_output();
    let is_complete = !output.is_incomplete();
    let (out, row_end) = output.finish(rows);
    encoder.set_columns(out, InColumns { row_end, is_complete });
    encoder.end_root()
}

/// Loads the one root of a file with columns, if its types are those of the program. Returns `false` if
/// the file must be turned into rows.
pub(super) fn load_root<B: Body>(
    file: &[u8],
    shape: &'static Shape,
    body: &mut B,
    session: &mut Session,
    options: &Options<'_>,
) -> Result<bool> {
    if !container::has_columns(file) || session.is_reporting() || shape.is_any() {
        return Ok(false);
    }
    let types = Implied::of(shape);
    let limits = options.settings().limits();
    let fits = |layouts: &Layouts| layouts.fit(file.len(), limits);
    let Some(layouts) = types.layouts().filter(|layouts| fits(layouts)) else { return Ok(false) };
    let (data_end, end) = container::frame(file)?;
    // Turning the columns into rows reports what is wrong.
    let Ok(tables) = Tables::read(file, data_end, end, options) else { return Ok(false) };
    let row_end = tables.root_end;
    if container::rows_end(file) != Some(row_end) {
        return Ok(false);
    }
    // The types may have other numbers in the file, which has types that the root does not contain.
    let layouts = match tables.are(types.root, &types.types) {
        true => Some(layouts.clone()),
        false => tables.layouts(file.len()).filter(fits).map(Arc::new),
    };
    let Some(layouts) = layouts else { return Ok(false) };
    let input = || Input::new(&file[..data_end], layouts.clone(), limits);
    let mut decoder = Decoder::over(&file[..data_end], tables, options);
    if !decoder.matches_root(shape) {
        let file = (file, data_end, end);
        return changed::load_root(file, input, shape, body, session, options);
    }
    Loading::new(&mut decoder, session, options).root_by(shape, |general| {
        let input = input()?;
        let (decoder, session, options) = general.as_parts();
        session.set_input(row_end, options);
        let mut rows = fast_path::Loading::new(decoder, session, options);
        (rows.data, rows.beyond) = (input.rows(), input.left());
        let mut runs = RunsIn { rows, input, blocks: None };
        body.run(&mut runs)
            .and_then(|()| runs.check_end())
            .map_err(|error| runs.locate_error(error))
    })?;
    Ok(true)
}
