//! The steps of [`Walk`].

use std::any::Any;

use archive_core::shape::{About, NameOf, Property};
use archive_core::{
    ArchiveKind, Begun, Body, Class, Elsewhere, Enum, ErasedBody, Member, Options, OuterState,
    Payload, PointerHead, PointerKind, Result, Saves, Scalar, Session, Shape, Step, Value, Variant,
    Visitor,
};

use super::super::part::Part;
use super::super::taken::Taken;
use super::super::visit::Leaf;
use super::{Kind, Open, Walk};
use archive_core::Walk as _;

impl Visitor for Walk<'_> {
    fn parts(&self) -> (&Session, &Options<'_>) {
        (&self.session, self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (&mut self.session, self.options)
    }
    fn fixed_members(&self) -> bool {
        true
    }
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        let tree = Taken::of(&value).into_tree().unwrap_or_default();
        self.kind.get_or_insert(if tree.is_null() { Kind::Null } else { Kind::Scalar });
        self.leaf(Leaf::Value(tree))
    }
    fn property(&mut self, property: &'static Property) -> bool {
        // The value of a property may have that property.
        let is_visited = self.property_at.is_none() && self.pointers.is_none();
        if is_visited {
            (self.property, self.property_at) = (Some(property), Some(self.len()));
        }
        is_visited
    }
    fn shown(&mut self, object: &dyn Any, shape: &'static Shape, about: &'static About) {
        self.unshown.enter(self.path.len(), object, shape, about);
    }
    fn begin_member(&mut self, name: &str, shape: &'static Shape) -> Result<Begun> {
        let property = self.property.take();
        // It may be the payload of a variant.
        self.unshown.choose(name, self.path.len() + 1);
        let part = property.map_or(Part::of_shape(shape), Part::of_property);
        Ok(if self.step(name.into(), part)? { Begun::Here } else { Begun::Over })
    }
    fn end_member(&mut self, name: &str, done: Result) -> Result {
        self.step_back();
        done.map_err(|error| error.in_member(name))
    }
    fn begin_item(&mut self, index: usize) -> Result<Begun> {
        let part = self.item_part(index);
        Ok(if self.step(index.into(), part)? { Begun::Here } else { Begun::Skip })
    }
    fn end_item(&mut self, index: usize, done: Result) -> Result {
        self.step_back();
        done.map_err(|error| error.in_item(index))
    }
    fn begin_object(&mut self, class: &'static Class) -> Result<Option<OuterState>> {
        let version = self.session.set_version(class.version);
        let is_tree = matches!(class.type_name, NameOf::Data(_));
        let kind = if is_tree { Kind::Tree } else { Kind::Object };
        self.begin(kind).map(|_| Some(OuterState { version, ..OuterState::default() }))
    }
    fn end_object(&mut self, _: &'static Class, outer: OuterState, done: Result) -> Result {
        self.session.set_version(outer.version);
        done?;
        self.end(Value::Object(Vec::new()))
    }
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result<Option<OuterState>> {
        if self.leaves_out_parts(len)? {
            return Ok(None);
        }
        self.open.push(Open::List(shape));
        let is_set = matches!(shape, Shape::Seq(_, meaning) if !meaning.is_empty());
        self.begin(if is_set { Kind::Set } else { Kind::Seq })
    }
    fn end_seq(&mut self, _: OuterState, _: usize) -> Result {
        self.open.pop();
        self.end(Value::Array(Vec::new()))
    }
    fn begin_variant(
        &mut self,
        info: &'static Enum,
        current: usize,
        _: bool,
    ) -> Result<Option<usize>> {
        self.kind.get_or_insert(Kind::Variant);
        let variant = info.variant(current)?;
        self.unshown.choose(variant.name, self.path.len() + 1);
        if matches!(variant.payload, Payload::Unit) {
            let name = Value::from(variant.name);
            let tree = match info.tag {
                Some(tag) => Value::Object(vec![(tag.name.to_owned(), name)]),
                None => name,
            };
            self.leaf(Leaf::Value(tree))?;
            return Ok(Some(current));
        }
        // The second time, the payload is left out, too.
        if std::mem::take(&mut self.leaves_out) {
            return Ok(None);
        }
        self.session.enter(self.options)?;
        let part = match &variant.payload {
            Payload::Newtype(value) => Part::of(value),
            _ => Part::UNKNOWN,
        };
        self.leaves_out = !self.step(variant.name.into(), part)?;
        if self.leaves_out && self.is_at_end() {
            self.leaf(Leaf::Value(Value::Null))?;
        }
        Ok((!self.leaves_out).then_some(current))
    }
    fn end_variant(&mut self, _: &'static Enum, variant: &'static Variant, done: Result) -> Result {
        self.session.leave();
        self.end_member(variant.name, done)
    }
    fn defers(&self) -> bool {
        /// The number of pointers in one another that need stack.
        const LEVELS: usize = 32;
        self.session.defers(self.options, LEVELS)
    }
    fn begin_pointer(&mut self, head: &PointerHead<'_>) -> Result {
        if std::mem::take(&mut self.resumes) {
            self.parts = vec![self.places.resume(head.id)];
            return self.enter_pointer(head);
        }
        if let Some(found) = &mut self.pointers
            && head.id != 0
        {
            found((&|| self.places.shared(&self.path), head.id, head.kind));
        }
        match head.kind {
            PointerKind::Stored | PointerKind::Later => {
                let part = self.parts.last().copied().unwrap_or(Part::UNKNOWN);
                self.places.add(head.id, &self.path, part);
                if head.has_pointee() { self.enter_pointer(head) } else { Ok(()) }
            }
            PointerKind::Null => self.scalar(Scalar::Unit),
            _ if head.has_pointee() => self.enter_pointer(head),
            _ => match self.places.get(head.id).cloned() {
                Some(place) => self.leaf(Leaf::SameAs(&place)),
                None => self.leaf(Leaf::Weak),
            },
        }
    }
    fn end_pointer(&mut self, head: &PointerHead<'_>, done: Result) -> Result {
        done?;
        let tracked = head.kind == PointerKind::Stored;
        if tracked && self.places.leave() && self.session.has_deferred() {
            self.deferred()?;
        }
        self.session.close_pointer(tracked);
        self.session.leave();
        Ok(())
    }
    fn elsewhere(&mut self, step: Step, _: &mut dyn ErasedBody) -> Result<bool> {
        // The payload is below the last level.
        if let Step::Variant(..) = step {
            self.session.leave();
        }
        Ok(true)
    }
}

