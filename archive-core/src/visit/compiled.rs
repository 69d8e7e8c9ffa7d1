//! What is known of a body and of an archive when both are compiled together, and where a body runs
//! that its archive does not take.

use crate::model::block_size::BlockSize;
use crate::model::shape::{Class, Enum, Member, Shape};
use crate::state::options::Options;
use crate::visit::block::loading::{Found, LoadIn, load_in};
use crate::visit::block::saving::{SaveIn, save_in};
use crate::visit::body::Body;
use crate::visit::session::Session;

/// What is known of a body when it is compiled.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// [`Body::NEVER_ANY`].
    pub never_any: bool,
    /// [`Body::COUNTED`].
    pub counted: bool,
    /// [`Body::BY_HAND`].
    pub by_hand: Option<bool>,
}

impl Facts {
    /// What is known of a body that runs on the erased archive: nothing.
    pub const NONE: Self = Facts { never_any: false, counted: false, by_hand: None };

    /// The facts of a body.
    #[must_use]
    pub const fn of<B: Body>() -> Self {
        Facts { never_any: B::NEVER_ANY, counted: B::COUNTED, by_hand: B::BY_HAND }
    }
}

/// Functions that save and load bodies in blocks. They are constants that exist only for bodies
/// with a [size](Body::BLOCK): the compiler instantiates every function that is called, even if the
/// call is known never to be reached.
pub trait InBlock: Body + Sized {
    /// The size, and the function that saves the body.
    const SAVE: Option<(BlockSize, SaveIn<Self>)> = match Self::BLOCK {
        Some(size) => Some((size, save_in::<Self>)),
        None => None,
    };
    /// The size, and the function that loads the body.
    const LOAD: Option<(BlockSize, LoadIn<Self>)> = match Self::BLOCK {
        Some(size) => Some((size, load_in::<Self>)),
        None => None,
    };
}

impl<B: Body> InBlock for B {}

/// How often an archive takes a value of a known size as a block.
#[doc(hidden)]
pub enum Blocks {
    /// Values are visited part by part.
    Never,
    /// Either may be.
    Sometimes,
    /// Part by part is rare, and compiled as a function of its own.
    Mostly,
    /// All values with a size.
    Always,
}

/// For which bodies the steps of an archive may refuse to let the body run on it.
#[doc(hidden)]
pub struct Elsewhere {
    /// Whether the body simply runs here then: an archive without steps.
    pub direct: bool,
    /// Whether it may happen to every body.
    pub always: bool,
    /// Whether it happens to bodies that may have a self-describing value.
    pub any: bool,
    /// Whether it happens to bodies of sequences whose length may be unknown.
    pub uncounted: bool,
    /// Whether it happens to the members of hand-written functions.
    pub by_hand: bool,
}

impl Elsewhere {
    /// An archive without steps.
    pub const DIRECT: Self =
        Elsewhere { direct: true, always: true, any: true, uncounted: true, by_hand: true };

    /// An archive whose steps may refuse every body.
    pub const ALWAYS: Self = Elsewhere { direct: false, ..Self::DIRECT };

    /// Whether that never happens to such a body.
    #[must_use]
    pub const fn never(&self, facts: &Facts) -> bool {
        !(self.always
            || self.any && !facts.never_any
            || self.uncounted && !facts.counted
            || self.by_hand && !matches!(facts.by_hand, Some(false)))
    }
    /// The same for variants.
    #[must_use]
    pub const fn never_any(&self, never_any: bool) -> bool {
        !(self.always || self.any && !never_any)
    }
}

/// A step whose body runs [elsewhere](crate::Visitor::elsewhere).
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

/// A block that a value is loaded from.
#[doc(hidden)]
pub struct Room<'a> {
    /// The bytes.
    pub found: Found<'a>,
    /// The version of the outer object.
    pub outer: u32,
    /// The state of the run.
    pub session: &'a mut Session,
    /// The caller's options.
    pub options: &'a Options<'a>,
}

/// Implements the steps of an archive in which every body runs
/// [elsewhere](crate::Archive::run_elsewhere).
#[doc(hidden)]
#[macro_export]
macro_rules! __takes_bodies {
    () => {
        $crate::__takes_bodies!(@steps);
        fn elsewhere(
            &mut self,
            step: $crate::Step,
            body: &mut dyn $crate::ErasedBody,
        ) -> $crate::Result<bool> {
            $crate::run_step(self, step, body)
        }
    };
    (@steps) => {
        fn begin_member(
            &mut self,
            _: &str,
            _: &'static $crate::Shape,
        ) -> $crate::Result<$crate::Begun> {
            Ok($crate::Begun::Elsewhere)
        }
        fn begin_object(
            &mut self,
            _: &'static $crate::Class,
        ) -> $crate::Result<Option<$crate::OuterState>> {
            Ok(None)
        }
        fn begin_seq(
            &mut self,
            _: &'static $crate::Shape,
            _: usize,
        ) -> $crate::Result<Option<$crate::OuterState>> {
            Ok(None)
        }
        fn begin_item(&mut self, _: usize) -> $crate::Result<$crate::Begun> {
            Ok($crate::Begun::Elsewhere)
        }
        fn begin_option(
            &mut self,
            _: &'static $crate::Shape,
            _: bool,
            _: bool,
        ) -> $crate::Result<($crate::Begun, bool)> {
            Ok(($crate::Begun::Elsewhere, false))
        }
        fn begin_variant(
            &mut self,
            _: &'static $crate::Enum,
            _: usize,
            _: bool,
        ) -> $crate::Result<Option<usize>> {
            Ok(None)
        }
    };
}
