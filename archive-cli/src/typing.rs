//! Files whose types are in a schema.

use std::cell::Cell;
use std::path::Path;

use archive::reflect::{Edit, apply};
use archive::types::{Record, Schema, Type};
use archive::{Error, ErrorKind, Options, Result};

use crate::args::Typing;
use crate::complaint;
use crate::edit::Change;
use crate::input::{self, Input, Source};

/// Returns the options for values of a schema: trait objects are kept as they are, since their types are those of
/// the program.
pub fn options() -> Options<'static> {
    input::options().keep_unknown(true)
}

/// Reads a schema. All its errors are printed, the first one by the caller.
///
/// # Errors
/// The first error of the schema, and errors of the file.
pub fn schema(path: &Path) -> Result<Schema> {
    let input = Source::open(path)?.load()?;
    let errors = match Schema::from_slice_in(&input.bytes, input.format) {
        Ok(schema) => return Ok(schema),
        Err(errors) => errors,
    };
    let mut errors: Vec<Error> =
        errors.into_iter().map(|error| error.in_file(&input.name)).collect();
    let first = errors.remove(0);
    errors.iter().for_each(|error| complaint::print(error, None));
    Err(first)
}

/// Returns the type of whole files, if the arguments name a schema.
///
/// # Errors
/// Those of the schema, and an error if neither the arguments nor the schema name a type.
pub fn ty(args: &Typing) -> Result<Option<Type>> {
    let Some(path) = &args.schema else { return Ok(None) };
    let schema = schema(path)?;
    let named = |error: Error| error.in_file(path.display());
    if let Some(ty) = &args.ty {
        return schema.get(ty).map(Some).map_err(named);
    }
    schema.root().map_err(named)?.map(Some).ok_or_else(|| {
        let message = "the schema has no `root`: name the type of the file with --type";
        Error::new(ErrorKind::MissingMember, message).in_file(path.display())
    })
}

/// Loads a file as a type.
fn load(input: &Input, ty: Type, options: &Options<'_>) -> Result<Record> {
    if input.joined.is_some() {
        let message = "the file consists of several values, and has no type";
        return Err(Error::new(ErrorKind::Unsupported, message).in_file(&input.name));
    }
    let mut record = Record::new(ty);
    let loaded = input.format.load_into_with(&mut record, &input.bytes, options);
    loaded.map_err(|error| error.in_file(input.place_of_bytes()))?;
    Ok(record)
}

/// Checks that every value of a file fits its type, and that it has no other members. All errors are
/// printed but the last one.
///
/// # Errors
/// The last error.
pub fn verify(input: &Input, ty: Type) -> Result {
    let report = Cell::default();
    load(input, ty, &options().keep_going(true).report(&report))?;
    let report = report.take();
    let unknown = report.unknown().map(|path| {
        let message = format_args!("{path}: the type has no such member");
        Error::new(ErrorKind::UnknownMember, message)
    });
    let errors = report.errors().iter().map(|error| Error::new(error.kind(), error));
    let mut errors = errors
        .chain(unknown)
        .map(|error| error.in_file(input.place_of_bytes()))
        .collect::<Vec<_>>();
    let Some(last) = errors.pop() else { return Ok(()) };
    errors.iter().for_each(|error| complaint::print(error, None));
    Err(last)
}

/// Checks that changes of a file fit its types, with the ranges of numbers.
///
/// # Errors
/// The error of a change that does not fit.
pub fn check(input: &Input, ty: Type, changes: &[Change]) -> Result {
    let mut record = load(input, ty, &options())?;
    for change in changes {
        let mut path = change.path.clone();
        if let Some(name) = &change.new_member {
            path.push(name.as_str());
        }
        let edit = Edit::new().set(path, change.value.clone());
        apply(&mut record, &edit, &options()).map_err(|error| error.in_file(&input.name))?;
    }
    Ok(())
}
