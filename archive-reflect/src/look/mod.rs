//! Reading values at paths, without visiting other values.

mod completion;
mod part;
mod peek;
mod place;
mod places;
mod rows;
mod shared_path;
mod taken;
mod visit;
mod walk;

pub use completion::complete;
pub(crate) use completion::{missing, steps};
pub use peek::{Peek, peek};
pub(crate) use place::{Visit, at};
pub use rows::{Row, children, list};
pub use shared_path::SharedPath;
pub use visit::{Leaf, visit};
pub(crate) use walk::{Kind, pointers};

use archive_core::path::Path;
use archive_core::{Element, Options, Polymorphic, Result, Value};

use self::taken::Taken;
use crate::tree;

/// Returns the value at the path, as a tree.
///
/// A path goes through options, cells, pointers and trait objects as if they were not there. It may
/// name the variant of an enum, but need not. A key of a map is a name.
///
/// ```
/// use archive::path::Path;
/// use archive::{Options, Serialize, Value, reflect};
///
/// #[derive(Default, Serialize)]
/// struct Unit { hp: u16, position: [f32; 2] }
///
/// let world = vec![Unit { hp: 7, position: [1.0, 2.5] }, Unit::default()];
/// let options = Options::new();
/// let get = |path| reflect::get(&world, &Path::parse(path)?, &options);
/// assert_eq!(get("[0].hp")?, Value::from(7));
/// assert_eq!(get("[0].position")?.to_string(), "[1.0,2.5]");
///
/// let error = get("[0].positoin").unwrap_err();
/// assert_eq!(error.to_string(), "[0]: there is no `positoin`, did you mean `position`? There are: `hp`, `position`");
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::NotFound`](archive_core::ErrorKind::NotFound) if the path does not exist, and
/// errors of the value.
pub fn get(root: &dyn Polymorphic, path: &Path, options: &Options<'_>) -> Result<Value> {
    let mut out = Value::Null;
    at(root, path, options, &mut |visit| {
        out = tree::save(visit, options)?;
        Ok(())
    })?;
    Ok(out)
}

/// Returns the value at the path, as one of the program's types. A number may have any type that it
/// fits.
///
/// ```
/// use archive::path::Path;
/// use archive::{Options, reflect};
///
/// let path = Path::parse("[1][0]")?;
/// let points = [(1, 2.0), (3, 4.0)];
/// assert_eq!(reflect::get_as::<i32>(&points, &path, &Options::new())?, 3);
/// let error = reflect::get_as::<String>(&points, &path, &Options::new()).unwrap_err();
/// assert_eq!(error.to_string(), "[1][0]: expected text, found 3");
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// As [`get`], and errors of the type if the value does not fit it.
pub fn get_as<T: Element + 'static>(
    root: &dyn Polymorphic,
    path: &Path,
    options: &Options<'_>,
) -> Result<T> {
    match taken::take(root, path, options)?.into_exactly::<T>() {
        Ok(value) => Ok(value),
        Err(taken) => convert(taken, root, path, options),
    }
}

/// Converts the value at the path, which was not taken as it is.
#[cold]
#[inline(never)]
fn convert<T: Element + 'static>(
    taken: Taken,
    root: &dyn Polymorphic,
    path: &Path,
    options: &Options<'_>,
) -> Result<T> {
    let tree = match taken.into_tree() {
        Some(tree) => tree,
        None => get(root, path, options)?,
    };
    tree.to_with(options).map_err(|error| crate::within(error, path))
}
