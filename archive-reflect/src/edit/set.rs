//! [`set`]: one value, without an undo.

use archive_core::path::Path;
use archive_core::{Options, Polymorphic, Result, Value};

use super::put::{Act, put};
use super::{Content, Edit, apply};
use crate::look::{Peek, peek};

/// Sets the value at a path. It is checked as by [`apply`], and after an error the value is unchanged, but no
/// edit is made that undoes it: use it where many single values change, such as in scripts.
///
/// ```
/// use archive::path::Path;
/// use archive::{Options, Serialize, reflect};
///
/// #[derive(Default, Serialize)]
/// struct Tank { #[archive(range = 0.0..=50.0)] fuel: f32 }
///
/// let (mut tank, fuel, options) = (Tank::default(), Path::parse("fuel")?, Options::new());
/// reflect::set(&mut tank, &fuel, 9, &options)?;
/// let error = reflect::set(&mut tank, &fuel, 51, &options).unwrap_err();
/// assert_eq!(error.to_string(), "fuel: 51 is not in the range from 0 to 50");
/// assert_eq!(tank.fuel, 9.0);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// Those of [`apply`].
pub fn set(
    root: &mut dyn Polymorphic,
    path: &Path,
    content: impl Into<Content>,
    options: &Options<'_>,
) -> Result {
    let content = content.into();
    if !content.is_live() && set_scalar(root, path, content.tree(), options) {
        return Ok(());
    }
    apply(root, &Edit::new().set(path.clone(), content), options).map(drop)
}

/// Sets a scalar of the same kind, if nothing else can change with it. Returns `false`, and changes nothing, for all
/// other places, and for values that do not fit.
fn set_scalar(
    root: &mut dyn Polymorphic,
    path: &Path,
    value: &Value,
    options: &Options<'_>,
) -> bool {
    if path.is_empty() {
        return false;
    }
    let Ok(Peek::Scalar(old)) = peek(root, path, options) else { return false };
    // The old one of the same kind can be put back.
    let is_same_kind = matches!(
        (value, &old),
        (Value::Number(_), Value::Number(_))
            | (Value::Bool(_), Value::Bool(_))
            | (Value::Str(_), Value::Str(_))
    );
    if !is_same_kind {
        return false;
    }
    let (progress, done) = put(root, path, None, Act::Assign(value), options);
    let is_alone = progress.checked.is_empty() && !progress.is_property;
    if done.is_ok() && progress.finished && is_alone {
        return true;
    }
    if progress.reached {
        // It was refused, or the function of an object around it has a say.
        if put(root, path, None, Act::Assign(&old), options).1.is_err() {
            let _ = put(root, path, None, Act::Load(&Content::from(old)), options);
        }
    }
    false
}
