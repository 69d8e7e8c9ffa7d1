//! [`TypeTable`]: the types of the file being written, each once, made from shapes.

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
    /// The names in them, and those in the other tables.
    pub(crate) names: Names,
    types: Vec<Type<NameId, TypeId>>,
    known: FxHashMap<ShapeRef, TypeId>,
    /// Types that look equal apart from their components, with the shapes they were made from.
    alike: FxHashMap<u64, Vec<(ShapeRef, TypeId)>>,
    refused: Option<Error>,
    /// The versions of classes, where they are not those of the program.
    targets: Targets,
    /// The root whose types come first, until there are others.
    postponed: Option<&'static Shape>,
    /// How many types follow from the root.
    implied: usize,
    /// How many parts of types were compared.
    compared: usize,
    /// Whether types are apart that look the same and mean something else.
    meaning: bool,
}

/// A type whose parts get numbers.
struct Open {
    id: TypeId,
    described: Type<&'static str, ShapeRef>,
    components: std::vec::IntoIter<ShapeRef>,
    parts: Vec<TypeId>,
}

/// How many parts of types are compared for one file.
const MOST_COMPARED: usize = 1 << 20;

impl TypeTable {
    /// Without types.
    pub(crate) fn new(targets: Targets) -> Self {
        TypeTable { targets, ..TypeTable::default() }
    }

    /// Without types; those to come are apart by what they mean. No file has such a table.
    pub(crate) fn of_meanings(targets: Targets) -> Self {
        TypeTable { targets, meaning: true, ..TypeTable::default() }
    }

    /// What of shapes counts.
    fn rule(&self) -> Rule {
        if self.meaning { Rule::Meaning } else { Rule::Same }
    }

    /// The version in which objects of a class are written.
    pub(crate) fn version_of(&self, class: &'static Class) -> u32 {
        self.targets.version_of(class)
    }

    /// The versions of classes, where they are not those of the program.
    pub(crate) fn targets(&self) -> &Targets {
        &self.targets
    }

    /// All types, in the order of their numbers.
    pub(crate) fn types(&self) -> &[Type<NameId, TypeId>] {
        &self.types
    }

    /// Whether values of the root's type are nothing but what the types say.
    pub(crate) fn is_told(&self, root: TypeId) -> bool {
        root.is_told() && self.types.iter().all(|kind| kind.consists_of(TypeId::is_told))
    }

    /// Those types that do not follow from a [postponed](TypeTable::postpone) root.
    pub(crate) fn residual(&self) -> &[Type<NameId, TypeId>] {
        self.types.get(self.implied..).unwrap_or_default()
    }

    /// The types of that root come first, once there are any at all: whoever reads them knows it.
    pub(crate) fn postpone(&mut self, root: &'static Shape) {
        self.postponed = Some(root);
    }

    /// Numbers the types of a postponed root.
    pub(crate) fn intern_postponed(&mut self) {
        if let Some(root) = self.postponed.take() {
            self.intern(root);
            self.implied = self.types.len();
        }
    }

    /// The number of a shape's type.
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

    /// All types, with the names that stand in the program.
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

    /// The types that this one is made of come right after it, each with its own. Nothing here recurses: types
    /// may lead deeper into each other than values ever do.
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

    /// The number of a type that is known, or else the type is opened.
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

    /// The same constant may have several addresses, so types are compared by content too; not without end,
    /// since types of forged files may differ in their last parts only. Then equal ones stand twice.
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
            self.compared < MOST_COMPARED
                && same(*other, shape, rule, &self.targets, &mut self.compared)
        });
        if let Some((_, id)) = equal {
            let id = *id;
            self.known.insert(shape, id);
            return Some(id);
        }
        // The number is given before the components are looked at, because they may refer to it.
        let id = TypeId::at_index(self.types.len());
        alike.push((shape, id));
        self.known.insert(shape, id);
        self.types.push(Type::Tuple(Vec::new()));
        let components = components.into_iter();
        open.push(Open { id, described, components, parts: Vec::new() });
        None
    }

    /// Adds a type whose parts have numbers.
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

    /// Adds the class that a hand-written function turned out to have.
    ///
    /// # Errors
    /// [`ErrorKind::DuplicateMember`].
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

    /// Whether no name stands twice.
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

    /// The error that was met while types were described.
    pub(crate) fn refusal(&mut self) -> Option<Error> {
        self.refused.take()
    }
}
