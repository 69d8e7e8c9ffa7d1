//! [`BodyFacts`]: compile-time facts about a body. [`Step`]: a part of a value whose body does not run on its own archive.

use crate::model::block_size::BlockSize;
use crate::model::members::Lookup;
use crate::model::shape::{Class, Enum, Member, Shape};

/// Compile-time facts about a [`Body`](crate::Body).
#[derive(Clone, Copy, Debug)]
pub struct BodyFacts {
    /// The size of the value, if it is an object, an array or a tuple that can be stored in a
    /// [block](crate::block).
    pub block: Option<BlockSize>,
    /// The size of each item, if the body visits the items of a list that can be stored in a block.
    #[doc(hidden)]
    pub item: Option<BlockSize>,
    /// For a value in its slot: whether it is never self-describing
    /// ([`Shape::Any`](crate::Shape::Any)). For the body of a sequence, a map or an object: whether
    /// this is true of all items, entries or members.
    pub typed: bool,
    /// For the body of a sequence: whether the length given at its start is always the number of
    /// its items, and never [`UNCOUNTED`](crate::encoder::UNCOUNTED).
    pub counted: bool,
    /// For the members of an object: whether a hand-written function visits them, if known.
    pub by_hand: Option<bool>,
    /// Whether each run creates a new value, so that a load can be repeated.
    pub fresh: bool,
    /// The names of the members, if they can be loaded one by one in any order.
    pub lookup: Option<&'static Lookup>,
    /// Whether the body must be called after its members were loaded in any order:
    /// [`Body::absent`](crate::Body::absent) or [`Body::finish`](crate::Body::finish).
    pub completes: bool,
}

impl BodyFacts {
    /// Nothing is known.
    pub const NONE: Self = BodyFacts {
        block: None,
        item: None,
        typed: false,
        counted: false,
        by_hand: None,
        fresh: false,
        lookup: None,
        completes: false,
    };
    /// A body that creates a new value in each run.
    pub const FRESH: Self = BodyFacts { fresh: true, ..Self::NONE };

    /// A value of that shape in its slot.
    #[must_use]
    pub const fn value(shape: &Shape) -> Self {
        BodyFacts { typed: !shape.is_any(), ..Self::NONE }
    }

    /// The items of a sequence whose length is known.
    #[must_use]
    pub const fn items(block: Option<BlockSize>, typed: bool) -> Self {
        BodyFacts { block, typed, counted: true, ..Self::NONE }
    }

    /// The members of an object of that shape.
    #[must_use]
    pub const fn members(shape: &Shape) -> Self {
        let by_hand = match shape {
            Shape::Class(class) => Some(class.members.is_none()),
            _ => None,
        };
        BodyFacts { block: shape.block_size(), by_hand, ..Self::NONE }
    }
}

/// A part of a value whose body runs [elsewhere](crate::Visitor::elsewhere).
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A member whose description is not known.
    Slot,
    /// A member.
    Named(&'static Member),
    /// An object.
    Object(&'static Class),
    /// A sequence, with its length.
    Seq(&'static Shape, usize),
    /// An option: whether it is present, and whether its value is null.
    Option(&'static Shape, bool, bool),
    /// An item.
    Item(usize),
    /// A member that was found.
    Found(&'static Member),
    /// The payload of a variant.
    Variant(&'static Enum, usize),
    /// A map, with its length.
    Map(&'static Shape, usize),
}
