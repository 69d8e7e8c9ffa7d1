//! [`Step`]: a body that runs elsewhere than on its archive.

use std::marker::PhantomData;

use super::Walk;
use crate::model::error::Result;
use crate::model::shape::{Class, Enum, Member, Shape};
use crate::visit::body::Body;
use crate::visit::erased::On;

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

/// Runs a body where its archive has sent it. Returns `false` if there is no value.
#[inline(always)]
pub(super) fn elsewhere<W: Walk, B: Body>(ar: &mut W, step: Step, body: &mut B) -> Result<bool> {
    if const { W::KIND.elsewhere.direct } {
        ar.run_elsewhere(step, body)
    } else {
        ar.elsewhere(step, &mut On::<W::Way, B>(body, PhantomData))
    }
}

/// Implements the steps of an archive in which every body runs
/// [elsewhere](crate::Walk::run_elsewhere).
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
