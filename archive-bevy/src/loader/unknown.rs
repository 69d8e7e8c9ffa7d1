//! Loads what the program did not register, so that the next save writes it again.

use archive::tool::{Body, EachEntry};
use archive::{Archive, Element, Error, ErrorKind, Result, Value};

use super::{COMPONENTS, Loader, RESOURCES, load_relation};
use crate::relation::check;

/// Loads what is not registered.
pub(super) fn load<A: Archive>(
    loader: &mut Loader<'_>,
    part: u8,
    name: &str,
    ar: &mut A,
) -> Result {
    let (entities, staged) = (loader.entities, &mut loader.staged);
    match part {
        RESOURCES => {
            refuse_unknown(ar, "resource", name)?;
            staged.kept.resources.insert(name.to_owned(), Value::load_element(ar)?);
            Ok(())
        }
        COMPONENTS => {
            refuse_unknown(ar, "component", name)?;
            let rows = staged.kept.components.entry(name.to_owned()).or_default();
            let mut each = EachEntry::new(|number: u32, value: Value| {
                entities.index(number)?;
                rows.insert(number, value);
                Ok(())
            });
            (&mut each).run(ar)
        }
        _ => {
            refuse_unknown(ar, "relationship", name)?;
            let rows = check::unknown(load_relation(ar)?, entities)?;
            staged.kept.relations.insert(name.to_owned(), rows);
            Ok(())
        }
    }
}

/// Under [`Options::strict`](archive::Options::strict), what the program did not register is an error.
fn refuse_unknown<A: Archive>(ar: &A, what: &str, name: &str) -> Result {
    if ar.options().settings().strict() {
        let message = format_args!("no {what} is registered as `{name}`");
        return Err(Error::new(ErrorKind::UnknownMember, message));
    }
    Ok(())
}
