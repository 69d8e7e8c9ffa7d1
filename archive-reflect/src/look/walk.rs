//! [`Walk`]: the archive that visits every leaf of a value.

use std::cell::Cell;

use archive_core::path::{Path, Step as PathStep};
use archive_core::shape::NameOf;
use archive_core::{
    Archive, Begun, Body, Class, Elsewhere, Enum, ErasedBody, Member, Options, OuterState, Payload,
    PointerHead, PointerKind, Polymorphic, Result, Saves, Scalar, Session, Shape, Step, Value,
    Variant, Visitor,
};

use super::part::Part;
use super::place::Visit;
use super::places::Places;
use super::taken::Taken;
use super::visit::Leaf;

/// What a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Null,
    Scalar,
    Object,
    Variant,
    Map,
    Seq,
}

/// Visits the leaves that are at most `levels` steps below the value at the path. Returns what the
/// value is.
pub(super) fn walk(
    value: Visit<'_>,
    (path, part): (&Path, Part),
    levels: usize,
    options: &Options<'_>,
    each: &mut Each<'_>,
) -> Result<Kind> {
    let end = path.len().saturating_add(levels);
    let (path, parts, places) = (path.clone(), vec![part], Places::new(path.len()));
    let mut walk = Walk { path, parts, places, end, ..Walk::new(options, each) };
    value(&mut walk.erased())?;
    Ok(walk.kind.unwrap_or(Kind::Null))
}

/// A pointer that a walk came to: its place, the id of the object, and the kind of what is stored.
pub(crate) type Pointed<'a> = (&'a Path, u64, PointerKind);

/// Calls `found` with the pointers to objects in one value after the other, and the index of the
/// value. An object has the same id in all of them.
pub(crate) fn pointers(
    values: &[&dyn Polymorphic],
    options: &Options<'_>,
    found: &mut dyn FnMut(usize, Pointed<'_>),
) -> Result {
    let index = Cell::new(0);
    let mut each = |_: &Path, _: Part, _: Leaf<'_>| Ok(());
    let mut note = |pointed: Pointed<'_>| found(index.get(), pointed);
    let mut walk = Walk { pointers: Some(&mut note), ..Walk::new(options, &mut each) };
    for (at, value) in values.iter().enumerate() {
        index.set(at);
        value.__archive_save(&mut walk.erased())?;
    }
    Ok(())
}

struct Walk<'a> {
    session: Session,
    options: &'a Options<'a>,
    path: Path,
    /// The length of paths below which nothing is visited.
    end: usize,
    /// What the outermost value is.
    kind: Option<Kind>,
    /// Whether the payload of the current enum is below the last level.
    leaves_out: bool,
    /// Whether each open list or object has no parts yet.
    since: Vec<bool>,
    /// What is known about the values on the path, from the outermost one that is visited.
    parts: Vec<Part>,
    /// The open lists and maps.
    open: Vec<Open>,
    /// The places of shared objects.
    places: Places,
    /// Whether the next pointer is one whose body was deferred.
    resumes: bool,
    /// What is called with pointers, if they are wanted.
    pointers: Option<&'a mut dyn FnMut(Pointed<'_>)>,
    each: &'a mut Each<'a>,
}

/// What is called with each leaf.
pub(super) type Each<'a> = dyn FnMut(&Path, Part, Leaf<'_>) -> Result + 'a;

