//! A visit of a tree before it is saved. It selects the layouts of objects and the types of the
//! objects to which pointers refer, because the types of the file alone do not determine them. It
//! refuses values that have the types of the file but could not be loaded.
//!
//! The original is visited first, in the same way, to record what it shows.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use archive_core::{Error, ErrorKind, Member, Options, Payload, Result, Shape, Value, reserved};

use super::before::Before;
use super::keys::Keys;
use super::marked;
use super::observed::Observed;
use super::places::{Place, Step};
use super::references_in_tree::Links;
use super::{Shapes, optional, versioned};

/// The results of the visit for the values of a tree, by their addresses. The tree does not change
/// while it is saved.
#[derive(Default)]
pub(super) struct Plan {
    /// The layouts of objects with hand-written functions.
    pub(super) layouts: HashMap<usize, u32>,
    /// The types of the objects to which pointers refer.
    pub(super) pointees: HashMap<usize, &'static Shape>,
    /// The self-describing objects that are pointers of the file.
    pub(super) pointers: HashSet<usize>,
    /// Copies of deferred objects. They are saved when the tree is no longer borrowed.
    pub(super) deferred: HashMap<usize, Arc<Value>>,
}

pub(super) fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}

impl Plan {
    /// Makes the plan for a tree.
    ///
    /// # Errors
    /// An error if a program that loads the original would refuse the tree.
    pub(super) fn of(tree: &Value, shapes: &Shapes, options: &Options<'_>) -> Result<Plan> {
        let mut observed = Observed::default();
        let original = &shapes.original.0;
        let mut tour = Tour::new(shapes, &mut observed, options);
        tour.collects = true;
        tour.visit(original, shapes.root, Place::ROOT, &Before::Same(original))?;
        std::mem::take(&mut tour.links).learn(&mut observed);
        let before = Before::One([original].into()).part(tree, Some);
        let mut tour = Tour::new(shapes, &mut observed, options);
        tour.visit(tree, shapes.root, Place::ROOT, &before)?;
        let (links, plan) = (std::mem::take(&mut tour.links), std::mem::take(&mut tour.plan));
        match links.check(&observed) {
            // The second visit finds the path to the pointer.
            Some(wrong) => {
                let mut tour = Tour::new(shapes, &mut observed, options);
                tour.wrong = Some(wrong);
                tour.visit(tree, shapes.root, Place::ROOT, &before).map(|()| plan)
            }
            None => Ok(plan),
        }
    }
}

pub(super) struct Tour<'s, 'o> {
    pub(super) shapes: &'s Shapes,
    pub(super) observed: &'s mut Observed<'o>,
    /// Whether the tree is the original. Observed about it are then collected.
    pub(super) collects: bool,
    pub(super) links: Links,
    pub(super) plan: Plan,
    /// The object that is being visited, or 0.
    pub(super) owner: u64,
    /// A pointer that is wrong, by its number, and the error.
    pub(super) wrong: Option<(usize, Error)>,
    depth: usize,
    deepest: usize,
}

impl<'s, 'o> Tour<'s, 'o> {
    pub(super) fn new(
        shapes: &'s Shapes,
        observed: &'s mut Observed<'o>,
        options: &Options<'_>,
    ) -> Self {
        Tour {
            shapes,
            observed,
            collects: false,
            links: Links::default(),
            plan: Plan::default(),
            owner: 0,
            wrong: None,
            depth: 0,
            // A value of the file takes at most this many levels of a tree.
            deepest: options.settings().limits().depth.saturating_add(1).saturating_mul(4),
        }
    }

    pub(super) fn visit(
        &mut self,
        value: &Value,
        shape: &'static Shape,
        place: Place,
        before: &Before<'o>,
    ) -> Result {
        if shape.block_size().is_some() || matches!(shape, Shape::Primitive(..)) {
            return Ok(());
        }
        if self.depth > self.deepest {
            return Err(Error::new(ErrorKind::DepthLimit, "the value nests too deeply"));
        }
        self.depth += 1;
        self.visit_parts(value, shape, place, before)?;
        self.depth -= 1;
        Ok(())
    }

