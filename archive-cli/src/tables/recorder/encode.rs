//! The calls of an encoder.

use archive::Result;
use archive::format::{Encoder, reserved};
use archive::shape::{Class, Shape};
use archive::value::Number;

use super::super::tape::Event;
use super::super::types::{Id, Node, OBSERVED, RAW};
use super::frame::{Pointer, Role, Slot, What};
use super::{Recorder, json, misfit};
use crate::walk_path::Open;

/// The type of an entry of a map, of the list of deferred objects, and of an object in it. No type has these
/// numbers.
const DEFERRED: Id = RAW;

impl Recorder<'_> {
    fn part(&self, ty: Id, role: Role) -> Slot {
        let is_outer = self.open.last().is_some_and(|frame| {
            let is_row = match frame.slot.role {
                Role::Item => matches!(frame.what, What::Struct(_) | What::Undecided),
                Role::Pointee(_) => true,
                _ => false,
            };
            frame.slot.is_outer && !is_row
        });
        Slot { ty, role, is_outer }
    }

    fn begin_list(&mut self) -> Result {
        match self.open.last().map(|frame| &frame.what) {
            Some(What::Map(..)) => {
                let at = self.tape.len();
                let (slot, event) = (self.next, (at, at));
                let mut frame = super::Frame::new(What::Entry(0), slot, at, event, false);
                frame.event = usize::MAX;
                self.open.push(frame);
                return Ok(());
            }
            Some(What::Pointer(pointer)) if pointer.next == super::frame::PointerPart::Deferred => {
                let at = self.tape.len();
                let slot = self.next;
                let mut frame = super::Frame::new(What::Deferred, slot, at, (at, at), false);
                frame.event = usize::MAX;
                self.open.push(frame);
                return Ok(());
            }
            _ => {}
        }
        let (slot, at) = self.take();
        let (what, open) = match self.types.get(slot.ty) {
            Node::List(item) => (What::List(*item), Open::Items(None)),
            Node::Map(key, value) => (What::Map(*key, *value), Open::Members(None)),
            Node::Tuple(_) => (What::Tuple(0), Open::Items(None)),
            Node::Raw | Node::Option(_) => (What::List(RAW), Open::Items(None)),
            Node::Observed => (What::List(OBSERVED), Open::Items(None)),
            _ => return Err(misfit("a list")),
        };
        self.enter(what, slot, at, open);
        Ok(())
    }

    fn next_item(&mut self) -> Result {
        let Some(frame) = self.open.last_mut() else { return Ok(()) };
        self.next = match &mut frame.what {
            What::List(item) => {
                let item = *item;
                self.place.next_item();
                self.part(item, Role::Item)
            }
            What::Tuple(index) => {
                let at = *index;
                *index += 1;
                let ty = match self.types.get(frame.slot.ty) {
                    Node::Tuple(items) => items.get(at).copied(),
                    _ => None,
                };
                self.place.next_item();
                Slot { ty: ty.ok_or_else(|| misfit("a tuple"))?, role: Role::Part, is_outer: false }
            }
            What::Entry(count) => {
                *count += 1;
                let is_key = *count == 1;
                let key_at = frame.at;
                let Some([map, _]) = self.open.last_chunk() else { return Ok(()) };
                let What::Map(key, value) = map.what else { return Ok(()) };
                let is_outer = map.slot.is_outer;
                if is_key {
                    Slot { ty: key, role: Role::Part, is_outer: false }
                } else {
                    self.place.member(&json::key(&self.tape, key_at));
                    Slot { ty: value, role: Role::Item, is_outer }
                }
            }
            What::Deferred => Slot { ty: DEFERRED, role: Role::Part, is_outer: false },
            _ => self.next,
        };
        Ok(())
    }

    fn end_list(&mut self) -> Result {
        let Some(frame) = self.open.last() else { return Ok(()) };
        if matches!(frame.what, What::Entry(_) | What::Deferred) {
            let Some(entry) = self.open.pop() else { return Ok(()) };
            if matches!(entry.what, What::Deferred) {
                self.tape.truncate(entry.at);
            } else if let Some(map) = self.open.last_mut() {
                map.has_rows |= entry.has_rows;
                if map.slot.is_outer && entry.has_rows {
                    self.tape.truncate(entry.at);
                }
            }
            return Ok(());
        }
        let Some(frame) = self.leave() else { return Ok(()) };
        self.place.leave();
        // Only rows were in it, if it may leave them out.
        let is_empty = self.tape.len() == frame.event + 1;
        let may_have_others = match frame.what {
            What::List(item) => matches!(self.types.get(item), Node::Observed | Node::Open),
            _ => false,
        };
        let is_list = matches!(frame.what, What::List(_) | What::Map(..));
        let are_rows = is_list && is_empty && (frame.has_rows || !may_have_others);
        if frame.slot.is_outer && are_rows {
            self.tape.truncate(frame.at);
            if let Some(around) = self.open.last_mut() {
                around.has_rows |= frame.has_rows;
            }
        }
        Ok(())
    }

    fn begin_class(&mut self) -> Result {
        let is_deferred =
            self.open.last().is_some_and(|frame| matches!(frame.what, What::Deferred));
        let (mut slot, at) = self.take();
        let pointer = || What::Pointer(Pointer { is_deferred, ..Pointer::default() });
        let (what, open) = match self.types.get(slot.ty) {
            _ if is_deferred => {
                slot.ty = OBSERVED;
                (pointer(), Open::Pointee(None))
            }
            Node::Class(..) => (What::Struct(0), Open::Members(None)),
            Node::Enum(_) => (What::Variant, Open::Members(None)),
            Node::Pointer(_) | Node::Weak | Node::SharedTrait | Node::Trait => {
                (pointer(), Open::Pointee(None))
            }
            Node::Observed | Node::Raw | Node::Option(_) => (What::Undecided, Open::Members(None)),
            _ => return Err(misfit("an object")),
        };
        self.enter(what, slot, at, open);
        Ok(())
    }

    /// Decides what an object without a type is, by its first member.
    fn decide(&mut self, name: Option<&str>) {
        let table = match self.open.last_chunk() {
            Some([pointer, _]) if matches!(pointer.what, What::Pointer(_)) => {
                pointer.table_of_items.clone()
            }
            _ => None,
        };
        let at = self.tape.len();
        let Some(frame) = self.open.last_mut() else { return };
        if !matches!(frame.what, What::Undecided) {
            return;
        }
        let (role, is_raw) = (frame.slot.role, frame.is_raw);
        let is_pointer = name.is_some_and(|name| reserved::POINTER.contains(&name));
        if is_pointer {
            frame.what = What::Pointer(Pointer::default());
            self.place.leave();
            self.place.enter(Open::Pointee(None));
        } else {
            frame.what = What::Struct(0);
            frame.event = at;
            self.tape.push(Event::Struct(0, false));
        }
        let table = match (table, role) {
            (Some(table), _) => Some(table),
            (None, Role::Item) if !is_raw => {
                let own = self.open.pop();
                let table = self.table_of_list();
                self.open.extend(own);
                Some(table)
            }
            _ => None,
        };
        if let Some(frame) = self.open.last_mut() {
            frame.table = table;
        }
    }

    fn next_member(&mut self, name: &str) -> Result {
        self.decide(Some(name));
        let Some(frame) = self.open.last_mut() else { return Ok(()) };
        let at = self.tape.len();
        let ty = match &mut frame.what {
            What::Pointer(_) => return self.pointer_member(name),
            What::Variant => {
                let Node::Enum(variants) = self.types.get(frame.slot.ty) else { return Ok(()) };
                let payload = variants.iter().find(|(known, _)| **known == *name);
                let payload = payload.and_then(|(_, payload)| *payload);
                let span = self.tape.span(name.as_bytes());
                self.tape.push(Event::Variant(span, 0));
                self.place.member(name);
                let ty = payload.ok_or_else(|| misfit("a variant"))?;
                self.next = Slot { ty, role: Role::Part, is_outer: false };
                return Ok(());
            }
            What::Struct(index) => match self.types.get(frame.slot.ty) {
                Node::Class(_, members) => {
                    let is_it = |(known, _): &&(std::rc::Rc<str>, Id)| **known == *name;
                    let found = members.get(*index).filter(is_it);
                    *index += 1;
                    let found = found.or_else(|| members.iter().find(is_it));
                    found.ok_or_else(|| misfit("an object"))?.1
                }
                Node::Raw | Node::Option(_) => RAW,
                _ => OBSERVED,
            },
            _ => return Ok(()),
        };
        frame.name_at = Some(at);
        self.name_at = Some(at);
        let span = self.tape.span(name.as_bytes());
        self.tape.push(Event::Name(span));
        self.place.member(name);
        self.next = self.part(ty, Role::Part);
        Ok(())
    }

    fn end_class(&mut self) -> Result {
        self.decide(None);
        let Some(mut frame) = self.open.pop() else { return Ok(()) };
        if let What::Pointer(pointer) = std::mem::replace(&mut frame.what, What::Undecided) {
            self.end_pointer(&frame, &pointer)?;
            if frame.begin != frame.event {
                self.tape.close(frame.begin);
            }
            self.place.leave();
            return Ok(());
        }
        self.open.push(frame);
        let Some(frame) = self.leave() else { return Ok(()) };
        self.place.leave();
        if matches!(self.tape.event(frame.event), Event::Struct(..)) {
            self.row_of(&frame)
        } else {
            Ok(())
        }
    }
}

