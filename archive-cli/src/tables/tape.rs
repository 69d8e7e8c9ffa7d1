//! [`Tape`]: the values of a row, one after the other, until the row is written.

use archive::value::Number;

/// A part of the text of a tape.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    start: usize,
    end: usize,
}

/// A value, or the beginning of one. `end` is the index after the last event of the value.
#[derive(Clone, Copy, Debug)]
pub enum Event {
    Null,
    Bool(bool),
    Number(Number),
    Text(Span),
    Bytes(Span),
    /// A variant of an enum without data.
    Word(Span),
    /// A variant of an enum with data. Its payload follows, if it has one.
    Variant(Span, usize),
    /// Values follow.
    List(usize),
    Tuple(usize),
    /// Keys and values follow.
    Map(usize),
    /// Names and values follow. Says whether a type states the names.
    Struct(usize, bool),
    Name(Span),
    /// A value without a stated type follows, which is written as JSON.
    Json(usize),
}

/// Events, and their text.
#[derive(Default)]
pub struct Tape {
    events: Vec<Event>,
    text: Vec<u8>,
}

impl Tape {
    pub fn len(&self) -> usize {
        self.events.len()
    }

    pub fn push(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Adds text that an event refers to.
    pub fn span(&mut self, bytes: &[u8]) -> Span {
        let start = self.text.len();
        self.text.extend_from_slice(bytes);
        Span { start, end: self.text.len() }
    }

    /// Notes that the value that begins at that event ends here.
    pub fn close(&mut self, at: usize) {
        let len = self.events.len();
        match &mut self.events[at] {
            Event::Variant(_, end)
            | Event::List(end)
            | Event::Tuple(end)
            | Event::Map(end)
            | Event::Struct(end, _)
            | Event::Json(end) => *end = len,
            _ => {}
        }
    }

    /// Removes the events from that one on.
    pub fn truncate(&mut self, at: usize) {
        let first = self.events[at.min(self.events.len())..].iter().find_map(|event| match event {
            Event::Text(span)
            | Event::Bytes(span)
            | Event::Word(span)
            | Event::Variant(span, _)
            | Event::Name(span) => Some(span.start),
            _ => None,
        });
        if let Some(start) = first {
            self.text.truncate(start);
        }
        self.events.truncate(at);
    }

    pub fn event(&self, at: usize) -> Event {
        self.events[at]
    }

    pub fn bytes(&self, span: Span) -> &[u8] {
        &self.text[span.start..span.end]
    }

    pub fn str(&self, span: Span) -> &str {
        // Only whole texts are added.
        str::from_utf8(self.bytes(span)).unwrap_or_default()
    }

    /// Returns the index after the value at that one.
    pub fn after(&self, at: usize) -> usize {
        match self.events[at] {
            Event::Variant(_, end)
            | Event::List(end)
            | Event::Tuple(end)
            | Event::Map(end)
            | Event::Struct(end, _)
            | Event::Json(end) => end,
            _ => at + 1,
        }
    }

    /// Returns the indexes of the values in the value at that one. Of a struct, these are the names.
    pub fn parts(&self, at: usize) -> impl Iterator<Item = usize> {
        let end = self.after(at);
        let is_struct = matches!(self.events[at], Event::Struct(..));
        let mut next = at + 1;
        std::iter::from_fn(move || {
            let part = (next < end).then_some(next)?;
            next = self.after(part + usize::from(is_struct));
            Some(part)
        })
    }

    /// Returns the keys and the values of a map.
    pub fn pairs(&self, at: usize) -> impl Iterator<Item = (usize, usize)> {
        let mut parts = self.parts(at);
        std::iter::from_fn(move || Some((parts.next()?, parts.next()?)))
    }

    /// Returns the name at that index.
    pub fn name(&self, at: usize) -> &str {
        match self.events[at] {
            Event::Name(span) | Event::Word(span) | Event::Variant(span, _) => self.str(span),
            _ => "",
        }
    }
}
