//! [`hash`]: a number for the content of a value.

use archive_core::{Options, Polymorphic, Result};
use xxhash_rust::xxh3::Xxh3;

use super::{Pieces, write};

/// Returns the hash of the saved content of a value: XXH3, 64 bits, of the
/// [canonical form](crate::canon).
///
/// Equal values have equal hashes, in every run and on every machine, so two computers that
/// simulate the same world can compare hashes. Hash maps are hashed in the order of their keys, and
/// shared objects once. Which pointers share an object matters, too. Integers and floats of
/// different sizes with the same value have the same hash.
///
/// The hash changes when a member is renamed, moved or added, apart from members that are left out
/// while they have their default (`skip_if_default`).
///
/// ```
/// use archive::reflect::hash;
/// use archive::{Options, Serialize};
///
/// #[derive(Default, Serialize)]
/// struct Unit { hp: u16, name: String }
///
/// let options = Options::new();
/// let unit = Unit { hp: 7, name: "Ann".into() };
/// assert_eq!(hash(&unit, &options)?, 5_587_360_070_146_766_712);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// Errors of saving the value, for example if a cell is borrowed mutably.
pub fn hash(value: &dyn Polymorphic, options: &Options<'_>) -> Result<u64> {
    let mut hash = Hash(Xxh3::new());
    write(value, options, &mut hash)?;
    Ok(hash.0.digest())
}

struct Hash(Xxh3);

impl Pieces for Hash {
    fn piece(&mut self, tag: u8, content: &[u8], sized: bool) -> Result {
        self.0.update(&[tag]);
        if sized {
            self.0.update(&(content.len() as u64).to_le_bytes());
        }
        self.0.update(content);
        Ok(())
    }
}
