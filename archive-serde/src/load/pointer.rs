//! Pointers: an object with `$id` and `$value`, or a kind, an id, a type and the object in their places.

use std::borrow::Cow;

use archive_core::bridge;
use archive_core::pointer::{LoadPointer, Step};
use archive_core::reserved;
use archive_core::{
    Archive, Body, Error, ErrorKind, LoadedHead, Mark, PointerKind, Result, Shape, Value, Visitor,
    Walk,
};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess};

use super::value::{Seed, look_elsewhere};
use super::visit::{Visit, Wanted, ask, first_key, next_key};
use crate::archives::{parts, way};
use crate::save::pointee_shape;
use crate::shared::{Shared, Tree};
use crate::tree::{Skip, TreeSeed, gather_map, gather_seq, is_pointer_name};

/// The target of a pointer whose head is known.
trait Target: Sized {
    /// Takes the head; returns whether the object is to be loaded.
    fn begin(&mut self, head: &LoadedHead<'_>, at: Mark, shared: &mut Shared<'_>) -> Result<Step>;
    /// The shape of the object.
    fn shape(&self) -> &'static Shape;
    /// Loads the object.
    fn pointee<A: Archive>(&mut self, ar: &mut A) -> Result;
    /// Handles an object that is nowhere in the input.
    fn missing(&mut self, id: u64, shared: &mut Shared<'_>) -> Result;
    /// Ends what [`pointee`](Target::pointee) began.
    fn end(&mut self, id: u64, at: Mark, done: bool, shared: &mut Shared<'_>);
}

/// Expects a pointer.
pub(crate) struct Pointer<'b, B>(pub(crate) &'b mut B);

impl<B: LoadPointer> Target for Pointer<'_, B> {
    fn begin(&mut self, head: &LoadedHead<'_>, at: Mark, shared: &mut Shared<'_>) -> Result<Step> {
        let step = self.0.begin(head, at, shared.session, shared.options)?;
        if step == Step::Load {
            shared.session.announce_made(head, shared.options);
        }
        Ok(step)
    }
    fn shape(&self) -> &'static Shape {
        match self.0.shape() {
            Shape::Pointer(pointee) => pointee.get(),
            _ => &Shape::Dyn,
        }
    }
    fn pointee<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.load(ar)
    }
    fn missing(&mut self, id: u64, shared: &mut Shared<'_>) -> Result {
        self.0.missing(id, shared.session, shared.options)
    }
    fn end(&mut self, id: u64, at: Mark, done: bool, shared: &mut Shared<'_>) {
        shared.session.end_pointee(id, at, done);
    }
}

/// An object that was created when it was first referred to.
struct Waiting(Option<archive_core::pointer::Handle>, u64);

impl Target for Waiting {
    fn begin(&mut self, head: &LoadedHead<'_>, at: Mark, shared: &mut Shared<'_>) -> Result<Step> {
        if head.kind != PointerKind::Stored {
            let message = "expected an object, not a reference to one";
            return Err(Error::new(ErrorKind::BadPointer, message));
        }
        self.0 = bridge::waiting(shared.session, head.id, at)?;
        self.1 = head.id;
        shared.session.announce_made(head, shared.options);
        Ok(if self.0.is_some() { Step::Load } else { Step::Skip })
    }
    fn shape(&self) -> &'static Shape {
        &Shape::Dyn
    }
    fn pointee<A: Archive>(&mut self, ar: &mut A) -> Result {
        let since = ar.session().report().extent();
        let Some(handle) = &self.0 else { return Ok(()) };
        let filled = bridge::fill(handle, ar);
        ar.session_mut().within(since, bridge::Place::Object(self.1));
        filled.map_err(|error| error.in_object(self.1))
    }
    fn missing(&mut self, _: u64, shared: &mut Shared<'_>) -> Result {
        look_elsewhere(shared)
    }
    fn end(&mut self, id: u64, at: Mark, done: bool, shared: &mut Shared<'_>) {
        if done {
            shared.session.end_pointee(id, at, true);
        }
    }
}

struct PointeeOf<'a, T>(&'a mut T);

impl<T: Target> Body for PointeeOf<'_, T> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.pointee(ar)
    }
}

