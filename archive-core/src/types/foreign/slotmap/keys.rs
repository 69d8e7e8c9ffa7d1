//! The keys of slot maps: stored as an object with an index and a version.

pub use slotmap::{Key, KeyData};

use crate::model::block_size::BlockSize;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{Class, Member, NameOf, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Blank;
use crate::visit::erased::loads;
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};

const MEMBERS: &[Member] = &[member("idx"), member("version")];

const fn member(name: &'static str) -> Member {
    Member::new(name, shape_of::<u32>())
}

/// Returns the index and the version of a key.
pub(super) fn parts(key: impl Key) -> (u32, u32) {
    let both = key.data().as_ffi();
    (both as u32, (both >> 32) as u32)
}

/// Returns the key with that index and that version. The version is odd.
pub(super) fn key<K: Key>(index: u32, version: u32) -> K {
    KeyData::from_ffi(u64::from(version) << 32 | u64::from(index)).into()
}

impl Serialize for KeyData {
    const NAME: &'static str = "Key";
    const SHAPE: &'static Shape = &Shape::Class(
        &Class::new("Key", NameOf::Type(std::any::type_name::<KeyData>), 0)
            .with_members(Some(MEMBERS), Some(BlockSize { bytes: 8, levels: 1, elements: 0 }))
            .with_meaning("a key"),
    );

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        let both = self.as_ffi();
        let (mut index, mut version) = (both as u32, (both >> 32) as u32);
        ar.named(&MEMBERS[0], &mut &mut index)?;
        ar.named(&MEMBERS[1], &mut &mut version)?;
        if loads!(A, ar) {
            if version % 2 == 0 {
                return Err(out_of_range(format_args!(
                    "expected the odd version of a key, found {version}"
                )));
            }
            if index == u32::MAX && version != 1 {
                return Err(out_of_range(format_args!(
                    "expected version 1 for the null key (index {index}), found {version}"
                )));
            }
            *self = KeyData::from_ffi(u64::from(version) << 32 | u64::from(index));
        }
        Ok(())
    }
}

#[cold]
fn out_of_range(message: std::fmt::Arguments<'_>) -> Error {
    Error::new(ErrorKind::OutOfRange, message)
}

impl Save for KeyData {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        { *self }.serialize(ar)
    }
}

impl Blank for KeyData {
    fn blank(_: &Options<'_>) -> Self {
        KeyData::default()
    }
}

/// Lets the keys of your own slot maps be saved and loaded, as members, elements and map keys.
///
/// ```
/// slotmap::new_key_type! {
///     struct UnitKey;
///     struct SquadKey;
/// }
/// archive::slotmap_keys!(UnitKey, SquadKey);
///
/// let mut units = slotmap::SlotMap::<UnitKey, String>::with_key();
/// let ann = units.insert("Ann".to_owned());
///
/// // In any format; here as a tree.
/// let tree = archive::Value::of(&(units, ann))?;
/// let (units, ann): (slotmap::SlotMap<UnitKey, String>, UnitKey) = tree.to()?;
/// assert_eq!(units[ann], "Ann");
/// # Ok::<(), archive::Error>(())
/// ```
#[macro_export]
macro_rules! slotmap_keys {
    ($($Key:ty),+ $(,)?) => { $(
        impl $crate::Serialize for $Key {
            const SHAPE: &'static $crate::Shape =
                <$crate::__private::keys::KeyData as $crate::Serialize>::SHAPE;

            fn serialize<__A: $crate::Archive>(&mut self, ar: &mut __A) -> $crate::Result {
                let mut data = $crate::__private::keys::Key::data(self);
                $crate::Serialize::serialize(&mut data, ar)?;
                *self = ::core::convert::From::from(data);
                ::core::result::Result::Ok(())
            }
        }
        impl $crate::Save for $Key {
            fn save<__A: $crate::Archive>(&self, ar: &mut __A) -> $crate::Result {
                $crate::Save::save(&$crate::__private::keys::Key::data(self), ar)
            }
        }
        impl $crate::Blank for $Key {
            fn blank(_: &$crate::Options<'_>) -> Self {
                $crate::__private::keys::Key::null()
            }
        }
    )+ };
}

slotmap_keys!(slotmap::DefaultKey);
