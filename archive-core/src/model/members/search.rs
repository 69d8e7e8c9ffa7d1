//! [`Search`]: finds members among the keys that were skipped.
// Why: docs/decisions/members-and-evolution.md#member-lookup-never-builds-a-tree

use std::borrow::Cow;
use std::collections::HashMap;

use crate::model::error::Result;

/// The state of a member whose key was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// The member was requested by its name.
    Asked,
    /// The member was returned together with its name.
    Listed,
    /// The member has not been read yet.
    Unread,
}

/// The keys that a format has recorded.
pub trait Keys {
    /// Returns the number of keys.
    fn count(&self) -> usize;

    /// Returns the state of the member with that index.
    fn state(&self, index: usize) -> State;

    /// Returns whether the member with that index has the given name.
    fn is(&self, index: usize, name: &[u8]) -> bool;

    /// Returns the name of the member with that index.
    ///
    /// # Errors
    /// Returns an error if the name cannot be read.
    fn name(&self, index: usize) -> Result<Cow<'_, [u8]>>;
}

/// The number of linear searches, and of keys, up to which searching is cheaper than a hash table.
/// It bounds the cost of a hostile object.
pub const SEARCHES: usize = 16;

/// Finds members among the recorded keys of an object. They may be requested in any order.
///
/// The key after the last one that was found is compared first. Other keys are found by linear
/// search for the first few times. After that, they are found with a hash table whose hashes a
/// hostile file cannot make collide.
///
/// ```
/// use std::borrow::Cow;
/// use archive::format::lookup::{Keys, Search, State};
///
/// struct MembersSeen(Vec<(&'static str, State)>);
///
/// impl Keys for MembersSeen {
///     fn count(&self) -> usize {
///         self.0.len()
///     }
///     fn state(&self, index: usize) -> State {
///         self.0[index].1
///     }
///     fn is(&self, index: usize, name: &[u8]) -> bool {
///         self.0[index].0.as_bytes() == name
///     }
///     fn name(&self, index: usize) -> archive::Result<Cow<'_, [u8]>> {
///         Ok(self.0[index].0.as_bytes().into())
///     }
/// }
///
/// let mut passed = MembersSeen(vec![("x", State::Unread), ("y", State::Unread)]);
/// let mut search = Search::new(0);
/// assert_eq!(search.find(&passed, b"y")?, Some(1));
/// passed.0[1].1 = State::Asked;
/// assert_eq!(search.find(&passed, b"y")?, None);
/// assert_eq!(search.next_unread(&passed), Some(0));
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Debug)]
pub struct Search {
    /// The key that is compared first.
    likely: usize,
    /// All keys before this one were read.
    unread: usize,
    /// The number of linear searches so far.
    searches: usize,
    /// The hash table, once linear search has become too expensive.
    names: Option<Box<Names>>,
}

/// Unread keys by name.
#[derive(Debug)]
struct Names {
    /// The index of each name; of equal names, the first.
    indices: HashMap<Box<[u8]>, usize>,
    /// The first key that is not in the table.
    next: usize,
}

impl Search {
    /// Creates a search among the keys from the index `first` on.
    pub fn new(first: usize) -> Self {
        Search { likely: first, unread: first, searches: 0, names: None }
    }

    /// Returns the index of the unread member with that name, if there is one.
    ///
    /// # Errors
    /// Returns an error if a name cannot be read.
    pub fn find(&mut self, keys: &impl Keys, name: &[u8]) -> Result<Option<usize>> {
        let count = keys.count();
        let wanted = |index: &usize| {
            #[cfg(test)]
            tests::LOOKED_AT.set(tests::LOOKED_AT.get() + 1);
            *index < count && keys.state(*index) == State::Unread && keys.is(*index, name)
        };
        let found = if wanted(&self.likely) {
            Some(self.likely)
        } else {
            self.next_unread(keys);
            let few = count - self.unread.min(count) <= SEARCHES;
            if few || self.searches < SEARCHES {
                self.searches += usize::from(!few);
                (self.unread..count).find(wanted)
            } else {
                let first = self.unread;
                let names = self.names.get_or_insert_with(|| {
                    Box::new(Names { indices: HashMap::new(), next: first })
                });
                for index in std::mem::replace(&mut names.next, count)..count {
                    if keys.state(index) == State::Unread {
                        names.indices.entry(keys.name(index)?.into()).or_insert(index);
                    }
                }
                names.indices.get(name).copied().filter(wanted)
            }
        };
        if let Some(index) = found {
            self.likely = index + 1;
        }
        Ok(found)
    }

    /// Returns the index of the first unread member.
    pub fn next_unread(&mut self, keys: &impl Keys) -> Option<usize> {
        let count = keys.count();
        while self.unread < count && keys.state(self.unread) != State::Unread {
            self.unread += 1;
        }
        (self.unread < count).then_some(self.unread)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    thread_local! {
        /// The number of keys that were compared with a name.
        pub(super) static LOOKED_AT: Cell<usize> = const { Cell::new(0) };
    }

    struct MembersSeen(Vec<(String, State)>);

    impl Keys for MembersSeen {
        fn count(&self) -> usize {
            self.0.len()
        }
        fn state(&self, index: usize) -> State {
            self.0[index].1
        }
        fn is(&self, index: usize, name: &[u8]) -> bool {
            self.0[index].0.as_bytes() == name
        }
        fn name(&self, index: usize) -> Result<Cow<'_, [u8]>> {
            Ok(self.0[index].0.as_bytes().into())
        }
    }

    fn passed(names: std::ops::Range<usize>) -> impl Iterator<Item = (String, State)> {
        names.map(|at| (format!("m{at}"), State::Unread))
    }

    /// In any order of requests, and if keys are recorded in between.
    #[test]
    fn members_are_found_in_a_few_steps_each() {
        for count in [3, 16, 17, 1_000, 10_000] {
            for step in [1, 7, count - 1] {
                let mut keys = MembersSeen(passed(0..count / 2).collect());
                let mut search = Search::new(0);
                LOOKED_AT.set(0);
                for at in 0..count {
                    if at == count / 4 {
                        keys.0.extend(passed(count / 2..count));
                    }
                    let known = keys.0.len();
                    assert_eq!(search.find(&keys, b"other").ok(), Some(None));
                    let at = at * step % count;
                    let (expected, name) = (at < known, format!("m{at}"));
                    if expected && keys.0[at].1 == State::Unread {
                        assert_eq!(
                            search.find(&keys, name.as_bytes()).ok(),
                            Some(Some(at)),
                            "{count}"
                        );
                        keys.0[at].1 = State::Asked;
                    }
                    assert_eq!(search.find(&keys, name.as_bytes()).ok(), Some(None), "{count}");
                }
                let unread = keys.0.iter().position(|(_, state)| *state == State::Unread);
                assert_eq!(search.next_unread(&keys), unread);
                let most = 3 * (SEARCHES + 1) * (count + SEARCHES);
                assert!(LOOKED_AT.get() <= most, "{} for {count}", LOOKED_AT.get());
            }
        }
    }

    #[test]
    fn of_equal_names_the_first_is_found() {
        for count in [2, 40] {
            let mut keys = MembersSeen(passed(0..count).collect());
            keys.0.push(("m1".into(), State::Unread));
            let mut search = Search::new(0);
            (0..2 * SEARCHES).for_each(|_| assert_eq!(search.find(&keys, b"m").ok(), Some(None)));
            assert_eq!(search.find(&keys, b"m1").ok(), Some(Some(1)));
        }
    }
}
