//! The binary format for packets: a hash of eight bytes replaces the tables with the types.
//!
//! The data is that of the [binary format](crate), after a number that differs for different types.
//! A packet is therefore nine bytes longer than its data, and a receiver that was built with other
//! types refuses it before it reads the first value. The error is [`ErrorKind::WrongType`] if a
//! member was added, removed, renamed or moved, or if a type, a version or the order of variants
//! changed. No difference is tolerated. For data that must load after types have changed, use
//! [`crate::to_vec`].
//!
//! ```
//! use archive::binary::fingerprint;
//!
//! #[derive(Clone, Debug, Default, PartialEq, archive::Serialize)]
//! struct Moved { unit: u32, at: [f32; 2], running: bool }
//!
//! let packet = Moved { unit: 300, at: [1.5, -2.0], running: true };
//! let bytes = fingerprint::to_vec(&packet)?;
//! assert_eq!(bytes.len(), 9 + 13);
//! assert_eq!(fingerprint::from_slice::<Moved>(&bytes)?, packet);
//!
//! // The other side has another idea of it.
//! #[derive(Debug, Default, archive::Serialize)]
//! struct Faster { unit: u32, at: [f32; 2], speed: u8 }
//!
//! let error = fingerprint::from_slice::<Faster>(&bytes).unwrap_err();
//! assert_eq!(error.kind(), archive::ErrorKind::WrongType);
//! # Ok::<(), archive::Error>(())
//! ```
//!
//! The names of types do not count, but the meaning of the library's own types does: a `Vec`
//! differs from a `BTreeSet`, a `Range` from a `RangeInclusive`, a path from text, and a struct
//! with the members of a `Duration` from a `Duration`. Values that the type of the root does not
//! determine are described in the packet, as in other files, and load by name: objects of
//! hand-written functions, trait objects, and the roots of a [`Writer`]. Such a packet has small
//! tables with only these types.
//!
//! These files cannot be detected by their first bytes, because they have no magic number, and they
//! can be mistaken for another format. Sender and receiver must agree on the format.

#[cfg(doc)]
use archive_core::ErrorKind;

use crate::backend::profile;

profile!(
    /// The binary format with a fingerprint of the types, as a [`Backend`](archive_core::Backend).
    ///
    /// It is never detected: a fingerprint can be any eight bytes.
    Fingerprint = Fingerprint,
    "fingerprint",
    ["fpr"],
    |_| false
);

archive_core::entry_points!(Fingerprint);
