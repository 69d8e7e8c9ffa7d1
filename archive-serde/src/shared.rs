//! [`Shared`]: the state that all archives of one save or load have in common.

use std::collections::HashSet;
use std::fmt::Display;

use archive_core::bridge;
use archive_core::session::EmptyElements;
use archive_core::{Error, ErrorKind, Mark, Options, Result, Session, Shape, Value, ValueDecoder};
use archive_core::{Loading, Position};

use crate::save::Plans;
use crate::tree::takes_nothing;

/// How a format is written and read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// Whether the input describes itself. Otherwise the type determines the place of every value.
    pub(crate) describes: bool,
    /// Whether structs may be written as sequences, without names.
    pub(crate) arrays: bool,
    /// Whether the names of variants are available only through [untagged
    /// enums](crate::tree::read_untagged).
    pub(crate) untagged: bool,
    /// Whether an object that a weak pointer needs is stored with that pointer. An object that is
    /// missing was then not saved.
    pub(crate) pointees_first: bool,
}

/// The state of a save or a load that runs inside serde's functions.
pub(crate) struct Shared<'s> {
    pub(crate) session: &'s mut Session,
    pub(crate) options: &'s Options<'s>,
    pub(crate) manner: Manner,
    /// No sequence of the input has more items than this.
    pub(crate) most: usize,
    /// The error that is passing through serde's functions, which cannot hold it.
    failed: Option<Error>,
    /// Whether that error, or one before it, began in the format.
    began_there: bool,
    /// Whether that error began in a value that had been read as a tree: the format has moved on
    /// since.
    began_in_tree: bool,
    /// Where the format was at the end of a load whose error began in a tree.
    pub(crate) stopped: Option<Position>,
    /// Whether it began at a null. Some serializers use that error as a signal to themselves, to
    /// leave out the member whose value is null.
    pub(crate) null_refused: bool,
    /// Whether the load may start again, with the whole input as a tree.
    pub(crate) can_restart: bool,
    /// Whether it must start again.
    pub(crate) restart: bool,
    /// Whether the format is text, in which floats have no width.
    pub(crate) is_text: bool,
    /// Counts elements that are known to take no bytes.
    empty: EmptyElements,
    /// The objects that are assumed to be missing in the input.
    pub(crate) missed: HashSet<u64>,
    /// What is known about the classes being saved.
    pub(crate) plans: Plans,
    marks: u64,
}

impl<'s> Shared<'s> {
    #[inline]
    pub(crate) fn parts(&self) -> (&Session, &Options<'_>) {
        (self.session, self.options)
    }

