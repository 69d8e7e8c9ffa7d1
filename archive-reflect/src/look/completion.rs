//! The parts of a value, for the completion of paths and for the errors of paths that do not exist.

use archive_core::path::{Path, Step};
use archive_core::{Error, ErrorKind, Known, Options, Polymorphic, Result};

use super::part::Part;
use super::place::at;
use super::walk::{Found, Kind, Levels, Unshown, walk};

/// Returns the kind of the value at a path, and the steps to its parts.
///
/// # Errors
/// An error if the path does not exist.
pub(crate) fn steps(
    root: &dyn Polymorphic,
    path: &Path,
    options: &Options<'_>,
) -> Result<(Kind, Vec<Step>)> {
    let (mut kind, mut steps) = (Kind::Null, Vec::new());
    at(root, path, options, &mut |value| {
        kind = walk(
            value,
            (path, Part::UNKNOWN, Unshown::default()),
            Levels::Names,
            options,
            &mut |Found { path, .. }| {
                steps.extend(path.last().cloned());
                Ok(())
            },
        )?;
        Ok(())
    })?;
    Ok((kind, steps))
}

/// Returns the paths that may complete the beginning of a path: one step further than its last
/// complete step, in the order of the value.
///
/// ```
/// use archive::{Options, Serialize, reflect};
///
/// #[derive(Default, Serialize)]
/// struct Unit { state: u8, stamina: f32, hp: u16 }
///
/// let world = (Unit::default(), [Unit::default(), Unit::default()]);
/// let complete = |text| reflect::complete(&world, text, &Options::new());
/// assert_eq!(complete("[0].st")?, ["[0].state", "[0].stamina"]);
/// assert_eq!(complete("[1]")?, ["[1]"]);
/// assert_eq!(complete("[1][")?, ["[1][0]", "[1][1]"]);
/// assert_eq!(complete("")?, ["[0]", "[1]"]);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// An error if the text before the last step is not a path, or does not exist in the value.
pub fn complete(root: &dyn Polymorphic, text: &str, options: &Options<'_>) -> Result<Vec<String>> {
    let parent = parent(text)?;
    let (_, steps) = steps(root, &parent, options)?;
    let paths = steps.into_iter().map(|step| parent.join(&[step]).to_string());
    Ok(paths.filter(|path| path.starts_with(text)).collect())
}

/// Returns the path before the last step of the text. The last step may be incomplete.
fn parent(text: &str) -> Result<Path> {
    if let Ok(path) = Path::parse(text) {
        return Ok(path.split_last().map_or_else(Path::new, |(parent, _)| parent));
    }
    // The last step begins after the longest beginning that is a path.
    let ends = text.char_indices().rev().filter(|(_, c)| matches!(c, '.' | '['));
    let mut paths = ends.map(|(end, _)| Path::parse(&text[..end]));
    match paths.find(Result::is_ok) {
        Some(path) => path,
        None => Path::parse(text),
    }
}

/// Returns the error for a path whose step number `end` does not exist.
#[cold]
pub(crate) fn missing(
    root: &dyn Polymorphic,
    path: &Path,
    end: usize,
    options: &Options<'_>,
) -> Error {
    let before: Path = path[..end].iter().cloned().collect();
    let Some(step) = path.get(end) else {
        return crate::within(Error::new(ErrorKind::NotFound, "there is no value"), path);
    };
    let message = match steps(root, &before, options) {
        Ok((Kind::Null, _)) => "the value here is null".to_owned(),
        Ok((_, steps)) => no_step(step, &steps),
        Err(error) => return error,
    };
    crate::within(Error::new(ErrorKind::NotFound, message), &before)
}

fn no_step(step: &Step, steps: &[Step]) -> String {
    let names: Vec<&str> = steps.iter().filter_map(name).collect();
    match step {
        Step::Index(index) if names.is_empty() => {
            format!("there is no item {index}: there are {}", steps.len())
        }
        Step::Index(index) => {
            format!("there is no item {index}{}", Known::new("", &names, "there are:"))
        }
        Step::Object(id) => format!("`${id}` is an object of a file, not of a value"),
        Step::Name(name) if names.is_empty() => format!("there is no `{}`", name.as_str()),
        Step::Name(name) => {
            format!("there is no `{}`{}", name.as_str(), Known::new(name, &names, "there are:"))
        }
    }
}

fn name(step: &Step) -> Option<&str> {
    match step {
        Step::Name(name) => Some(name),
        _ => None,
    }
}
