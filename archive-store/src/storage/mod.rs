//! [`Storage`]: where the rows of a store are.

mod changes;
mod memory;
mod redb;

pub use self::redb::Redb;
pub use changes::{Change, Changes};
pub use memory::Memory;

use archive_core::Result;

/// An ordered map from bytes to bytes that commits several changes at once. A
/// [`Store`](crate::Store) keeps its rows in one.
///
/// Nothing here assumes that the data is on this machine: rows are passed to functions while they
/// are read, a scan can be cut into pages, and there are no transactions that stay open between
/// two calls. What is read between two commits of this process is one state.
///
/// A store calls `get` from inside the functions that it passes to `get` and `scan`, never
/// `commit`.
pub trait Storage {
    /// Passes the value of a key to `found`, and returns whether there is one.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if it cannot be read; those of `found`.
    fn get(&self, key: &[u8], found: &mut dyn FnMut(&[u8]) -> Result) -> Result<bool>;

    /// Passes the keys from `from` on and before `to`, with their values, to `each` in the order
    /// of the keys, until it returns `false`.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if they cannot be read; those of `each`.
    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result;

    /// Makes all changes, or none of them after an error. When it returns, they are durable: they
    /// survive a loss of power.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if they cannot be written.
    fn commit(&self, changes: &Changes) -> Result;

    /// Returns unused space to the system, where there is any.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if that fails. Nothing is lost.
    fn compact(&self) -> Result {
        Ok(())
    }

    /// Reads all that there is and verifies it.
    ///
    /// # Errors
    /// An error that names what is damaged.
    fn check(&self) -> Result {
        Ok(())
    }

    /// What messages call the storage, such as the path of its file.
    fn name(&self) -> String;
}

/// A storage that others have too.
impl<S: Storage + ?Sized> Storage for std::rc::Rc<S> {
    fn get(&self, key: &[u8], found: &mut dyn FnMut(&[u8]) -> Result) -> Result<bool> {
        (**self).get(key, found)
    }

    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result {
        (**self).scan(from, to, each)
    }

    fn commit(&self, changes: &Changes) -> Result {
        (**self).commit(changes)
    }

    fn compact(&self) -> Result {
        (**self).compact()
    }

    fn check(&self) -> Result {
        (**self).check()
    }

    fn name(&self) -> String {
        (**self).name()
    }
}