    #[inline]
    pub(crate) fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (self.session, self.options)
    }

    pub(crate) fn new(
        session: &'s mut Session,
        options: &'s Options<'s>,
        manner: Manner,
        most: usize,
    ) -> Self {
        session.set_one_each();
        Shared {
            session,
            options,
            manner,
            most,
            failed: None,
            began_there: false,
            began_in_tree: false,
            stopped: None,
            null_refused: false,
            can_restart: false,
            restart: false,
            is_text: false,
            empty: EmptyElements::new(options),
            missed: HashSet::new(),
            plans: Plans::default(),
            marks: 0,
        }
    }

    /// Stashes an error, and returns the message for a serde error that represents it.
    #[cold]
    pub(crate) fn stash_error(&mut self, error: Error) -> String {
        let message = error.message().to_owned();
        self.failed = Some(error);
        message
    }

    /// Stashes an error. Returns the format's own error if it began there, otherwise a serde error
    /// that represents it.
    #[cold]
    pub(crate) fn restore_error<E: serde::de::Error>(
        &mut self,
        ours: Error,
        theirs: Option<E>,
    ) -> E {
        let message = self.stash_error(ours);
        theirs.unwrap_or_else(|| E::custom(message))
    }

    /// Drops the stashed error, because the serializer continued after it.
    #[inline]
    pub(crate) fn forget(&mut self) {
        if self.failed.is_some() {
            self.failed = None;
            self.began_there = false;
            self.began_in_tree = false;
            self.null_refused = false;
        }
    }

    /// Returns the error that a serde error represents. An error that began in the format gets the
    /// given kind.
    #[cold]
    pub(crate) fn take_error(&mut self, theirs: impl Display, kind: ErrorKind) -> Error {
        self.failed.take().unwrap_or_else(|| {
            self.began_there = true;
            Error::new(kind, without_position(&theirs.to_string()))
        })
    }

    /// As [`take_error`](Shared::take_error), while loading.
    #[cold]
    pub(crate) fn refused(&mut self, theirs: impl Display) -> Error {
        self.take_error(theirs, ErrorKind::Syntax)
    }

    /// Concludes a whole save or load. An error gets the position at which the format stopped,
    /// unless it began in a tree. An error that began in the format gets the final kind of the
    /// format's error, because only the format knows whether the input ended.
    pub(crate) fn conclude<T>(&mut self, outcome: Result<T>) -> Result<T> {
        match (outcome, self.failed.take()) {
            (Ok(value), None) => Ok(value),
            (Ok(_), Some(ours)) => Err(ours),
            (Err(theirs), None) => Err(theirs),
            (Err(theirs), Some(ours)) if self.began_in_tree && !self.began_there => {
                self.stopped = theirs.position();
                Err(ours)
            }
            (Err(theirs), Some(ours)) => {
                let position = theirs.position().unwrap_or(Position::Unknown);
                let is_told = self.began_there
                    && theirs.kind() != ErrorKind::Syntax
                    && theirs.kind() != ours.kind();
                let ours = if is_told { ours.in_words_of(theirs) } else { ours };
                Err(ours.at(position))
            }
        }
    }

    /// Returns how many more levels a value may nest here.
    pub(crate) fn levels_left(&self) -> usize {
        bridge::levels_left(self.session, self.options)
    }

    /// Creates the error for a value that nests deeper.
    #[cold]
    pub(crate) fn too_deep(&self) -> Error {
        Error::too_deep(self.options.settings().limits().depth)
    }

    /// Returns a mark that no other value of the input has.
    pub(crate) fn mark(&mut self) -> Mark {
        self.marks += 1;
        Mark { offset: self.marks, state: 0, depth: 0 }
    }

    /// Creates the error that makes the load start again with a tree, in which every object can be
    /// found.
    #[cold]
    pub(crate) fn begin_again(&mut self) -> Error {
        self.restart = true;
        Error::new(
            ErrorKind::BadPointer,
            "a pointer refers to an object that comes later in the input, which is read only once",
        )
    }

    /// Runs `visit` on a value that was read as a tree.
    pub(crate) fn load_tree<R>(
        &mut self,
        tree: Tree,
        visit: impl FnOnce(&mut Loading<'_, ValueDecoder<'static>>) -> Result<R>,
    ) -> Result<R> {
        // Objects of this tree could not be distinguished from those of other trees.
        if tree.has_pointers && self.can_restart {
            return Err(self.begin_again());
        }
        let mut decoder = ValueDecoder::owned(tree.value)
            .with_arrays(self.manner.arrays)
            .with_text_floats(self.is_text);
        let nodes = decoder.size();
        self.session.hold(nodes)?;
        let result = visit(&mut Loading::new(&mut decoder, self.session, self.options));
        self.began_in_tree = result.is_err();
        self.session.let_go(nodes + tree.held);
        result
    }

    /// Appends an item to a list of a tree. The list counts against
    /// [`Limits::expansion`](archive_core::Limits::expansion), and so does the content of the item.
    pub(crate) fn keep<T, E: serde::de::Error>(
        &mut self,
        list: &mut Vec<T>,
        size: usize,
        item: T,
    ) -> Result<(), E> {
        let session = &mut *self.session;
        let kept = session.hold(size).and_then(|()| session.hold_item(list, item));
        kept.map_err(|ours| E::custom(self.stash_error(ours)))
    }

    /// Counts the items of a list being saved, if their number is known. An option is not a list.
    pub(crate) fn count_list(&mut self, shape: &'static Shape, len: Option<usize>) -> Result {
        let Some(len) = len.filter(|_| !matches!(shape, Shape::Option(_))) else { return Ok(()) };
        self.session.count_all(len as u64, self.options)?;
        if self.omits_items(shape) { self.empty.count(len as u64) } else { Ok(()) }
    }

    /// Counts an item of a list being saved whose length was unknown.
    pub(crate) fn count_item(&mut self, shape: &'static Shape) -> Result {
        self.session.count(self.options)?;
        if self.omits_items(shape) { self.empty.count(1) } else { Ok(()) }
    }

    /// Returns whether the items of a list take no bytes. The length of an array or a tuple follows
    /// from the type, so it does not count.
    pub(crate) fn omits_items(&self, shape: &'static Shape) -> bool {
        match shape {
            Shape::Seq(item, _) => !self.manner.describes && takes_nothing(item.get()),
            _ => false,
        }
    }

    /// Counts an item that may take no bytes, because a few bytes could declare any number of such
    /// items.
    #[inline]
    pub(crate) fn count_empty(&mut self, is_empty: bool, index: usize) -> Result {
        let is_known = self.manner.pointees_first; // the input, and its length
        if self.manner.describes || !(is_empty || is_known && index >= self.most) {
            return Ok(());
        }
        self.empty.count(1)
    }

    /// Sets the size hint to a value for which memory can safely be reserved.
    pub(crate) fn hint(&mut self, hint: Option<usize>) {
        self.session.current.size_hint = hint.unwrap_or(0).min(self.most);
    }
}

/// Removes the position at the end of a message, because a position is added to all errors.
pub(crate) fn without_position(message: &str) -> &str {
    let Some((said, at)) = message.rsplit_once(" at line ") else { return message };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match at.split_once(" column ") {
        Some((line, column)) if is_number(line) && is_number(column) => said,
        _ => message,
    }
}

/// A value that had to be read before it could be loaded.
pub(crate) struct Tree {
    pub(crate) value: Value,
    pub(crate) has_pointers: bool,
    /// The memory that it counted while it was read.
    pub(crate) held: usize,
}

impl From<Value> for Tree {
    fn from(value: Value) -> Self {
        Tree { value, has_pointers: false, held: 0 }
    }
}

/// Returns the shape of an item in a sequence of that shape.
pub(crate) fn item_shape(shape: &'static Shape, index: usize) -> &'static Shape {
    match shape {
        Shape::Seq(item, _) | Shape::Array(item, ..) | Shape::Option(item) => item.get(),
        Shape::Tuple(items, _, _) => items.get(index).map_or(&Shape::Dyn, |item| item.get()),
        // The key and the value of an entry.
        Shape::Map(key, value) => {
            if index == 0 {
                key.get()
            } else {
                value.get()
            }
        }
        // The function that visits the value determines its type.
        _ => &Shape::Dyn,
    }
}