impl<B: LoadPointer> Wanted for Pointer<'_, B> {
    type Out = ();

    fn tree(mut self, tree: Tree, shared: &mut Shared<'_>) -> Result {
        let at = shared.mark();
        let null = matches!(tree.value, Value::Null);
        let kind = if null { PointerKind::Null } else { PointerKind::Plain };
        match self.begin(&LoadedHead { kind, id: 0, type_name: None }, at, shared)? {
            Step::Done => Ok(()),
            Step::Load => shared.load_tree(tree, |ar| self.0.load(ar)),
            Step::Skip | Step::Find => look_elsewhere(shared),
        }
    }

    fn map<'de, A: MapAccess<'de>>(mut self, map: A, shared: &mut Shared<'_>) -> Result {
        let (first, map) = first_key(map, shared)?;
        match first {
            Some(Value::Str(name)) if is_pointer_name(&name) => {
                named(&mut self, Some(name), map, shared)
            }
            first => {
                let mut tree = gather_map(first, map, shared)?;
                // The pointer is the value that an option wrapped.
                while let Some(inside) = wrapped(&mut tree.value) {
                    tree.value = inside;
                }
                self.tree(tree, shared)
            }
        }
    }

    fn seq<'de, A: SeqAccess<'de>>(mut self, seq: A, shared: &mut Shared<'_>) -> Result {
        if shared.manner.describes {
            let tree = gather_seq(seq, shared)?;
            return self.tree(tree, shared);
        }
        placed(&mut self, seq, shared)
    }
}

/// Returns the value that an option wrapped, if the value has that form.
fn wrapped(value: &mut Value) -> Option<Value> {
    match value {
        Value::Object(members) => match &mut **members {
            [(name, inside)] if name == reserved::SOME => Some(std::mem::take(inside)),
            _ => None,
        },
        _ => None,
    }
}

/// A pointer that is written as an object, whose first name has been read.
pub(crate) struct PointerPlace<'a, 's, A> {
    first: Option<String>,
    map: Option<A>,
    shared: &'a mut Shared<'s>,
}

impl<'a, 's, A> PointerPlace<'a, 's, A> {
    pub(crate) fn new(first: String, map: A, shared: &'a mut Shared<'s>) -> Self {
        PointerPlace { first: Some(first), map: Some(map), shared }
    }
}

impl<'de, A: MapAccess<'de>> Visitor for PointerPlace<'_, '_, A> {
    parts!(loading, no scalars);
}

impl<'de, A: MapAccess<'de>> Walk for PointerPlace<'_, '_, A> {
    way!(loading);
    fn run_elsewhere<B: Body>(&mut self, step: archive_core::Step, body: &mut B) -> Result<bool> {
        let archive_core::Step::Option(..) = step else { return Err(bridge::misuse()) };
        body.run(self).map(|()| true)
    }
    fn load_pointer<B: LoadPointer>(&mut self, target: &mut B) -> Result {
        let map = self.map.take().ok_or_else(bridge::misuse)?;
        let Shared { session, options, .. } = &mut *self.shared;
        session.enter(options)?;
        named(&mut Pointer(target), self.first.take(), map, self.shared)?;
        self.shared.session.leave();
        Ok(())
    }
}

impl Wanted for &mut Waiting {
    type Out = ();

    fn tree(self, _: Tree, _: &mut Shared<'_>) -> Result {
        Err(Error::new(ErrorKind::BadPointer, "expected an object, not a reference to one"))
    }
    fn map<'de, A: MapAccess<'de>>(self, map: A, shared: &mut Shared<'_>) -> Result {
        let (first, map) = first_key(map, shared)?;
        match first {
            Some(Value::Str(name)) => {
                in_list(shared, |shared| named(self, Some(name), map, shared))
            }
            _ => self.tree(Value::Null.into(), shared),
        }
    }
    fn seq<'de, A: SeqAccess<'de>>(self, seq: A, shared: &mut Shared<'_>) -> Result {
        in_list(shared, |shared| placed(self, seq, shared))
    }
}

/// Enters the list of the deferred objects, and the pointer in it.
fn in_list(shared: &mut Shared<'_>, load: impl FnOnce(&mut Shared<'_>) -> Result) -> Result {
    shared.session.enter(shared.options)?;
    shared.session.enter(shared.options)?;
    load(shared)?;
    shared.session.leave();
    shared.session.leave();
    Ok(())
}

