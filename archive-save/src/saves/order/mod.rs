//! The order of saves: which one is the newest.
//!
//! Of two autosaves the one with the higher number is newer, and of two other saves the one that
//! continues the other. Dates decide between saves that nothing else compares, since a clock can be
//! set back. The three rules never order three saves in a circle: a save is placed only after all
//! saves that are newer by the first two rules, and of those that can be placed the one with the
//! latest date comes first. So a date in the future has no effect once the save is continued.
// Why: docs/decisions/saves.md#the-order-of-saves-is-a-graph

#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::time::SystemTime;

use super::autosave;
use crate::lineage::Lineage;

/// The properties of a save that determine its order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Age<'s> {
    /// The number, if the save is an autosave. No two saves have the same one.
    pub autosave: Option<u64>,
    pub lineage: &'s Lineage,
    pub date: SystemTime,
    /// The name, which decides last. Numbers in it are compared like those of autosaves. No two
    /// saves have the same one.
    pub name: &'s str,
}

/// Returns the indices of the saves, the newest first. The time grows with the number of saves and the
/// length of their lineages.
pub(super) fn newest_first(saves: &[Age<'_>]) -> Vec<usize> {
    let mut graph = Graph { older: vec![Vec::new(); saves.len()], newer: vec![0; saves.len()] };
    graph.add_lineages(saves);
    graph.add_numbers(saves);
    graph.sort(saves)
}

/// Nodes: first the saves, then groups of saves. Each node is newer than those in `older`.
struct Graph {
    older: Vec<Vec<usize>>,
    /// The number of newer nodes.
    newer: Vec<usize>,
}

impl Graph {
    fn add(&mut self, newer: usize, older: usize) {
        self.older[newer].push(older);
        self.newer[older] += 1;
    }

    /// Adds a group.
    fn add_group(&mut self) -> usize {
        self.older.push(Vec::new());
        self.newer.push(0);
        self.older.len() - 1
    }

    /// Makes each autosave newer than the one with the next lower number.
    fn add_numbers(&mut self, saves: &[Age<'_>]) {
        let numbers = saves.iter().enumerate().filter_map(|(at, save)| Some((save.autosave?, at)));
        let mut numbers: Vec<_> = numbers.collect();
        numbers.sort_unstable();
        for pair in numbers.windows(2) {
            self.add(pair[1].1, pair[0].1);
        }
    }

    /// Makes each save newer than those that it continues, unless that contradicts the numbers of
    /// autosaves.
    ///
    /// A group has the saves of a branch up to a counter. Saves are added in the order of their
    /// counters, so those that a save continues are already in groups. References of a forged
    /// lineage to later saves are ignored.
    fn add_lineages(&mut self, saves: &[Age<'_>]) {
        let mut by_counter: BTreeMap<u64, Vec<(u64, usize)>> = BTreeMap::new();
        for (at, save) in saves.iter().enumerate() {
            let Some((branch, counter)) = save.lineage.place() else { continue };
            by_counter.entry(counter).or_default().push((branch, at));
        }
        let mut branches: BTreeMap<u64, Branch> = BTreeMap::new();
        for (counter, members) in by_counter {
            // No save continues one with its own counter, so all find their groups before any is
            // added.
            let mut added = Vec::new();
            for (branch, at) in members {
                let save = &saves[at];
                let before = save.lineage.before().iter().copied().chain([(branch, u64::MAX)]);
                let groups = before.filter_map(|(branch, last)| branches.get(&branch)?.up_to(last));
                let mut highest = save.autosave;
                for group in groups {
                    if save.autosave.is_none_or(|number| group.highest < Some(number)) {
                        self.add(at, group.node);
                        highest = highest.max(group.highest);
                    }
                }
                added.push((branch, at, highest));
            }
            for (branch, at, highest) in added {
                self.join(branches.entry(branch).or_default(), counter, at, highest);
            }
        }
    }

    /// Adds a save to the group of its branch and counter. Groups are created in the order of their
    /// counters.
    fn join(&mut self, branch: &mut Branch, counter: u64, at: usize, highest: Option<u64>) {
        let last = branch.up_to(u64::MAX);
        let group = match last {
            Some(last) if last.counter == counter => last.node,
            _ => {
                let node = self.add_group();
                last.into_iter().for_each(|last| self.add(node, last.node));
                let highest = last.and_then(|last| last.highest);
                branch.0.push(Group { counter, node, highest });
                node
            }
        };
        self.add(group, at);
        if let Some(group) = branch.0.last_mut() {
            group.highest = group.highest.max(highest);
        }
    }

    /// Sorts the newest saves first. Of those that can come next, the one with the latest date
    /// does.
    fn sort(mut self, saves: &[Age<'_>]) -> Vec<usize> {
        let key = |at: usize| {
            let save = saves.get(at)?;
            Some((save.date, autosave::number(save.name), Reverse(save.name)))
        };
        let all = 0..self.newer.len();
        // A group has no date, and comes as early as possible.
        let entry = |at: usize| (key(at).is_none(), key(at), at);
        let mut heap: BinaryHeap<_> = all.filter(|at| self.newer[*at] == 0).map(entry).collect();
        let mut sorted = Vec::with_capacity(saves.len());
        while let Some((is_group, _, at)) = heap.pop() {
            if !is_group {
                sorted.push(at);
            }
            for older in std::mem::take(&mut self.older[at]) {
                self.newer[older] -= 1;
                if self.newer[older] == 0 {
                    heap.push(entry(older));
                }
            }
        }
        debug_assert_eq!(sorted.len(), saves.len(), "saves are newer than one another");
        sorted
    }
}

/// The saves of a branch up to a counter.
#[derive(Clone, Copy)]
struct Group {
    counter: u64,
    node: usize,
    /// The highest number of an autosave that is in the group or older.
    highest: Option<u64>,
}

/// The groups of a branch, by their counters.
#[derive(Default)]
struct Branch(Vec<Group>);

impl Branch {
    /// Returns the group of the saves up to that counter.
    fn up_to(&self, last: u64) -> Option<Group> {
        let end = self.0.partition_point(|group| group.counter <= last);
        self.0[..end].last().copied()
    }
}
