//! [`Conflict`]: another program has changed a save.

use std::error::Error as _;
use std::fmt;

use archive::{Error, ErrorKind};

/// Another program has changed or deleted a save since this one read it.
///
/// The [`Postgres`](crate::Postgres) that has reported a conflict reports it from all later calls that read or change rows. Nothing is
/// lost: the save has the rows of the other program, and the world is in memory.
///
/// ```no_run
/// use archive::store::{Row, Store};
/// use archive_store_postgres::{Conflict, Database};
///
/// fn save<W: Row + Default>(database: &Database, store: &mut Store, world: &mut W) -> archive::Result {
///     let Err(error) = store.save(world) else { return Ok(()) };
///     let Some(conflict) = Conflict::of(&error) else { return Err(error) };
///     println!("{conflict}");
///
///     // To reload: replace the world by the other one.
///     *store = Store::over(database.open(&conflict.save)?)?;
///     let mut theirs = W::default();
///     store.attach(&mut theirs)?;
///     store.finish_load()?;
///
///     if conflict.theirs.as_deref() == Some("editor") {
///         *world = theirs;
///     } else if conflict.save.starts_with("shared/") {
///         // To overwrite: all rows become those of this world, in one transaction.
///         store.save_all(world)?;
///     } else {
///         // To branch: save to another name.
///         *store = Store::over(database.open(&format!("{} of me", conflict.save))?)?;
///         store.save_all(world)?;
///     }
///     Ok(())
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conflict {
    /// The name of the save.
    pub save: String,
    /// The writer that reports the conflict.
    pub mine: String,
    /// The version that it has read.
    pub read: i64,
    /// The writer of the last version, or `None` if the save was deleted.
    pub theirs: Option<String>,
    /// The last version, or `None` if the save was deleted.
    pub found: Option<i64>,
}

impl Conflict {
    /// Returns the conflict that caused an error, if one did.
    pub fn of(error: &Error) -> Option<&Conflict> {
        let mut source = error.source();
        while let Some(cause) = source {
            if let Some(conflict) = cause.downcast_ref() {
                return Some(conflict);
            }
            source = cause.source();
        }
        None
    }

    pub(crate) fn into_error(self) -> Error {
        Error::with_source(ErrorKind::Conflict, self.to_string(), self)
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Conflict { save, mine, theirs, .. } = self;
        match theirs {
            Some(theirs) => write!(
                f,
                "the save `{save}` was changed by `{theirs}` since `{mine}` read it: load it again, overwrite it with \
                 `save_all`, or save to another name"
            ),
            None => write!(
                f,
                "the save `{save}` was deleted since `{mine}` read it: save to another name"
            ),
        }
    }
}

impl std::error::Error for Conflict {}
