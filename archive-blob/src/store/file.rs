//! A [`StoreObject`] as bytes, and back.

use archive_core::{Options, Result};

use super::build::build;
use super::flat::Flat;
use super::object::StoreObject;
use super::pack::pack;
use super::signature::of_tree;
use super::unpack::unpack;

impl StoreObject {
    /// The object and everything in it, packed in bins.
    ///
    /// # Errors
    /// As [`to_bytes_with`](StoreObject::to_bytes_with).
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.to_bytes_with(&Options::new())
    }

    /// As [`to_bytes`](StoreObject::to_bytes), with a depth limit of your own.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`](archive_core::ErrorKind::SizeLimit) at 4 GiB,
    /// [`ErrorKind::DepthLimit`](archive_core::ErrorKind::DepthLimit) if the tree is so deep that
    /// reading it would be refused.
    pub fn to_bytes_with(&self, options: &Options<'_>) -> Result<Vec<u8>> {
        pack(&Flat::of(self, options.get_limits().depth)?)
    }

    /// Reads an object that [`to_bytes`](StoreObject::to_bytes) wrote. Saved again it has the same
    /// bytes.
    ///
    /// # Errors
    /// As [`from_bytes_with`](StoreObject::from_bytes_with).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        StoreObject::from_bytes_with(bytes, &Options::new())
    }

    /// As [`from_bytes`](StoreObject::from_bytes), with a depth limit of your own.
    ///
    /// # Errors
    /// If the bytes are damaged or are anything else than one whole object:
    /// [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax), `UnexpectedEnd`, `TrailingData`,
    /// `DuplicateMember`, `DepthLimit`, each with the offset.
    pub fn from_bytes_with(bytes: &[u8], options: &Options<'_>) -> Result<Self> {
        Ok(build(&unpack(bytes, options.get_limits().depth)?))
    }

    /// A number that stands for the layout of the object. It is the same on every machine, and it stands
    /// in the [header](super::Header): a loader that knows the number it expects need not look further.
    ///
    /// For an object that was made of a value ([`of`](StoreObject::of), [`to_vec`](super::to_vec), and
    /// what was read from such a file) it is the [`signature`](fn@super::signature) of the value's
    /// type, whatever the value.
    ///
    /// For one that was made by hand it is that of the tree: classes, names, types, and the sizes of
    /// variables of fixed size, of the object and of everything in it. Neither the order of members nor
    /// the number of equal items in a list matters, nor the name of the outermost object. A list
    /// without items has another signature than one with some. Whoever adds members to an object that
    /// was made of a value has made it by hand.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`](archive_core::ErrorKind::DuplicateMember).
    pub fn signature(&self) -> Result<u64> {
        let flat = Flat::of(self, usize::MAX)?;
        Ok(self.class_signature.map_or_else(|| of_tree(&flat), |signature| signature.number))
    }
}
