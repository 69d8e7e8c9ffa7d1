//! [`References`]: checks the references in some values of a file that are replaced, without a tree of the file. It
//! makes the same checks as [`Links::check`](super::references_in_tree::Links::check) makes for a tree.

mod collect;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use archive_core::{Error, Options, Result, Value};

use super::Shapes;
use super::before::Before;
use super::graph::Graph;
use super::observed::{Kind, Observed};
use super::places::Place;
use super::references_in_tree::closes_cycle;
use super::tour::Tour;
pub use collect::{Found, Target, referred};

/// A value that is replaced. Neither the old nor the new value contains objects.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    start: usize,
    end: usize,
    kind: u32,
    value: u32,
    found: Option<(Place, u32)>,
}

impl Part {
    /// Creates a part: its bytes, its type in the file, and the number of the new value.
    pub fn new(bytes: Range<usize>, kind: u32, value: u32) -> Self {
        Part { start: bytes.start, end: bytes.end, kind, value, found: None }
    }
}

/// Receives the pointers of the file and checks the references.
pub struct References<'p> {
    /// For each type of the file that is a class: the numbers that distinguish the class, and its
    /// objects with hand-written functions.
    classes: Vec<Option<[usize; 2]>>,
    /// The number of stored objects, and the index of the object with an id.
    objects: usize,
    find: &'p dyn Fn(u64) -> Option<usize>,
    /// Sorted by the offsets.
    parts: Vec<Part>,
    observed: Observed<'p>,
    /// The kinds of objects, with their numbers, and which of them were found to have the same
    /// type.
    kinds: Vec<Kind>,
    numbers: HashMap<Kind, u32>,
    joined: HashSet<(u32, u32)>,
    /// The number of the kind of each object.
    kind_of: Vec<u32>,
    /// Pairs of a holder and the object that it holds, by their numbers: the index plus one, and 0 for the
    /// root. Pairs in values that are replaced are separate.
    edges: Vec<(u32, u32)>,
    removed: Vec<(u32, u32)>,
    /// The ids in the new values.
    wanted: HashSet<u64>,
    /// Whether a strong reference refers to nothing, or there are too many places.
    is_broken: bool,
    /// For each object, whether it is in a value that is replaced and no longer in the file. Empty
    /// if there are no such objects.
    lost: Vec<bool>,
    /// The number of types of other objects that were visited. Their remaining types come in the order
    /// of their numbers, unless `is_out_of_order`.
    met: u32,
    is_out_of_order: bool,
    /// The highest id outside these values.
    last: u64,
    /// The first remaining reference to one of the lost objects.
    refused: Option<Error>,
}

/// The result of checking the new values.
pub enum Checked {
    /// They are correct.
    Right(Left),
    /// A tree of the file is needed to decide.
    Unknown,
    /// They are wrong. The path of the error begins at the value.
    Wrong(Error),
    /// A value elsewhere is wrong because of them. The path of the error begins at the root.
    Elsewhere(Error),
}

/// The objects that remain in the file after the values are replaced.
pub struct Left {
    /// For each object, whether it is no longer in the file. Empty if all objects are.
    pub lost: Vec<bool>,
    /// The highest id.
    pub last: u64,
}

const UNKNOWN: u32 = u32::MAX;

/// The types of a program have fewer places and kinds of objects. Each pair takes memory and time.
const MAX_PLACES: usize = 1 << 18;
const MAX_KINDS: usize = 1 << 12;
const MAX_PAIRS: usize = 1 << 16;

impl<'p> References<'p> {
    /// Creates the checker from the classes of the file's types, the objects of the file, the values that are replaced,
    /// and the ids in the new values.
    pub fn new(
        classes: Vec<Option<[usize; 2]>>,
        objects: usize,
        find: &'p dyn Fn(u64) -> Option<usize>,
        mut parts: Vec<Part>,
        wanted: HashSet<u64>,
    ) -> Self {
        parts.sort_by_key(|part| (part.start, part.end));
        References {
            classes,
            objects,
            find,
            parts,
            observed: Observed::default(),
            kinds: Vec::new(),
            numbers: HashMap::new(),
            joined: HashSet::new(),
            kind_of: vec![UNKNOWN; objects],
            edges: Vec::new(),
            removed: Vec::new(),
            wanted,
            is_broken: false,
            lost: Vec::new(),
            met: 0,
            is_out_of_order: false,
            last: 0,
            refused: None,
        }
    }

    /// Visits a new value, and returns its references.
    ///
    /// # Errors
    /// An error if a pointer does not have the form that its type requires.
    pub fn visit((new, old): (&Value, &Value), shapes: &Shapes, options: &Options<'_>) -> Result {
        let mut observed = Observed::default();
        let before = Before::One([old].into()).part(new, Some);
        Tour::new(shapes, &mut observed, options).visit(new, shapes.root, Place::ROOT, &before)
    }

    fn number(&mut self, kind: Kind) -> u32 {
        if let Some(known) = self.numbers.get(&kind) {
            return *known;
        }
        if self.kinds.len() > MAX_KINDS {
            self.is_broken = true;
            return 0;
        }
        let number = self.kinds.len() as u32;
        self.kinds.push(kind);
        self.numbers.insert(kind, number);
        self.observed.add(kind, 0);
        number
    }

    /// Returns whether the byte at an offset is in a part.
    fn part_at(&self, at: usize) -> bool {
        let before = self.parts.partition_point(|part| part.start <= at);
        before.checked_sub(1).is_some_and(|last| at < self.parts[last].end)
    }

    /// Records the type of an object. In a file, types have numbers in the order in which they are
    /// visited.
    fn meet(&mut self, concrete: u32) {
        self.is_out_of_order |= concrete > self.met;
        self.met = self.met.max(concrete.saturating_add(1));
    }

