//! [`Indent`]: the indentation of text formats.

/// The indentation of each level in text formats: see [`Options::indent`](crate::Options::indent).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indent {
    /// A number of spaces. With 0, lines are broken but not indented.
    Spaces(u8),
    /// One tab.
    Tab,
}

impl Default for Indent {
    fn default() -> Self {
        Indent::Spaces(2)
    }
}