impl archive_core::Walk for Walk<'_> {
    type Way = Saves;
    const KIND: ArchiveKind = ArchiveKind {
        refuses_duplicates: true,
        elsewhere: Elsewhere { always: false, ..Elsewhere::DIRECT },
        ..ArchiveKind::TOOL
    };

    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if !self.step(info.name.into(), Part::of_member(info))? {
            return Ok(());
        }
        let done = body.run(self);
        self.end_member(info.name, done)
    }
    fn map<B: Body>(&mut self, shape: &'static Shape, len: usize, body: &mut B) -> Result {
        if self.leaves_out_parts(len)? {
            return Ok(());
        }
        self.open.push(Open::List(shape));
        self.begin(Kind::Map)?;
        body.run(self)?;
        self.open.pop();
        self.end(Value::Object(Vec::new()))
    }
    fn entry<K: Body, V: Body>(
        &mut self,
        index: usize,
        key: &mut K,
        value: &mut V,
    ) -> Result<bool> {
        let name = archive_core::__private::key_name(key, &mut Session::new(), self.options);
        let Ok(name) = name else {
            // Without a name, an entry is a pair.
            if let Begun::Here = self.begin_item(index)? {
                let done = match self.is_at_end() {
                    true => self.leaf(Leaf::Value(Value::Null)),
                    false => self.pair(key, value),
                };
                self.end_item(index, done)?;
            }
            return Ok(true);
        };
        let part = match self.open.last() {
            Some(Open::List(shape)) => Part::item(shape, 1),
            _ => Part::UNKNOWN,
        };
        if self.step(name.as_str().into(), part)? {
            let done = value.run(self);
            self.end_member(&name, done)?;
        }
        Ok(true)
    }
}

impl Walk<'_> {
    /// Returns whether a list or a map of that length has parts, and these are below the last level.
    fn leaves_out_parts(&mut self, len: usize) -> Result<bool> {
        let leaves_out = self.is_at_end() && len > 0;
        if leaves_out {
            self.leaf(Leaf::Value(Value::Null))?;
        }
        Ok(leaves_out)
    }

    fn enter_pointer(&mut self, head: &PointerHead<'_>) -> Result {
        let tracked = head.kind == PointerKind::Stored;
        if tracked {
            self.places.enter(head.id, &self.path);
        }
        self.session.open_pointer(tracked);
        self.session.enter(self.options)
    }
    fn pair<K: Body, V: Body>(&mut self, key: &mut K, value: &mut V) -> Result {
        let shape = match self.open.last() {
            Some(Open::List(shape)) => shape,
            _ => &Shape::Any,
        };
        self.open.push(Open::Pair(shape));
        self.item(0, key)?;
        self.item(1, value)?;
        self.open.pop();
        Ok(())
    }
}
