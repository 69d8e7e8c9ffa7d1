//! Pointers: ids of objects, which are looked up in the object table.

use std::borrow::Cow;

use archive_core::decoder::LoadedHead;
use archive_core::pointer::PointerKind;
use archive_core::reserved;
use archive_core::shape::Shape;
use archive_core::{Error, Result};

use super::Decoder;
use super::frame::{Form, Frame};
use super::object::UNTYPED;
use crate::cursor::{Cursor, offset, syntax};
use crate::tags;
use crate::types::{Type, TypeId};

/// Creates a head without id and type.
fn head<'h>(kind: PointerKind) -> LoadedHead<'h> {
    LoadedHead { kind, id: 0, type_name: None }
}

impl<'a> Decoder<'a> {
    /// Returns whether the value at the cursor is a pointer, or an object that text formats write
    /// for a pointer.
    pub(super) fn begins_pointer(&self) -> Result<bool> {
        if let Some(Type::Class { .. } | Type::Seq(_) | Type::Enum { .. }) =
            self.tables.get(self.slot)
        {
            return Ok(false);
        }
        self.begins_other_pointer()
    }

    #[cold]
    fn begins_other_pointer(&self) -> Result<bool> {
        let mut slot = self.slot;
        let mut ahead = self.data;
        while let Some(Type::Option(value)) = self.tables.get(slot) {
            slot = *value;
            if !ahead.flag("an option")? {
                return Ok(false);
            }
            // A value that is itself null is wrapped in an object.
            if self.is_null(slot, ahead) {
                return Ok(true);
            }
        }
        Ok(match slot {
            TypeId::POINTER | TypeId::WEAK | TypeId::DYN => true,
            TypeId::ANY => match ahead.byte()? {
                tags::POINTER | tags::WEAK | tags::DYN => true,
                tags::OBJECT => super::tagged::key(&mut ahead)?
                    .is_some_and(|name| reserved::OWN.contains(&name)),
                _ => false,
            },
            _ => matches!(self.tables.get(slot), Some(Type::Pointer(_))),
        })
    }