/// What is open around the current part.
#[derive(Clone, Copy)]
enum Open {
    /// A list or a map of that shape.
    List(&'static Shape),
    /// An entry of a map without a name, as a pair.
    Pair(&'static Shape),
}

impl<'a> Walk<'a> {
    fn new(options: &'a Options<'a>, each: &'a mut Each<'a>) -> Self {
        Walk {
            session: Session::new(),
            options,
            path: Path::new(),
            end: usize::MAX,
            kind: None,
            leaves_out: false,
            since: Vec::new(),
            parts: Vec::new(),
            open: Vec::new(),
            places: Places::new(0),
            resumes: false,
            pointers: None,
            each,
        }
    }
}

impl Walk<'_> {
    /// Visits the objects in the outermost one whose bodies were deferred.
    #[cold]
    fn deferred(&mut self) -> Result {
        let (path, parts) = (self.path.clone(), std::mem::take(&mut self.parts));
        while let Some(body) = self.session.saved.next_deferred() {
            self.resumes = true;
            let done = body(&mut self.erased());
            done.map_err(|error| crate::within(error, &self.path[path.len()..]))?;
        }
        self.places.end_resuming();
        (self.path, self.parts) = (path, parts);
        Ok(())
    }

    fn begin(&mut self, kind: Kind) -> Result<Option<OuterState>> {
        self.kind.get_or_insert(kind);
        self.session.enter(self.options)?;
        self.since.push(true);
        Ok(Some(OuterState::default()))
    }

    fn end(&mut self, empty: Value) -> Result {
        self.session.leave();
        if self.since.pop() == Some(true) { self.leaf(Leaf::Value(empty)) } else { Ok(()) }
    }

    fn leaf(&mut self, leaf: Leaf<'_>) -> Result {
        let part = self.parts.last().copied().unwrap_or(Part::UNKNOWN);
        (self.each)(&self.path, part, leaf)
    }

    /// Takes a step to a part. Returns `false` if nothing is visited there.
    fn step(&mut self, step: PathStep, part: Part) -> Result<bool> {
        if let Some(is_empty) = self.since.last_mut() {
            *is_empty = false;
        }
        self.path.push(step);
        self.parts.push(part);
        if self.path.len() < self.end {
            return Ok(true);
        }
        let done = self.leaf(Leaf::Value(Value::Null));
        self.step_back();
        done.map(|()| false)
    }

    fn step_back(&mut self) {
        self.path.pop();
        self.parts.pop();
    }

    /// Returns what is known about an item of the open list.
    fn item_part(&self, index: usize) -> Part {
        match self.open.last() {
            // The entry itself has no type.
            Some(Open::List(Shape::Map(..))) | None => Part::UNKNOWN,
            Some(Open::List(shape)) => Part::item(shape, index),
            Some(Open::Pair(Shape::Map(key, _))) if index == 0 => Part::of(key),
            Some(Open::Pair(shape)) => Part::item(shape, index),
        }
    }
}

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
    fn begin_member(&mut self, name: &str, shape: &'static Shape) -> Result<Begun> {
        let part = Part::of_shape(shape);
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
        // An object of a tree has any members.
        let is_tree = matches!(class.type_name, NameOf::Data(_));
        let kind = if is_tree { Kind::Map } else { Kind::Object };
        self.begin(kind).map(|_| Some(OuterState { version, ..OuterState::default() }))
    }
    fn end_object(&mut self, _: &'static Class, outer: OuterState, done: Result) -> Result {
        self.session.set_version(outer.version);
        done?;
        self.end(Value::Object(Vec::new()))
    }
    fn begin_seq(&mut self, shape: &'static Shape, _: usize) -> Result<Option<OuterState>> {
        self.open.push(Open::List(shape));
        self.begin(Kind::Seq)
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
            self.parts = vec![self.places.resume(head.id, &mut self.path)];
            return self.enter_pointer(head);
        }
        if let Some(found) = &mut self.pointers
            && head.id != 0
        {
            found((&self.path, head.id, head.kind));
        }
        match head.kind {
            PointerKind::Body | PointerKind::Later => {
                let part = self.parts.last().copied().unwrap_or(Part::UNKNOWN);
                self.places.add(head.id, &self.path, part);
                if head.has_body() { self.enter_pointer(head) } else { Ok(()) }
            }
            PointerKind::Null => self.scalar(Scalar::Unit),
            _ if head.has_body() => self.enter_pointer(head),
            _ => match self.places.get(head.id, &self.path) {
                Some(place) => self.leaf(Leaf::SameAs(&place)),
                None => self.leaf(Leaf::Weak),
            },
        }
    }
    fn end_pointer(&mut self, head: &PointerHead<'_>, done: Result) -> Result {
        done?;
        let tracked = head.kind == PointerKind::Body;
        if tracked && self.places.leave() && self.session.has_deferred() {
            self.deferred()?;
        }
        self.session.close_pointer(tracked);
        self.session.leave();
        Ok(())
    }
    fn elsewhere(&mut self, _: Step, _: &mut dyn ErasedBody) -> Result<bool> {
        // The payload of a variant, below the last level.
        self.session.leave();
        Ok(true)
    }
}

impl Archive for Walk<'_> {
    type Way = Saves;
    const REFUSES_DUPLICATES: bool = true;
    const ELSEWHERE: Elsewhere = Elsewhere { always: false, ..Elsewhere::DIRECT };

    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if !self.step(info.name.into(), Part::of_member(info))? {
            return Ok(());
        }
        let done = body.run(self);
        self.end_member(info.name, done)
    }
    fn map<B: Body>(&mut self, shape: &'static Shape, _: usize, body: &mut B) -> Result {
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
                let done = self.pair(key, value);
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
    fn enter_pointer(&mut self, head: &PointerHead<'_>) -> Result {
        let tracked = head.kind == PointerKind::Body;
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
