//! Equality of types: of two shapes, so that equal ones stand once in a file; of a file's type and
//! a shape, so that data of equal types is read by position.

use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};

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
    one == other || equal(&Shapes, one, &Shapes, other, Rule::Same, &mut FxHashSet::default())
}

/// Pairs that are equal unless something else differs: how recursive types are compared.
type Assumed<A, B> = FxHashSet<(<A as Graph>::Node, <B as Graph>::Node)>;

fn equal<A: Graph, B: Graph>(
    ones: &A,
    one: A::Node,
    others: &B,
    other: B::Node,
    rule: Rule,
    assumed: &mut Assumed<A, B>,
) -> bool {
    let (one_type, other_type) = match (ones.describe(one), others.describe(other)) {
        (Described::Compound(one), Described::Compound(other)) => (one, other),
        (Described::Simple(one), Described::Simple(other)) => {
            return one == other && (rule == Rule::Same || one != TypeId::ANY);
        }
        _ => return false,
    };
    if !assumed.insert((one, other)) {
        return true;
    }
    let (mut outline, components) = one_type.split();
    let (mut other_outline, other_components) = other_type.split();
    if rule == Rule::Positional {
        if let Type::Pointer(()) = outline {
            return outline == other_outline;
        }
        (outline, other_outline) = (unnamed(outline), unnamed(other_outline));
    }
    outline == other_outline
        && components
            .into_iter()
            .zip(other_components)
            .all(|(one, other)| equal(ones, one, others, other, rule, assumed))
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
        let mut assumed = FxHashSet::default();
        let equal = equal(file, found, &Shapes, asked, Rule::Positional, &mut assumed);
        if equal {
            // Then so is everything that was assumed on the way.
            self.known.extend(assumed.into_iter().map(|pair| (pair, true)));
        }
        self.known.insert((found, asked), equal);
        equal
    }
}