impl Encoder for Recorder<'_> {
    fn null(&mut self) -> Result {
        if self.pointer_flag(false) { Ok(()) } else { self.scalar(Event::Null) }
    }
    fn bool(&mut self, value: bool) -> Result {
        if self.pointer_flag(value) { Ok(()) } else { self.scalar(Event::Bool(value)) }
    }
    fn i64(&mut self, value: i64) -> Result {
        self.number(Number::Int(value.into()))
    }
    fn u64(&mut self, value: u64) -> Result {
        self.number(Number::Int(value.into()))
    }
    fn number(&mut self, value: Number) -> Result {
        if self.pointer_number(value) { Ok(()) } else { self.scalar(Event::Number(value)) }
    }
    fn f64(&mut self, value: f64) -> Result {
        self.scalar(Event::Number(Number::F64(value)))
    }
    fn f32(&mut self, value: f32) -> Result {
        self.scalar(Event::Number(Number::F32(value)))
    }
    fn str(&mut self, value: &str) -> Result {
        if self.pointer_text(value) {
            return Ok(());
        }
        let span = self.tape.span(value.as_bytes());
        self.scalar(Event::Text(span))
    }
    fn bytes(&mut self, value: &[u8]) -> Result {
        let span = self.tape.span(value);
        self.scalar(Event::Bytes(span))
    }
    fn begin_seq(&mut self, _: &'static Shape, _: usize) -> Result {
        self.begin_list()
    }
    fn item(&mut self) -> Result {
        self.next_item()
    }
    fn end_seq(&mut self) -> Result {
        self.end_list()
    }
    fn begin_object(&mut self, _: &'static Class) -> Result {
        self.begin_class()
    }
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        self.next_member(name)
    }
    fn end_object(&mut self) -> Result {
        self.end_class()
    }
}
