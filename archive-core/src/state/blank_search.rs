//! [`Search`]: blank values of types that may contain themselves.
//!
//! In a blank value, every enum has the first variant that *ends*: a variant that can be created
//! without creating the enum again. This variant can only be found by creating values, so enums and
//! pointers record here which types are being created. A type that occurs again inside itself has
//! no value there, and the enum around it tries its next variant.
// Why: docs/decisions/loading-values.md#a-blank-enum-has-the-first-variant-that-ends

use std::cell::RefCell;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::error::{Error, ErrorKind, Result};
use crate::model::shape::{Shape, plain_name};
use crate::state::options::Options;

/// The values that are being created. The search belongs to the options, because the options are
/// passed to every blank value. A copy of the options starts with an empty search.
#[derive(Default)]
pub(crate) struct Search(RefCell<State>);

#[derive(Default)]
struct State {
    /// The values that are being created, the outermost first.
    open: Vec<Making>,
    /// The results for choices, while any value is being created.
    known: FxHashMap<Node, Known>,
    /// The number of results in `known` that have a variant.
    found: usize,
    /// Choices whose first variant ends in every search.
    simple: FxHashSet<Node>,
    /// The number of times that something was found not to end. If it does not change while a
    /// choice is created, the choice contains no value that is being created outside it.
    met: usize,
    /// The variants that are being created outside this search.
    taken: Vec<(Node, usize)>,
}

/// A value that is being created.
struct Making {
    node: Node,
    variant: usize,
    /// Whether the value contains another one of its type, created from other variants. Its variant
    /// then only ends in this place.
    holds_another: bool,
}

/// A type that may occur inside itself.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Node {
    name: &'static str,
    role: Role,
}

impl Hash for Node {
    /// Hashes the length and the end of the name, where names differ.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.name.len());
        if let Some(end) = self.name.as_bytes().last_chunk() {
            state.write_u64(u64::from_le_bytes(*end));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The target of a pointer.
    Pointee,
    /// An enum or a trait object, for which several values are possible. The number of variants
    /// also distinguishes types, because two types can have the same name.
    Choice(usize),
}

/// The result for a choice.
#[derive(Clone, Copy)]
enum Known {
    /// The variant ends, even inside other values that are being created.
    Ends(usize),
    /// No variant ended in this round.
    Failed,
}

impl Clone for Search {
    fn clone(&self) -> Self {
        Search::default()
    }
}

/// Removes the values that were added to `open` when it is dropped.
struct Open<'a>(&'a Search, usize);

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.0.borrow_mut().open.truncate(self.1);
    }
}

/// Clears the results of a search when it is dropped.
struct Whole<'a>(&'a Search);

impl Drop for Whole<'_> {
    fn drop(&mut self) {
        let mut state = self.0.0.borrow_mut();
        state.known.clear();
        state.found = 0;
    }
}

impl Making {
    fn is_choice(&self) -> bool {
        matches!(self.node.role, Role::Choice(_))
    }
}

impl State {
    /// Called when the value at `index` of `open` was created. `since` is the value of `met` at its
    /// start.
    fn ends(&mut self, index: usize, since: usize) {
        let Making { node, variant, holds_another } = self.open[index];
        if variant == 0 && self.met == since {
            self.simple.insert(node);
        } else if !holds_another && self.known.insert(node, Known::Ends(variant)).is_none() {
            self.found += 1;
        }
    }

    /// Records that the value of that type which is being created contains another one.
    fn hold_another(&mut self, node: Node) {
        if let Some(open) = self.open.iter_mut().rev().find(|open| open.node == node) {
            open.holds_another = true;
        }
    }

    fn forget_failed(&mut self) {
        self.known.retain(|_, known| matches!(known, Known::Ends(_)));
    }
}

