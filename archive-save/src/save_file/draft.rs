//! [`Draft`]: a save to be written, and whether its types can load the save that it replaces.

use std::path::{Path, PathBuf};

use archive_core::shape::Shape;
use archive_core::{Error, ErrorKind, Options, Registry, Result, Value};
use archive_format::Format;

use super::SaveFile;
use super::refusal::instead;
use super::versions::{Newer, may_have_versions, newer, says_all};
use crate::fault;
use crate::lineage::Known;
use crate::meta::Meta;

/// The metadata of a save, and the types of its value.
#[derive(Clone)]
pub(crate) struct Draft {
    pub meta: Meta,
    /// `None` for bytes that a tool saves without types.
    pub types: Option<Types>,
}

/// The save that would be replaced.
pub(crate) struct There {
    /// The file, or if it is missing or damaged, the newest good backup.
    pub path: PathBuf,
    pub meta: Meta,
}

/// The types of the program.
#[derive(Clone)]
pub(crate) struct Types {
    /// The format in which they are saved.
    pub format: Format,
    pub shape: &'static Shape,
    pub registry: Option<Registry>,
}

impl SaveFile {
    /// Returns an error if the types cannot load the save that would be replaced, because it has
    /// objects of newer versions. `own` is the identity of its path in this process.
    ///
    /// A save that this process loaded or saved with the same types is not read for this check, nor
    /// is one whose signature is the same and covers all versions. Other saves are read as a tree.
    ///
    /// # Errors
    /// [`ErrorKind::NewerVersion`], or [`ErrorKind::Unsupported`] if the program lacks the format.
    pub(crate) fn loads(&self, draft: &Draft, own: &Path, there: &There) -> Result {
        let Some(types) = &draft.types else { return Ok(()) };
        let There { path, meta } = there;
        // The program cannot load a body in a format that it lacks.
        let format = match self.format(meta) {
            Err(_) if types.format.name() == meta.format => types.format,
            format => format.map_err(|error| instead(fault::of(path, error)))?,
        };
        let signature = draft.meta.signature;
        match Known::of_this_process().loads(own, &meta.lineage, signature) {
            Some(true) => return Ok(()),
            Some(false) => {
                let message = format_args!(
                    "{} has a value of a newer version, as a load found",
                    path.display()
                );
                return Err(instead(Error::new(ErrorKind::NewerVersion, message)));
            }
            None if signature == meta.signature && says_all(types.shape) => return Ok(()),
            None => {}
        }
        let options = Options::new().relaxed(self.is_plain());
        let loaded = self.read(path).and_then(|(_, body)| match may_have_versions(format, &body) {
            true => format.from_slice_with::<Value>(&body, &options),
            false => Ok(Value::Null),
        });
        let value = match loaded {
            Ok(value) => value,
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                return Err(instead(fault::of(path, error)));
            }
            // The body is damaged, or cannot be read as a tree.
            Err(_) => return Ok(()),
        };
        match newer(&value, types.shape, types.registry.as_ref()) {
            None => Ok(()),
            Some(Newer { class, found }) => {
                let message = format_args!(
                    "{} has version {found} of `{}`, and this program has version {}",
                    path.display(),
                    class.name(),
                    class.version
                );
                Err(instead(Error::new(ErrorKind::NewerVersion, message)))
            }
        }
    }
}
