//! The contestants. One file each, with one trait: a new one joins with its file, its line in
//! [`rivals!`] and its derives in `data!`.

#[cfg(feature = "bincode")]
pub mod bincode;
#[cfg(feature = "bitcode")]
pub mod bitcode;
#[cfg(feature = "borsh")]
pub mod borsh;
#[cfg(feature = "fory")]
pub mod fory;
pub mod memcpy;
pub mod ours;
#[cfg(feature = "postcard")]
pub mod postcard;
#[cfg(feature = "rkyv")]
pub mod rkyv;
#[cfg(feature = "rmp-serde")]
pub mod rmp_serde;
#[cfg(feature = "savefile")]
pub mod savefile;
#[cfg(feature = "serde_json")]
pub mod serde_json;
#[cfg(feature = "speedy")]
pub mod speedy;
#[cfg(feature = "wincode")]
pub mod wincode;

/// The group of a contestant, which determines its reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// A format of ours.
    Ours,
    /// Another way to use a format of ours.
    Variant,
    /// A rival that writes one record after the other.
    RowWise,
    /// A rival that writes columns: all first members, then all second ones.
    Columnar,
    /// Not a format, but a lower bound for all formats.
    Floor,
}

/// A way to save and load a `T`.
pub trait Peer<T> {
    /// Whether [`load_into`](Peer::load_into) is implemented.
    const IN_PLACE: bool = false;

    /// Its name in the tables.
    fn name(&self) -> &'static str;

    /// What it is compared with.
    fn group(&self) -> Group {
        Group::RowWise
    }

    /// Saves into existing memory, and returns the written part. The buffer is long enough, belongs
    /// to this peer alone, and is the same every time.
    fn save<'b>(&'b mut self, buffer: &'b mut Vec<u8>, value: &T) -> &'b [u8];

    /// Loads a value that owns all its parts.
    fn load(&mut self, bytes: &[u8]) -> T;

    /// Loads into a value that is there.
    fn load_into(&mut self, value: &mut T, bytes: &[u8]) {
        *value = self.load(bytes);
    }
}

/// The entries of all rivals that save a type with all derives.
macro_rules! rivals {
    ($subject:expr) => {{
        let subject = $subject;
        let mut entries: Vec<$crate::entry::Entry> = Vec::new();
        #[cfg(feature = "bitcode")]
        entries.extend(subject.try_entry($crate::peer::bitcode::Bitcode::default()));
        #[cfg(feature = "wincode")]
        entries.extend(subject.try_entry($crate::peer::wincode::Wincode));
        #[cfg(feature = "speedy")]
        entries.extend(subject.try_entry($crate::peer::speedy::Speedy::default()));
        #[cfg(feature = "savefile")]
        entries.extend(subject.try_entry($crate::peer::savefile::Savefile));
        #[cfg(feature = "rkyv")]
        entries.extend(subject.try_entry($crate::peer::rkyv::Rkyv::default()));
        #[cfg(feature = "postcard")]
        entries.extend(subject.try_entry($crate::peer::postcard::Postcard));
        #[cfg(feature = "bincode")]
        entries.extend(subject.try_entry($crate::peer::bincode::Bincode));
        #[cfg(feature = "borsh")]
        entries.extend(subject.try_entry($crate::peer::borsh::Borsh));
        #[cfg(feature = "rmp-serde")]
        {
            entries.extend(subject.try_entry($crate::peer::rmp_serde::RmpSerde));
            entries.extend(subject.try_entry($crate::peer::rmp_serde::Named));
        }
        #[cfg(feature = "serde_json")]
        entries.extend(subject.try_entry($crate::peer::serde_json::SerdeJson));
        entries
    }};
}

pub(crate) use rivals;
