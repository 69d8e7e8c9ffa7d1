//! The pointers of a tree, and the objects to which they refer.

use std::collections::{HashMap, HashSet};

use archive_core::{Error, ErrorKind};

use super::graph::Graph;
use super::observed::{Kind, Observed};
use super::places::Place;

/// A reference to an object.
pub(super) struct Link {
    /// The number of the pointer in the tree.
    pub(super) number: usize,
    pub(super) place: Place,
    /// The object that has the reference, or 0.
    pub(super) from: u64,
    pub(super) id: u64,
    pub(super) strong: bool,
}

/// The pointers of a tree.
#[derive(Default)]
pub(super) struct Links {
    /// The number of pointers so far.
    pub(super) count: usize,
    pub(super) links: Vec<Link>,
    /// The objects that are stored in the tree.
    pub(super) pointees: HashMap<u64, Kind>,
    /// The deferred objects.
    pub(super) deferred: Vec<(usize, u64)>,
    /// Pointers as text formats write them: the references, each with whether it is strong, and the
    /// objects.
    pub(super) texts: Vec<(usize, u64, bool)>,
    pub(super) text_pointees: HashSet<u64>,
}

impl Links {
    /// Records what the pointers of the original show.
    pub(super) fn learn(&self, observed: &mut Observed<'_>) {
        for link in self.links.iter().filter(|link| link.strong) {
            observed.edges.insert((link.from, link.id));
            if !self.pointees.contains_key(&link.id) {
                observed.broken.insert(link.id);
            }
        }
        for (_, id, strong) in &self.texts {
            if !self.text_pointees.contains(id) {
                let lost = if *strong { &mut observed.broken } else { &mut observed.text_targets };
                lost.insert(*id);
            }
        }
        observed.text_targets.extend(&self.text_pointees);
        observed.find_cells();
    }

    /// Returns an error if a program that loads the original would refuse the objects. The result
    /// includes the number of the wrong pointer.
    pub(super) fn check(&self, observed: &Observed<'_>) -> Option<(usize, Error)> {
        if let Some(wrong) = self.wrong_reference(observed) {
            return Some(wrong);
        }
        for (number, id, strong) in &self.texts {
            let is_known = self.text_pointees.contains(id) || observed.broken.contains(id);
            // The target of a weak reference may be removed.
            if !is_known && (*strong || !observed.text_targets.contains(id)) {
                let message = format_args!("no object has the id {id}: refer to an existing one");
                return Some((*number, Error::new(ErrorKind::BadPointer, message)));
            }
        }
        if let Some(orphan) = self.orphan() {
            let message = "nothing refers to this deferred object: remove it, or refer to it";
            return Some((orphan, Error::new(ErrorKind::BadPointer, message)));
        }
        self.cycle(observed).map(|number| (number, closes_cycle()))
    }

    /// Returns an error if one of the references refers to nothing, or to an object of a type that the original
    /// does not have at that place.
    pub(super) fn wrong_reference(&self, observed: &Observed<'_>) -> Option<(usize, Error)> {
        for link in &self.links {
            let message = match self.pointees.get(&link.id) {
                Some(kind) if observed.takes(link.place, *kind) => continue,
                Some(_) => format!(
                    "the file has no reference here to an object of the type that object {} has: refer \
                     to an object of a type that references here have in the file",
                    link.id
                ),
                None if observed.broken.contains(&link.id) => continue,
                None if link.strong => return Some((link.number, no_object(link.id))),
                None if observed.gone.contains(&link.id)
                    || observed.objects.contains_key(&link.id) =>
                {
                    continue;
                }
                None => format!("no object has the id {}: refer to an existing one", link.id),
            };
            return Some((link.number, Error::new(ErrorKind::BadPointer, message)));
        }
        None
    }

    /// Returns a deferred object that cannot be reached by references from the root. A load would
    /// lose it.
    fn orphan(&self) -> Option<usize> {
        if self.deferred.is_empty() {
            return None;
        }
        let mut targets: HashMap<u64, Vec<u64>> = HashMap::new();
        for link in self.links.iter().filter(|link| link.strong) {
            targets.entry(link.from).or_default().push(link.id);
        }
        let (mut open, mut reached) = (vec![0], HashSet::from([0]));
        while let Some(id) = open.pop() {
            let next = targets.get(&id).into_iter().flatten();
            open.extend(next.filter(|id| reached.insert(**id)));
        }
        let lost = self.deferred.iter().find(|(_, id)| !reached.contains(id));
        lost.map(|(number, _)| *number)
    }

    /// Returns a reference that closes a cycle, unless all objects of the cycle are known to be in
    /// cells.
    fn cycle(&self, observed: &Observed<'_>) -> Option<usize> {
        let strong = || self.links.iter().filter(|link| link.strong);
        if strong().all(|link| observed.edges.contains(&(link.from, link.id))) {
            return None;
        }
        let edges: Vec<(u64, u64)> = strong().map(|link| (link.from, link.id)).collect();
        let numbered = Numbered::new(&edges);
        let in_cell =
            |id: &u64| self.pointees.get(id).is_some_and(|kind| observed.is_in_cell(*kind));
        for cycle in numbered.cycles() {
            if cycle.iter().all(in_cell) {
                continue;
            }
            let cycle: HashSet<u64> = cycle.into_iter().collect();
            let inside = |link: &&Link| cycle.contains(&link.from) && cycle.contains(&link.id);
            let mut new = strong().filter(inside);
            if let Some(link) = new.find(|link| !observed.edges.contains(&(link.from, link.id))) {
                return Some(link.number);
            }
        }
        None
    }
}

#[cold]
pub(super) fn no_object(id: u64) -> Error {
    let message = format_args!(
        "no object has the id {id}: add `$value` here, or keep the object that had it"
    );
    Error::new(ErrorKind::BadPointer, message)
}

#[cold]
pub(super) fn closes_cycle() -> Error {
    let message = "this reference closes a cycle, and nothing in the file shows that the program \
                   can load it: refer to another object";
    Error::new(ErrorKind::BadPointer, message)
}

/// Objects that refer to each other, by numbers.
pub(super) struct Numbered {
    ids: Vec<u64>,
    graph: Graph,
}

impl Numbered {
    pub(super) fn new(edges: &[(u64, u64)]) -> Self {
        let mut ids: Vec<u64> = edges.iter().flat_map(|(from, to)| [*from, *to]).collect();
        ids.sort_unstable();
        ids.dedup();
        let number = |id: u64| ids.binary_search(&id).unwrap_or_default() as u32;
        let edges = edges.iter().map(|(from, to)| (number(*from), number(*to))).collect();
        Numbered { graph: Graph::new(edges, ids.len()), ids }
    }

    /// Returns the sets of objects that refer to each other in cycles.
    pub(super) fn cycles(&self) -> impl Iterator<Item = Vec<u64>> {
        let sets = self.graph.all_cycles().into_iter();
        sets.map(|set| set.into_iter().map(|number| self.ids[number as usize]).collect())
    }
}
