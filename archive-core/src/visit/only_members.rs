//! [`OnlyMembers`]: the archive that a hand-written function receives.
// Why: docs/decisions/archives-and-bodies.md#hand-written-functions-see-an-archive-of-members-only

use std::any::Any;
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::PointerHead;
use crate::model::members::name::{self, Key};
use crate::model::scalar::Scalar;
use crate::model::shape::{About, Class, Enum, Member, Property, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::body::{Body, Keyed, LoadAny, LoadPointer, Variants};
use crate::visit::erased::{Erased, Way, loads};
use crate::visit::facts::Step;
use crate::visit::guide::Guide;
use crate::visit::serialize::Serialize;
use crate::visit::session::Session;
use crate::visit::visitor::Visitor;
use crate::visit::walk::{ArchiveKind, Walk};

/// A wrapper of an archive that accepts only members, and while saving each name only once. Derived
/// functions do nothing else. A hand-written function could otherwise write a value where no format
/// has a place for one.
pub(crate) struct OnlyMembers<'a, A> {
    ar: &'a mut A,
    class: &'static Class,
    /// The number of names that were recorded when the object began.
    noted: usize,
    /// The names of an object that has more than [`FEW`] members.
    many: Option<HashSet<Key>>,
    /// Whether names are recorded.
    notes: bool,
}

/// The largest number of names that are compared one by one.
const FEW: usize = 32;

/// Runs a hand-written function on the members of an open object of that class.
#[inline(always)]
pub(crate) fn visit<A: Archive>(
    ar: &mut A,
    class: &'static Class,
    function: impl FnOnce(&mut OnlyMembers<'_, A>) -> Result,
) -> Result {
    let never = const { OnlyMembers::<A>::NEVER_RECORDS_NAMES };
    let notes = !never && !loads!(A, ar) && !ar.refuses_duplicates();
    let noted = if notes { ar.session().current.names.len() } else { 0 };
    let visited = function(&mut OnlyMembers { ar: &mut *ar, class, noted, many: None, notes });
    if notes {
        ar.session_mut().current.names.truncate(noted);
    }
    visited
}

impl<A: Archive> OnlyMembers<'_, A> {
    /// Whether names are never recorded. A constant, so that functions which are not inlined know
    /// it too.
    const NEVER_RECORDS_NAMES: bool =
        A::KIND.refuses_duplicates || matches!(A::Way::LOADS, Some(true));

    /// Called before a member is saved or loaded.
    #[inline(always)]
    fn begin(&mut self, name: &str) -> Result {
        if const { Self::NEVER_RECORDS_NAMES } || !self.notes {
            return Ok(());
        }
        let key = if name::is_short(name) { name::key(name) } else { long_key(name) };
        let names = &mut self.ar.session_mut().current.names;
        let own = names.get(self.noted..).unwrap_or_default();
        if own.len() >= FEW {
            return self.begin_many(name, key);
        }
        if own.contains(&key) {
            return Err(self.twice(name));
        }
        names.push(key);
        Ok(())
    }

    #[cold]
    fn begin_many(&mut self, name: &str, key: Key) -> Result {
        let names = &self.ar.session().current.names;
        let few = || names.iter().skip(self.noted).copied().collect();
        if self.many.get_or_insert_with(few).insert(key) { Ok(()) } else { Err(self.twice(name)) }
    }

    #[cold]
    fn twice(&self, name: &str) -> Error {
        let message = format_args!("`{}` has two members `{name}`", self.class.name());
        Error::new(ErrorKind::DuplicateMember, message)
    }

    #[cold]
    fn no_member(&self) -> Error {
        let class = self.class.name();
        let message = format_args!(
            "the function of `{class}` visits a value without a name: give it one, as in \
             `ar.serialize(\"value\", &mut self.value)`; only the function of a struct can be called \
             in place of a member; a type that is saved as its one value is derived"
        );
        Error::new(ErrorKind::Unsupported, message)
    }
}

