//! [`Named`] and [`Placed`]: the members of an object being loaded.

use std::collections::VecDeque;
use std::fmt;

use archive_core::bridge;
use archive_core::{Archive, Body, Class, Error, Keyed, Member, Result, Scalar, Shape, Value};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::key::in_member;
use super::names::Names;
use super::object::version_of;
use super::value::{Seed, misuse};
use super::visit::next_key;
use crate::shared::{Shared, Tree, parts};
use crate::tree::{DescribedSeed, TreeSeed};

/// The members of an object in a map. What comes before it is asked for is kept.
pub(crate) struct Named<'a, 's, A> {
    map: A,
    /// The name of the member whose value comes next.
    next: Option<String>,
    kept: VecDeque<(String, Tree)>,
    names: Names,
    /// Names that stand for members which were loaded by an older name, and come before it in rank.
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
    /// The members of a map of which the first key has been read, unless it is empty.
    pub(crate) fn new(
        map: A,
        next: Option<String>,
        class: &'static Class,
        shared: &'a mut Shared<'s>,
    ) -> Self {
        let mut names = Names::default();
        names.note(next.clone());
        Named { map, next, kept: VecDeque::new(), names, outranked: Vec::new(), class, shared }
    }

    /// The version, which is the first member.
    pub(crate) fn read_version(&mut self) -> Result<u32> {
        if self.next.as_deref() != Some("$version") {
            return Ok(0);
        }
        let tree = self.keep_value()?;
        let version = version_of(&tree.value).map_err(|error| error.in_member("$version"))?;
        self.advance()?;
        Ok(version)
    }

    /// Reads the value of the next member.
    fn keep_value(&mut self) -> Result<Tree> {
        let mut has_pointers = false;
        let value = self.map.next_value_seed(TreeSeed::new(self.shared, &mut has_pointers));
        let value = value.map_err(|theirs| self.shared.refused(theirs))?;
        Ok(Tree { value, has_pointers })
    }

    /// Reads the name of the next member.
    fn advance(&mut self) -> Result {
        self.next = match next_key(&mut self.map, self.shared)? {
            None => None,
            Some(Value::Str(name)) => {
                if self.names.has(&name) {
                    return Err(Error::twice(&name));
                }
                if self.outranked.contains(&&*name) {
                    return Err(self.shared.begin_again());
                }
                self.names.note(Some(name.clone()));
                Some(name)
            }
            Some(_) => return Err(Error::wrong_type("a member name", "a key of another type")),
        };
        Ok(())
    }

    /// Finds a member. What comes before it is kept.
    fn find(&mut self, name: &str) -> Result<Option<At>> {
        if let Some(at) = self.kept.iter().position(|(kept, _)| kept == name)
            && let Some((_, tree)) = self.kept.remove(at)
        {
            return Ok(Some(At::Kept(tree)));
        }
        while let Some(next) = &self.next {
            if next == name {
                return Ok(Some(At::Next));
            }
            let name = next.clone();
            let tree = self.keep_value().map_err(|error| error.in_member(&name))?;
            self.kept.push_back((name, tree));
            self.advance()?;
        }
        Ok(None)
    }

    /// Loads the member that was found.
    fn load<B: Body>(&mut self, name: &str, at: At, shape: &'static Shape, body: &mut B) -> Result {
        let map = &mut self.map;
        match at {
            At::Kept(tree) => {
                in_member(name, self.shared, |shared| shared.load_tree(tree, |ar| body.run(ar)))
            }
            At::Next => {
                in_member(name, self.shared, |shared| {
                    map.next_value_seed(Seed { body, shape, shared: &mut *shared })
                        .map_err(|theirs| shared.refused(theirs))
                })?;
                self.advance()
            }
        }
    }

    /// Passes over what nobody asked for.
    pub(crate) fn close(mut self) -> Result {
        let unknown = |name: &str, class, shared: &mut Shared<'_>| {
            bridge::unknown_member(name, Some(class), shared.session, shared.options)
        };
        for (name, _) in std::mem::take(&mut self.kept) {
            unknown(&name, self.class, self.shared)?;
        }
        while let Some(name) = self.next.take() {
            unknown(&name, self.class, self.shared)?;
            let passed = self.map.next_value::<IgnoredAny>();
            passed.map_err(|theirs| self.shared.refused(theirs).in_member(&name))?;
            self.advance()?;
        }
        Ok(())
    }
}

