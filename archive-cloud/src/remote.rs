//! [`Remote`]: the store, and the names of the objects in it.

use std::sync::Arc;

use archive::{Error, ErrorKind, Result};
use object_store::ObjectStore;
use object_store::path::{Path, PathPart};
use percent_encoding::percent_decode_str;

use crate::retry::Retry;

/// The ending of the objects that are saves.
const ENDING: &str = ".sav";

/// A store, the folder in it, and how calls are repeated. It is cheap to clone.
#[derive(Clone)]
pub(crate) struct Remote {
    pub store: Arc<dyn ObjectStore>,
    /// The store in messages.
    pub name: String,
    pub folder: Path,
    pub retry: Retry,
    /// The maximum length of a save.
    pub max_size: u64,
}

impl Remote {
    /// Returns the object of a save. Characters that a store may refuse are encoded as `%2f`.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the name is empty.
    pub fn key(&self, name: &str) -> Result<Path> {
        if name.trim().is_empty() {
            return Err(Error::new(ErrorKind::Unsupported, "a save in a store needs a name"));
        }
        let parts = self.folder.parts().chain([PathPart::from(format!("{name}{ENDING}"))]);
        Ok(parts.collect())
    }

    /// Returns the name of the save in an object directly in the folder, if it is one.
    pub fn name_of(&self, key: &Path) -> Option<String> {
        let mut rest = key.prefix_match(&self.folder)?;
        let (part, None) = (rest.next()?, rest.next()) else { return None };
        let name = percent_decode_str(part.as_ref()).decode_utf8().ok()?;
        Some(name.strip_suffix(ENDING)?.to_owned())
    }

    /// Returns a save in messages: ``the save `campaign` in s3://saves``.
    pub fn label(&self, name: &str) -> String {
        format!("the save `{name}` in {}", self.name)
    }
}
