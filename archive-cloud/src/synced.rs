//! [`Synced`]: what a sync has done.

use archive::save::Meta;

/// What a sync has done. Nothing was lost in any case.
#[derive(Clone, Debug, PartialEq)]
pub enum Synced {
    /// Both sides have the same save already, or neither has one.
    Equal,
    /// The store had no save of that name, and has the local one now.
    Created,
    /// The local save continues that of the store, and has replaced it.
    Uploaded,
    /// The save of the store continues the local one, and has replaced it. The old file is a backup.
    /// Load the new one before the game saves again.
    Downloaded,
    /// Each side has progress that the other one lacks. Nothing was changed.
    Diverged(Box<Divergence>),
}

/// Two saves of one name that have diverged. Only the player can say which to keep: show both, and
/// call [`keep_mine`](crate::Cloud::keep_mine), [`keep_theirs`](crate::Cloud::keep_theirs) or
/// [`keep_both`](crate::Cloud::keep_both).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Divergence {
    /// The metadata of the local save.
    pub mine: Meta,
    /// The metadata of the save in the store. Its lineage names the device that saved it.
    pub theirs: Meta,
}

impl Synced {
    /// Creates the answer for two saves that have diverged.
    pub(crate) fn diverged(mine: Meta, theirs: Meta) -> Synced {
        Synced::Diverged(Box::new(Divergence { mine, theirs }))
    }
}
