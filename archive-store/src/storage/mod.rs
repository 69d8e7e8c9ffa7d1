//! [`Storage`]: where a store keeps its rows. [`Memory`] and [`Redb`] implement it, and a program
//! can implement it for its own engine.

mod changes;
mod checksum;
mod copy;
mod export;
mod files;
mod memory;
mod recover;
mod redb;

pub use self::redb::Redb;
pub use changes::{Change, Changes};
pub use checksum::checksum;
pub use copy::copy;
pub use export::export;
pub use files::export_path;
pub use memory::Memory;
pub use recover::{Recovered, recover};

use archive_core::Result;

/// An ordered map from bytes to bytes that commits several changes at once. A
/// [`Store`](crate::Store) keeps its rows in one.
///
/// [`testing::conformance`](crate::testing::conformance) checks that an engine keeps these
/// promises:
///
/// - **Order.** Keys are ordered byte by byte, as `[u8]` is: bytes are numbers from 0 to 255, and
///   a key comes before all longer keys that begin with it.
/// - **Sizes.** Keys of up to 1,024 bytes and values of up to 16 MiB are accepted, and both may be
///   empty. Larger ones may be refused, with
///   [`ErrorKind::SizeLimit`](archive_core::ErrorKind::SizeLimit).
/// - **Atomicity.** A commit makes all of its changes or none, even if the power is lost.
/// - **Durability.** The changes of a commit that returned `Ok` survive a loss of power. An engine
///   that keeps its rows in memory, such as [`Memory`], documents that.
/// - **Visibility.** Reads see all commits that have returned `Ok`. Between two commits all reads
///   see one state, even during a long scan. An engine whose rows others could change keeps them
///   out while it is open, by a lock or a lease. Or it notices a change: from then on all calls fail with
///   [`ErrorKind::Conflict`](archive_core::ErrorKind::Conflict), and a commit changes nothing.
/// - **Errors.** An error changes nothing. The next call works once the cause is gone: the disk has
///   room again, or the server answers again. The engine reopens its file or connection itself.
///
/// A caller promises:
///
/// - A function that is passed to [`get`](Storage::get), [`get_many`](Storage::get_many),
///   [`scan`](Storage::scan) or [`keys`](Storage::keys) calls these four, but never [`commit`](Storage::commit), [`compact`](Storage::compact) or
///   [`check`](Storage::check). An engine may fail then.
/// - The caller needs the bytes that such a function receives only until the function returns.
///
/// The rows may be on another machine: no transaction stays open between two calls, a scan may be
/// read in pages, and no value is borrowed from the engine. A storage is used from one thread at a
/// time and need not be `Send`.
///
/// ```
/// use archive::store::storage::{Changes, Memory, Storage};
///
/// # fn main() -> archive::Result {
/// let storage = Memory::new();
/// let mut changes = Changes::new();
/// changes.put(b"unit 1", b"Ann");
/// changes.put(b"unit 2", b"Bob");
/// storage.commit(&changes)?;
///
/// let mut names = Vec::new();
/// storage.scan(b"unit ", b"unit!", &mut |_, name| {
///     names.push(name.to_vec());
///     Ok(true)
/// })?;
/// assert_eq!(names, [b"Ann", b"Bob"]);
/// # Ok(())
/// # }
/// ```
pub trait Storage {
    /// Passes the value of a key to `found`, once, and returns `true`. Returns `false` if the key
    /// has no value.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if the value cannot be read, and
    /// [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax) if it is damaged. Errors of `found`
    /// are returned unchanged.
    fn get(&self, key: &[u8], found: &mut dyn FnMut(&[u8]) -> Result) -> Result<bool>;

    /// Passes the keys from `from` on and before `to`, with their values, to `each` in the order of
    /// the keys, until it returns `false`. An empty `to` means no end: all keys from `from` on are
    /// passed. Nothing is passed if `from` is not before `to`.
    ///
    /// # Errors
    /// As [`get`](Storage::get). Rows may have been passed before.
    #[allow(clippy::type_complexity, reason = "an alias would hide what to write")]
    fn scan(
        &self,
        from: &[u8],
        to: &[u8],
        each: &mut dyn FnMut(&[u8], &[u8]) -> Result<bool>,
    ) -> Result;

    /// As [`scan`](Storage::scan), but passes the keys alone. An engine overrides it if it need not read the values then.
    ///
    /// # Errors
    /// As [`scan`](Storage::scan).
    fn keys(&self, from: &[u8], to: &[u8], each: &mut dyn FnMut(&[u8]) -> Result<bool>) -> Result {
        self.scan(from, to, &mut |key, _| each(key))
    }

    /// Passes the value of each key to `each`, with its index in `keys` and in their order, or `None`
    /// for a key without a value. An engine overrides it if one request can read several values.
    ///
    /// # Errors
    /// As [`get`](Storage::get).
    fn get_many(
        &self,
        keys: &[&[u8]],
        each: &mut dyn FnMut(usize, Option<&[u8]>) -> Result,
    ) -> Result {
        for (index, key) in keys.iter().enumerate() {
            if !self.get(key, &mut |value| each(index, Some(value)))? {
                each(index, None)?;
            }
        }
        Ok(())
    }

    /// Makes all changes, in order. The later of two changes of one key counts. A key that is
    /// deleted need not exist. An empty commit does nothing.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if the changes cannot be written; then none
    /// is made. If the connection is lost before the answer, the engine cannot know the outcome. It
    /// then finds out before it answers the next call.
    fn commit(&self, changes: &Changes) -> Result;

    /// Returns unused space to the system, if there is any.
    ///
    /// # Errors
    /// [`ErrorKind::Io`](archive_core::ErrorKind::Io) if that fails. Nothing is lost.
    fn compact(&self) -> Result {
        Ok(())
    }

    /// Reads and verifies all rows.
    ///
    /// # Errors
    /// An error that names what is damaged, of
    /// [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax).
    fn check(&self) -> Result {
        Ok(())
    }

    /// Returns the name of the storage for messages, such as the path of its file or the address of
    /// its server. It must not contain a password.
    fn name(&self) -> String;
}

/// A shared storage.
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

    fn keys(&self, from: &[u8], to: &[u8], each: &mut dyn FnMut(&[u8]) -> Result<bool>) -> Result {
        (**self).keys(from, to, each)
    }

    fn get_many(
        &self,
        keys: &[&[u8]],
        each: &mut dyn FnMut(usize, Option<&[u8]>) -> Result,
    ) -> Result {
        (**self).get_many(keys, each)
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
