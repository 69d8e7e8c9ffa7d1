//! [`Named`]: the members of an object being loaded, by their names.

use std::borrow::Cow;

use archive_core::bridge::{self, Place};
use archive_core::reserved;
use archive_core::{
    Archive, Body, Class, Error, Keyed, Member, Result, Shape, Value, Visitor, Walk,
};
use serde::de::MapAccess;

use super::key::{count, within};
use super::member_names::{Key, Names};
use super::object::version_of;
use super::seen::MembersSeen;
use super::value::Seed;
use crate::archives::{parts, way};
use crate::shared::{Shared, Tree};
use crate::tree::{Skip, TreeSeed, nests_within};

/// The members of an object in a map. Members that come before they are requested are kept.
pub(crate) struct Named<'a, 's, A> {
    map: A,
    /// The name of the member whose value comes next.
    next: Option<Key>,
    other: Value,
    names: Names,
    kept: MembersSeen,
    /// Better names of members that were already loaded by an older name.
    outranked: Vec<&'static str>,
    class: &'static Class,
    shared: &'a mut Shared<'s>,
}

/// Where a member was found.
enum At {
    Next,
    Kept(Tree),
}

impl<'a, 's, 'de, A: MapAccess<'de>> Named<'a, 's, A> {
    /// Creates the members of a map whose first key has been read, unless the map is empty.
    pub(crate) fn new(
        map: A,
        (next, other): (Option<Key>, Value),
        names: Names,
        class: &'static Class,
        shared: &'a mut Shared<'s>,
    ) -> Result<Self> {
        let (kept, outranked) = (MembersSeen::default(), Vec::new());
        let mut members = Named { map, next, other, names, kept, outranked, class, shared };
        members.note()?;
        Ok(members)
    }

    /// Reads the version if it is the first member, otherwise returns 0.
    pub(crate) fn read_version(&mut self) -> Result<u32> {
        if !matches!(self.next, Some(Key::Other)) || self.other.as_str() != Some(reserved::VERSION)
        {
            return Ok(0);
        }
        let tree = self.keep_value()?;
        let version =
            version_of(&tree.value).map_err(|error| error.in_member(reserved::VERSION))?;
        self.advance()?;
        Ok(version)
    }

    /// Returns the name of the next member.
    fn next_name(&self) -> Option<&str> {
        match self.next? {
            Key::Member(index) => Some(self.names.name(index)),
            Key::Other => self.other.as_str(),
        }
    }

    /// Takes the name of the next member.
    fn take_name(&mut self) -> Cow<'static, str> {
        match (self.next, &mut self.other) {
            (Some(Key::Member(index)), _) => Cow::Borrowed(self.names.name(index)),
            (Some(Key::Other), Value::Str(name)) => Cow::Owned(std::mem::take(name)),
            _ => Cow::Borrowed(""),
        }
    }

    /// Reads the value of the next member as a tree.
    fn keep_value(&mut self) -> Result<Tree> {
        let before = self.shared.session.held();
        let mut has_pointers = false;
        let value = self.map.next_value_seed(TreeSeed::new(self.shared, &mut has_pointers));
        let value = value.map_err(|theirs| self.shared.refused(theirs))?;
        Ok(Tree { value, has_pointers, held: self.shared.session.held() - before })
    }

    /// Reads the name of the next member.
    #[inline]
    fn advance(&mut self) -> Result {
        self.next = self.names.next_key(&mut self.map, &mut self.other, self.shared)?;
        self.note()
    }

    /// Notes the name of the next member.
    #[inline]
    fn note(&mut self) -> Result {
        match (self.next, &self.other) {
            (None, _) => return Ok(()),
            (Some(Key::Member(index)), _) => self.names.meet(index)?,
            (Some(Key::Other), other) => self.names.meet_other(name_of(other)?)?,
        }
        if !self.outranked.is_empty()
            && let Some(name) = self.next_name()
            && self.outranked.contains(&name)
        {
            return Err(self.shared.begin_again());
        }
        Ok(())
    }

    /// Finds a member. Keeps the members before it.
    fn find(&mut self, name: &str) -> Result<Option<At>> {
        if let Some(tree) = self.kept.take(name)? {
            return Ok(Some(At::Kept(tree)));
        }
        while let Some(next) = self.next_name() {
            if next == name {
                return Ok(Some(At::Next));
            }
            let name = self.take_name();
            let tree = self.keep_value().map_err(|error| error.in_member(&name))?;
            self.kept.push(name, tree);
            self.advance()?;
        }
        Ok(None)
    }

    /// Loads the member that was found.
    fn load<B: Body>(&mut self, name: &str, at: At, shape: &'static Shape, body: &mut B) -> Result {
        match at {
            At::Kept(tree) => within(Place::Member(name), self.shared, |shared| {
                shared.load_tree(tree, |ar| body.run(ar))
            }),
            At::Next => {
                load_value(&mut self.map, name, shape, body, self.shared)?;
                self.advance()
            }
        }
    }

    /// Skips the members that were not requested, and reports them as unknown.
    pub(crate) fn close(mut self) -> Result {
        while let Some((name, tree)) = self.kept.pop() {
            unknown_member(&name, self.class, self.shared)?;
            if !nests_within(&tree.value, self.shared.levels_left()) {
                return Err(self.shared.too_deep().in_member(&name));
            }
        }
        while self.next.is_some() {
            let name = self.take_name();
            unknown_member(&name, self.class, self.shared)?;
            let passed = self.map.next_value_seed(Skip::new(self.shared));
            passed.map_err(|theirs| self.shared.refused(theirs).in_member(&name))?;
            self.advance()?;
        }
        Ok(())
    }
}

