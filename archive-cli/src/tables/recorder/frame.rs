//! The values that a recorder has entered.

use std::rc::Rc;

use super::super::types::Id;

/// What the next value is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    pub ty: Id,
    pub role: Role,
    /// Whether no row is around it.
    pub is_outer: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Root,
    /// An item of a list, or a value of a map.
    Item,
    /// The object of a pointer with that id.
    Pointee(u64),
    /// A part of another value.
    Part,
}

/// A value that was entered.
pub(super) struct Frame {
    pub what: What,
    pub slot: Slot,
    /// Where the value begins on the tape, with its name.
    pub at: usize,
    /// Where it begins on the tape, without its name.
    pub begin: usize,
    /// Where its event is on the tape.
    pub event: usize,
    pub is_raw: bool,
    /// Where the name of its current member is on the tape.
    pub name_at: Option<usize>,
    /// The table of the object, if its type does not determine it.
    pub table: Option<Rc<str>>,
    /// The table of the items of a list without types.
    pub table_of_items: Option<Rc<str>>,
    /// Whether a value in it was a row.
    pub has_rows: bool,
}

impl Frame {
    pub fn new(
        what: What,
        slot: Slot,
        at: usize,
        (begin, event): (usize, usize),
        is_raw: bool,
    ) -> Self {
        Frame {
            what,
            slot,
            at,
            begin,
            event,
            is_raw,
            name_at: None,
            table: None,
            table_of_items: None,
            has_rows: false,
        }
    }
}

pub(super) enum What {
    /// Of items of that type.
    List(Id),
    /// Of keys and values of these types.
    Map(Id, Id),
    /// An entry of a map, and how many of its two values have begun.
    Entry(u8),
    /// The index of the next item.
    Tuple(usize),
    /// The index of the next member of the class.
    Struct(usize),
    /// An object without a type, before its first member.
    Undecided,
    Variant,
    Pointer(Pointer),
    /// The objects at the end of the outermost pointer.
    Deferred,
}

/// The members of a pointer.
#[derive(Default)]
pub(super) struct Pointer {
    pub id: Option<u64>,
    pub type_name: Option<String>,
    pub is_later: bool,
    /// Where the object begins on the tape.
    pub pointee: Option<usize>,
    pub next: PointerPart,
    /// Whether it is in a list of deferred objects.
    pub is_deferred: bool,
}

/// The member of a pointer whose value comes next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PointerPart {
    Id,
    Type,
    Later,
    Deferred,
    #[default]
    Value,
}
