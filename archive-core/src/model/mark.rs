//! [`Mark`]: a position in the input.

/// A position in the input that a [`Decoder`](crate::Decoder) can return to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mark {
    /// The byte offset.
    pub offset: u64,
    /// Any other state that the decoder needs to continue there (a type, a mode).
    pub state: u64,
    /// The number of open objects and sequences.
    pub depth: u32,
}
