//! [`peek`]: the outermost level of a value.

use archive_core::encoder::UNCOUNTED;
use archive_core::path::Path;
use archive_core::{Options, Polymorphic, Result, Value};

use super::taken::{Taken, take};
use super::{children, get};

/// What a value is, without its parts: the result of [`peek`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Peek {
    /// A value without parts: null, a boolean, a number, text or bytes. A variant without data is its
    /// name.
    Scalar(Value),
    /// An object with members.
    Object,
    /// A list, a tuple or an array with that many items.
    List(usize),
    /// A set with that many elements.
    Set(usize),
    /// A map with that many entries.
    Map(usize),
    /// A variant of that name, which has data.
    Variant(&'static str),
}

/// Returns what the value at the path is. Its parts are not visited, so the time does not depend on their
/// number.
///
/// ```
/// use archive::path::Path;
/// use archive::reflect::{Peek, peek};
/// use archive::{Options, Serialize, Value};
///
/// #[derive(Default, Serialize)]
/// struct Unit { hp: u16, words: Vec<String> }
///
/// let unit = Unit { hp: 7, words: vec!["hello".into()] };
/// let options = Options::new();
/// assert_eq!(peek(&unit, &Path::parse("hp")?, &options)?, Peek::Scalar(Value::from(7)));
/// assert_eq!(peek(&unit, &Path::parse("words")?, &options)?, Peek::List(1));
/// assert_eq!(peek(&unit, &Path::new(), &options)?, Peek::Object);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::NotFound`](archive_core::ErrorKind::NotFound) if the path does not exist, and errors of the
/// value.
pub fn peek(root: &dyn Polymorphic, path: &Path, options: &Options<'_>) -> Result<Peek> {
    let count = || children(root, path, options).map(|rows| rows.len());
    Ok(match take(root, path, options)? {
        Taken::Parts(Peek::List(UNCOUNTED)) => Peek::List(count()?),
        Taken::Parts(Peek::Set(UNCOUNTED)) => Peek::Set(count()?),
        Taken::Parts(Peek::Map(UNCOUNTED)) => Peek::Map(count()?),
        Taken::Parts(parts) => parts,
        // A value that visits nothing here, such as one that is stored in another form.
        Taken::Nothing => match get(root, path, options)? {
            Value::Array(items) => Peek::List(items.len()),
            Value::Object(_) => Peek::Object,
            scalar => Peek::Scalar(scalar),
        },
        scalar => Peek::Scalar(scalar.into_tree().unwrap_or_default()),
    })
}
