//! [`Layout`]: the lines of the property table that can be seen.
//!
//! Only these are read. A list of 100,000 items costs as much as its visible items: closed items have the same height, and
//! the view has a [`Node`](crate::view::Node) for each of the few others.

mod found;
mod lists;
mod members;

use std::ops::Range;

use archive::path::Path;
use archive::reflect::{self, Peek};
use archive::{Options, Polymorphic};

use crate::part::{Part, Place};
use crate::view::Node;

/// The number of levels that are shown in one another. A deeper part is shown on its own.
pub(crate) const DEEPEST: usize = 24;

/// A line of the table.
pub(crate) struct Line {
    /// The distance from the top of the table.
    pub(crate) top: f64,
    /// The height that was expected.
    pub(crate) height: f32,
    pub(crate) depth: usize,
    pub(crate) what: What,
}

/// What a line shows.
pub(crate) enum What {
    /// A part, its value, and whether it is open.
    Part(Box<Part>, Result<Peek, String>, bool),
    /// A group of members of the part at the path, and whether it is open.
    Group(Path, &'static str, bool),
    /// A remark, such as an error.
    Note(String),
}

/// Finds the lines that can be seen.
pub(crate) struct Layout<'a> {
    pub(crate) value: &'a dyn Polymorphic,
    pub(crate) options: &'a Options<'a>,
    /// The height of most lines.
    pub(crate) row: f32,
    /// What can be seen: distances from the top of the table.
    pub(crate) window: Range<f64>,
    /// The part whose distance from the top is wanted, and the distance.
    pub(crate) target: Option<&'a Path>,
    pub(crate) target_top: Option<f64>,
    /// The distance of the next line from the top.
    pub(crate) top: f64,
    pub(crate) lines: Vec<Line>,
}

impl Layout<'_> {
    /// Adds what is shown of the part at the root of a view: an object's members, and any other value with its own line.
    pub(crate) fn root(&mut self, path: &Path, node: &mut Node) {
        let mut part = match path.is_empty() {
            true => Part::root(self.value),
            false => Part::at(self.value, path, self.options),
        };
        match self.peek(&part) {
            Ok(Peek::Object) if part.variants().is_empty() => {
                self.members(&part, path, node, 0);
            }
            _ => {
                if path.is_empty() {
                    part.label = part.meta.name();
                }
                node.is_open = true;
                self.part(part, Some(node), 0);
            }
        }
    }

    /// Adds the lines of a part.
    pub(crate) fn part(&mut self, part: Part, node: Option<&mut Node>, depth: usize) {
        if self.target == Some(&part.path) {
            self.target_top = Some(self.top);
        }
        let height = node.as_ref().and_then(|node| node.height).unwrap_or(self.row);
        let is_open = node.as_ref().is_some_and(|node| node.is_open);
        if self.sees(height) {
            let peek = self.peek(&part).map_err(|error| error.to_string());
            let what = What::Part(Box::new(part.clone()), peek, is_open);
            self.lines.push(Line { top: self.top, height, depth, what });
        }
        self.top += f64::from(height);
        if let Some(node) = node
            && node.is_open
        {
            if depth < DEEPEST {
                self.parts(&part, node, depth + 1);
            } else {
                self.note("…".to_owned(), depth + 1);
            }
        }
    }

    /// Adds the parts of a part.
    fn parts(&mut self, part: &Part, node: &mut Node, depth: usize) {
        let peek = self.peek(part);
        if let Ok(Peek::Object | Peek::Variant(_)) = &peek
            && let Some(name) =
                peek.as_ref().ok().and_then(|peek| part.variant(self.value, peek, self.options))
        {
            return self.payload(part, &name, node, depth);
        }
        match peek {
            Ok(Peek::List(len)) => self.list(part, len, node, depth),
            Ok(Peek::Set(len)) => self.keyed(part, len, Place::Element, node, depth),
            Ok(Peek::Map(len)) => self.keyed(part, len, Place::Entry, node, depth),
            Ok(Peek::Object) => self.members(part, &part.path, node, depth),
            Ok(_) => {}
            Err(error) => self.note(error.to_string(), depth),
        }
    }

    pub(crate) fn peek(&self, part: &Part) -> archive::Result<Peek> {
        reflect::peek(self.value, &part.path, self.options)
    }

    /// Returns whether a line of that height can be seen at the current place.
    fn sees(&self, height: f32) -> bool {
        self.top < self.window.end && self.top + f64::from(height) > self.window.start
    }

    /// Adds a remark.
    pub(crate) fn note(&mut self, text: String, depth: usize) {
        self.line(What::Note(text), depth);
    }

    /// Adds a line of the usual height.
    fn line(&mut self, what: What, depth: usize) {
        if self.sees(self.row) {
            self.lines.push(Line { top: self.top, height: self.row, depth, what });
        }
        self.top += f64::from(self.row);
    }
}
