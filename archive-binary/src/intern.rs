//! [`TypeTable`]: the types of the file being written, built from shapes. Each type is stored once.
// Why: docs/decisions/binary.md#binary-classes-come-from-constants

use std::hash::BuildHasher;

use archive_core::shape::{Class, Shape};
use archive_core::{Error, ErrorKind, Result, Targets};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::compare::{Rule, same};
use crate::names::{NameId, Names};
use crate::shapes::{Described, ShapeRef};
use crate::types::{Type, TypeId};

/// The types of the file being written.
#[derive(Default)]
pub(crate) struct TypeTable {
    /// The names in the types and in the other tables.
    pub(crate) names: Names,
    types: Vec<Type<NameId, TypeId>>,
    known: FxHashMap<ShapeRef, TypeId>,
    /// Types by a hash of their outline without components, with the shapes from which they were
    /// created.
    alike: FxHashMap<u64, Vec<(ShapeRef, TypeId)>>,
    refused: Option<Error>,
    /// The versions to write, for classes that are not written in the program's version.
    targets: Targets,
    /// The root whose types come first, until the first type is added.
    postponed: Option<&'static Shape>,
    /// The number of types that follow from the root.
    implied: usize,
    /// The number of parts of types that were compared.
    compared: usize,
    /// Whether types are distinct if they are equal except for their meaning.
    meaning: bool,
}

/// A type whose components are being numbered.
struct Open {
    id: TypeId,
    described: Type<&'static str, ShapeRef>,
    components: std::vec::IntoIter<ShapeRef>,
    parts: Vec<TypeId>,
}

/// The maximum number of parts of types that are compared for one file.
const MAX_COMPARED: usize = 1 << 20;

impl TypeTable {
    /// Creates an empty table.
    pub(crate) fn new(targets: Targets) -> Self {
        TypeTable { targets, ..TypeTable::default() }
    }

    /// Creates an empty table in which types with different meanings are distinct. Files do not
    /// contain such tables.
    pub(crate) fn of_meanings(targets: Targets) -> Self {
        TypeTable { targets, meaning: true, ..TypeTable::default() }
    }

    /// Returns the rule by which shapes are compared.
    fn rule(&self) -> Rule {
        if self.meaning { Rule::Meaning } else { Rule::Same }
    }

    /// Returns the version in which objects of a class are written.
    pub(crate) fn version_of(&self, class: &'static Class) -> u32 {
        self.targets.version_of(class)
    }

    /// Returns the versions to write, for classes that are not written in the program's version.
    pub(crate) fn targets(&self) -> &Targets {
        &self.targets
    }

    /// Returns all types, in the order of their numbers.
    pub(crate) fn types(&self) -> &[Type<NameId, TypeId>] {
        &self.types
    }

    /// Returns whether the types determine values of the root's type completely.
    pub(crate) fn is_fully_described(&self, root: TypeId) -> bool {
        root.is_fully_described()
            && self.types.iter().all(|kind| kind.consists_of(TypeId::is_fully_described))
    }

    /// Returns the types that do not follow from a [postponed](TypeTable::postpone) root.
    pub(crate) fn residual(&self) -> &[Type<NameId, TypeId>] {
        self.types.get(self.implied..).unwrap_or_default()
    }

    /// Postpones the types of a root until another type is added. They then come first. Readers
    /// know the root, so these types need not be stored.
    pub(crate) fn postpone(&mut self, root: &'static Shape) {
        self.postponed = Some(root);
    }

    /// Numbers the types of the postponed root.
    pub(crate) fn intern_postponed(&mut self) {
        if let Some(root) = self.postponed.take() {
            self.intern(root);
            self.implied = self.types.len();
        }
    }

    /// Returns the number of a shape's type.
    #[inline]
    pub(crate) fn intern(&mut self, shape: &'static Shape) -> TypeId {
        match shape {
            Shape::Primitive(primitive, _) if !self.meaning => TypeId::of(*primitive),
            _ => {
                if self.postponed.is_some() {
                    self.intern_postponed();
                }
                self.intern_part(ShapeRef::of(shape))
            }
        }
    }

