//! Comparing two trees: by path, and then by equal content to find moved values.

use std::collections::{HashMap, HashSet};

use archive::Value;
use archive::format::reserved;
use archive::path::{Path, Step};
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::tree::{Pointees, Pointer, as_members, hash, member, pointees, pointer, same_scalar};

/// A difference between two trees.
pub enum Change<'v> {
    Removed(Path, &'v Value),
    Added(Path, &'v Value),
    Changed(Path, &'v Value, &'v Value),
    Moved(Path, Path),
}

/// Compares two plain trees. Between different formats, a null member is the same as an absent one,
/// because some formats store every member of a class.
pub fn compare<'v>(old: &'v Value, new: &'v Value, are_of_one_format: bool) -> Vec<Change<'v>> {
    let (old_pointees, new_pointees) = (pointees(old), pointees(new));
    let mut comparison = Comparison {
        are_of_one_format,
        old_pointees,
        new_pointees,
        pairs: HashMap::new(),
        weak: Vec::new(),
        at: Path::new(),
        found: Vec::new(),
    };
    comparison.values(old, new);
    comparison.weak_pointers();
    moved(comparison.found)
}

struct Comparison<'v> {
    are_of_one_format: bool,
    old_pointees: Pointees<'v>,
    new_pointees: Pointees<'v>,
    /// The objects at the same place, by their ids.
    pairs: HashMap<u64, u64>,
    /// The weak pointers. Their objects are known only at the end.
    weak: Vec<(Path, &'v Value, &'v Value, (u64, u64))>,
    at: Path,
    found: Vec<Change<'v>>,
}

impl<'v> Comparison<'v> {
    fn values(&mut self, old: &'v Value, new: &'v Value) {
        match (old, new) {
            (Value::Object(before), Value::Object(after)) => {
                match (pointer(before), pointer(after)) {
                    (Some(before), Some(after)) => self.pointers((before, old), (after, new)),
                    (None, None) => self.members(old, new),
                    _ => self.changed(old, new),
                }
            }
            (Value::Array(before), Value::Array(after)) => self.items(before, after),
            (Value::Object(_), Value::Array(_)) | (Value::Array(_), Value::Object(_)) => {
                self.members(old, new);
            }
            _ if same_scalar(old, new) => {}
            _ => self.changed(old, new),
        }
    }

    fn changed(&mut self, old: &'v Value, new: &'v Value) {
        self.found.push(Change::Changed(self.at.clone(), old, new));
    }

    fn pointers(
        &mut self,
        (before, old): (Pointer<'v>, &'v Value),
        (after, new): (Pointer<'v>, &'v Value),
    ) {
        match (before, after) {
            (Pointer::Strong(before), Pointer::Strong(after)) => {
                match self.pairs.get(&before) {
                    Some(known) if *known == after => return,
                    Some(_) => return self.changed(old, new),
                    None => {}
                }
                self.pairs.insert(before, after);
                match (self.old_pointees.get(&before), self.new_pointees.get(&after)) {
                    (Some(before), Some(after)) => self.pointee(before, after, old, new),
                    (None, None) => {}
                    _ => self.changed(old, new),
                }
            }
            (Pointer::Weak(before), Pointer::Weak(after)) => {
                self.weak.push((self.at.clone(), old, new, (before, after)));
            }
            (Pointer::Owned(before), Pointer::Owned(after)) => {
                self.pointee(before, after, old, new);
            }
            _ => self.changed(old, new),
        }
    }

    /// Compares the objects of two pointers. A path does not show the pointer.
    fn pointee(
        &mut self,
        before: &'v [(String, Value)],
        after: &'v [(String, Value)],
        old: &'v Value,
        new: &'v Value,
    ) {
        if member(before, reserved::TYPE) != member(after, reserved::TYPE) {
            return self.changed(old, new);
        }
        match (member(before, reserved::VALUE), member(after, reserved::VALUE)) {
            (Some(old), Some(new)) => self.values(old, new),
            (None, None) => {}
            _ => self.changed(old, new),
        }
    }

    /// Reports the weak pointers whose objects differ.
    fn weak_pointers(&mut self) {
        for (at, old, new, (before, after)) in std::mem::take(&mut self.weak) {
            let is_same = match self.pairs.get(&before) {
                Some(known) => *known == after,
                None => {
                    !self.old_pointees.contains_key(&before)
                        && !self.new_pointees.contains_key(&after)
                }
            };
            if !is_same {
                self.found.push(Change::Changed(at, old, new));
            }
        }
    }

