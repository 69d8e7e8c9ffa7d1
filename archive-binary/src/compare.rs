//! Equality of types: of two shapes, so that equal ones stand once in a file; of a file's type and
//! a shape, so that data of equal types is read by position.

use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::shapes::{Described, ShapeRef};
use crate::types::{Type, TypeId};

/// Types that refer to each other, by nodes.
pub(crate) trait Graph {
    /// Stands for a type.
    type Node: Copy + Eq + Hash;

    /// What a node is.
    fn describe(&self, node: Self::Node) -> Described<'_, Self::Node>;
}

/// The shapes of the program.
pub(crate) struct Shapes;

impl Graph for Shapes {
    type Node = ShapeRef;

    fn describe(&self, node: ShapeRef) -> Described<'_, ShapeRef> {
        node.describe()
    }
}

/// What counts when two types are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rule {
    /// Everything.
    Same,
    /// Whether values can be read by position: the names of classes and enums say nothing about
    /// that, the bodies of pointers are compared when they are met, and what describes itself has
    /// no positions.
    Positional,
}

/// Whether two shapes describe the same.
pub(crate) fn same(one: ShapeRef, other: ShapeRef) -> bool {
    let mut comparison =
        Comparison { ones: &Shapes, rule: Rule::Same, pairs: FxHashMap::default() };
    one == other || comparison.equal(one, other)
}

/// A comparison of one type with a shape, and of everything they are made of.
struct Comparison<'g, G: Graph> {
    ones: &'g G,
    rule: Rule,
    /// Pairs that differ, and pairs that are equal unless something else differs: which is how
    /// recursive types are compared.
    pairs: FxHashMap<(G::Node, ShapeRef), bool>,
}

impl<G: Graph> Comparison<'_, G> {
    fn equal(&mut self, one: G::Node, other: ShapeRef) -> bool {
        let (one_type, other_type) = match (self.ones.describe(one), other.describe()) {
            (Described::Compound(one), Described::Compound(other)) => (one, other),
            (Described::Simple(one), Described::Simple(other)) => {
                return one == other && (self.rule == Rule::Same || one != TypeId::ANY);
            }
            _ => return false,
        };
        if let Some(equal) = self.pairs.get(&(one, other)) {
            return *equal;
        }
        self.pairs.insert((one, other), true);
        let equal = self.compound(&one_type, &other_type);
        self.pairs.insert((one, other), equal);
        equal
    }

    fn compound(
        &mut self,
        one: &Type<&str, G::Node>,
        other: &Type<&'static str, ShapeRef>,
    ) -> bool {
        let (mut outline, components) = one.split();
        let (mut other_outline, other_components) = other.split();
        if self.rule == Rule::Positional {
            if let Type::Pointer(()) = outline {
                return outline == other_outline;
            }
            (outline, other_outline) = (unnamed(outline), unnamed(other_outline));
        }
        outline == other_outline
            && components
                .into_iter()
                .zip(other_components)
                .all(|(one, other)| self.equal(one, other))
    }
}

/// Without the name that is for people.
fn unnamed(outline: Type<&str, ()>) -> Type<&str, ()> {
    match outline {
        Type::Class { version, members, .. } => Type::Class { name: "", version, members },
        Type::Enum { variants, .. } => Type::Enum { name: "", variants },
        other => other,
    }
}

/// Which types of a file are equal to which shapes, as far as it was asked.
#[derive(Default)]
pub(crate) struct Equality {
    known: FxHashMap<(TypeId, ShapeRef), bool>,
    /// Parts that were found to differ.
    differing: FxHashMap<(TypeId, ShapeRef), bool>,
    last: Option<(TypeId, ShapeRef, bool)>,
}

impl Equality {
    /// Whether values of the type can be read by position as values of the shape.
    #[inline]
    pub(crate) fn holds<F>(&mut self, file: &F, found: TypeId, asked: ShapeRef) -> bool
    where
        F: Graph<Node = TypeId>,
    {
        match self.last {
            Some((last, shape, equal)) if last == found && shape == asked => equal,
            _ => {
                let equal = self.look_up(file, found, asked);
                self.last = Some((found, asked, equal));
                equal
            }
        }
    }

    fn look_up<F>(&mut self, file: &F, found: TypeId, asked: ShapeRef) -> bool
    where
        F: Graph<Node = TypeId>,
    {
        if let Some(equal) = self.known.get(&(found, asked)) {
            return *equal;
        }
        let pairs = std::mem::take(&mut self.differing);
        let mut comparison = Comparison { ones: file, rule: Rule::Positional, pairs };
        let equal = comparison.equal(found, asked);
        // If the whole is equal, so is what was assumed on the way; else only the differences count.
        let Comparison { mut pairs, .. } = comparison;
        if equal {
            self.known.extend(pairs.extract_if(|_, equal| *equal));
        } else {
            pairs.retain(|_, equal| !*equal);
        }
        self.differing = pairs;
        self.known.insert((found, asked), equal);
        equal
    }
}
