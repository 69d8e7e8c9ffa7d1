//! [`Recorder`]: an encoder that divides a save into rows.

mod encode;
mod frame;
mod pointers;

use std::collections::HashMap;
use std::rc::Rc;

use archive::{Error, ErrorKind, Result};

use super::found::IN_PATH;
use super::tape::{Event, Tape};
use super::types::{Id, Node, OBSERVED, RAW, Types};
use super::{Row, json};
use crate::walk_path::{Open, WalkPath};
use frame::{Frame, Role, Slot, What};

/// The table of the root of a file without types, and of a root that is not an object: a path of no names.
pub const ROOT: &str = "";
/// The table of shared objects without a type.
pub const OBJECTS: &str = "objects";
/// The column of a row whose value is not an object.
pub const VALUE: &str = "value";

/// Called for each row.
pub type OnRow<'r> = &'r mut dyn FnMut(&Row<'_>) -> Result;

/// Records the values of a save on a tape. An object that is an item of a list or a map, or that is shared, is a
/// row. Lists of rows outside of rows are not kept, so a row is the most that is in memory.
pub struct Recorder<'a> {
    types: &'a Types,
    on_row: OnRow<'a>,
    tape: Tape,
    place: WalkPath,
    open: Vec<Frame>,
    next: Slot,
    /// Where the name of the next value is on the tape.
    name_at: Option<usize>,
    /// The table of the root, and the key of its row.
    root: (Rc<str>, Option<u64>),
    /// Whether the root was a row.
    has_root: bool,
    /// The types of the shared objects that are stored later, and their tables.
    later: HashMap<u64, (Id, Option<Rc<str>>)>,
}

impl<'a> Recorder<'a> {
    /// Creates a recorder of a file.
    pub fn of_file(types: &'a Types, on_row: OnRow<'a>) -> Self {
        let table = types.root_class().unwrap_or_else(|| ROOT.into());
        Recorder::new(types, (table, None), WalkPath::default(), on_row)
    }

    /// Creates a recorder of a row of a store.
    pub fn of_row(types: &'a Types, class: &str, key: u64, on_row: OnRow<'a>) -> Self {
        let mut place = WalkPath::default();
        place.enter(Open::Members(None));
        place.member(class);
        place.enter(Open::Items(Some(key)));
        Recorder::new(types, (class.into(), Some(key)), place, on_row)
    }

    fn new(
        types: &'a Types,
        root: (Rc<str>, Option<u64>),
        place: WalkPath,
        on_row: OnRow<'a>,
    ) -> Self {
        let next = Slot { ty: types.root, role: Role::Root, is_outer: root.1.is_none() };
        let mut tape = Tape::default();
        begin_value(&mut tape);
        Recorder {
            types,
            on_row,
            tape,
            place,
            open: Vec::new(),
            next,
            name_at: None,
            root,
            has_root: false,
            later: HashMap::new(),
        }
    }

    /// Ends the root. A root that is not an object is a row with one column.
    pub fn finish(mut self) -> Result {
        if self.has_root || self.tape.len() <= VALUE_AT {
            return Ok(());
        }
        self.tape.close(0);
        let (table, key) = self.root.clone();
        self.row(if key.is_some() { &table } else { ROOT }, key, 0)
    }

    fn row(&mut self, table: &str, key: Option<u64>, at: usize) -> Result {
        (self.on_row)(&Row { table, key, place: &self.place, tape: &self.tape, at })
    }

    /// Returns what the next value is, and where it begins on the tape.
    fn take(&mut self) -> (Slot, usize) {
        let mut slot = self.next;
        slot.is_outer &= self.types.is_outer(slot.ty);
        slot.ty = self.types.some(slot.ty);
        if matches!(self.types.get(slot.ty), Node::Open) {
            slot.ty = if slot.is_outer { OBSERVED } else { RAW };
        }
        (slot, self.name_at.take().unwrap_or(self.tape.len()))
    }

