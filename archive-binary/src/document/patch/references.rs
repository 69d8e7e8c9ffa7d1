//! Values that get references to objects of the file.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use archive_core::decoder::Kind;
use archive_core::path::Step;
use archive_core::pointer::PointerKind;
use archive_core::shape::OBJECT;
use archive_core::{Backend as _, Decoder as _, Error, Position, Result, Shape, Value, reserved};

use super::super::shapes;
use super::Patch;
use crate::objects::Pointee;
use crate::types::TypeId;
use crate::{Binary, Decoder};
use archive_document::{Checked, InShape, Marked, References, ReplacedPart, Shapes, referred};

/// The new values with references.
pub(super) struct Replaced {
    /// The types of objects, with the ids under which those of trait objects are registered.
    pointees: Vec<(Option<String>, &'static Shape)>,
    /// For each type, whether it describes its values completely except for references.
    refers: Vec<bool>,
    parts: Vec<ReplacedPart>,
    /// Whether the old values contain objects.
    loses: bool,
    /// New values. One value may replace many parts.
    values: Vec<New>,
}

struct New {
    kind: TypeId,
    value: Value,
    shapes: Arc<Shapes>,
    ids: Vec<u64>,
    /// An error is one of the types. Errors of references come first, as in a document.
    bytes: Result<Vec<u8>>,
}

impl Replaced {
    fn new(patch: &Patch<'_>) -> Self {
        let of = |kind| shapes::shape_of(patch.types, kind);
        let pointees = patch.tables.pointee_types.iter();
        Replaced {
            pointees: pointees.map(|one| (one.name.map(String::from), of(one.kind))).collect(),
            refers: patch.tables.referring(),
            parts: Vec::new(),
            loses: false,
            values: Vec::new(),
        }
    }

    fn has(&self, kind: TypeId) -> bool {
        match kind.index() {
            Some(index) => self.refers.get(index).copied().unwrap_or(false),
            None => kind == TypeId::POINTER || kind == TypeId::WEAK,
        }
    }
}

impl Patch<'_> {
    /// Returns the value at the cursor, or `None` if its type does not describe it completely
    /// except for references.
    pub(super) fn with_references(
        &mut self,
        kind: TypeId,
        from: &mut Decoder<'_>,
    ) -> Result<Option<Value>> {
        if self.references.is_none() {
            self.references = Some(Box::new(Replaced::new(self)));
        }
        match &mut self.references {
            Some(references) if references.has(kind) => tree(from, &mut references.loses).map(Some),
            _ => Ok(None),
        }
    }

    /// Replaces a value by one with references to objects of the file. Returns `false` if the new
    /// value contains objects itself.
    ///
    /// # Errors
    /// An error if the value does not fit its type.
    pub(super) fn refer(
        &mut self,
        span: Range<usize>,
        kind: TypeId,
        old: &Value,
        new: Value,
    ) -> Result<bool> {
        let mut references = match self.references.take() {
            Some(references) => references,
            None => Box::new(Replaced::new(self)),
        };
        let done = self.refer_with(&mut references, span, kind, old, new);
        self.references = Some(references);
        done
    }

    fn refer_with(
        &mut self,
        references: &mut Replaced,
        span: Range<usize>,
        kind: TypeId,
        old: &Value,
        new: Value,
    ) -> Result<bool> {
        if !references.has(kind) {
            return Ok(false);
        }
        let known = references.values.last();
        if known.is_none_or(|known| known.kind != kind || known.value != new) {
            let Some(ids) = referred(&new) else { return Ok(false) };
            let type_of = |id: &u64| {
                let found = self.tables.objects.find(*id, Position::Unknown).ok().flatten();
                found.map(|object| (*id, object.concrete))
            };
            let shapes = Arc::new(Shapes {
                root: shapes::shape_of(self.types, kind),
                layouts: Vec::new(),
                pointees: references.pointees.clone(),
                objects: ids.iter().filter_map(type_of).collect(),
                original: Marked::plain(Value::Null),
            });
            References::visit((&new, old), &shapes, &self.options)?;
            let bytes = self.data_of(InShape::part(&new, shapes.clone(), &ids));
            references.values.push(New { kind, value: new, shapes, ids, bytes });
        }
        let number = references.values.len() - 1;
        let bytes = references.values[number].bytes.as_ref().ok();
        if bytes.is_none_or(|bytes| self.file[span.clone()] != bytes[..]) {
            let part = ReplacedPart::new(span.clone(), kind.0, number as u32);
            references.parts.push(part);
        }
        if let Some(bytes) = bytes {
            self.put(span, bytes);
        }
        Ok(true)
    }

