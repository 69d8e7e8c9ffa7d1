//! [`Items`]: the items of a sequence being loaded; also options.

use archive_core::bridge::{self, Place};
use archive_core::{Archive, Body, Result, Shape, Step, Value, Visitor, Walk};
use serde::de::{Deserializer, Error as _, MapAccess, SeqAccess};

use super::key::within;
use super::pointer::PointerPlace;
use super::value::Seed;
use super::visit::{Wanted, ask, first_key};
use crate::archives::{parts, way};
use crate::shared::{Shared, Tree, item_shape};
use crate::tree::{Skip, gather_map, is_pointer_name, read_untagged};

/// Expects a sequence.
pub(crate) struct Seq<'b, B> {
    pub(crate) shape: &'static Shape,
    pub(crate) len: usize,
    pub(crate) body: &'b mut B,
}

impl<B: Body> Wanted for Seq<'_, B> {
    type Out = ();

    fn tree(self, tree: Tree, shared: &mut Shared<'_>) -> Result {
        shared.load_tree(tree, |ar| ar.seq(self.shape, self.len, self.body))
    }

    fn seq<'de, A: SeqAccess<'de>>(self, seq: A, shared: &mut Shared<'_>) -> Result {
        let Seq { shape, len, body } = self;
        shared.session.enter(shared.options)?;
        shared.hint(seq.size_hint());
        let each = match shape {
            Shape::Tuple(..) | Shape::Map(..) => &Shape::Dyn,
            shape => item_shape(shape, 0),
        };
        let are_empty = shared.omits_items(shape);
        let mut items = Items { seq, shape, each, are_empty, ended: false, shared };
        body.run(&mut items)?;
        items.close(len)?;
        shared.session.leave();
        Ok(())
    }
}

/// The items of a sequence.
pub(crate) struct Items<'a, 's, A> {
    seq: A,
    shape: &'static Shape,
    /// The shape of the items, if all have the same.
    each: &'static Shape,
    /// Whether items take no bytes.
    are_empty: bool,
    ended: bool,
    shared: &'a mut Shared<'s>,
}

impl<'de, A: SeqAccess<'de>> Items<'_, '_, A> {
    /// Checks that no item follows the requested ones.
    fn close(mut self, len: usize) -> Result {
        if self.ended || (!self.shared.manner.describes && is_placed(self.shape)) {
            return Ok(());
        }
        let next = self.seq.next_element_seed(Skip::new(self.shared));
        match next.map_err(|theirs| self.shared.refused(theirs))? {
            Some(_) => Err(bridge::too_many(len)),
            None => Ok(()),
        }
    }
}

/// Returns whether the number of items follows from the type.
fn is_placed(shape: &Shape) -> bool {
    matches!(shape, Shape::Array(..) | Shape::Tuple(..))
}

impl<'de, A: SeqAccess<'de>> Visitor for Items<'_, '_, A> {
    parts!(loading, no scalars);
    fn size_hint(&self) -> usize {
        self.shared.session.current.size_hint
    }
}

impl<'de, A: SeqAccess<'de>> Walk for Items<'_, '_, A> {
    way!(loading);
    #[inline]
    fn run_elsewhere<B: Body>(&mut self, step: Step, body: &mut B) -> Result<bool> {
        let Step::Item(index) = step else { return Err(bridge::misuse()) };
        let shape = match self.shape {
            Shape::Tuple(..) => item_shape(self.shape, index),
            _ => self.each,
        };
        let (seq, is_empty, is_placed) = (&mut self.seq, self.are_empty, is_placed(self.shape));
        let mut counted = Counted(body);
        let found = within(Place::Item(index), self.shared, |shared| {
            let seed = Seed { body: &mut counted, shape, shared: &mut *shared };
            let next = seq.next_element_seed(seed).map_err(|theirs| shared.refused(theirs))?;
            if next.is_some() && !is_placed {
                shared.count_empty(is_empty, index)?;
            }
            Ok(next.is_some())
        })?;
        self.ended |= !found;
        Ok(found)
    }
}

/// An item, which is counted when it is loaded.
struct Counted<'a, B>(&'a mut B);

impl<B: Body> Body for Counted<'_, B> {
    #[inline]
    fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
        let (session, options) = ar.parts_mut();
        session.count(options)?;
        self.0.run(ar)
    }
}

/// Expects an option; returns whether it has a value.
pub(crate) struct Optional<'b, B> {
    pub(crate) shape: &'static Shape,
    pub(crate) nullable: bool,
    pub(crate) body: &'b mut B,
}

impl<B: Body> Wanted for Optional<'_, B> {
    type Out = bool;

    fn tree(self, tree: Tree, shared: &mut Shared<'_>) -> Result<bool> {
        shared.load_tree(tree, |ar| ar.option(self.shape, false, self.nullable, self.body))
    }

    fn some<'de, D: Deserializer<'de>>(
        self,
        from: D,
        shared: &mut Shared<'_>,
    ) -> Result<bool, D::Error> {
        let Optional { shape, nullable, body } = self;
        let inner = match shape {
            Shape::Option(inner) => inner.get(),
            shape => shape,
        };
        // Formats that do not describe themselves can store nested options directly.
        if nullable && shared.manner.describes {
            return load_nullable(Nullable { shape, body }, from, shared);
        }
        serde::de::DeserializeSeed::deserialize(Seed { body, shape: inner, shared }, from)?;
        Ok(true)
    }
}

/// The value of an option that may itself be null; a null is then wrapped in an object.
struct Nullable<'b, B> {
    shape: &'static Shape,
    body: &'b mut B,
}

fn load_nullable<'de, D: Deserializer<'de>, B: Body>(
    wanted: Nullable<'_, B>,
    from: D,
    shared: &mut Shared<'_>,
) -> Result<bool, D::Error> {
    if !shared.manner.untagged {
        return ask(wanted, from, shared);
    }
    shared.is_text = from.is_human_readable();
    let tree = read_untagged(from)?;
    wanted.tree(tree, shared).map_err(|ours| D::Error::custom(shared.stash_error(ours)))
}

impl<B: Body> Wanted for Nullable<'_, B> {
    type Out = bool;

    fn tree(self, tree: Tree, shared: &mut Shared<'_>) -> Result<bool> {
        shared.load_tree(tree, |ar| ar.option(self.shape, false, true, self.body))
    }

    /// Loads a weak pointer directly and not from a tree, in which objects could not be
    /// distinguished from those of other trees.
    fn map<'de, A: MapAccess<'de>>(self, map: A, shared: &mut Shared<'_>) -> Result<bool> {
        let (first, map) = first_key(map, shared)?;
        match first {
            Some(Value::Str(name)) if is_pointer_name(&name) && holds_weak(self.shape) => {
                self.body.run(&mut PointerPlace::new(name, map, shared).erased().loading())?;
                Ok(true)
            }
            first => {
                let tree = gather_map(first, map, shared)?;
                self.tree(tree, shared)
            }
        }
    }
}

/// Returns whether a weak pointer is inside the options.
fn holds_weak(mut shape: &'static Shape) -> bool {
    while let Shape::Option(inner) = shape {
        shape = inner.get();
    }
    matches!(shape, Shape::Weak(_))
}