    /// Returns all types, with the names of the program.
    pub(crate) fn described(&self) -> Vec<Type<&'static str, TypeId>> {
        let mut shapes: Vec<(ShapeRef, TypeId)> = self.alike.values().flatten().copied().collect();
        shapes.sort_unstable_by_key(|(_, id)| *id);
        let number = |part: &ShapeRef| match self.known.get(part) {
            Some(id) => *id,
            None => TypeId::NONE,
        };
        let described = |(shape, id): (ShapeRef, TypeId)| {
            let mut described = match self.rule().describe(shape) {
                Described::Compound(described) => described.map(|name| *name, number),
                Described::Simple(_) => return None,
            };
            if let (Type::Class { version, .. }, Some(Type::Class { version: written, .. })) =
                (&mut described, id.index().and_then(|index| self.types.get(index)))
            {
                *version = *written;
            }
            Some(described)
        };
        shapes.into_iter().filter_map(described).collect()
    }

    /// Numbers a type. Its component types come right after it, each followed by its own
    /// components. Does not recurse, because types may nest deeper than values.
    fn intern_part(&mut self, shape: ShapeRef) -> TypeId {
        let mut open: Vec<Open> = Vec::new();
        let mut found = self.begin(shape, &mut open);
        loop {
            let Some(last) = open.last_mut() else { return found.unwrap_or(TypeId::NONE) };
            last.parts.extend(found.take());
            let Some(part) = last.components.next() else {
                found = open.pop().map(|whole| self.end(whole));
                continue;
            };
            found = self.begin(part, &mut open);
        }
    }

    /// Returns the number of a known type, or opens a new one.
    fn begin(&mut self, shape: ShapeRef, open: &mut Vec<Open>) -> Option<TypeId> {
        if let Some(id) = self.known.get(&shape) {
            return Some(*id);
        }
        let id = match self.rule().describe(shape) {
            Described::Simple(id) => id,
            Described::Compound(mut described) => {
                if let (ShapeRef::Class(class), Type::Class { version, .. }) =
                    (shape, &mut described)
                {
                    *version = self.version_of(class);
                }
                return self.add(shape, described, open);
            }
        };
        self.known.insert(shape, id);
        Some(id)
    }

    /// Adds a type unless an equal one is known. One constant may have several addresses, so types
    /// are also compared by content. The number of comparisons is limited, since types of forged
    /// files may differ only in their last parts. Past the limit, equal types are stored twice.
    fn add(
        &mut self,
        shape: ShapeRef,
        described: Type<&'static str, ShapeRef>,
        open: &mut Vec<Open>,
    ) -> Option<TypeId> {
        let rule = self.rule();
        let (outline, components) = described.split();
        let alike = self.alike.entry(FxBuildHasher.hash_one(&outline)).or_default();
        let equal = alike.iter().find(|(other, _)| {
            self.compared < MAX_COMPARED
                && same(*other, shape, rule, &self.targets, &mut self.compared)
        });
        if let Some((_, id)) = equal {
            let id = *id;
            self.known.insert(shape, id);
            return Some(id);
        }
        // The type gets its number before its components are visited, because they may refer to it.
        let id = TypeId::at_index(self.types.len());
        alike.push((shape, id));
        self.known.insert(shape, id);
        self.types.push(Type::Tuple(Vec::new()));
        let components = components.into_iter();
        open.push(Open { id, described, components, parts: Vec::new() });
        None
    }

    /// Adds a type whose components are numbered.
    fn end(&mut self, open: Open) -> TypeId {
        let Open { id, described, parts, .. } = open;
        let (mut parts, names) = (parts.into_iter(), &mut self.names);
        let described = described.map(|name| names.intern(name), |_| parts.next().unwrap_or(id));
        if let Err(error) = self.check(&described) {
            self.refused.get_or_insert(error); // reported at the end
        }
        if let Some(place) = id.index().and_then(|index| self.types.get_mut(index)) {
            *place = described;
        }
        id
    }

    /// Adds the class that an object of a hand-written function had at its end.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`] if a name occurs twice.
    pub(crate) fn add_class(
        &mut self,
        name: NameId,
        version: u32,
        members: Vec<(NameId, TypeId)>,
    ) -> Result<TypeId> {
        self.intern_postponed();
        let id = TypeId::at_index(self.types.len());
        let class = Type::Class { name, version, members };
        self.check(&class)?;
        self.types.push(class);
        Ok(id)
    }

    /// Checks that no member name occurs twice.
    fn check(&self, described: &Type<NameId, TypeId>) -> Result {
        let Type::Class { name, members, .. } = described else { return Ok(()) };
        let mut seen = FxHashSet::default();
        match members.iter().find(|(member, _)| !seen.insert(*member)) {
            None => Ok(()),
            Some((twice, _)) => {
                let (class, member) = (self.names.get(*name), self.names.get(*twice));
                let message = format_args!("`{class}` has two members `{member}`");
                Err(Error::new(ErrorKind::DuplicateMember, message))
            }
        }
    }

    /// Takes the error that was found while types were described.
    pub(crate) fn refusal(&mut self) -> Option<Error> {
        self.refused.take()
    }
}