    /// Checks the references of the new values. It refuses the same references as a
    /// [`Document`](crate::Document). It reads the whole file once, and takes a few bytes for each object and
    /// each reference. Without new references it does nothing. `path` is the path of the value, for errors.
    ///
    /// Returns `false` if only a document can decide or find the place of the error: if there are several values
    /// with references and one of them is wrong, or if objects that are stored after the root might be lost.
    ///
    /// # Errors
    /// Errors of the file; an error if a program that loads the file would refuse a reference.
    pub fn check(&mut self, path: &[Step]) -> Result<bool> {
        let Some(references) = self.references.take() else { return Ok(true) };
        let Replaced { parts, mut values, loses, .. } = *references;
        let (is_one, is_none) = (parts.len() == 1, parts.is_empty());
        let objects = &self.tables.objects;
        let is_after = |object: Pointee| object.at >= self.tables.root_end;
        if is_none || loses && (!self.tables.layouts.is_empty() || objects.stored().any(is_after)) {
            return Ok(is_none);
        }
        let classes = (0..self.tables.types()).map(|index| {
            let known = self.types.get(index)?;
            let Shape::Class(class) = known.shape.get() else { return None };
            let by_hand = known.by_hand.map(|(_, members)| members.as_ptr().addr());
            Some([std::ptr::from_ref(class).addr(), by_hand?])
        });
        let wanted: HashSet<u64> = values.iter().flat_map(|new| &new.ids).copied().collect();
        let find = |id: u64| objects.find_index(id, Position::Unknown).ok().flatten();
        let mut found = References::new(classes.collect(), objects.len(), &find, parts, wanted);
        let mut decoder = Binary::decoder(self.file, &self.options)?;
        if !decoder.survey(&mut found)? {
            return Ok(false);
        }
        drop(decoder);
        let all: Vec<(&Value, &Shapes)> =
            values.iter().map(|new| (&new.value, &*new.shapes)).collect();
        match found.check(&all, self.tables.pointee_types.len(), &self.options) {
            Checked::Right(left) => self.left = Some(left),
            Checked::Unknown => return Ok(false),
            Checked::Wrong(error) => return Err(in_path(path, error)),
            Checked::Elsewhere(error) => return Err(error),
        }
        let wrong = values.iter().position(|new| new.bytes.is_err());
        match wrong.map(|at| values.swap_remove(at).bytes) {
            Some(Err(error)) if is_one => Err(in_path(path, error)),
            wrong => Ok(wrong.is_none()),
        }
    }
}

#[cold]
fn in_path(path: &[Step], error: Error) -> Error {
    path.iter().rev().fold(error, |error, step| match step {
        Step::Name(name) => error.in_member(name),
        Step::Index(index) => error.in_item(*index),
        Step::Object(id) => error.in_object(*id),
    })
}

/// Reads the value at the cursor. Objects in it are null, and `loses` is set.
fn tree(from: &mut Decoder<'_>, loses: &mut bool) -> Result<Value> {
    Ok(match from.peek()? {
        Kind::Null => {
            from.null()?;
            Value::Null
        }
        Kind::Bool => Value::Bool(from.bool()?),
        Kind::Number => Value::Number(from.number()?),
        Kind::Str => Value::from(from.str()?),
        Kind::Bytes => {
            let mut bytes = Vec::new();
            from.bytes(&mut bytes)?;
            Value::Bytes(bytes)
        }
        Kind::Seq => {
            from.begin_seq(&Shape::Any)?;
            let mut items = Vec::new();
            while from.next_item()? {
                items.push(tree(from, loses)?);
            }
            from.end_seq()?;
            Value::Array(items)
        }
        Kind::Object => {
            from.begin_object(&OBJECT)?;
            let mut members = Vec::new();
            while let Some(name) = from.next_key()? {
                let name = name.into_owned();
                members.push((name, tree(from, loses)?));
            }
            from.end_object(&mut |_| Ok(()))?;
            Value::Object(members)
        }
        _ => {
            let head = from.begin_pointer()?;
            let (kind, id) = (head.kind, head.id);
            let name = match kind {
                PointerKind::Plain => return tree(from, loses),
                PointerKind::Null => return Ok(Value::Null),
                PointerKind::Weak => reserved::WEAK,
                PointerKind::Seen => reserved::ID,
                _ => {
                    *loses = true;
                    from.skip()?;
                    reserved::ID
                }
            };
            from.end_pointer(&mut |_| Ok(()))?;
            let mut members = vec![(name.to_owned(), Value::from(id))];
            if kind.has_pointee() {
                members.push((reserved::VALUE.to_owned(), Value::Null));
            }
            Value::Object(members)
        }
    })
}
