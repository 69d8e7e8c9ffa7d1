//! The direction of an archive, as a type.

/// What is known of the direction of an [`Erased`](super::Erased) archive.
pub trait Way: 'static {
    /// Whether it loads, if that is known.
    const LOADS: Option<bool>;
}

/// The archive saves or loads, which is known at run time only. A tool that changes what it visits
/// has this direction, too: values may be visited as copies by an archive that [`Saves`].
pub enum Either {}
/// The archive saves.
pub enum Saves {}
/// The archive loads.
pub enum Loads {}

impl Way for Either {
    const LOADS: Option<bool> = None;
}
impl Way for Saves {
    const LOADS: Option<bool> = Some(false);
}
impl Way for Loads {
    const LOADS: Option<bool> = Some(true);
}