/// Loads a pointer that is written as an object. If its members are not in the order in which they
/// are saved, the load starts again with a tree.
fn named<'de, T: Target, A: MapAccess<'de>>(
    target: &mut T,
    first: Option<String>,
    mut map: A,
    shared: &mut Shared<'_>,
) -> Result {
    let at = shared.mark();
    let mut head = LoadedHead { kind: PointerKind::Seen, id: 0, type_name: None };
    let (mut next, mut has_pointee) = (first, false);
    // The rank of the last member.
    let mut last = 0;
    while let Some(name) = &next {
        let rank = match &**name {
            reserved::WEAK => 1,
            reserved::ID => 2,
            reserved::TYPE => 3,
            reserved::LATER => 4,
            reserved::VALUE => 5,
            reserved::DEFERRED => 6,
            _ => 7,
        };
        if rank < 7 && (rank <= last || last == 1) {
            return look_elsewhere(shared);
        }
        last = rank;
        match rank {
            1 => {
                head.id = id(name, &value(&mut map, shared)?)?;
                head.kind = PointerKind::Weak;
            }
            2 => head.id = id(name, &value(&mut map, shared)?)?,
            3 => match value(&mut map, shared)? {
                Value::Str(name) => head.type_name = Some(Cow::Owned(name)),
                _ => {
                    return Err(
                        Error::wrong_type("text", "another value").in_member(reserved::TYPE)
                    );
                }
            },
            4 => {
                value(&mut map, shared)?;
                head.kind = PointerKind::Later;
            }
            5 => {
                has_pointee = true;
                head.kind = if head.id == 0 { PointerKind::Owned } else { PointerKind::Stored };
                begin_named(target, &head, at, &mut map, shared)?;
            }
            6 if has_pointee => {
                let list = List;
                map.next_value_seed(SeedOf(list, &mut *shared))
                    .map_err(|theirs| shared.refused(theirs))?;
            }
            6 => return look_elsewhere(shared),
            _ => {
                let (session, options) = (&mut *shared.session, shared.options);
                bridge::unknown_member(name, None, session, options)?;
                let passed = map.next_value_seed(Skip::new(shared));
                passed.map_err(|theirs| shared.refused(theirs))?;
            }
        }
        next = match next_key(&mut map, shared)? {
            None => None,
            Some(Value::Str(name)) => Some(name),
            Some(_) => return Err(Error::wrong_type("a member name", "a key of another type")),
        };
    }
    if has_pointee {
        return Ok(());
    }
    if head.id == 0 {
        return Err(head.lacks_pointee_and_id());
    }
    match target.begin(&head, at, shared)? {
        Step::Done => Ok(()),
        Step::Load | Step::Skip | Step::Find => look_elsewhere(shared),
    }
}

fn begin_named<'de, T: Target, A: MapAccess<'de>>(
    target: &mut T,
    head: &LoadedHead<'_>,
    at: Mark,
    map: &mut A,
    shared: &mut Shared<'_>,
) -> Result {
    match target.begin(head, at, shared)? {
        Step::Load => {
            let shape = pointee_shape(head.type_name.is_some(), target.shape());
            let seed = Seed { body: &mut PointeeOf(target), shape, shared: &mut *shared };
            let done = map.next_value_seed(seed);
            target.end(head.id, at, done.is_ok(), shared);
            done.map_err(|theirs| shared.refused(theirs))
        }
        Step::Skip => {
            let passed = map.next_value_seed(Skip::new(shared));
            passed.map_err(|theirs| shared.refused(theirs))
        }
        Step::Done | Step::Find => look_elsewhere(shared),
    }
}

/// Reads the value of a pointer's member.
fn value<'de, A: MapAccess<'de>>(map: &mut A, shared: &mut Shared<'_>) -> Result<Value> {
    let mut ignored = false;
    let value = map.next_value_seed(TreeSeed::new(shared, &mut ignored));
    value.map_err(|theirs| shared.refused(theirs))
}

