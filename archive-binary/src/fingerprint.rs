//! The binary format for packets: eight bytes say which types it takes, instead of tables.
//!
//! Data is what it is in the [binary format](crate), in front of it a number that is another for
//! other types. So a packet is nine bytes longer than its data, and whoever was built with other types
//! refuses it before the first value is read: a member that was added, removed, renamed or moved, another
//! type, version or order of variants is an error that says so ([`ErrorKind::WrongType`]). Nothing is
//! forgiven; what must load after types have changed belongs into [`crate::to_vec`].
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
//! The names of types do not count, but what the library's own types mean does: a `Vec` is no `BTreeSet`, a `Range` no
//! `RangeInclusive`, a path no text, and neither is a struct with the members of a `Duration` one. What the type of the root does not determine is described where it
//! is met, as in other files, and loads by name: objects of functions written by hand, objects behind
//! trait objects, and the roots of a [`Writer`]. Such a packet has small tables of just that.
//!
//! Nothing detects these files by their first bytes, because they begin with nothing of their own (they
//! may look like those of another format): sender and receiver must agree.

#[cfg(doc)]
use archive_core::ErrorKind;

use crate::backend::profile;

profile!(
    /// The binary format with a fingerprint of the types, as a [`Backend`](archive_core::Backend).
    ///
    /// It is not detected: a fingerprint is any eight bytes.
    Fingerprint = Fingerprint,
    "fingerprint",
    ["fpr"],
    |_| false
);
