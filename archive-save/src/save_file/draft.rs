//! [`Draft`]: what is to be saved, and whether its types can load what is there.

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

/// The save that is there.
pub(crate) struct There {
    /// The file, or if that is not there or damaged, the newest backup that is good.
    pub path: PathBuf,
    pub meta: Meta,
}

/// The types of the program.
#[derive(Clone)]
pub(crate) struct Types {
    /// The format that they are saved in.
    pub format: Format,
    pub shape: &'static Shape,
    pub registry: Option<Registry>,
}

impl SaveFile {
    /// Returns an error if a save that is to be replaced is one that the types cannot load, since it has
    /// objects of newer versions. `own` is its path, as the process knows it.
    ///
    /// A save that this process has loaded or saved by the same types is not read for it, nor is one of types
    /// with the same signature that says all. Another one is read as a tree.
    ///
    /// # Errors
    /// [`ErrorKind::NewerVersion`], or [`ErrorKind::Unsupported`] if the program lacks the format.
    pub(crate) fn loads(&self, draft: &Draft, own: &Path, there: &There) -> Result {
        let Some(types) = &draft.types else { return Ok(()) };
        let There { path, meta } = there;
        // A body in a format that the program lacks is one that it cannot load.
        let format = match self.format(meta) {
            Err(_) if types.format.name() == meta.format => types.format,
            format => format.map_err(|error| instead(fault::of(path, error)))?,
        };
        let signature = draft.meta.signature;
        match Known::of_this_process().loads(own, &meta.lineage, signature) {
            Some(true) => return Ok(()),
            Some(false) => {
                let message = format_args!(
                    "{} has a value of a newer version, which a load has found",
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
            // It is damaged, or no tree.
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
