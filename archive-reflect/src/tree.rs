//! Trees of values whose type is erased.

use archive_core::backend::{Root, Visited};
use archive_core::session::{Links, Unsaved};
use archive_core::{
    Loading, Options, Result, Saving, Serialize, Session, Value, ValueDecoder, ValueEncoder,
};

use crate::look::Visit;

/// Saves a value into a tree.
///
/// # Errors
/// Those of the value.
pub(crate) fn save(visit: Visit<'_>, options: &Options<'_>) -> Result<Value> {
    let mut encoder = ValueEncoder::new();
    let mut root = Root(String::SHAPE, visit);
    Saving::new(&mut encoder, &mut Session::new(), options).root(&mut root)?;
    encoder.finish()
}

/// Loads a tree over a blank value.
///
/// # Errors
/// Those of the value.
pub(crate) fn load(visit: Visit<'_>, tree: &Value, options: &Options<'_>) -> Result {
    let (mut decoder, mut session) = (ValueDecoder::new(tree), Session::new());
    let mut root = Visited::<false>(visit);
    Loading::<ValueDecoder<'_>>::new(&mut decoder, &mut session, options)
        .root(String::SHAPE, &mut root)
}

/// As [`save`], with the shared objects of the program, and with copies of the fields that are not
/// saved if `unsaved` takes them.
///
/// # Errors
/// Those of the value.
pub(crate) fn save_live(
    visit: Visit<'_>,
    unsaved: &Unsaved,
    options: &Options<'_>,
) -> Result<(Value, Links)> {
    let (mut encoder, mut session) = (ValueEncoder::new().live(), Session::new());
    session.unsaved = unsaved.clone();
    let mut root = Root(String::SHAPE, visit);
    Saving::new(&mut encoder, &mut session, options).root(&mut root)?;
    Ok((encoder.finish()?, session.links))
}

/// Loads a tree over a value in place.
///
/// # Errors
/// Those of the value.
pub(crate) fn load_live(
    visit: Visit<'_>,
    (tree, links, unsaved): (&Value, &Links, &Unsaved),
    options: &Options<'_>,
) -> Result {
    let (mut decoder, mut session) = (ValueDecoder::new(tree).live(), Session::new());
    (session.links, session.unsaved) = (links.clone(), unsaved.clone());
    let mut root = Visited::<false>(visit);
    Loading::<ValueDecoder<'_>>::new(&mut decoder, &mut session, options)
        .root(String::SHAPE, &mut root)
}
