//! [`Remote`]: the store, and the names of the objects in it.

use std::sync::Arc;

use archive::{Error, ErrorKind, Result};
use object_store::ObjectStore;
use object_store::list::PaginatedListStore;
use object_store::path::{Path, PathPart};
use percent_encoding::percent_decode_str;

use crate::failure::odd_key;
use crate::retry::Retry;

/// The ending of the objects that are saves.
const ENDING: &str = ".sav";

/// The name of a save in the store.
pub(crate) struct Name {
    pub name: String,
    pub size: u64,
    /// The error of an object whose key is not that of its name. Then the name is a part of the key.
    pub error: Option<Error>,
}

/// A store, the folder in it, and how calls are repeated. It is cheap to clone.
#[derive(Clone)]
pub(crate) struct Remote {
    pub store: Arc<dyn ObjectStore>,
    /// The same store, if it can list its keys in pages.
    pub pages: Option<Arc<dyn PaginatedListStore>>,
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

    /// Returns the name of the save in an object directly in the folder, if it is one. An object that
    /// no name leads to has an error.
    pub fn name_of(&self, key: &Path, size: u64) -> Option<Name> {
        let mut rest = key.prefix_match(&self.folder)?;
        let (part, None) = (rest.next()?, rest.next()) else { return None };
        let name = percent_decode_str(part.as_ref()).decode_utf8_lossy();
        let name = name.strip_suffix(ENDING)?;
        if self.key(name).is_ok_and(|its| its == *key) {
            return Some(Name { name: name.to_owned(), size, error: None });
        }
        let error = Some(odd_key(key.as_ref(), &self.name));
        Some(Name { name: part.as_ref().to_owned(), size, error })
    }

    /// Returns a save in messages: ``the save `campaign` in s3://saves``.
    pub fn label(&self, name: &str) -> String {
        format!("the save `{name}` in {}", self.name)
    }
}
