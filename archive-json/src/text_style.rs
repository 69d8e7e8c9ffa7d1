//! [`TextStyle`]: pretty text, and canonical text, which is equal for equal values.
// Why: docs/decisions/json-and-messagepack.md#width-rewrites-a-list-that-does-not-fit
// Why: docs/decisions/json-and-messagepack.md#canonical-text-sorts-an-object-when-it-closes

use archive_core::{Indent, Options};

use crate::escape;
use crate::put;

/// The style of text that is not compact.
#[derive(Debug)]
pub(crate) struct TextStyle {
    /// Whether there are line breaks.
    pretty: bool,
    /// The maximum length of a line with a list of scalars; 0 if lists always break.
    width: usize,
    /// The indentation of each level: this many of this byte.
    indent: (usize, u8),
    /// The offset at which the current line begins.
    line: usize,
    /// The innermost list, while all of it is on one line.
    list: Option<List>,
    /// Whether members are sorted. If so, `members` has the offset of each member of the open
    /// objects, and `objects` the number of members that belong to the objects around each object.
    sorted: bool,
    members: Vec<usize>,
    objects: Vec<usize>,
}

/// A list on one line: the offsets of the list and of each item.
#[derive(Debug, Default)]
struct List {
    start: usize,
    items: Vec<usize>,
}

impl TextStyle {
    /// Returns the style of `serde_json`'s pretty text, or `None` for compact text.
    pub(crate) fn pretty(pretty: bool) -> Option<Self> {
        Self::of(pretty, 0, Indent::default(), false)
    }

    /// Returns the style that the options request.
    pub(crate) fn for_options(options: &Options<'_>) -> Option<Self> {
        let (width, indent) = (options.settings().width(), options.settings().indent());
        Self::of(options.settings().pretty(), width, indent, options.settings().canonical())
    }

    fn of(pretty: bool, width: usize, indent: Indent, sorted: bool) -> Option<Self> {
        let width = if pretty { width } else { 0 };
        let indent = match indent {
            Indent::Spaces(count) => (count.into(), b' '),
            Indent::Tab => (1, b'\t'),
        };
        (pretty || sorted).then(|| TextStyle {
            pretty,
            width,
            indent,
            line: 0,
            list: None,
            sorted,
            members: Vec::new(),
            objects: Vec::new(),
        })
    }

    /// Returns whether there are line breaks, and spaces after colons.
    #[inline]
    pub(crate) fn is_pretty(&self) -> bool {
        self.pretty
    }

    /// Returns whether no text may be sent to the sink before the end.
    pub(crate) fn needs_all(&self) -> bool {
        self.sorted
    }

    /// Returns whether the text written so far is final.
    pub(crate) fn is_settled(&self) -> bool {
        self.list.is_none()
    }

    /// Prepares for an object or a list that opens on a level.
    #[inline]
    pub(crate) fn open(&mut self, out: &mut Vec<u8>, bracket: u8, depth: usize) {
        if self.width != 0 {
            self.break_list(out, depth);
            if bracket == b'[' {
                self.list = Some(List { start: out.len(), items: Vec::new() });
            }
        }
        if self.sorted && bracket == b'{' {
            self.objects.push(self.members.len());
        }
    }

    /// Prepares for an item.
    #[inline]
    pub(crate) fn item(&mut self, out: &mut Vec<u8>, empty: bool, depth: usize) {
        if self.list.is_some() {
            if !self.is_too_long(out) {
                return self.next_on_line(out, empty);
            }
            self.break_list(out, depth);
        }
        self.next(out, empty, depth);
    }

    /// Prepares for a member.
    #[inline]
    pub(crate) fn member(&mut self, out: &mut Vec<u8>, empty: bool, depth: usize) {
        self.next(out, empty, depth);
        if self.sorted {
            self.members.push(out.len());
        }
    }