/// Returns the key of a long name: a hash and the length. If two different names have the same key,
/// the second one is refused; nothing worse can happen.
#[cold]
fn long_key(name: &str) -> Key {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    [hasher.finish(), u64::MAX - name.len() as u64]
}

impl<A: Archive> Visitor for OnlyMembers<'_, A> {
    crate::__takes_bodies!();
    #[inline]
    fn loads(&self) -> bool {
        self.ar.is_loading()
    }
    #[inline]
    fn parts(&self) -> (&Session, &Options<'_>) {
        self.ar.parts()
    }
    #[inline]
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        self.ar.parts_mut()
    }
    #[inline]
    fn current_version(&self) -> u32 {
        self.ar.version()
    }
    #[inline]
    fn fixed_members(&self) -> bool {
        self.ar.fixed_members()
    }
    #[inline]
    fn fixed_shape(&self) -> bool {
        self.ar.fixed_shape()
    }
    #[inline]
    fn refuses_duplicates(&self) -> bool {
        self.ar.refuses_duplicates()
    }
    fn members_of(&self) -> Option<&'static Class> {
        Some(self.class)
    }
    fn property(&mut self, property: &'static Property) -> bool {
        self.ar.property(property)
    }
    fn shown(&mut self, object: &dyn Any, shape: &'static Shape, about: &'static About) {
        self.ar.shown(object, shape, about);
    }
    fn resolve_pending(&mut self) -> Result {
        self.ar.resolve_pending()
    }

    fn scalar(&mut self, _: Scalar<'_>) -> Result {
        Err(self.no_member())
    }
}

impl<A: Archive> Walk for OnlyMembers<'_, A> {
    type Way = A::Way;
    const KIND: ArchiveKind = ArchiveKind { guided: A::KIND.guided, ..ArchiveKind::TOOL };

    #[inline(always)]
    fn guide(&self) -> Option<Guide<'_>> {
        self.ar.guide()
    }
    /// The inner archive itself follows a path. At the end of the path, this archive still accepts
    /// only members.
    fn erase(&mut self) -> Erased<'_> {
        let is_live = matches!(self.ar.guide(), Some(Guide::Live));
        Erased::guided(self, is_live.then_some(Guide::Live))
    }
    // Inlined, because the names are mostly constants in the calling functions.
    #[inline(always)]
    fn by_name<T: Serialize + ?Sized>(&mut self, name: &str, value: &mut T) -> Result {
        self.begin(name)?;
        self.ar.by_name(name, value)
    }
    #[inline(always)]
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        self.begin(name)?;
        self.ar.slot(name, shape, body)
    }
    #[inline(always)]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        self.begin(info.name)?;
        self.ar.named(info, body)
    }
    fn found<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        self.ar.found(info, body)
    }
    fn save_key<B: Body>(&mut self, name: &str, body: &mut B) -> Result {
        self.begin(name)?;
        self.ar.save_key(name, body)
    }
    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        self.ar.load_key(body)
    }
    fn load_pointee<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        self.ar.load_pointee(id, body)
    }
    fn run_elsewhere<B: Body>(&mut self, _: Step, _: &mut B) -> Result<bool> {
        Err(self.no_member())
    }
    fn entry<K: Body, V: Body>(&mut self, _: usize, _: &mut K, _: &mut V) -> Result<bool> {
        Err(self.no_member())
    }
    fn variant<B: Variants>(&mut self, _: &'static Enum, _: &mut B) -> Result {
        Err(self.no_member())
    }
    fn save_pointer<B: Body>(&mut self, _: &PointerHead<'_>, _: &mut B) -> Result {
        Err(self.no_member())
    }
    fn load_pointer<B: LoadPointer>(&mut self, _: &mut B) -> Result {
        Err(self.no_member())
    }
    fn load_any<B: LoadAny>(&mut self, _: &mut B) -> Result {
        Err(self.no_member())
    }
}