    fn visit_parts(
        &mut self,
        value: &Value,
        shape: &'static Shape,
        place: Place,
        before: &Before<'o>,
    ) -> Result {
        match (shape, value) {
            (Shape::Seq(item, _) | Shape::Array(item, ..), Value::Array(items)) => {
                if matches!(item.get(), Shape::Primitive(..)) {
                    return Ok(());
                }
                let place = self.observed.places.step(place, Step::Inner);
                self.items(items, before, &mut |_| (item.get(), place))
            }
            (Shape::Tuple(parts, ..), Value::Array(items)) => {
                let places: Vec<Place> = (0..items.len())
                    .map(|index| self.observed.places.step(place, Step::Part(index)))
                    .collect();
                let part = |index: usize| {
                    (parts.get(index).map_or(&Shape::Any, |part| part.get()), places[index])
                };
                for (index, item) in items.iter().enumerate() {
                    let before = before.part(item, |one| one.item(index));
                    let (shape, place) = part(index);
                    self.visit(item, shape, place, &before).map_err(|e| e.in_item(index))?;
                }
                Ok(())
            }
            (Shape::Map(key, of), _) => self.map(value, [key.get(), of.get()], place, before),
            (Shape::Option(inner), _) => {
                let Some(of) = self.inner(value) else { return Ok(()) };
                let place = self.observed.places.step(place, Step::Inner);
                let before = before.part(of, held);
                self.visit(of, inner.get(), place, &before)
            }
            (Shape::Class(class), Value::Object(values)) => {
                let (version, values) = versioned(self.members(values))?;
                match class.members {
                    Some(members) => {
                        let class = std::ptr::from_ref(class).addr();
                        let place = self.observed.places.step(place, Step::Class(class));
                        self.object(values, members, place, before)
                    }
                    None => {
                        let version = version.unwrap_or_default();
                        let layout = self.layout(values, version, place, before)?;
                        self.plan.layouts.insert(address(value), layout);
                        let Some((_, members)) = self.shapes.layouts.get(layout as usize) else {
                            return Ok(());
                        };
                        let class = members.as_ptr().addr();
                        let place = self.observed.places.step(place, Step::Class(class));
                        self.object(values, members, place, before)
                    }
                }
            }
            (Shape::Enum(info), Value::Object(members)) => {
                let [(name, payload)] = self.members(members) else { return Ok(()) };
                let Some(index) = info.find(name) else { return Ok(()) };
                let Payload::Newtype(shape) = &info.variants[index].payload else { return Ok(()) };
                let place = self.observed.places.step(place, Step::Part(index));
                let before = before.member(0, name, payload);
                self.visit(payload, shape.get(), place, &before).map_err(|e| e.in_member(name))
            }
            (Shape::Pointer(_) | Shape::Weak(_) | Shape::Dyn, _) => {
                self.pointer(value, shape, place, before)
            }
            (Shape::Any, _) => self.any(value, place, before),
            _ => Ok(()),
        }
    }

    /// Returns the members of an object without the mark of the original.
    pub(super) fn members<'v>(&self, members: &'v [(String, Value)]) -> &'v [(String, Value)] {
        if self.collects { marked::members(members) } else { members }
    }

    pub(super) fn items(
        &mut self,
        items: &[Value],
        before: &Before<'o>,
        part: &mut dyn FnMut(usize) -> (&'static Shape, Place),
    ) -> Result {
        for (index, (item, before)) in items.iter().zip(before.items(items)).enumerate() {
            let (shape, place) = part(index);
            self.visit(item, shape, place, &before).map_err(|error| error.in_item(index))?;
        }
        Ok(())
    }

    fn map(
        &mut self,
        map: &Value,
        [key, of]: [&'static Shape; 2],
        place: Place,
        before: &Before<'o>,
    ) -> Result {
        let places = [0, 1].map(|part| self.observed.places.step(place, Step::Part(part)));
        let mut keys = Keys::new(key);
        match map {
            Value::Array(entries) => {
                for (index, (entry, was)) in entries.iter().zip(before.items(entries)).enumerate() {
                    let Some([of_key, value]) = entry.as_array() else { continue };
                    let mut visit = || {
                        if !before.is_same() {
                            keys.add(of_key)?;
                        }
                        let was_key = was.part(of_key, |one| one.item(0));
                        self.visit(of_key, key, places[0], &was_key).map_err(|e| e.in_item(0))?;
                        let was = was.part(value, |one| one.item(1));
                        self.visit(value, of, places[1], &was).map_err(|e| e.in_item(1))
                    };
                    visit().map_err(|error| error.in_item(index))?;
                }
            }
            Value::Object(members) => {
                for (name, value) in self.members(members) {
                    let mut visit = || {
                        keys.add(&Value::from(name.as_str()))?;
                        self.visit(value, of, places[1], &Before::new())
                    };
                    visit().map_err(|error| error.in_member(name))?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn object(
        &mut self,
        values: &[(String, Value)],
        members: &'static [Member],
        place: Place,
        before: &Before<'o>,
    ) -> Result {
        for (index, (name, value)) in values.iter().enumerate() {
            let at = match members.get(index) {
                Some(member) if member.name == name => Some(index),
                _ => members.iter().position(|member| member.name == name),
            };
            // Saving refuses a member that the class does not have.
            let Some(at) = at else { continue };
            let shape = members[at].shape.get();
            if matches!(shape, Shape::Primitive(..)) {
                continue;
            }
            let place = self.observed.places.step(place, Step::Part(at));
            let before = before.member(index, name, value);
            self.visit(value, shape, place, &before).map_err(|error| error.in_member(name))?;
        }
        Ok(())
    }

    /// Returns the value in an option, if there is one.
    fn inner<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        if self.collects {
            held(value)
        } else {
            let (present, _, of) = optional(value);
            present.then_some(of)
        }
    }
}

/// Returns the value in an option of the original, if there is one.
fn held(value: &Value) -> Option<&Value> {
    match value.as_object().map(marked::members) {
        Some([(name, value)]) if name == reserved::SOME => Some(value),
        _ => Some(value).filter(|value| !value.is_null()),
    }
}
