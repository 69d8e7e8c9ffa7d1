//! Converting an [`Object`] to bytes and back.

use archive_core::{Options, Result};

use crate::build::build;
use crate::flat::Flat;
use crate::object::Object;
use crate::pack::pack;
use crate::signature::of_tree;
use crate::unpack::unpack;

impl Object {
    /// Packs the object and everything in it in bins.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.to_bytes_with(&Options::new())
    }

    /// As [`to_bytes`](Object::to_bytes), with the depth limit of the options.
    ///
    /// # Errors
    /// [`ErrorKind::SizeLimit`](archive_core::ErrorKind::SizeLimit) at 4 GiB,
    /// [`ErrorKind::DepthLimit`](archive_core::ErrorKind::DepthLimit) if the tree nests too deep to
    /// be read again.
    pub fn to_bytes_with(&self, options: &Options<'_>) -> Result<Vec<u8>> {
        pack(&Flat::of(self, options.settings().limits().nesting())?)
    }

    /// Reads an object that [`to_bytes`](Object::to_bytes) wrote. Packing the result gives the
    /// same bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        Object::from_bytes_with(bytes, &Options::new())
    }

    /// As [`from_bytes`](Object::from_bytes), with the depth limit of the options.
    ///
    /// # Errors
    /// If the bytes are damaged or are not exactly one complete object:
    /// [`ErrorKind::Syntax`](archive_core::ErrorKind::Syntax), `UnexpectedEnd`, `TrailingData`,
    /// `DuplicateMember`, `DepthLimit`, each with the offset.
    pub fn from_bytes_with(bytes: &[u8], options: &Options<'_>) -> Result<Self> {
        Ok(build(&unpack(bytes, options.settings().limits().nesting())?))
    }

    /// Returns the signature: a number that identifies the layout of the object. It is the same on
    /// every machine, and it is stored in the [header](crate::Header), so a loader that knows the
    /// expected number need not check anything else.
    ///
    /// For an object that was converted from a value ([`of`](Object::of),
    /// [`to_vec`](crate::to_vec), and objects read from such a file) it is the
    /// [`signature`](fn@crate::signature) of the value's type.
    ///
    /// For an object that was made by hand it describes the tree: classes, names, types, and the
    /// sizes of variables of fixed size, of the object and of everything in it. The order of
    /// members, the number of equal items in a list and the name of the outermost object do not
    /// matter. A list without items has another signature than a list with items. Adding members to
    /// an object that was converted from a value makes it an object made by hand.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`](archive_core::ErrorKind::DuplicateMember).
    pub fn signature(&self) -> Result<u64> {
        let flat = Flat::of(self, usize::MAX)?;
        Ok(self.class_signature.map_or_else(|| of_tree(&flat), |signature| signature.number))
    }
}