    /// Opens the pointer at the cursor.
    pub(super) fn pointer(&mut self) -> Result<LoadedHead<'_>> {
        if let Some(Type::Option(_)) = self.tables.get(self.slot)
            && self.begins_some()?
        {
            return Ok(head(PointerKind::Plain));
        }
        let mut slot = self.take_slot();
        while let Some(Type::Option(value)) = self.tables.get(slot) {
            slot = *value;
            if !self.data.flag("an option")? {
                return Err(Error::wrong_type("a pointer", "null").at(self.here()));
            }
        }
        let tag = if slot == TypeId::ANY { Some(self.data.peek()?) } else { None };
        match tag {
            Some(tags::NULL) => {
                self.data.byte()?;
                return Ok(head(PointerKind::Null));
            }
            Some(tags::OBJECT) => return self.pointer_object(),
            Some(tags::POINTER) => slot = TypeId::POINTER,
            Some(tags::WEAK) => slot = TypeId::WEAK,
            Some(tags::DYN) => slot = TypeId::DYN,
            _ => {}
        }
        if slot != TypeId::ANY && tag.is_some() {
            self.data.byte()?;
        }
        match slot {
            TypeId::DYN | TypeId::WEAK | TypeId::POINTER => self.open_pointer(slot),
            _ if matches!(self.tables.get(slot), Some(Type::Pointer(_))) => {
                self.open_pointer(TypeId::POINTER)
            }
            _ => {
                // A value that was saved before the member became a pointer.
                self.slot = slot;
                Ok(head(PointerKind::Plain))
            }
        }
    }

    /// Opens a pointer of one of the three kinds.
    fn open_pointer(&mut self, slot: TypeId) -> Result<LoadedHead<'a>> {
        self.check_depth()?;
        let mut data = self.data;
        let (head, concrete) = self.read_head(&mut data, slot)?;
        self.data = data;
        if head.kind == PointerKind::Null {
            return Ok(head);
        }
        match self.end_of_root(data.at()) {
            Some(at) if head.kind == PointerKind::Stored => {
                self.open(Frame { at, ..Frame::new(Form::Value) });
            }
            _ => self.open_frameless(false),
        }
        self.slot = concrete.map_or(TypeId::NONE, |concrete| self.concrete(concrete).kind);
        Ok(head)
    }

    /// Reads the head of a pointer of one of the three kinds. Returns the head, and the type of its
    /// object if the object comes next.
    #[inline]
    pub(crate) fn read_head(
        &self,
        data: &mut Cursor<'a>,
        slot: TypeId,
    ) -> Result<(LoadedHead<'a>, Option<u32>)> {
        match slot {
            TypeId::DYN => self.read_owned(data),
            _ => self.read_shared(data, slot == TypeId::WEAK),
        }
    }

    /// Reads a tracked pointer: an id. If the object comes after it, this is the object's first
    /// pointer.
    fn read_shared(
        &self,
        data: &mut Cursor<'a>,
        weak: bool,
    ) -> Result<(LoadedHead<'a>, Option<u32>)> {
        let position = offset(data.at());
        let id = data.u64()?;
        if id == 0 {
            return Ok((head(PointerKind::Null), None));
        }
        let pointee = self.tables.objects.find(id, position)?;
        let type_name =
            pointee.and_then(|pointee| self.concrete(pointee.concrete).name).map(Cow::Borrowed);
        Ok(match pointee {
            Some(pointee) if !weak && pointee.at == data.at() => {
                (LoadedHead { kind: PointerKind::Stored, id, type_name }, Some(pointee.concrete))
            }
            _ => {
                let kind = if weak { PointerKind::Weak } else { PointerKind::Seen };
                (LoadedHead { kind, id, type_name }, None)
            }
        })
    }

    /// Reads an owned trait object: the number of its type. The value comes after it.
    fn read_owned(&self, data: &mut Cursor<'a>) -> Result<(LoadedHead<'a>, Option<u32>)> {
        let at = data.at();
        let Some(index) = data.u64()?.checked_sub(1) else {
            return Ok((head(PointerKind::Null), None));
        };
        let number = u32::try_from(index).ok();
        let number = number.filter(|number| (*number as usize) < self.tables.pointee_types.len());
        let Some(number) = number else {
            return Err(syntax(format_args!("there is no object type {index}"), at));
        };
        let type_name = self.concrete(number).name.map(Cow::Borrowed);
        Ok((LoadedHead { kind: PointerKind::Owned, id: 0, type_name }, Some(number)))
    }

    /// Returns the offset of an object if it is after the root.
    #[inline]
    fn end_of_root(&self, at: usize) -> Option<usize> {
        (at >= self.tables.root_end).then_some(at)
    }

    /// Opens a pointer as text formats write it, in data that came from such a format: an object
    /// with `$id`.
    fn pointer_object(&mut self) -> Result<LoadedHead<'_>> {
        let start = self.data.at();
        self.slot = TypeId::ANY;
        self.object_slow(&UNTYPED)?;
        let first = self.next_name()?;
        if !first.is_some_and(|name| reserved::POINTER.contains(&name)) {
            self.close()?;
            self.data.goto(start);
            self.slot = TypeId::ANY;
            return Ok(head(PointerKind::Plain));
        }
        self.close()?;
        self.data.goto(start);
        self.slot = TypeId::ANY;
        self.object_slow(&UNTYPED)?;
        let mut head = head(PointerKind::Seen);
        if self.tagged_member(reserved::WEAK)? {
            (head.kind, head.id) = (PointerKind::Weak, self.pointer_id(reserved::WEAK)?);
            return Ok(head);
        }
        if self.tagged_member(reserved::ID)? {
            head.id = self.pointer_id(reserved::ID)?;
        }
        if self.tagged_member(reserved::TYPE)? {
            head.type_name = Some(Cow::Owned(self.typed_str("text")?.to_owned()));
        }
        if self.tagged_member(reserved::LATER)? {
            self.typed_bool()?;
            head.kind = PointerKind::Later;
        } else if self.tagged_member(reserved::VALUE)? {
            head.kind = if head.id == 0 { PointerKind::Owned } else { PointerKind::Stored };
        }
        if head.id == 0 && head.kind != PointerKind::Owned {
            return Err(head.lacks_pointee_and_id().at(self.here()));
        }
        Ok(head)
    }

    fn pointer_id(&mut self, name: &str) -> Result<u64> {
        let number = self.typed_number("an object id");
        reserved::object_id(name, number).map_err(|error| error.at(self.here()))
    }

    /// Opens the list of deferred objects, which only objects from a text format have.
    pub(super) fn deferred_list(&mut self) -> Result<bool> {
        let tagged = self.frameless_depth == 0 && self.top().form == Form::TaggedMembers;
        if !tagged || !self.tagged_member(reserved::DEFERRED)? {
            return Ok(false);
        }
        self.typed_seq(&Shape::Any)?;
        Ok(true)
    }
}
