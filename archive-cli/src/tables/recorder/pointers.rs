//! Pointers are the keys of their objects, which are rows.

use std::rc::Rc;

use archive::Result;
use archive::format::reserved;
use archive::value::Number;

use super::super::tape::Event;
use super::super::types::{Id, Node, OBSERVED, RAW};
use super::frame::{Frame, Pointer, PointerPart, Role, Slot, What};
use super::{OBJECTS, Recorder, VALUE_AT, begin_value, misfit};
use crate::walk_path::Open;

impl Recorder<'_> {
    /// Returns the pointer whose id or type is the next value.
    fn head(&mut self) -> Option<&mut Pointer> {
        match self.open.last_mut() {
            Some(Frame { what: What::Pointer(pointer), .. })
                if pointer.next != PointerPart::Value =>
            {
                Some(pointer)
            }
            _ => None,
        }
    }

    /// Reads a number of a pointer, if that comes next.
    pub(super) fn pointer_number(&mut self, number: Number) -> bool {
        let Some(pointer) = self.head() else { return false };
        if let (PointerPart::Id, Number::Int(id)) = (pointer.next, number) {
            pointer.id = u64::try_from(id).ok();
        }
        true
    }

    /// Reads the type id of a pointer, if that comes next.
    pub(super) fn pointer_text(&mut self, text: &str) -> bool {
        let Some(pointer) = self.head() else { return false };
        if pointer.next == PointerPart::Type {
            pointer.type_name = Some(text.to_owned());
        }
        true
    }

    pub(super) fn pointer_flag(&mut self, flag: bool) -> bool {
        let Some(pointer) = self.head() else { return false };
        pointer.is_later |= pointer.next == PointerPart::Later && flag;
        true
    }

    /// Announces a member of a pointer.
    pub(super) fn pointer_member(&mut self, name: &str) -> Result {
        let Some(frame) = self.open.last_mut() else { return Ok(()) };
        let What::Pointer(pointer) = &mut frame.what else { return Ok(()) };
        let slot = frame.slot;
        let part = Slot { ty: RAW, role: Role::Part, is_outer: slot.is_outer };
        pointer.next = match name {
            reserved::ID | reserved::WEAK => PointerPart::Id,
            reserved::TYPE => PointerPart::Type,
            // A pointer to nothing may be wrapped.
            reserved::LATER | reserved::SOME => PointerPart::Later,
            reserved::DEFERRED => PointerPart::Deferred,
            reserved::VALUE => PointerPart::Value,
            _ => return Err(misfit("a pointer")),
        };
        self.next = part;
        if pointer.next != PointerPart::Value {
            return Ok(());
        }
        let (id, type_name) = (pointer.id, pointer.type_name.clone());
        let at = self.tape.len();
        pointer.pointee = Some(at);
        let table = frame.table.clone();
        let (ty, table) = self.pointee_of(slot, id, (type_name.as_deref(), table));
        // The row of a root keeps the name of the type.
        let is_root = slot.role == Role::Root && type_name.is_some();
        let own_role = if is_root || ty == RAW { Role::Part } else { slot.role };
        let ty = if is_root && id.is_none() && ty == OBSERVED { RAW } else { ty };
        let table = table.or_else(|| self.types.table(ty));
        let role = match id {
            Some(id) => {
                self.place.leave();
                self.place.enter(Open::Pointee(Some(id)));
                begin_value(&mut self.tape);
                Role::Pointee(id)
            }
            None => {
                if let Some(name) = &type_name {
                    self.begin_owned(slot, name);
                }
                own_role
            }
        };
        if let Some(frame) = self.open.last_mut() {
            frame.table_of_items = table;
        }
        self.next = Slot { ty, role, is_outer: slot.is_outer && id.is_none() };
        Ok(())
    }

    /// Returns the type of the object of a pointer, and its table if the type does not determine it.
    fn pointee_of(
        &mut self,
        slot: Slot,
        id: Option<u64>,
        (type_name, table): (Option<&str>, Option<Rc<str>>),
    ) -> (Id, Option<Rc<str>>) {
        let registered = type_name.and_then(|name| self.types.registered(name));
        let known = id.and_then(|id| self.later.remove(&id));
        match self.types.get(self.types.inside(slot.ty)) {
            Node::Pointer(pointee) => (*pointee, None),
            Node::Raw if id.is_none() && known.is_none() => (registered.unwrap_or(RAW), None),
            Node::SharedTrait | Node::Trait => match (registered, type_name) {
                (Some(ty), _) => (ty, None),
                (None, name) => (OBSERVED, Some(name.unwrap_or(OBJECTS).into())),
            },
            _ => match (known, type_name) {
                (Some((ty, None)), Some(name)) if ty == OBSERVED => (ty, Some(name.into())),
                (Some(known), _) => known,
                (None, Some(name)) => (OBSERVED, Some(name.into())),
                (None, None) => (OBSERVED, Some(table.unwrap_or_else(|| OBJECTS.into()))),
            },
        }
    }

    /// Begins an object around an object that is stored with the name of its type.
    fn begin_owned(&mut self, slot: Slot, name: &str) {
        if !matches!(self.types.get(slot.ty), Node::Observed) {
            self.tape.push(Event::Json(0));
        }
        self.tape.push(Event::Struct(0, true));
        for (text, is_name) in [(reserved::TYPE, true), (name, false), (reserved::VALUE, true)] {
            let span = self.tape.span(text.as_bytes());
            self.tape.push(if is_name { Event::Name(span) } else { Event::Text(span) });
        }
    }

    /// Ends a pointer: its object was a row, and its key remains.
    pub(super) fn end_pointer(&mut self, frame: &Frame, pointer: &Pointer) -> Result {
        let slot = frame.slot;
        let Some(id) = pointer.id else {
            return match pointer.pointee {
                Some(at) => {
                    let end = self.tape.len();
                    if at < end && pointer.type_name.is_some() {
                        self.tape.close(at);
                        if matches!(self.tape.event(at), Event::Json(_)) {
                            self.tape.close(at + 1);
                        }
                    }
                    if frame.has_rows {
                        if let Some(around) = self.open.last_mut() {
                            around.has_rows = true;
                        }
                        if slot.is_outer && slot.role == Role::Item {
                            self.tape.truncate(frame.at);
                        }
                    }
                    Ok(())
                }
                None => {
                    self.tape.push(Event::Null);
                    Ok(())
                }
            };
        };
        if let Some(at) = pointer.pointee {
            if !frame.has_rows && self.tape.len() > at + VALUE_AT {
                // The object is a single value.
                self.tape.close(at);
                let table = frame.table_of_items.as_deref().unwrap_or(OBJECTS);
                self.row(table, Some(id), at)?;
            }
            self.tape.truncate(at);
        } else if pointer.is_later {
            let named = (pointer.type_name.as_deref(), frame.table.clone());
            let later = self.pointee_of(slot, None, named);
            self.later.insert(id, later);
        }
        if !pointer.is_deferred {
            self.tape.push(Event::Number(Number::Int(id.into())));
        }
        Ok(())
    }
}
