//! Pointers: ids that the object table explains.

use std::borrow::Cow;

use archive_core::decoder::{LoadedHead, Mark, OWN_NAMES, POINTER_NAMES};
use archive_core::pointer::PointerKind;
use archive_core::shape::Shape;
use archive_core::{Error, ErrorKind, Number, Result};

use super::Decoder;
use super::frame::{Form, Frame};
use super::object::UNTYPED;
use super::skip::Found;
use crate::cursor::{offset, syntax};
use crate::tags;
use crate::types::{Type, TypeId};

/// A head without id and type.
fn head<'h>(kind: PointerKind) -> LoadedHead<'h> {
    LoadedHead { kind, id: 0, type_name: None }
}

impl<'a> Decoder<'a> {
    /// Whether a pointer stands at the cursor, or an object as text formats write one.
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
            // What is null itself stands in an object.
            if self.is_null(slot, ahead) {
                return Ok(true);
            }
        }
        Ok(match slot {
            TypeId::POINTER | TypeId::WEAK | TypeId::DYN => true,
            TypeId::ANY => match ahead.byte()? {
                tags::POINTER | tags::WEAK | tags::DYN => true,
                tags::OBJECT => {
                    super::tagged::key(&mut ahead)?.is_some_and(|name| OWN_NAMES.contains(&name))
                }
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
            TypeId::DYN => self.owned(),
            TypeId::WEAK => self.shared(true),
            TypeId::POINTER => self.shared(false),
            _ if matches!(self.tables.get(slot), Some(Type::Pointer(_))) => self.shared(false),
            _ => {
                // A value where there was no pointer yet.
                self.slot = slot;
                Ok(head(PointerKind::Plain))
            }
        }
    }

    /// A tracked pointer: an id. If the object's body stands after it, this is its first one.
    fn shared(&mut self, weak: bool) -> Result<LoadedHead<'a>> {
        let position = offset(self.data.at());
        let id = self.data.u64()?;
        if id == 0 {
            return Ok(head(PointerKind::Null));
        }
        let body = self.tables.objects.find(id, position)?;
        let mut kind = if weak { PointerKind::Weak } else { PointerKind::Seen };
        let mut type_name = None;
        let mut place = TypeId::NONE;
        let mut behind = 0;
        if let Some(body) = body {
            let concrete = self.tables.concretes[body.concrete as usize];
            type_name = concrete.name.map(Cow::Borrowed);
            if !weak && body.at == self.data.at() {
                kind = PointerKind::Body;
                place = concrete.kind;
                if body.at >= self.tables.root_end {
                    behind = body.at;
                }
            }
        }
        if behind == 0 {
            self.open_light(false);
        } else {
            self.open(Frame { at: behind, ..Frame::new(Form::Value) });
        }
        self.slot = place;
        Ok(LoadedHead { kind, id, type_name })
    }

    /// An owned trait object: the number of its type, then its body.
    fn owned(&mut self) -> Result<LoadedHead<'a>> {
        let at = self.data.at();
        let Some(index) = self.data.u64()?.checked_sub(1) else {
            return Ok(head(PointerKind::Null));
        };
        let concrete = usize::try_from(index).ok().and_then(|i| self.tables.concretes.get(i));
        let Some(concrete) = concrete.copied() else {
            return Err(syntax(format_args!("there is no body type {index}"), at));
        };
        self.open_light(false);
        self.slot = concrete.kind;
        let type_name = concrete.name.map(Cow::Borrowed);
        Ok(LoadedHead { kind: PointerKind::Owned, id: 0, type_name })
    }

    /// A pointer as text formats write it, in data that came from one: an object with `$id`.
    fn pointer_object(&mut self) -> Result<LoadedHead<'_>> {
        let start = self.data.at();
        self.slot = TypeId::ANY;
        self.special_object(&UNTYPED)?;
        let first = self.next_name()?;
        if !first.is_some_and(|name| POINTER_NAMES.contains(&name)) {
            self.close()?;
            self.data.goto(start);
            self.slot = TypeId::ANY;
            return Ok(head(PointerKind::Plain));
        }
        self.close()?;
        self.data.goto(start);
        self.slot = TypeId::ANY;
        self.special_object(&UNTYPED)?;
        let mut head = head(PointerKind::Seen);
        if self.tagged_member("$weak")? {
            (head.kind, head.id) = (PointerKind::Weak, self.pointer_id()?);
            return Ok(head);
        }
        if self.tagged_member("$id")? {
            head.id = self.pointer_id()?;
        }
        if self.tagged_member("$type")? {
            head.type_name = Some(Cow::Owned(self.typed_str("text")?.to_owned()));
        }
        if self.tagged_member("$later")? {
            self.typed_bool()?;
            head.kind = PointerKind::Later;
        } else if self.tagged_member("$value")? {
            head.kind = if head.id == 0 { PointerKind::Owned } else { PointerKind::Body };
        }
        if head.id == 0 && head.kind != PointerKind::Owned {
            return Err(head.lacks_body_and_id().at(self.here()));
        }
        Ok(head)
    }

    fn pointer_id(&mut self) -> Result<u64> {
        let number = self.typed_number("a pointer's id")?;
        match Number::to_integer(number) {
            Ok(0) | Err(_) => {
                let message = format_args!("{number} is no pointer id: they count from 1");
                Err(Error::new(ErrorKind::BadPointer, message).at(self.here()))
            }
            Ok(id) => Ok(id),
        }
    }

    /// The list of bodies that had to wait: only objects that came from a text format have one.
    pub(super) fn deferred_list(&mut self) -> Result<bool> {
        let tagged = self.light == 0 && self.top().form == Form::TaggedMembers;
        if !tagged || !self.tagged_member("$deferred")? {
            return Ok(false);
        }
        self.typed_seq(&Shape::Any)?;
        Ok(true)
    }

    /// Notes where the body in the innermost frame ends, if it stands after the root, instead of those
    /// inside of it.
    pub(super) fn note_body(&mut self) {
        let &Frame { form: Form::Value, at: start, .. } = self.top() else { return };
        if start == 0 {
            return;
        }
        let end = self.data.at();
        while self.read.last().is_some_and(|inner| start <= inner.0 && inner.1 <= end) {
            self.read.pop();
        }
        self.read.push((start, end));
    }

    /// Checks that nothing stands after the root but bodies, one after the other. Those that were
    /// not read are passed over.
    pub(super) fn check_deferred(&mut self) -> Result {
        let here = self.data;
        self.read.sort_unstable();
        let mut read = std::mem::take(&mut self.read).into_iter().peekable();
        while self.data.at() < self.end {
            let at = self.deferred_body()?;
            while read.next_if(|known| known.0 < at).is_some() {}
            match read.next_if(|known| known.0 == at) {
                Some((_, end)) => self.data.goto(end),
                None => self.skip_value(TypeId::POINTER)?,
            }
        }
        self.data = here;
        Ok(())
    }

    /// Where the body stands of the pointer at the cursor, which is after the root and must have it.
    fn deferred_body(&self) -> Result<usize> {
        let mut ahead = self.data;
        let position = offset(ahead.at());
        let id = ahead.u64()?;
        match self.tables.objects.find(id, position) {
            Ok(Some(body)) if body.at == ahead.at() => Ok(body.at),
            _ => {
                let message = "something stands after the value";
                Err(Error::new(ErrorKind::TrailingData, message).at(position))
            }
        }
    }

    /// Tells where all bodies stand: where one comes to them who reads the whole file. So no byte belongs
    /// to two of them but where one is part of the other.
    ///
    /// # Errors
    /// [`ErrorKind::BadPointer`] if a body of the object table stands elsewhere.
    pub(super) fn all_bodies(&mut self, found: Found<'_>) -> Result {
        let (here, left) = (self.data, self.empty_left);
        self.empty_left = self.max_empty;
        self.data.goto(self.tables.start);
        let walked = self.walk_all(found);
        (self.data, self.empty_left) = (here, left);
        walked
    }

    fn walk_all(&mut self, found: Found<'_>) -> Result {
        let mut met = 0;
        let mut found = |id, mark: Mark| {
            met += usize::from(mark.state == TypeId::POINTER.0.into());
            found(id, mark);
        };
        self.walk(self.tables.root, 0, Some(&mut found))?;
        self.check_root_end()?;
        while self.data.at() < self.end {
            self.deferred_body()?;
            self.walk(TypeId::POINTER, 0, Some(&mut found))?;
        }
        if met == self.tables.objects.bodies().len() {
            return Ok(());
        }
        let message = "the object table says that a body stands where none begins";
        Err(Error::new(ErrorKind::BadPointer, message).at(offset(self.end)))
    }
}
