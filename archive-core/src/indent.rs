//! [`Indent`]: how text formats indent a level.

/// How text formats indent a level: see [`Options::indent`](crate::Options::indent).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indent {
    /// So many spaces; 0 breaks lines and indents none.
    Spaces(u8),
    /// One tab.
    Tab,
}

impl Default for Indent {
    fn default() -> Self {
        Indent::Spaces(2)
    }
}