    fn in_cell(&self, number: u32) -> bool {
        let index = (number as usize).checked_sub(1);
        let kind = index.and_then(|index| self.kinds.get(self.kind_of[index] as usize));
        kind.is_some_and(|kind| self.observed.is_in_cell(*kind))
    }

    /// Checks the references of the new values.
    pub fn check(
        mut self,
        values: &[(&'p Value, &'p Shapes)],
        types: usize,
        options: &Options<'_>,
    ) -> Checked {
        let is_in_order = self.met as usize == types && !self.is_out_of_order;
        if self.is_broken || !self.lost.is_empty() && !is_in_order {
            return Checked::Unknown;
        }
        let mut wanted = HashMap::new();
        for id in &self.wanted {
            let index = (self.find)(*id);
            if let Some(kind) = index.and_then(|at| self.kinds.get(self.kind_of[at] as usize)) {
                self.observed.objects.insert(*id, *kind);
                if index.is_some_and(|index| self.lost.get(index).copied().unwrap_or(false)) {
                    continue;
                }
                wanted.insert(*id, (*kind, index.unwrap_or_default() as u32 + 1));
            }
        }
        let is_one = self.parts.len() == 1;
        let refused = |wrong: (usize, Error), part: &Part, observed: &mut Observed<'p>| {
            if !is_one {
                return Checked::Unknown;
            }
            // The second visit finds the path to the pointer.
            let (value, shapes) = values[part.value as usize];
            let mut tour = Tour::new(shapes, observed, options);
            tour.wrong = Some(wrong);
            match tour.visit(value, shapes.root, Place::ROOT, &Before::Same(value)) {
                Err(error) => Checked::Wrong(error),
                Ok(()) => Checked::Unknown,
            }
        };
        let mut added = Vec::new();
        for part in &self.parts {
            let Some((place, owner)) = part.found else { return Checked::Unknown };
            let (value, shapes) = values[part.value as usize];
            let mut tour = Tour::new(shapes, &mut self.observed, options);
            if tour.visit(value, shapes.root, place, &Before::Same(value)).is_err() {
                return Checked::Unknown;
            }
            let mut links = std::mem::take(&mut tour.links);
            links.pointees = wanted.iter().map(|(id, (kind, _))| (*id, *kind)).collect();
            if let Some(wrong) = links.wrong_reference(&self.observed) {
                return refused(wrong, part, &mut self.observed);
            }
            for link in links.links.iter().filter(|link| link.strong) {
                added.push(((owner, wanted[&link.id].1), link.number, *part));
            }
        }
        match self.refused.take() {
            Some(error) if is_one => Checked::Elsewhere(error),
            Some(_) => Checked::Unknown,
            None => self.check_holders(added, refused),
        }
    }

    /// Checks that all objects are still held, and that there is no new cycle of objects without
    /// cells.
    fn check_holders(
        mut self,
        mut added: Vec<((u32, u32), usize, Part)>,
        refused: impl Fn((usize, Error), &Part, &mut Observed<'p>) -> Checked,
    ) -> Checked {
        let nodes = self.objects + 1;
        let removed = Graph::new(std::mem::take(&mut self.removed), nodes);
        let mut graph = Graph::new(std::mem::take(&mut self.edges), nodes);
        added.retain(|(edge, ..)| !graph.has(*edge) && !removed.has(*edge));
        let mut cycles = Vec::new();
        if !added.is_empty() {
            let mut edges = graph.into_edges();
            edges.extend(added.iter().map(|(edge, ..)| *edge));
            graph = Graph::new(edges, nodes);
            cycles = graph.cycles(added.iter().map(|((_, to), ..)| *to));
        }
        // Objects that nothing holds any more would be lost.
        if self.lost.is_empty() && !removed.edges().is_empty() && !graph.is_connected() {
            return Checked::Unknown;
        }
        if cycles.is_empty() {
            return Checked::Right(self.left());
        }
        self.find_cells(&graph, &removed, &added);
        let mut wrong = Vec::new();
        for cycle in cycles {
            if cycle.iter().all(|number| self.in_cell(*number)) {
                continue;
            }
            let cycle: HashSet<u32> = cycle.into_iter().collect();
            let inside = |(from, to): &(u32, u32)| cycle.contains(from) && cycle.contains(to);
            wrong.extend(added.iter().find(|(edge, ..)| inside(edge)));
        }
        match wrong[..] {
            [] => Checked::Right(self.left()),
            [(_, number, part)] => refused((number, closes_cycle()), &part, &mut self.observed),
            _ => Checked::Unknown,
        }
    }

    fn left(self) -> Left {
        let wanted = self.wanted.iter().copied().max().unwrap_or_default();
        Left { lost: self.lost, last: self.last.max(wanted) }
    }

    /// Finds the kinds of objects that are in cells. Uses the graph of the original file: without the new edges,
    /// and with the removed ones.
    fn find_cells(&mut self, graph: &Graph, removed: &Graph, added: &[((u32, u32), usize, Part)]) {
        let new: HashSet<(u32, u32)> = added.iter().map(|(edge, ..)| *edge).collect();
        let kind = |number: u32| {
            let index = (number as usize).checked_sub(1)?;
            let kind = self.kinds.get(self.kind_of[index] as usize)?;
            Some(self.observed.kind(*kind))
        };
        let all = graph.edges().iter().chain(removed.edges());
        let old = all.filter(|edge| !new.contains(edge));
        let alike = old.filter(|(from, to)| *from != 0 && kind(*from) == kind(*to));
        let alike = Graph::new(alike.copied().collect(), self.objects + 1);
        let cells = alike.all_cycles().into_iter().flatten().filter_map(kind).collect();
        self.observed.set_cells(cells);
    }
}
