//! The layout of text formats.

use super::Options;

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

impl Options<'_> {
    /// Makes text formats write line breaks and indentation. Off by default.
    #[must_use]
    pub fn pretty(mut self, pretty: bool) -> Self {
        self.pretty = pretty;
        self
    }

    /// Makes text formats write line breaks and indentation, as [`pretty`](Options::pretty), but
    /// puts a list that contains only numbers, text, truth values and nulls on one line, if that
    /// line has at most `columns` bytes. A position in a level file is then one line, and moving it
    /// changes one line. 0, the default, puts each item on its own line.
    ///
    /// ```
    /// use archive::Options;
    ///
    /// let places = vec![("spawn".to_owned(), [0.5_f32, 2.0]), ("exit".to_owned(), [64.0, 8.25])];
    /// let text = archive::json::to_string_with(&places, &Options::new().width(40))?;
    /// assert_eq!(text, r#"[
    ///   [
    ///     "spawn",
    ///     [0.5, 2.0]
    ///   ],
    ///   [
    ///     "exit",
    ///     [64.0, 8.25]
    ///   ]
    /// ]"#);
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns;
        self.pretty |= columns != 0;
        self
    }

    /// Makes text formats write line breaks, as [`pretty`](Options::pretty), with this indentation
    /// for each level, so that a file can be saved with the same layout as before. The default is
    /// two spaces.
    ///
    /// ```
    /// use archive::Options;
    /// use archive::json::Indent;
    ///
    /// let tabs = Options::new().indent(Indent::Tab);
    /// assert_eq!(archive::json::to_string_with(&[1, 2], &tabs)?, "[\n\t1,\n\t2\n]");
    /// let four = Options::new().indent(Indent::Spaces(4));
    /// assert_eq!(archive::json::to_string_with(&[1, 2], &four)?, "[\n    1,\n    2\n]");
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn indent(mut self, indent: Indent) -> Self {
        self.indent = indent;
        self.pretty = true;
        self
    }

    /// Makes text formats write one text per value, independent of the order in which types and
    /// maps name their members: the members of every object are sorted by the bytes of their names
    /// as they are written. The format's own members (`$id`, `$version`) remain first. The whole
    /// text is kept in memory until it is complete. Off by default.
    ///
    /// ```
    /// use archive::Options;
    ///
    /// struct Unit { name: String, hp: u32 }
    /// archive::members!(Unit { name, hp });
    ///
    /// let unit = Unit { name: "Ann".into(), hp: 7 };
    /// assert_eq!(archive::json::to_string(&unit)?, r#"{"name":"Ann","hp":7}"#);
    /// let canonical = Options::new().canonical(true);
    /// assert_eq!(archive::json::to_string_with(&unit, &canonical)?, r#"{"hp":7,"name":"Ann"}"#);
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn canonical(mut self, canonical: bool) -> Self {
        self.canonical = canonical;
        self
    }

    /// Lets text formats load text as people write it: comments (`// ...` up to the end of the line
    /// and `/* ... */`) wherever white space is allowed, a comma after the last item or member, and
    /// the byte order mark that some editors put at the beginning of a text. Off by default.
    ///
    /// ```
    /// use archive::{ErrorKind, Options};
    ///
    /// let text = "[1, 2, /* not yet: 3, */]  // levels";
    /// let error = archive::json::from_str::<Vec<u8>>(text).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Syntax);
    /// let relaxed = Options::new().relaxed(true);
    /// assert_eq!(archive::json::from_str_with::<Vec<u8>>(text, &relaxed)?, [1, 2]);
    /// # Ok::<(), archive::Error>(())
    /// ```
    #[must_use]
    pub fn relaxed(mut self, relaxed: bool) -> Self {
        self.relaxed = relaxed;
        self
    }
}
