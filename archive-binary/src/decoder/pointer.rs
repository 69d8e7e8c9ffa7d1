//! Pointers: ids that the object table explains.

use std::borrow::Cow;

use archive_core::decoder::{LoadedHead, Mark, OWN_NAMES, POINTER_NAMES};
use archive_core::pointer::PointerKind;
use archive_core::shape::Shape;
use archive_core::{Error, ErrorKind, Number, Options, Position, Result};

use super::Decoder;
use super::frame::{Form, Frame};
use super::object::UNTYPED;
use super::skip::Found;
use crate::cursor::{Cursor, offset, syntax};
use crate::objects::Concrete;
use crate::shapes::ShapeRef;
use crate::straight::Bodies;
use crate::tags;
use crate::types::{Type, TypeId};
use crate::varint::len_u64;

/// What is known of the types of bodies, by their numbers: of each the type that it was compared with last.
#[derive(Default)]
pub(super) struct KnownBodies {
    /// Whether they can be read by position.
    shapes: Vec<Option<(ShapeRef, bool)>>,
    /// The functions that load them as objects of trait objects.
    functions: Vec<Option<(std::any::TypeId, Option<&'static Bodies>)>>,
}

/// The bodies after the root, of which each is known to begin where the one before ends.
#[derive(Default)]
pub(super) struct Deferred {
    /// Where those begin that were passed over, in order.
    passed: Vec<usize>,
    /// Where the next one begins, if any was looked for.
    next: usize,
    /// Where its content begins, if it was found.
    body: usize,
}

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
            TypeId::DYN | TypeId::WEAK | TypeId::POINTER => self.open_pointer(slot),
            _ if matches!(self.tables.get(slot), Some(Type::Pointer(_))) => {
                self.open_pointer(TypeId::POINTER)
            }
            _ => {
                // A value where there was no pointer yet.
                self.slot = slot;
                Ok(head(PointerKind::Plain))
            }
        }
    }

    /// Opens a pointer of one of the three kinds.
    fn open_pointer(&mut self, slot: TypeId) -> Result<LoadedHead<'a>> {
        let mut data = self.data;
        let (head, concrete) = self.read_head(&mut data, slot)?;
        self.data = data;
        if head.kind == PointerKind::Null {
            return Ok(head);
        }
        match self.end_of_root(data.at()) {
            Some(behind) if head.kind == PointerKind::Body => {
                self.open(Frame { at: behind, ..Frame::new(Form::Value) });
            }
            _ => self.open_light(false),
        }
        self.slot = concrete.map_or(TypeId::NONE, |concrete| self.concrete(concrete).kind);
        Ok(head)
    }

    /// Reads the head of a pointer of one of the three kinds, and of which type its body is if that
    /// comes next.
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

    /// A tracked pointer: an id. If the object's body stands after it, this is its first one.
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
        let body = self.tables.objects.find(id, position)?;
        let type_name = body.and_then(|body| self.concrete(body.concrete).name).map(Cow::Borrowed);
        Ok(match body {
            Some(body) if !weak && body.at == data.at() => {
                (LoadedHead { kind: PointerKind::Body, id, type_name }, Some(body.concrete))
            }
            _ => {
                let kind = if weak { PointerKind::Weak } else { PointerKind::Seen };
                (LoadedHead { kind, id, type_name }, None)
            }
        })
    }

    /// An owned trait object: the number of its type, then its body.
    fn read_owned(&self, data: &mut Cursor<'a>) -> Result<(LoadedHead<'a>, Option<u32>)> {
        let at = data.at();
        let Some(index) = data.u64()?.checked_sub(1) else {
            return Ok((head(PointerKind::Null), None));
        };
        let number = u32::try_from(index).ok();
        let number = number.filter(|number| (*number as usize) < self.tables.concretes.len());
        let Some(number) = number else {
            return Err(syntax(format_args!("there is no body type {index}"), at));
        };
        let type_name = self.concrete(number).name.map(Cow::Borrowed);
        Ok((LoadedHead { kind: PointerKind::Owned, id: 0, type_name }, Some(number)))
    }

    /// The type of bodies of that number.
    #[inline]
    fn concrete(&self, number: u32) -> Concrete<&'a str> {
        self.tables.concretes[number as usize]
    }

    /// Whether bodies of that number can be read by position as values of the shape.
    #[inline]
    pub(crate) fn is_concrete(&mut self, number: u32, shape: &'static Shape) -> bool {
        let asked = ShapeRef::of(shape);
        match self.bodies.shapes.get(number as usize) {
            Some(Some((known, equal))) if *known == asked => *equal,
            _ => self.compare_concrete(number, asked),
        }
    }

    #[cold]
    fn compare_concrete(&mut self, number: u32, asked: ShapeRef) -> bool {
        let equal = self.equal(self.concrete(number).kind, asked);
        self.bodies.shapes.resize(self.tables.concretes.len(), None);
        self.bodies.shapes[number as usize] = Some((asked, equal));
        equal
    }

    /// The functions that load bodies of that number as values of a type, if they were compiled and the
    /// bodies can be read by position.
    #[inline]
    pub(crate) fn bodies(
        &mut self,
        number: u32,
        concrete: std::any::TypeId,
        options: &Options<'_>,
    ) -> Option<&'static Bodies> {
        match self.bodies.functions.get(number as usize) {
            Some(Some((known, bodies))) if *known == concrete => *bodies,
            _ => self.find_bodies_of(number, concrete, options),
        }
    }

    #[cold]
    fn find_bodies_of(
        &mut self,
        number: u32,
        concrete: std::any::TypeId,
        options: &Options<'_>,
    ) -> Option<&'static Bodies> {
        let bodies = Bodies::find(concrete, options);
        let bodies = bodies.filter(|bodies| self.is_concrete(number, bodies.shape));
        self.bodies.functions.resize(self.tables.concretes.len(), None);
        self.bodies.functions[number as usize] = Some((concrete, bodies));
        bodies
    }

    /// The type of bodies of that number in the file.
    pub(crate) fn type_of_body(&self, number: u32) -> TypeId {
        self.concrete(number).kind
    }

    /// A body was read: notes where, if it stands after the root.
    #[inline]
    pub(crate) fn note_body_after_root(&mut self, start: usize, end: usize) {
        if start >= self.tables.root_end {
            self.note_read(start, end);
        }
    }

    /// Where a body begins, if that is after the root.
    #[inline]
    fn end_of_root(&self, at: usize) -> Option<usize> {
        (at >= self.tables.root_end).then_some(at)
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
        if start != 0 {
            self.note_read(start, self.data.at());
        }
    }

    /// Notes where a body after the root begins and ends.
    fn note_read(&mut self, start: usize, end: usize) {
        if self.deferred.body == start {
            self.deferred.next = end;
        }
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

    /// Where a body stands after the root that was looked for.
    pub(super) fn find_deferred(&mut self, id: u64) -> Option<Mark> {
        let body = self.tables.objects.find(id, Position::Unknown).ok()??;
        if body.at < self.tables.root_end {
            return None;
        }
        let start = body.at - len_u64(id) as usize;
        self.deferred.next = self.deferred.next.max(self.tables.root_end);
        if self.deferred.next < start {
            let (here, empty) = (self.data, self.empty_left);
            let passed = self.pass_deferred(start);
            (self.data, self.empty_left) = (here, empty);
            passed.ok()?;
        }
        if self.deferred.next == start {
            self.deferred.body = body.at;
        } else if self.deferred.passed.binary_search(&start).is_err() {
            return None;
        }
        let depth = self.frames.len() as u32;
        Some(Mark { offset: start as u64, state: TypeId::POINTER.0.into(), depth })
    }

    /// Passes over bodies up to one that begins at `start`.
    fn pass_deferred(&mut self, start: usize) -> Result {
        while self.deferred.next < start {
            self.data.goto(self.deferred.next);
            self.deferred_body()?;
            self.walk(TypeId::POINTER, 0, None)?;
            self.deferred.passed.push(self.deferred.next);
            self.deferred.next = self.data.at();
        }
        Ok(())
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