/// Handles a member that the class does not have. A version is the first member, or the load starts
/// again with a tree, in which it can be found.
pub(crate) fn unknown_member(name: &str, class: &'static Class, shared: &mut Shared<'_>) -> Result {
    if name == reserved::VERSION && class.version > 0 && shared.can_restart {
        return Err(shared.begin_again());
    }
    bridge::unknown_member(name, Some(class), shared.session, shared.options)
}

/// Returns the name that a key represents.
pub(crate) fn name_of(key: &Value) -> Result<&str> {
    key.as_str().ok_or_else(|| Error::wrong_type("a member name", "a key of another type"))
}

/// Loads the value of the next member of a map.
#[inline]
pub(crate) fn load_value<'de, A: MapAccess<'de>, B: Body>(
    map: &mut A,
    name: &str,
    shape: &'static Shape,
    body: &mut B,
    shared: &mut Shared<'_>,
) -> Result {
    within(Place::Member(name), shared, |shared| {
        match map.next_value_seed(Seed { body, shape, shared: &mut *shared }) {
            Ok(()) => Ok(()),
            Err(theirs) => Err(shared.refused(theirs)),
        }
    })
}

impl<'de, A: MapAccess<'de>> Visitor for Named<'_, '_, A> {
    parts!(loading, no scalars);
}

impl<'de, A: MapAccess<'de>> Walk for Named<'_, '_, A> {
    way!(loading);
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        bridge::check_name(name)?;
        match self.find(name)? {
            Some(at) => self.load(name, at, shape, body),
            None => bridge::absent(self.shared.session, self.shared.options, name),
        }
    }
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        // An older name of the member may come next. If a better name follows it, the load starts
        // again; a load that cannot start again searches for the better name at once.
        if !info.aliases.is_empty()
            && let Some(next) = self.next_name()
            && let Some(rank) = info.aliases.iter().position(|alias| next == *alias)
            && self.shared.can_restart
            && self.kept.is_empty()
        {
            self.outranked.push(info.name);
            self.outranked.extend(&info.aliases[..rank]);
            return self.load(info.aliases[rank], At::Next, info.shape.get(), body);
        }
        for name in [info.name].iter().chain(info.aliases) {
            if let Some(at) = self.find(name)? {
                return self.load(name, at, info.shape.get(), body);
            }
        }
        bridge::absent_member(self.shared.session, self.shared.options, info)
    }
    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        let shape = &Shape::Any;
        let (name, at) = match (self.kept.pop(), self.next) {
            (Some((name, tree)), _) => (name, At::Kept(tree)),
            (None, Some(_)) => (self.take_name(), At::Next),
            (None, None) => return Ok(false),
        };
        count(self.shared).map_err(|error| error.in_member(&name))?;
        body.key(&name);
        self.load(&name, at, shape, &mut KeyedBody(body))?;
        Ok(true)
    }
}

struct KeyedBody<'a, B>(&'a mut B);

impl<B: Keyed> Body for KeyedBody<'_, B> {
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.load(ar)
    }
}
