//! The binary format for packets between equals: nothing says which types it takes.
//!
//! Data is what it is in the [binary format](crate), after one byte. Whoever loads it must ask for the
//! very type that was saved: both sides are the same program, or a handshake has compared
//! [signatures](archive_core::signature). With any other type the load is an error or gives values that
//! mean nothing. It never panics or takes memory without bounds, whatever the bytes are.
//!
//! ```
//! use archive::binary::bare;
//!
//! #[derive(Clone, Debug, Default, PartialEq, archive::Serialize)]
//! struct Moved { unit: u32, at: [f32; 2], running: bool }
//!
//! let packet = Moved { unit: 300, at: [1.5, -2.0], running: true };
//! let bytes = bare::to_vec(&packet)?;
//! assert_eq!(bytes, [0, 0x2c, 0x01, 0, 0, 0, 0, 0xc0, 0x3f, 0, 0, 0, 0xc0, 1]);
//! assert_eq!(bare::from_slice::<Moved>(&bytes)?, packet);
//! # Ok::<(), archive::Error>(())
//! ```
//!
//! What the type of the root does not determine is described where it is met, as in other files, and
//! loads by name: objects of functions written by hand, objects behind trait objects, and the roots of
//! a [`Writer`]. Such a packet has small tables of just that.
//!
//! [`crate::fingerprint`] costs eight bytes more and refuses other types. As there, nothing detects these
//! files by their first bytes.

use crate::backend::profile;

profile!(
    /// The binary format with nothing but data, as a [`Backend`](archive_core::Backend).
    ///
    /// It is not detected: these files begin with a single byte, which is 0 or 1.
    Bare = Bare,
    "bare",
    ["bare"],
    |_| false
);
