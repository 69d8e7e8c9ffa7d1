//! [`Passed`]: members that were read before anybody asked for them.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::shared::Tree;

/// Members that were read as trees because others were asked for first, in the order of the input.
#[derive(Default)]
pub(super) struct Passed {
    /// Nothing once they were asked for.
    list: Vec<Option<(Cow<'static, str>, Tree)>>,
    /// None before this one is left.
    first: usize,
    /// How many are left.
    left: usize,
    /// Where those of the first `noted` stand, once searching one by one has become dear.
    places: HashMap<Box<str>, usize>,
    noted: usize,
}

/// So many are looked at one by one.
const SEARCHED: usize = 16;

impl Passed {
    pub(super) fn is_empty(&self) -> bool {
        self.left == 0
    }

    pub(super) fn push(&mut self, name: Cow<'static, str>, tree: Tree) {
        self.list.push(Some((name, tree)));
        self.left += 1;
    }

    /// The member of that name, if it is left.
    pub(super) fn take(&mut self, name: &str) -> Option<Tree> {
        if self.is_empty() {
            return None;
        }
        let at = if self.list.len() - self.first <= SEARCHED {
            (self.first..self.list.len()).find(|at| self.is_at(*at, name))
        } else {
            for (at, member) in self.list.iter().enumerate().skip(self.noted) {
                if let Some((name, _)) = member {
                    self.places.insert(name.as_ref().into(), at);
                }
            }
            self.noted = self.list.len();
            self.places.get(name).copied()
        };
        self.take_at(at?).map(|(_, tree)| tree)
    }

    /// The first that is left.
    pub(super) fn pop(&mut self) -> Option<(Cow<'static, str>, Tree)> {
        self.take_at(self.first)
    }

    fn is_at(&self, at: usize, name: &str) -> bool {
        #[cfg(test)]
        tests::LOOKED_AT.set(tests::LOOKED_AT.get() + 1);
        self.list[at].as_ref().is_some_and(|(other, _)| other == name)
    }

    fn take_at(&mut self, at: usize) -> Option<(Cow<'static, str>, Tree)> {
        let taken = self.list.get_mut(at)?.take()?;
        self.left -= 1;
        while self.list.get(self.first).is_some_and(Option::is_none) {
            self.first += 1;
        }
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use archive_core::Value;

    use super::*;

    thread_local! {
        /// How many members were looked at.
        pub(super) static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
    }

    fn tree(number: u64) -> Tree {
        Tree { value: Value::from(number), has_pointers: false, held: 0 }
    }

    #[test]
    fn are_found_in_any_order_in_as_many_steps() {
        for count in [3, 16, 17, 1_000, 10_000_u64] {
            for backwards in [false, true] {
                let mut passed = Passed::default();
                (0..count).for_each(|at| passed.push(format!("m{at}").into(), tree(at)));
                LOOKED_AT.set(0);
                for at in 0..count {
                    let at = if backwards { count - 1 - at } else { at };
                    assert!(passed.take("other").is_none());
                    let found = passed.take(&format!("m{at}")).unwrap();
                    assert_eq!(found.value, Value::from(at));
                    assert!(passed.take(&format!("m{at}")).is_none());
                }
                assert!(passed.is_empty() && passed.pop().is_none());
                assert!(LOOKED_AT.get() <= 3 * SEARCHED * count as usize, "{count}");
            }
        }
        let mut passed = Passed::default();
        (0..100).for_each(|at| passed.push(format!("m{at}").into(), tree(at)));
        assert!(passed.take("m0").is_some() && passed.take("m2").is_some());
        let left: Vec<String> = std::iter::from_fn(|| passed.pop()).map(|it| it.0.into()).collect();
        assert_eq!((left.len(), &*left[0], &*left[1], &*left[97]), (98, "m1", "m3", "m99"));
    }
}
