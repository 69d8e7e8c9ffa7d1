//! Equality of types: of two shapes, so that equal types are stored once per file; and of a file's
//! type and a shape, so that data of equal types is read by position.

use std::borrow::Cow;
use std::hash::Hash;

use archive_core::Targets;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::shapes::{Described, ShapeRef};
use crate::types::{Type, TypeId};

/// A graph of types that refer to each other.
pub(crate) trait Graph {
    /// A reference to a type.
    type Node: Copy + Eq + Hash;

    /// Returns the type of a node.
    fn describe(&self, node: Self::Node) -> Described<Cow<'_, Type<&str, Self::Node>>>;
}

/// The shapes of the program, as described by a rule.
struct Shapes(Rule);

impl Graph for Shapes {
    type Node = ShapeRef;

    fn describe(&self, node: ShapeRef) -> Described<Cow<'_, Type<&str, ShapeRef>>> {
        match self.0.describe(node) {
            Described::Simple(id) => Described::Simple(id),
            Described::Compound(described) => Described::Compound(Cow::Owned(described)),
        }
    }
}

/// The parts of types that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// All facts that are stored in a file.
    Same,
    /// The meaning of values in addition.
    Meaning,
    /// The facts that decide whether values can be read by position. The names of classes and enums
    /// do not matter. The objects of pointers are compared when they are read. Self-describing
    /// values have no positions.
    Positional,
}

impl Rule {
    /// Describes a shape with the parts that are compared.
    pub(crate) fn describe(self, shape: ShapeRef) -> Described<Type<&'static str, ShapeRef>> {
        match self {
            Rule::Meaning => shape.describe_meaning(),
            Rule::Same | Rule::Positional => shape.describe(),
        }
    }
}

/// Returns whether two shapes describe the same type, with the versions in which their classes are
/// written. Adds the number of compared pairs to `compared`.
pub(crate) fn same(
    one: ShapeRef,
    other: ShapeRef,
    rule: Rule,
    targets: &Targets,
    compared: &mut usize,
) -> bool {
    let mut seen = FxHashSet::default();
    let mut open = vec![(one, other)];
    while let Some(pair) = open.pop() {
        *compared += 1;
        if pair.0 != pair.1 && seen.insert(pair) {
            if let (ShapeRef::Class(one), ShapeRef::Class(other)) = pair
                && targets.version_of(one) != targets.version_of(other)
            {
                return false;
            }
            match parts(&Shapes(rule), rule, pair) {
                Some(parts) => open.extend(parts),
                None => return false,
            }
        }
    }
    true
}

/// Returns the pairs that must be equal for this pair to be equal, or `None` if the pair itself
/// differs.
fn parts<G: Graph>(
    ones: &G,
    rule: Rule,
    (one, other): (G::Node, ShapeRef),
) -> Option<Vec<(G::Node, ShapeRef)>> {
    let (one, other) = match (ones.describe(one), rule.describe(other)) {
        (Described::Compound(one), Described::Compound(other)) => (one, other),
        (Described::Simple(one), Described::Simple(other)) => {
            let equal = one == other && (rule != Rule::Positional || one != TypeId::ANY);
            return equal.then(Vec::new);
        }
        _ => return None,
    };
    let named = |one: &str, other: &str| rule == Rule::Positional || one == other;
    match (&*one, &other) {
        (Type::Seq(one), Type::Seq(other))
        | (Type::Map(one), Type::Map(other))
        | (Type::Option(one), Type::Option(other)) => Some(vec![(*one, *other)]),
        (Type::Array(one, len), Type::Array(other, other_len)) => {
            (len == other_len).then(|| vec![(*one, *other)])
        }
        (Type::Tuple(ones), Type::Tuple(others)) => (ones.len() == others.len())
            .then(|| ones.iter().copied().zip(others.iter().copied()).collect()),
        (
            Type::Class { name, version, members },
            Type::Class { name: other_name, version: other_version, members: others },
        ) if version == other_version
            && members.len() == others.len()
            && named(name, other_name) =>
        {
            let pair = |(one, other): (&(&str, G::Node), &(&str, ShapeRef))| {
                (one.0 == other.0).then_some((one.1, other.1))
            };
            members.iter().zip(others).map(pair).collect()
        }
        (Type::Enum { name, variants }, Type::Enum { name: other_name, variants: others })
            if variants.len() == others.len() && named(name, other_name) =>
        {
            let mut pairs = Vec::new();
            for ((name, payload), (other_name, other_payload)) in variants.iter().zip(others) {
                match (payload, other_payload) {
                    _ if name != other_name => return None,
                    (Some(one), Some(other)) => pairs.push((*one, *other)),
                    (None, None) => {}
                    _ => return None,
                }
            }
            Some(pairs)
        }
        (Type::Pointer(one), Type::Pointer(other)) => Some(match rule {
            Rule::Same | Rule::Meaning => vec![(*one, *other)],
            Rule::Positional => Vec::new(),
        }),
        _ => None,
    }
}

