//! Visits self-describing values before they are saved. Pointers in them may be pointers of the
//! file, or objects that text formats wrote as pointers.

use std::collections::HashSet;

use archive_core::bridge::is_pointer_name;
use archive_core::{Error, ErrorKind, Result, Shape, Value, reserved};

use super::before::Before;
use super::form::{Form, bad, twice};
use super::marked;
use super::places::Place;
use super::tour::{Tour, address};

impl<'o> Tour<'_, 'o> {
    /// Visits a self-describing value.
    pub(super) fn any(&mut self, value: &Value, place: Place, before: &Before<'o>) -> Result {
        let members = match value {
            Value::Array(items) => {
                return self.items(items, before, &mut |_| (&Shape::Any, place));
            }
            Value::Object(members) => members,
            _ => return Ok(()),
        };
        let members = self.members(members);
        let is_text = match members.first() {
            Some((name, _)) if is_pointer_name(name) => {
                if self.is_pointer(members, value, place, before)? {
                    self.plan.pointers.insert(address(value));
                    return self.pointer(value, &Shape::Any, place, before);
                }
                self.text(members, place)?;
                true
            }
            _ => false,
        };
        if !before.is_same() {
            let mut names = HashSet::new();
            if let Some((name, _)) = members.iter().find(|(name, _)| !names.insert(name)) {
                let message = "the object has this member twice: remove one of them";
                return Err(Error::new(ErrorKind::DuplicateMember, message).in_member(name));
            }
        }
        for (index, (name, value)) in members.iter().enumerate() {
            if is_text && matches!(name.as_str(), reserved::ID | reserved::WEAK) {
                continue;
            }
            let before = before.member(index, name, value);
            self.visit(value, &Shape::Any, place, &before).map_err(|e| e.in_member(name))?;
        }
        Ok(())
    }

    /// Returns whether an object whose first member has a name of a pointer's member is a pointer
    /// of the file, as opposed to one as text formats write it.
    fn is_pointer(
        &self,
        members: &[(String, Value)],
        value: &Value,
        place: Place,
        before: &Before<'o>,
    ) -> Result<bool> {
        if self.collects {
            return Ok(marked::is_pointer(value));
        }
        if let Before::Same(one) = before {
            return Ok(marked::is_pointer(one));
        }
        let was_text = before.all().iter().any(|one| marked::is_text(one));
        let was_pointer = before.all().iter().any(|one| marked::is_pointer(one));
        let form = match Form::of(members) {
            Ok(form) => form,
            // Data that has such a name. Other members of it were changed.
            Err(_) if was_text && !was_pointer && starts_alike(&members[0], before.all()) => {
                return Ok(false);
            }
            Err(error) => return Err(error),
        };
        let (Form::Stored(id, ..) | Form::Strong(id, ..) | Form::Weak(id)) = form else {
            return Ok(!was_text && !self.shapes.root.is_any() || was_pointer);
        };
        if self.observed.objects.contains_key(&id) || self.observed.gone.contains(&id) {
            return Ok(true);
        }
        if self.shapes.root.is_any() || self.observed.text_places.contains(&place) {
            return Ok(false);
        }
        let message = "the file has no object with this id, and its type does not follow from the file: \
                       refer to an object of the file";
        Err(bad(message))
    }

    /// Counts a pointer as text formats write it.
    fn text(&mut self, members: &[(String, Value)], place: Place) -> Result {
        let number = self.count()?;
        let Ok(form) = Form::of(members) else { return Ok(()) };
        let (Form::Stored(id, ..) | Form::Strong(id, ..) | Form::Weak(id)) = form else {
            return Ok(());
        };
        if self.collects {
            self.observed.text_places.insert(place);
        }
        match form {
            Form::Stored(..) if self.links.pointees.contains_key(&id) => return Err(twice(id)),
            Form::Stored(..) if self.links.text_pointees.insert(id) => {}
            Form::Stored(..) if self.collects => {
                self.observed.twice.insert(id);
            }
            Form::Stored(..) if !self.observed.twice.contains(&id) => return Err(twice(id)),
            Form::Strong(..) => self.links.texts.push((number, id, true)),
            Form::Weak(..) => self.links.texts.push((number, id, false)),
            _ => {}
        }
        Ok(())
    }
}

/// Returns whether one of the objects has the same first member with the same value.
fn starts_alike((name, value): &(String, Value), all: &[&Value]) -> bool {
    all.iter().any(|one| {
        let members = one.as_object().map(marked::members);
        let first = members.and_then(<[_]>::first);
        first.is_some_and(|(of_one, one)| of_one == name && marked::same(value, one))
    })
}