    /// Prepares for an object or a list on level `depth` to be closed.
    #[inline]
    pub(crate) fn close(&mut self, out: &mut Vec<u8>, bracket: u8, empty: bool, depth: usize) {
        if self.sorted && bracket == b'}' {
            self.sort(out, depth + 1);
        }
        if self.list.is_some() {
            if !self.is_too_long(out) {
                self.list = None;
                return;
            }
            self.break_list(out, depth + 1);
        }
        if self.pretty && !empty {
            self.new_line(out, true, depth);
        }
    }

    #[inline]
    fn next(&mut self, out: &mut Vec<u8>, empty: bool, depth: usize) {
        if self.pretty {
            self.new_line(out, empty, depth);
        } else if !empty {
            out.push(b',');
        }
    }

    /// Starts a new line and indents it; writes a comma before it unless the item is the `first`.
    #[inline]
    fn new_line(&mut self, out: &mut Vec<u8>, first: bool, depth: usize) {
        const SHORT: &[u8; 32] = b",\n                              ";
        let (count, byte) = self.indent;
        let (indent, [_, after_comma @ ..]) = (count * depth, SHORT);
        match (indent <= 30 && byte == b' ', first) {
            (true, true) => put::padded(out, after_comma, 1 + indent),
            (true, false) => put::padded(out, SHORT, 2 + indent),
            (false, _) => {
                out.extend_from_slice(if first { b"\n" } else { b",\n" });
                out.resize(out.len() + indent, byte);
            }
        }
        self.line = out.len() - indent;
    }

    /// Returns whether the line is too long for a list that ends here.
    fn is_too_long(&self, out: &[u8]) -> bool {
        // A bracket and a comma come after the list.
        out.len() - self.line.min(out.len()) + 2 > self.width
    }

    fn next_on_line(&mut self, out: &mut Vec<u8>, empty: bool) {
        if !empty {
            out.extend_from_slice(b", ");
        }
        if let Some(list) = &mut self.list {
            list.items.push(out.len());
        }
    }

    /// Moves each item of a list on one line to its own line. `depth` is the level of the items.
    fn break_list(&mut self, out: &mut Vec<u8>, depth: usize) {
        let Some(list) = self.list.take() else { return };
        let text = out.split_off(list.start + 1);
        let begin = |index: &usize| index - list.start - 1;
        for (i, item) in list.items.iter().map(begin).enumerate() {
            let end = list.items.get(i + 1).map_or(text.len(), |next| begin(next) - 2);
            self.new_line(out, i == 0, depth);
            out.extend_from_slice(&text[item..end]);
        }
    }

    /// Sorts the members of the object that ends here; `depth` is the level of the members.
    #[cold]
    fn sort(&mut self, out: &mut Vec<u8>, depth: usize) {
        let base = self.objects.pop().unwrap_or(0);
        let starts = self.members.split_off(base.min(self.members.len()));
        let between = if self.pretty { 2 + self.indent.0 * depth } else { 1 };
        let ends = starts.iter().skip(1).map(|next| next - between).chain([out.len()]);
        let mut members: Vec<_> = starts.iter().copied().zip(ends).collect();
        let order = |&(start, _): &(usize, usize)| {
            let name = name(&out[start..]);
            let own = name.first() == Some(&b'$');
            (!own, if own { &[][..] } else { name })
        };
        if members.is_sorted_by_key(order) {
            return;
        }
        members.sort_by_key(order);
        let first = starts[0];
        let mut text = Vec::with_capacity(out.len() - first);
        for (i, (start, end)) in members.into_iter().enumerate() {
            if i > 0 {
                self.next(&mut text, false, depth);
            }
            text.extend_from_slice(&out[start..end]);
        }
        out.truncate(first);
        out.extend_from_slice(&text);
    }
}

/// Returns the name at the start of the text, with its escapes.
fn name(text: &[u8]) -> &[u8] {
    let mut end = 1;
    loop {
        end += escape::plain_len(&text[end..]);
        match text.get(end) {
            Some(b'\\') => end += 2,
            _ => return &text[1..end],
        }
    }
}