/// A type of a file, and a shape.
type Pair = (TypeId, ShapeRef);

/// The number of pairs that are compared in addition to the number of types in the file. No real
/// program reaches it. Beyond it, all types count as different, which is correct but slower to
/// load.
const PAIRS: usize = 1 << 16;

/// Results of comparing types of a file with shapes.
pub(crate) struct Equality {
    /// The result for every pair that was compared, alone or as a part of others, so that nothing
    /// is compared twice.
    known: FxHashMap<Pair, bool>,
    last: Option<(TypeId, ShapeRef, bool)>,
    /// The maximum number of pairs.
    limit: usize,
}

impl Equality {
    /// Creates an empty cache for a file with that many types.
    pub(crate) fn new(types: usize) -> Self {
        Equality { known: FxHashMap::default(), last: None, limit: types.saturating_add(PAIRS) }
    }

    /// Drops the results for the types from `first` on.
    pub(crate) fn forget_from(&mut self, first: TypeId) {
        self.known.retain(|(found, _), _| *found < first);
        self.last = self.last.filter(|(found, ..)| *found < first);
    }

    /// Returns whether values of the type can be read by position as values of the shape.
    #[inline]
    pub(crate) fn holds<F>(&mut self, file: &F, found: TypeId, asked: ShapeRef) -> bool
    where
        F: Graph<Node = TypeId>,
    {
        match self.last {
            Some((last, shape, equal)) if last == found && shape == asked => equal,
            _ => {
                let equal = match self.known.get(&(found, asked)) {
                    Some(equal) => *equal,
                    None => self.compare(file, (found, asked)),
                };
                self.last = Some((found, asked, equal));
                equal
            }
        }
    }

    /// Compares a pair and all pairs of their components. First it collects the pairs inside each
    /// pair, then it spreads differences from the inside out. The remaining pairs are equal, even
    /// if they are recursive.
    fn compare<F>(&mut self, file: &F, whole: Pair) -> bool
    where
        F: Graph<Node = TypeId>,
    {
        let left = self.limit.saturating_sub(self.known.len());
        if left == 0 {
            return false;
        }
        let mut pairs = vec![whole];
        let mut numbers = FxHashMap::from_iter([(whole, 0)]);
        let mut holders = vec![Vec::new()];
        let mut differing = Vec::new();
        let mut next = 0;
        while let Some(pair) = pairs.get(next) {
            match parts(file, Rule::Positional, *pair) {
                None => differing.push(next),
                Some(parts) => {
                    for part in parts {
                        match self.known.get(&part) {
                            Some(true) => {}
                            Some(false) => differing.push(next),
                            None => {
                                let number = *numbers.entry(part).or_insert(pairs.len());
                                if number == pairs.len() {
                                    pairs.push(part);
                                    holders.push(Vec::new());
                                }
                                holders[number].push(next);
                            }
                        }
                    }
                }
            }
            if pairs.len() > left {
                differing.extend(0..pairs.len());
                break;
            }
            next += 1;
        }
        let mut equal = vec![true; pairs.len()];
        while let Some(number) = differing.pop() {
            if std::mem::replace(&mut equal[number], false) {
                differing.append(&mut holders[number]);
            }
        }
        let whole = equal[0];
        self.known.extend(pairs.into_iter().zip(equal));
        whole
    }
}