impl<'de, A: MapAccess<'de>> Archive for Named<'_, '_, A> {
    parts!(loading);
    fn scalar(&mut self, _: Scalar<'_>) -> Result {
        Err(misuse())
    }
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        bridge::check_name(name)?;
        match self.find(name)? {
            Some(at) => self.load(name, at, shape, body),
            None => {
                bridge::absent(self.shared.session, self.shared.options, name);
                Ok(())
            }
        }
    }
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        // A name it had before may stand here. If a better one follows, the load begins again; where it
        // cannot, that is looked for at once.
        let rank = info.aliases.iter().position(|alias| self.next.as_deref() == Some(*alias));
        if let Some(rank) = rank
            && self.shared.can_restart
            && self.kept.is_empty()
        {
            self.outranked.push(info.name);
            self.outranked.extend(&info.aliases[..rank]);
            return self.load(info.aliases[rank], At::Next, (info.shape)(), body);
        }
        for name in [info.name].iter().chain(info.aliases) {
            if let Some(at) = self.find(name)? {
                return self.load(name, at, (info.shape)(), body);
            }
        }
        bridge::absent_member(self.shared.session, self.shared.options, info)
    }
    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        let shape = &Shape::Any;
        bridge::count(self.shared.session, self.shared.options)?;
        let (name, at) = match (self.kept.pop_front(), &self.next) {
            (Some((name, tree)), _) => (name, At::Kept(tree)),
            (None, Some(name)) => (name.clone(), At::Next),
            (None, None) => return Ok(false),
        };
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

/// The members of an object in a sequence, each in its place.
pub(crate) struct Placed<'a, 's, A> {
    seq: A,
    at: usize,
    shared: &'a mut Shared<'s>,
}

impl<'a, 's, 'de, A: SeqAccess<'de>> Placed<'a, 's, A> {
    pub(crate) fn new(seq: A, shared: &'a mut Shared<'s>) -> Self {
        Placed { seq, at: 0, shared }
    }

    /// Whether the version has a place.
    pub(crate) fn has_versions(&self) -> bool {
        !self.shared.manner.describes
    }

    pub(crate) fn read_version(&mut self) -> Result<u32> {
        let version = self.seq.next_element::<u32>();
        let version = version.map_err(|theirs| self.shared.refused(theirs))?;
        Ok(version.unwrap_or(0))
    }

    /// Loads the member in the next place; `false` if there is none.
    fn load<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result<bool> {
        let seq = &mut self.seq;
        let mut found = false;
        in_member(name, self.shared, |shared| {
            let seed = Seed { body, shape, shared: &mut *shared };
            found = seq.next_element_seed(seed).map_err(|theirs| shared.refused(theirs))?.is_some();
            Ok(())
        })?;
        self.at += 1;
        Ok(found)
    }

    /// Passes over members that were added later.
    pub(crate) fn close(mut self) -> Result {
        while self.shared.manner.describes {
            let next = self.seq.next_element::<IgnoredAny>();
            if next.map_err(|theirs| self.shared.refused(theirs))?.is_none() {
                break;
            }
            let (session, options) = (&mut *self.shared.session, self.shared.options);
            bridge::unknown_member(&format!("#{}", self.at), None, session, options)?;
            self.at += 1;
        }
        Ok(())
    }
}

impl<'de, A: SeqAccess<'de>> Archive for Placed<'_, '_, A> {
    parts!(loading);
    fn scalar(&mut self, _: Scalar<'_>) -> Result {
        Err(misuse())
    }
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        bridge::check_name(name)?;
        if !self.load(name, shape, body)? {
            bridge::absent(self.shared.session, self.shared.options, name);
        }
        Ok(())
    }
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if self.load(info.name, (info.shape)(), body)? {
            return Ok(());
        }
        bridge::absent_member(self.shared.session, self.shared.options, info)
    }
    /// Behind the members that have places stand those that are data, each with its name.
    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        if self.shared.manner.describes {
            return Ok(false); // what stands in an array has no names
        }
        let next = self.seq.next_element_seed(NamedTree(&mut *self.shared));
        let Some((name, value)) = next.map_err(|theirs| self.shared.refused(theirs))? else {
            return Ok(false);
        };
        bridge::count(self.shared.session, self.shared.options)?;
        body.key(&name);
        in_member(&name, self.shared, |shared| shared.load_tree(value.into(), |ar| body.load(ar)))?;
        Ok(true)
    }
}

/// A name and a value that says what it holds.
struct NamedTree<'a, 's>(&'a mut Shared<'s>);

impl<'de> DeserializeSeed<'de> for NamedTree<'_, '_> {
    type Value = (String, Value);

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Self::Value, D::Error> {
        from.deserialize_tuple(2, self)
    }
}

impl<'de> Visitor<'de> for NamedTree<'_, '_> {
    type Value = (String, Value);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name and a value")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        use serde::de::Error;
        let missing = || A::Error::custom("a name and a value in part");
        let name = seq.next_element()?.ok_or_else(missing)?;
        let value = seq.next_element_seed(DescribedSeed::new(self.0))?;
        Ok((name, value.ok_or_else(missing)?))
    }
}
