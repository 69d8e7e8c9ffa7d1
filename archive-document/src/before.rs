//! The values that the parts of a changed tree had in the original.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use archive_core::{Number, Value};

use super::marked;
use super::marked::same;

/// The value that a part of the tree had in the original, which is a marked tree.
#[derive(Clone)]
pub(super) enum Before<'o> {
    /// The value is unchanged.
    Same(&'o Value),
    /// The value was one of these. If there are none, it is new.
    One(Rc<[&'o Value]>),
    /// The value was probably this one, but it may have been another one at the same place.
    Perhaps(&'o Value),
}

/// If more items than this were changed in a sequence, each is assumed to be the old item with the
/// same index.
const FEW: usize = 8;

impl<'o> Before<'o> {
    pub(super) fn new() -> Self {
        Before::One(Rc::from([]))
    }

    /// Returns whether the value is unchanged.
    pub(super) fn is_same(&self) -> bool {
        matches!(self, Before::Same(_))
    }

    /// Returns the values that it may have been.
    pub(super) fn all(&self) -> &[&'o Value] {
        match self {
            Before::Same(one) | Before::Perhaps(one) => std::slice::from_ref(one),
            Before::One(all) => all,
        }
    }

    /// Returns the old value of a part. `part` finds it in an old value of the whole.
    pub(super) fn part(
        &self,
        value: &Value,
        part: impl Fn(&'o Value) -> Option<&'o Value>,
    ) -> Before<'o> {
        if let Before::Same(one) = self
            && let Some(one) = part(one)
        {
            return Before::Same(one);
        }
        let all: Rc<[&'o Value]> = self.all().iter().filter_map(|one| part(one)).collect();
        if let Some(one) = all.iter().find(|one| same(value, one)) {
            return Before::Same(one);
        }
        match self {
            Before::Perhaps(_) if all.len() == 1 => Before::Perhaps(all[0]),
            _ => Before::One(all),
        }
    }

    /// Like [`part`](Before::part), for the member with that name. It probably has that index.
    pub(super) fn member(&self, index: usize, name: &str, value: &Value) -> Before<'o> {
        self.part(value, |one| {
            let members = marked::members(one.as_object()?);
            let found = members.get(index).filter(|(key, _)| key == name);
            let found = found.or_else(|| members.iter().find(|(key, _)| key == name));
            found.map(|(_, value)| value)
        })
    }

    /// Returns the old values of the items of a sequence: first of the items at both ends that are
    /// equal to the old ones, then of items that are equal to an old item anywhere. The remaining
    /// items are matched with the remaining old items.
    pub(super) fn items(&self, items: &[Value]) -> Vec<Before<'o>> {
        let lists: Vec<&'o [Value]> = self.all().iter().filter_map(|one| one.as_array()).collect();
        if let (Before::Same(_), [list]) = (self, &lists[..]) {
            return list.iter().map(Before::Same).collect();
        }
        let old: Vec<&'o Value> = lists.iter().flat_map(|list| list.iter()).collect();
        let mut found: Vec<Option<Before<'o>>> = vec![None; items.len()];
        let start = items.iter().zip(&old).take_while(|(item, old)| same(item, old)).count();
        let (rest, old_rest) = (&items[start..], &old[start..]);
        let pairs = rest.iter().rev().zip(old_rest.iter().rev());
        let end = pairs.take_while(|(item, old)| same(item, old)).count();
        for (index, old) in old[..start].iter().enumerate() {
            found[index] = Some(Before::Same(old));
        }
        for back in 1..=end {
            found[items.len() - back] = Some(Before::Same(old[old.len() - back]));
        }
        let (middle, old_middle) = (start..items.len() - end, start..old.len() - end);
        let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
        if !middle.is_empty() {
            // Old items that no item was matched with come first.
            let ends = (0..start).chain(old.len() - end..old.len());
            for index in ends.chain(old_middle.clone().rev()) {
                by_hash.entry(hash(old[index], true)).or_default().push(index);
            }
        }
        let mut taken = vec![false; old.len()];
        for index in middle.clone() {
            if let Some(equal) = by_hash.get_mut(&hash(&items[index], false))
                && let Some(one) = equal.last().copied()
                && same(&items[index], old[one])
            {
                // A copy of an item has the same old value.
                if equal.len() > 1 {
                    equal.pop();
                }
                taken[one] = true;
                found[index] = Some(Before::Same(old[one]));
            }
        }
        let left: Rc<[&'o Value]> =
            old_middle.filter(|index| !taken[*index]).map(|index| old[index]).collect();
        let found = found.into_iter().enumerate().map(|(index, found)| match found {
            Some(found) => found,
            None if left.len() <= FEW => Before::One(left.clone()),
            None if items.len() == old.len() => Before::Perhaps(old[index]),
            None => Before::new(),
        });
        found.collect()
    }
}

/// Returns a hash of a tree, ignoring its marks if it has any.
fn hash(tree: &Value, has_marks: bool) -> u64 {
    let mut hasher = DefaultHasher::new();
    feed(tree, has_marks, 0, &mut hasher);
    hasher.finish()
}

fn feed(tree: &Value, has_marks: bool, depth: u32, hasher: &mut DefaultHasher) {
    /// Deeper values are ignored.
    const MAX_DEPTH: u32 = 64;
    std::mem::discriminant(tree).hash(hasher);
    if depth > MAX_DEPTH {
        return;
    }
    match tree {
        Value::Null => {}
        Value::Bool(value) => value.hash(hasher),
        Value::Number(Number::Int(value)) => value.hash(hasher),
        Value::Number(Number::UInt(value)) => value.hash(hasher),
        Value::Number(Number::F32(value)) => value.to_bits().hash(hasher),
        Value::Number(Number::F64(value)) => value.to_bits().hash(hasher),
        Value::Str(text) => text.hash(hasher),
        Value::Bytes(bytes) => bytes.hash(hasher),
        Value::Array(items) => items.iter().for_each(|i| feed(i, has_marks, depth + 1, hasher)),
        Value::Object(members) => {
            let members = if has_marks { marked::members(members) } else { members };
            for (name, value) in members {
                name.hash(hasher);
                feed(value, has_marks, depth + 1, hasher);
            }
        }
    }
}
