//! The binary format for packets between equal programs: the bytes do not identify their types.
//!
//! The data is that of the [binary format](crate), after one byte. The receiver must load exactly
//! the type that was saved: both sides run the same program, or compared signatures
//! (`archive::signature`) in a handshake. Loading any other type fails or gives meaningless values.
//! It never panics and never uses unbounded memory, for any bytes.
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
//! Values that the type of the root does not determine are described in the packet, as in other
//! files, and load by name: objects of hand-written functions, trait objects, and the roots of a
//! [`Writer`]. Such a packet has small tables with only these types.
//!
//! [`crate::fingerprint`] costs eight bytes more and refuses other types. Like its files, these
//! cannot be detected by their first bytes.

use crate::backend::profile;

profile!(
    /// The binary format with data only, as a [`Backend`](archive_core::Backend).
    ///
    /// It is never detected: these files begin with a single byte, which is 0 or 1.
    Bare = Bare,
    "bare",
    ["bare"],
    |_| false
);

archive_core::entry_points!(Bare);