impl Search {
    fn open(&self, node: Node, variant: usize) -> Open<'_> {
        let mut state = self.0.borrow_mut();
        state.open.push(Making { node, variant, holds_another: false });
        Open(self, state.open.len() - 1)
    }

    /// Begins a part of a search. This is a whole search if no value is being created.
    fn whole(&self) -> Option<Whole<'_>> {
        self.0.borrow().open.is_empty().then(|| Whole(self))
    }

    /// Returns the current variant of a type that is being created.
    fn variant(&self, node: Node) -> Option<usize> {
        let state = self.0.borrow();
        state.open.iter().rev().find(|open| open.node == node).map(|open| open.variant)
    }

    fn known(&self, node: Node) -> Option<Known> {
        let mut state = self.0.borrow_mut();
        let known = state.known.get(&node).copied();
        state.met += usize::from(known.is_some());
        known
    }

    fn is_taken(&self, node: Node, variant: usize) -> bool {
        self.0.borrow().taken.contains(&(node, variant))
    }

    /// Creates the target of a pointer to `P`.
    pub(crate) fn in_pointer<P: ?Sized, R>(&self, make: impl FnOnce() -> Result<R>) -> Result<R> {
        let node = Node { name: std::any::type_name::<P>(), role: Role::Pointee };
        if self.variant(node).is_some() {
            return Err(self.endless(node));
        }
        let _whole = self.whole();
        let _open = self.open(node, 0);
        make()
    }

    /// Calls `make` with the indices of the variants in order, until one ends. `make` returns
    /// `None` for an index that no variant has. A `preferred` first variant may contain another
    /// value of the same type.
    pub(crate) fn choose(
        &self,
        name: &'static str,
        count: usize,
        preferred: bool,
        make: &mut dyn FnMut(usize) -> Option<Result>,
    ) -> Result {
        let node = Node { name, role: Role::Choice(count) };
        if self.0.borrow().simple.contains(&node) {
            return make(0).unwrap_or_else(|| Err(self.endless(node)));
        }
        match (self.known(node), self.variant(node)) {
            (Some(Known::Ends(variant)), _) => {
                return make(variant).unwrap_or_else(|| Err(self.endless(node)));
            }
            (None, Some(0)) if preferred => {
                self.0.borrow_mut().hold_another(node);
                return self.apart(|| self.choose(name, count, false, make));
            }
            (None, None) => {}
            _ => return Err(self.endless(node)),
        }
        let _whole = self.whole();
        let outermost = !self.has_choice();
        let mut first = None;
        // Some variants end only after others were found to end. Each round finds some.
        loop {
            let State { found, met, .. } = *self.0.borrow();
            for variant in 0.. {
                if self.is_taken(node, variant) {
                    continue;
                }
                let open = self.open(node, variant);
                let Some(made) = make(variant) else { break };
                match made {
                    Err(error) if error.kind() == ErrorKind::Endless => {
                        first.get_or_insert(error);
                    }
                    Err(error) => return Err(error),
                    Ok(()) => {
                        self.0.borrow_mut().ends(open.1, met);
                        return Ok(());
                    }
                }
            }
            let mut state = self.0.borrow_mut();
            if !outermost || state.found == found {
                state.known.insert(node, Known::Failed);
                drop(state);
                return Err(first.unwrap_or_else(|| self.endless(node)));
            }
            state.forget_failed();
        }
    }

    fn has_choice(&self) -> bool {
        self.0.borrow().open.iter().any(Making::is_choice)
    }

    /// Begins an inner search, in which enums get variants other than those being created.
    pub(crate) fn apart<R>(&self, make: impl FnOnce() -> R) -> R {
        struct Restore<'a>(&'a Search, State);
        impl Drop for Restore<'_> {
            fn drop(&mut self) {
                std::mem::swap(&mut *self.0.0.borrow_mut(), &mut self.1);
            }
        }
        if !self.has_choice() {
            return make();
        }
        let mut state = self.0.borrow_mut();
        state.met += 1;
        let mut taken = state.taken.clone();
        let choices = state.open.iter().filter(|open| open.is_choice());
        taken.extend(choices.map(|open| (open.node, open.variant)));
        let outer = std::mem::replace(&mut *state, State { taken, ..State::default() });
        drop(state);
        let _restore = Restore(self, outer);
        make()
    }

    /// Returns the error for a type that would contain itself.
    #[cold]
    fn endless(&self, node: Node) -> Error {
        let mut state = self.0.borrow_mut();
        state.met += 1;
        let outer = state.open.iter().rposition(|open| open.node == node).unwrap_or(0);
        let mut names: Vec<&str> = vec![node.name];
        names.extend(state.open[outer..].iter().skip(1).map(|open| open.node.name));
        names.push(node.name);
        names.dedup();
        let name = plain_name(node.name);
        let between = names.get(1..names.len().saturating_sub(1)).unwrap_or_default();
        let way = between.iter().map(|name| format!("`{}`", plain_name(name))).collect::<Vec<_>>();
        let way =
            if way.is_empty() { String::new() } else { format!(" (through {})", way.join(", ")) };
        Error::new(
            ErrorKind::Endless,
            format_args!(
                "`{name}` contains itself{way}, so it has no finite value: use `Option<Box<{name}>>` \
                 or `Vec<{name}>`"
            ),
        )
    }
}

/// Creates the blank target of a pointer with `make`.
pub(crate) fn in_pointer<P: ?Sized, R>(
    shape: &'static Shape,
    options: &Options<'_>,
    make: impl FnOnce(&Options<'_>) -> Result<R>,
) -> Result<R> {
    if ends(&[shape]) {
        return make(options);
    }
    options.search.in_pointer::<P, R>(|| make(options))
}

/// Returns whether blank values of these shapes contain no value that could contain them.
pub const fn ends(shapes: &[&Shape]) -> bool {
    let mut i = 0;
    while i < shapes.len() {
        let ends = match shapes[i] {
            Shape::Primitive(..) | Shape::Seq(..) | Shape::Map(..) | Shape::Option(_) => true,
            Shape::Weak(_) => true,
            shape => shape.block_size().is_some(),
        };
        if !ends {
            return false;
        }
        i += 1;
    }
    true
}
