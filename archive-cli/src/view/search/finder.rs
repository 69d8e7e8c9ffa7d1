//! [`Finder`]: an encoder that compares what is written to it with a text.

use archive::Result;
use archive::format::{Encoder, reserved};
use archive::shape::{Class, Shape};

use super::Hits;
use crate::walk_path::{Open, WalkPath};

/// Finds text in the names and values of a file that is copied to it.
pub struct Finder {
    query: String,
    /// The query in lower case, if it is not ASCII.
    folded: Option<String>,
    /// The query as a number.
    number: Option<f64>,
    in_names: bool,
    in_values: bool,
    place: WalkPath,
    /// Whether the next value is a part of a pointer.
    is_of_pointer: bool,
    /// The id of the last pointer.
    id: u64,
    /// The levels of the lists of objects that were postponed. The path of such an object begins with its id.
    deferred: Vec<usize>,
    /// Whether the next value is such a list.
    is_deferred: bool,
    pub hits: Hits,
}

impl Finder {
    pub fn new(query: &str, in_names: bool, in_values: bool) -> Finder {
        Finder {
            query: query.to_owned(),
            folded: (!query.is_ascii()).then(|| query.to_lowercase()),
            number: query.parse().ok(),
            in_names,
            in_values,
            place: WalkPath::default(),
            is_of_pointer: false,
            id: 0,
            deferred: Vec::new(),
            is_deferred: false,
            hits: Hits::default(),
        }
    }

    /// Returns where the query begins in a text.
    fn find(&self, text: &str) -> Option<usize> {
        if self.query.is_empty() {
            return None;
        }
        match &self.folded {
            Some(folded) => text.to_lowercase().find(folded.as_str()),
            None => {
                let windows = text.as_bytes().windows(self.query.len());
                windows
                    .into_iter()
                    .position(|part| part.eq_ignore_ascii_case(self.query.as_bytes()))
            }
        }
    }

    /// Handles a value that has no text.
    fn scalar(&mut self, is_it: bool, text: impl FnOnce() -> String) -> Result {
        let is_of_pointer = std::mem::take(&mut self.is_of_pointer);
        if self.in_values && is_it && !is_of_pointer {
            self.hits.add(|| self.place.path(), "value", text);
        }
        Ok(())
    }

    fn enter(&mut self, open: Open) -> Result {
        self.is_of_pointer = false;
        self.place.enter(open);
        Ok(())
    }

    fn leave(&mut self) -> Result {
        self.place.leave();
        Ok(())
    }
}

/// Returns the part of a text around a place in it.
fn excerpt(text: &str, at: usize) -> String {
    /// The number of bytes before the place.
    const BEFORE: usize = 40;
    const LEN: usize = 160;
    let start = text.floor_char_boundary(at.saturating_sub(BEFORE).min(text.len()));
    let end = text.ceil_char_boundary((start + LEN).min(text.len()));
    let dots = |is_cut: bool| if is_cut { "…" } else { "" };
    format!("{}{}{}", dots(start > 0), &text[start..end], dots(end < text.len()))
}

impl Encoder for Finder {
    fn null(&mut self) -> Result {
        self.scalar(self.query == "null", || "null".to_owned())
    }
    fn bool(&mut self, value: bool) -> Result {
        let text = if value { "true" } else { "false" };
        self.scalar(self.query == text, || text.to_owned())
    }
    fn i64(&mut self, value: i64) -> Result {
        if self.is_of_pointer {
            self.id = value as u64;
        }
        let is_it = self.number == Some(value as f64) && self.query.parse() == Ok(value);
        self.scalar(is_it, || value.to_string())
    }
    fn u64(&mut self, value: u64) -> Result {
        if self.is_of_pointer {
            self.id = value;
        }
        let is_it = self.number == Some(value as f64) && self.query.parse() == Ok(value);
        self.scalar(is_it, || value.to_string())
    }
    fn f64(&mut self, value: f64) -> Result {
        self.scalar(self.number == Some(value), || value.to_string())
    }
    fn f32(&mut self, value: f32) -> Result {
        let is_it = self.number.is_some_and(|number| number as f32 == value);
        self.scalar(is_it, || value.to_string())
    }
    fn str(&mut self, text: &str) -> Result {
        self.is_of_pointer = false;
        if self.in_values
            && let Some(at) = self.find(text)
        {
            self.hits.add(|| self.place.path(), "value", || excerpt(text, at));
        }
        Ok(())
    }
    fn bytes(&mut self, _: &[u8]) -> Result {
        Ok(())
    }
    fn begin_seq(&mut self, _: &'static Shape, _: usize) -> Result {
        self.enter(Open::Items(None))?;
        if std::mem::take(&mut self.is_deferred) {
            self.deferred.push(self.place.depth());
        }
        Ok(())
    }
    fn item(&mut self) -> Result {
        self.place.next_item();
        Ok(())
    }
    fn end_seq(&mut self) -> Result {
        self.deferred.pop_if(|level| *level == self.place.depth());
        self.leave()
    }
    fn begin_object(&mut self, _: &'static Class) -> Result {
        self.enter(Open::Members(None))
    }
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        let is_part = matches!(name, reserved::ID | reserved::WEAK | reserved::LATER);
        match self.place.innermost() {
            Some(Open::Members(None) | Open::Pointee(_)) if reserved::POINTER.contains(&name) => {
                let is_deferred =
                    self.deferred.last().is_some_and(|level| level + 1 == self.place.depth());
                let id = (name == reserved::VALUE && is_deferred).then_some(self.id);
                self.place.leave();
                // Paths do not show pointers.
                self.place.enter(Open::Pointee(id));
                self.is_of_pointer = is_part;
                self.is_deferred = name == reserved::DEFERRED;
                return Ok(());
            }
            // An object of another program may have a member `$id`, too.
            Some(Open::Pointee(_)) => {
                self.place.leave();
                self.place.enter(Open::Members(None));
            }
            _ => {}
        }
        self.place.member(name);
        if self.in_names
            && let Some(at) = self.find(name)
        {
            self.hits.add(|| self.place.path(), "name", || excerpt(name, at));
        }
        Ok(())
    }
    fn end_object(&mut self) -> Result {
        self.leave()
    }
}
