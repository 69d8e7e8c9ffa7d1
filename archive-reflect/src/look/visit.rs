//! [`visit`]: every leaf of a value.

use archive_core::path::Path;
use archive_core::{Options, Polymorphic, Result, Value};

use super::place::part_at;
use super::shared_path::{Followed, SharedPath};
use super::walk::{Levels, walk};

/// The end of a path, as found by [`visit`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Leaf<'v> {
    /// A scalar, null, the name of a variant without a payload, or an empty list or object.
    Value(Value),
    /// A pointer to an object that is visited in another place.
    SameAs(&'v SharedPath),
    /// A weak pointer to an object that was not visited before, or to no object.
    Weak,
}

/// Calls `each` with every leaf of the value at the path, and with the leaf's path from the root. A
/// shared object is visited once; other pointers to it are [`Leaf::SameAs`].
///
/// ```
/// use std::cell::RefCell;
/// use std::rc::Rc;
///
/// use archive::path::Path;
/// use archive::{Options, reflect};
///
/// let shared = Rc::new(RefCell::new(7));
/// let mut leaves = Vec::new();
/// reflect::visit(&vec![shared.clone(), shared], &Path::new(), &Options::new(), &mut |path, leaf| {
///     leaves.push(match leaf {
///         reflect::Leaf::Value(value) => format!("{path} = {value}"),
///         reflect::Leaf::SameAs(place) => format!("{path} is {place}"),
///         _ => format!("{path}"),
///     });
///     Ok(())
/// })?;
/// assert_eq!(leaves, ["[0] = 7", "[1] is [0]"]);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// Errors of `each` and of the value;
/// [`ErrorKind::DepthLimit`](archive_core::ErrorKind::DepthLimit) if it nests too deeply. A chain
/// of shared objects in cells may be of any length.
pub fn visit(
    root: &dyn Polymorphic,
    path: &Path,
    options: &Options<'_>,
    each: &mut dyn FnMut(&Path, Leaf<'_>) -> Result,
) -> Result {
    let mut at = Followed::new(path);
    part_at(root, path, options, &mut |part, unshown, value| {
        walk(value, (path, part, unshown), Levels::All, options, &mut |found| {
            let path = at.follow(found.beginning(), found.path);
            each(path, found.leaf)
        })
        .map(drop)
    })
}
