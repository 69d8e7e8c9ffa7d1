//! Visits pointers before they are saved.

use std::sync::Arc;

use archive_core::{Error, ErrorKind, Result, Shape, Value, reserved};

use super::before::Before;
use super::fits::{Fit, fits};
use super::form::{Form, bad, twice};
use super::marked;
use super::observed::Kind;
use super::places::{Place, Step};
use super::references_in_tree::Link;
use super::tour::{Tour, address};

/// The type of an object that is not in the file's tables, because no object of a pointer has it.
/// It is the type that the place declares.
const DECLARED: u32 = u32::MAX;

impl<'o> Tour<'_, 'o> {
    /// Counts a pointer, and returns an error if it is the wrong one.
    pub(super) fn count(&mut self) -> Result<usize> {
        let number = self.links.count;
        self.links.count += 1;
        match self.wrong.take_if(|(wrong, _)| *wrong == number) {
            Some((_, error)) => Err(error),
            None => Ok(number),
        }
    }

    /// Visits a pointer at a place of that shape.
    pub(super) fn pointer(
        &mut self,
        value: &Value,
        shape: &'static Shape,
        place: Place,
        before: &Before<'o>,
    ) -> Result {
        let members = match value {
            Value::Object(members) => members,
            Value::Null if matches!(shape, Shape::Weak(_)) || before.is_same() => return Ok(()),
            Value::Null => {
                let message = "expected a pointer, found null: only an option may be null";
                return Err(Error::new(ErrorKind::WrongType, message));
            }
            // Saving refuses the value.
            _ => return Ok(()),
        };
        let form = Form::of(members)?;
        let message = match (shape, form) {
            (Shape::Dyn, Form::Stored(..) | Form::Strong(..) | Form::Weak(..)) => {
                "a value that is not shared has no `$id` and no `$weak`: use `$type` and `$value`"
            }
            (Shape::Pointer(_), Form::Owned(..)) => {
                "a shared object has an id: add `$id`, a number from 1 on that no other object has"
            }
            (Shape::Pointer(_), Form::Weak(_)) => "a reference here is strong: use `$id`",
            (Shape::Weak(_), Form::Owned(..) | Form::Stored(..) | Form::Strong(..)) => {
                "a reference here is weak: use `$weak`"
            }
            _ => "",
        };
        if !message.is_empty() {
            return Err(bad(message));
        }
        let declared = match shape {
            Shape::Pointer(pointee) => Some(pointee.get()).filter(|shape| !shape.is_any()),
            _ => None,
        };
        let number = self.count()?;
        match form {
            Form::Owned(name, pointee) => {
                let kind = (place, self.pointee_type(name, pointee, place)?);
                if self.collects {
                    self.observed.add(kind, 0);
                }
                let before = before.member(1, reserved::VALUE, pointee);
                self.pointee(value, pointee, (kind, declared), &before)
            }
            Form::Stored(id, name, pointee, deferred) => {
                let kind = self.shared(id, name, pointee, (place, declared))?;
                self.links.links.push(Link { number, place, from: self.owner, id, strong: true });
                self.shared_pointee(value, (id, kind, declared), pointee, before)?;
                for (index, one) in deferred.iter().enumerate() {
                    let was = |of: &'o Value| of.get(reserved::DEFERRED)?.item(index);
                    let visited = self.deferred(one, &before.part(one, was));
                    visited.map_err(|e| e.in_item(index).in_member(reserved::DEFERRED))?;
                }
                Ok(())
            }
            Form::Strong(id, name) => {
                self.reference(number, place, id, true);
                self.named(id, name)
            }
            Form::Weak(id) => {
                self.reference(number, place, id, false);
                Ok(())
            }
        }
    }

    fn reference(&mut self, number: usize, place: Place, id: u64, strong: bool) {
        self.links.links.push(Link { number, place, from: self.owner, id, strong });
        if self.collects {
            match self.shapes.objects.get(&id) {
                Some(pointee) => self.observed.add((place, *pointee), id),
                None => {
                    self.observed.gone.insert(id);
                }
            }
        }
    }

    /// Checks the type of a reference. A reference need not have one.
    fn named(&self, id: u64, name: Option<&str>) -> Result {
        let known =
            self.shapes.objects.get(&id).and_then(|of| self.shapes.pointees.get(*of as usize));
        match (name, known) {
            (Some(name), Some((known, _))) if known.as_deref() != Some(name) => {
                let message = "the object has another type: do not change `$type`";
                Err(bad(message).in_member(reserved::TYPE))
            }
            _ => Ok(()),
        }
    }

    /// Returns the kind of an object that is stored here.
    fn shared(
        &mut self,
        id: u64,
        name: Option<&str>,
        pointee: &Value,
        (place, declared): (Place, Option<&'static Shape>),
    ) -> Result<Kind> {
        if let Some(of) = self.shapes.objects.get(&id).copied() {
            if self.collects {
                self.observed.add((place, of), id);
            }
            let known =
                self.shapes.pointees.get(of as usize).and_then(|(known, _)| known.as_deref());
            if known != name {
                let message = "the object has another type: do not change `$type`";
                return Err(bad(message).in_member(reserved::TYPE));
            }
            if let Some(kind) = self.observed.objects.get(&id).copied() {
                return Ok(kind);
            }
        }
        match (declared, name) {
            (Some(_), Some(_)) => {
                let message = "an object of a known type has no `$type`: remove it";
                Err(bad(message).in_member(reserved::TYPE))
            }
            (Some(declared), None) => {
                let mut pointees = self.shapes.pointees.iter();
                let found = pointees
                    .position(|(name, shape)| name.is_none() && std::ptr::eq(*shape, declared));
                Ok((place, found.map_or(DECLARED, |found| found as u32)))
            }
            (None, name) => {
                Ok((place, self.pointee_type(name.unwrap_or_default(), pointee, place)?))
            }
        }
    }

    /// Returns the type of a trait object: one that objects at this place have in the file.
    fn pointee_type(&self, name: &str, pointee: &Value, place: Place) -> Result<u32> {
        let all = self.shapes.pointees.iter().zip(0..);
        let named = all.filter(|((known, _), _)| known.as_deref() == Some(name));
        let mut named: Vec<(&'static Shape, u32)> =
            named.map(|((_, shape), index)| (*shape, index)).collect();
        if !self.collects {
            let here = self.observed.pointees.get(&place);
            named.retain(|(_, index)| here.is_some_and(|here| here.contains(index)));
        }
        if named.len() > 1 {
            let plain = if self.collects { marked::unmarked(pointee) } else { pointee.clone() };
            named.sort_by_key(|(shape, _)| fits(&plain, shape, 0) == Fit::Not);
        }
        named.first().map(|(_, index)| *index).ok_or_else(|| {
            let message = format_args!(
                "the file has no object of type id `{name}` here: use a type that objects here have"
            );
            Error::new(ErrorKind::UnknownType, message).in_member(reserved::TYPE)
        })
    }

    /// Visits an object to which other pointers may refer.
    fn shared_pointee(
        &mut self,
        pointer: &Value,
        (id, kind, declared): (u64, Kind, Option<&'static Shape>),
        pointee: &Value,
        before: &Before<'o>,
    ) -> Result {
        if self.links.pointees.insert(id, kind).is_some() || self.links.text_pointees.contains(&id)
        {
            return Err(twice(id));
        }
        let before = match self.observed.values.get(&id) {
            Some(one) => Before::One([*one].into()).part(pointee, Some),
            None => before.part(pointee, value_of),
        };
        if let (true, Before::Same(one)) = (self.collects, &before) {
            self.observed.values.insert(id, one);
        }
        let owner = std::mem::replace(&mut self.owner, id);
        self.pointee(pointer, pointee, (kind, declared), &before)?;
        self.owner = owner;
        Ok(())
    }

    fn pointee(
        &mut self,
        pointer: &Value,
        pointee: &Value,
        (kind, declared): (Kind, Option<&'static Shape>),
        before: &Before<'o>,
    ) -> Result {
        let known = self.shapes.pointees.get(kind.1 as usize).map(|(_, shape)| *shape);
        let shape = known.or(declared).unwrap_or(&Shape::Any);
        self.plan.pointees.insert(address(pointer), shape);
        let place = self.observed.places.step(Place::ROOT, Step::Pointee(kind.1));
        self.visit(pointee, shape, place, before)
    }

    /// Visits an object in the list of deferred objects. It is an object of the file.
    fn deferred(&mut self, value: &Value, before: &Before<'o>) -> Result {
        let form = match value {
            Value::Object(members) => Form::of(members)?,
            _ => return Err(bad("a deferred object has `$id` and `$value`")),
        };
        let Form::Stored(id, name, _, []) = form else {
            return Err(bad("a deferred object has `$id` and `$value`"));
        };
        if self.collects
            && let Some(of) = self.shapes.objects.get(&id)
        {
            let place = self.observed.places.step(Place::ROOT, Step::Pointee(*of));
            self.observed.add((place, *of), id);
        }
        let Some(kind) = self.observed.objects.get(&id).copied() else {
            let message = "no deferred object of the file has this id: put the object where it is \
                           referred to";
            return Err(bad(message).in_member(reserved::ID));
        };
        self.named(id, name)?;
        let number = self.count()?;
        self.links.deferred.push((number, id));
        let copy = Arc::new(value.clone());
        let pointer = if self.collects { value } else { &*copy };
        let Some(pointee) = pointer.get(reserved::VALUE) else { return Ok(()) };
        let done = self.shared_pointee(pointer, (id, kind, None), pointee, before);
        if !self.collects {
            self.plan.deferred.insert(address(value), copy);
        }
        done
    }
}

/// Returns the object in a pointer of the original.
fn value_of(pointer: &Value) -> Option<&Value> {
    pointer.get(reserved::VALUE)
}