    fn scalar(&mut self, event: Event) -> Result {
        let (slot, _) = self.take();
        let event = match (event, self.types.get(slot.ty)) {
            (Event::Null, _) => Event::Null,
            (event, _) if self.types.is_raw(slot.ty) && !self.is_raw() => {
                self.tape.push(Event::Json(self.tape.len() + 2));
                event
            }
            (Event::Text(span), Node::Enum(variants)) => {
                match variants.iter().all(|(_, payload)| payload.is_none()) {
                    true => Event::Word(span),
                    false => Event::Variant(span, self.tape.len() + 1),
                }
            }
            (event, _) => event,
        };
        self.tape.push(event);
        Ok(())
    }

    /// Returns whether the next value is inside of a value that is written as JSON.
    fn is_raw(&self) -> bool {
        self.open.last().is_some_and(|frame| frame.is_raw)
    }

    fn enter(&mut self, what: What, slot: Slot, at: usize, open: Open) {
        let is_raw = self.types.is_raw(slot.ty);
        let begin = self.tape.len();
        if is_raw && !self.is_raw() {
            self.tape.push(Event::Json(0));
        }
        let event = self.tape.len();
        match &what {
            What::List(_) => self.tape.push(Event::List(0)),
            What::Tuple(_) => self.tape.push(Event::Tuple(0)),
            What::Map(..) => self.tape.push(Event::Map(0)),
            What::Struct(_) => self.tape.push(Event::Struct(0, true)),
            _ => {}
        }
        self.place.enter(open);
        self.open.push(Frame::new(what, slot, at, (begin, event), is_raw));
    }

    /// Ends the innermost value.
    fn leave(&mut self) -> Option<Frame> {
        let frame = self.open.pop()?;
        self.tape.close(frame.event);
        if frame.begin != frame.event {
            self.tape.close(frame.begin);
        }
        Some(frame)
    }

    /// Emits the row of an object that has ended, if it is one.
    fn row_of(&mut self, frame: &Frame) -> Result {
        let slot = frame.slot;
        let is_root = slot.role == Role::Root;
        if slot.role == Role::Part || frame.is_raw {
            return Ok(());
        }
        let table = match &frame.table {
            _ if is_root => self.root.0.clone(),
            Some(table) => table.clone(),
            None => self.types.table(slot.ty).unwrap_or_else(|| self.table_of_list()),
        };
        let key = match slot.role {
            Role::Pointee(id) => Some(id),
            Role::Root => self.root.1,
            _ => None,
        };
        self.row(&table, key, frame.event)?;
        self.has_root |= is_root;
        if let Some(around) = self.open.last_mut() {
            around.has_rows = true;
        }
        if slot.is_outer && slot.role == Role::Item {
            self.tape.truncate(frame.at);
        }
        Ok(())
    }

    /// Returns the name of the table of the objects in the innermost list, from the names of the members around it.
    fn table_of_list(&mut self) -> Rc<str> {
        if let Some(Frame { table_of_items: Some(table), .. }) = self.open.last() {
            return table.clone();
        }
        let (mut names, mut has_class) = (Vec::new(), false);
        for frame in self.open.iter().rev() {
            match (&frame.table, frame.slot.role) {
                _ if frame.name_at.is_none() => {}
                (Some(table), _) => {
                    names.push(self.tape.name(frame.name_at.unwrap_or(0)));
                    names.push(table);
                    has_class = true;
                    break;
                }
                _ => names.push(self.tape.name(frame.name_at.unwrap_or(0))),
            }
        }
        if !has_class {
            names.push(ROOT);
        }
        names.reverse();
        let mut separator = [0; 4];
        let table: Rc<str> = names.join(&*IN_PATH.encode_utf8(&mut separator)).into();
        if let Some(list) = self.open.last_mut() {
            list.table_of_items = Some(table.clone());
        }
        table
    }
}

/// The index of the value on a tape that [`begin_value`] began.
const VALUE_AT: usize = 2;

/// Begins an object around a value that may not be an object.
fn begin_value(tape: &mut Tape) {
    tape.push(Event::Struct(0, true));
    let name = tape.span(VALUE.as_bytes());
    tape.push(Event::Name(name));
}

#[cold]
fn misfit(what: &str) -> Error {
    let message = format_args!("{what} does not have the type that the file states");
    Error::new(ErrorKind::WrongType, message)
}