    /// Compares objects, or maps that are objects in one format and pairs in the other.
    fn members(&mut self, old: &'v Value, new: &'v Value) {
        let (Some(before), Some(after)) = (as_members(old), as_members(new)) else {
            return self.changed(old, new);
        };
        let places: HashMap<&str, &'v Value> =
            after.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let names: HashSet<&str> = before.iter().map(|(name, _)| name.as_str()).collect();
        for (name, old) in &before {
            self.at.push(name.as_str());
            match places.get(name.as_str()) {
                Some(new) => self.values(old, new),
                None if old.is_null() && !self.are_of_one_format => {}
                None => self.found.push(Change::Removed(self.at.clone(), old)),
            }
            self.at.pop();
        }
        let is_new = |(name, new): &&(String, &Value)| {
            !names.contains(name.as_str()) && (self.are_of_one_format || !new.is_null())
        };
        let added: Vec<_> = after.iter().filter(is_new).collect();
        for (name, new) in added {
            self.at.push(name.as_str());
            self.found.push(Change::Added(self.at.clone(), new));
            self.at.pop();
        }
    }

    fn items(&mut self, old: &'v [Value], new: &'v [Value]) {
        let before: Vec<u64> = old.iter().map(hash).collect();
        let after: Vec<u64> = new.iter().map(hash).collect();
        let (was, is): (HashSet<u64>, HashSet<u64>) =
            (before.iter().copied().collect(), after.iter().copied().collect());
        for op in capture_diff_slices(Algorithm::Myers, &before, &after) {
            match op {
                DiffOp::Equal { old_index, new_index, len } => {
                    (0..len).for_each(|at| {
                        self.item(new_index + at, &old[old_index + at], &new[new_index + at]);
                    });
                }
                DiffOp::Delete { old_index, old_len, .. } => {
                    (old_index..old_index + old_len).for_each(|at| self.removed(at, &old[at]));
                }
                DiffOp::Insert { new_index, new_len, .. } => {
                    (new_index..new_index + new_len).for_each(|at| self.added(at, &new[at]));
                }
                DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                    // An item that is elsewhere in the other sequence has moved, and is not
                    // compared here.
                    let (mut from, mut to) = (Vec::new(), Vec::new());
                    for at in old_index..old_index + old_len {
                        if is.contains(&before[at]) {
                            self.removed(at, &old[at])
                        } else {
                            from.push(at)
                        }
                    }
                    for at in new_index..new_index + new_len {
                        if was.contains(&after[at]) {
                            self.added(at, &new[at])
                        } else {
                            to.push(at)
                        }
                    }
                    let both = from.len().min(to.len());
                    for (from, to) in from.iter().zip(&to) {
                        self.item(*to, &old[*from], &new[*to]);
                    }
                    from[both..].iter().for_each(|at| self.removed(*at, &old[*at]));
                    to[both..].iter().for_each(|at| self.added(*at, &new[*at]));
                }
            }
        }
    }

    fn item(&mut self, index: usize, old: &'v Value, new: &'v Value) {
        self.at.push(index);
        self.values(old, new);
        self.at.pop();
    }

    fn removed(&mut self, index: usize, old: &'v Value) {
        let at = self.at.join(&[Step::Index(index)]);
        self.found.push(Change::Removed(at, old));
    }

    fn added(&mut self, index: usize, new: &'v Value) {
        let at = self.at.join(&[Step::Index(index)]);
        self.found.push(Change::Added(at, new));
    }
}

/// Merges a removal in one place and an addition of the same value in another into one change.
fn moved(found: Vec<Change<'_>>) -> Vec<Change<'_>> {
    let mut added: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, change) in found.iter().enumerate().rev() {
        if let Change::Added(_, value) = change
            && is_telling(value)
        {
            added.entry(hash(value)).or_default().push(at);
        }
    }
    let mut targets = HashMap::new();
    let mut gone = HashSet::new();
    for (at, change) in found.iter().enumerate() {
        if let Change::Removed(_, value) = change
            && is_telling(value)
            && let Some(to) = added.get_mut(&hash(value)).and_then(Vec::pop)
            && let Change::Added(path, _) = &found[to]
        {
            targets.insert(at, path.clone());
            gone.insert(to);
        }
    }
    let kept = found.into_iter().enumerate().filter(|(at, _)| !gone.contains(at));
    let change = |(at, change)| match (change, targets.remove(&at)) {
        (Change::Removed(from, _), Some(to)) => Change::Moved(from, to),
        (change, _) => change,
    };
    kept.map(change).collect()
}

/// Returns whether a value is distinctive enough to be recognized elsewhere. A zero is not.
fn is_telling(value: &Value) -> bool {
    match value {
        Value::Str(text) => text.len() > 1,
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Number(number) => number.to_f64().is_ok_and(|number| number.abs() > 1.0),
        _ => false,
    }
}