/// Returns the id of a pointer, which was read from the member `name`.
fn id(name: &str, value: &Value) -> Result<u64> {
    let number = match value {
        Value::Number(number) => Ok(*number),
        _ => Err(Error::wrong_type("an object id", "another value")),
    };
    reserved::object_id(name, number)
}

/// Loads a pointer whose parts are stored by position.
fn placed<'de, T: Target, A: SeqAccess<'de>>(
    target: &mut T,
    mut seq: A,
    shared: &mut Shared<'_>,
) -> Result {
    fn next<'de, V: serde::Deserialize<'de>, A: SeqAccess<'de>>(
        seq: &mut A,
        shared: &mut Shared<'_>,
    ) -> Result<V> {
        let value = seq.next_element().map_err(|theirs| shared.refused(theirs))?;
        value.ok_or_else(|| Error::new(ErrorKind::BadPointer, "incomplete pointer"))
    }
    let at = shared.mark();
    let kind = match next::<u8, A>(&mut seq, shared)? {
        0 => PointerKind::Null,
        1 => PointerKind::Stored,
        2 => PointerKind::Seen,
        3 => PointerKind::Later,
        4 => PointerKind::Weak,
        5 => PointerKind::Owned,
        6 => PointerKind::Plain,
        other => {
            let message = format_args!("{other} is not a kind of pointer");
            return Err(Error::new(ErrorKind::BadPointer, message));
        }
    };
    let id = next::<u64, A>(&mut seq, shared)?;
    let type_name = next::<Option<String>, A>(&mut seq, shared)?.map(Cow::Owned);
    let has_id = !matches!(kind, PointerKind::Null | PointerKind::Owned | PointerKind::Plain);
    if has_id != (id != 0) {
        return Err(Error::new(
            ErrorKind::BadPointer,
            format_args!("{id} is not an object id here"),
        ));
    }
    if kind == PointerKind::Stored && shared.missed.contains(&id) {
        return look_elsewhere(shared);
    }
    let head = LoadedHead { kind, id, type_name };
    match target.begin(&head, at, shared)? {
        Step::Done if !kind.has_pointee() => {}
        Step::Find if kind == PointerKind::Weak && shared.manner.pointees_first => {
            shared.missed.insert(id);
            target.missing(id, shared)?;
            shared.session.loaded.mention(id, shared.options)?;
        }
        Step::Load => {
            let shape = pointee_shape(head.type_name.is_some(), target.shape());
            let seed = Seed { body: &mut PointeeOf(target), shape, shared: &mut *shared };
            let done = seq.next_element_seed(seed);
            target.end(id, at, done.is_ok(), shared);
            done.map_err(|theirs| shared.refused(theirs))?;
        }
        _ => return look_elsewhere(shared),
    }
    if kind == PointerKind::Stored {
        while next::<bool, A>(&mut seq, shared)? {
            let mut waiting = Waiting(None, 0);
            seq.next_element_seed(SeedOf(&mut waiting, &mut *shared))
                .map_err(|theirs| shared.refused(theirs))?;
        }
    }
    Ok(())
}

/// Expects the list of objects that were deferred to the end of a pointer.
struct List;

impl Wanted for List {
    type Out = ();

    fn tree(self, _: Tree, _: &mut Shared<'_>) -> Result {
        Err(Error::wrong_type("a sequence", "another value").in_member(reserved::DEFERRED))
    }
    fn seq<'de, A: SeqAccess<'de>>(self, mut seq: A, shared: &mut Shared<'_>) -> Result {
        loop {
            let mut waiting = Waiting(None, 0);
            let next = seq.next_element_seed(SeedOf(&mut waiting, &mut *shared));
            if next.map_err(|theirs| shared.refused(theirs))?.is_none() {
                return Ok(());
            }
        }
    }
}

/// A serde seed for an expected value.
struct SeedOf<'a, 's, W>(W, &'a mut Shared<'s>);

impl<'de, W: Wanted> DeserializeSeed<'de> for SeedOf<'_, '_, W> {
    type Value = W::Out;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<W::Out, D::Error> {
        let SeedOf(wanted, shared) = self;
        if shared.manner.describes {
            ask(wanted, from, shared)
        } else {
            from.deserialize_tuple(crate::save::MANY, Visit(wanted, shared))
        }
    }
}
