//! [`copy`]: the rows of one storage, in another one.

use archive_core::Result;

use super::{Changes, Storage};

/// How many bytes of rows are in one commit.
const BATCH: usize = 4 << 20;

/// Copies all rows of a storage to another one, such as to one of another engine. Rows of `to` with other keys stay, so
/// `to` should be empty.
///
/// ```
/// use archive::store::storage::{Memory, Redb, copy};
/// use archive::store::{Store, persistent};
///
/// #[derive(Default, archive::Serialize)]
/// struct World { tick: u64 }
/// persistent!(World = "world");
///
/// # fn main() -> archive::Result {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("campaign.store");
/// let memory = std::rc::Rc::new(Memory::new());
/// Store::over(memory.clone())?.save(&World { tick: 7 })?;
///
/// copy(&memory, &Redb::open(&path)?)?;
/// let mut world = World::default();
/// Store::open(&path)?.attach(&mut world)?;
/// assert_eq!(world.tick, 7);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// Those of the two storages. `to` may have some of the rows then: there is a commit for every 4 MiB.
pub fn copy(from: &dyn Storage, to: &dyn Storage) -> Result {
    let (mut batch, mut size) = (Changes::new(), 0);
    from.scan(&[], &[], &mut |key, value| {
        batch.put(key, value);
        size += key.len() + value.len();
        if size >= BATCH {
            to.commit(&batch)?;
            (batch, size) = (Changes::new(), 0);
        }
        Ok(true)
    })?;
    to.commit(&batch)
}
