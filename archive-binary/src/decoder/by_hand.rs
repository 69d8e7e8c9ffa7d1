//! Objects of hand-written functions, while the function requests the members in file order.
// Why: docs/decisions/binary.md#hand-written-members-are-read-in-order

use archive_core::shape::Class;

use super::Decoder;
use super::frame::{Form, Frame};
use super::plan::{Ask, Progress, Reading};
use crate::types::TypeId;

/// An object whose members are read by position: so far, the requests were the same as for other
/// objects of its class.
#[derive(Clone, Copy)]
pub(crate) struct Opened {
    kind: TypeId,
    /// The progress in the plan. Each step so far was a member.
    plan: Progress,
    /// The number of members.
    members: usize,
    version: u32,
}

impl Opened {
    /// The version of the object.
    #[inline]
    pub(crate) fn version(&self) -> u32 {
        self.version
    }

    /// Returns whether all members were requested.
    #[inline]
    pub(crate) fn is_complete(&self) -> bool {
        self.plan.steps() == self.members
    }
}

impl Decoder<'_> {
    /// Opens an object with that layout number. The cursor is at its first member.
    #[inline]
    pub(crate) fn begin_by_hand(&mut self, layout: u64, class: &'static Class) -> Option<Opened> {
        let kind = *self.tables.layouts.get(usize::try_from(layout).ok()?)?;
        let Reading::Named(plan) = self.reading(kind, class) else { return None };
        let (version, members) = self.plans.class(plan);
        Some(Opened { kind, plan: Progress::start(plan), members, version })
    }

    /// Moves to the next member, if it is the requested one and matches the program's type.
    #[inline(always)]
    pub(crate) fn is_next<K: Ask>(&self, object: &mut Opened, ask: K) -> bool {
        let next = self.plans.comes_next(object.plan, ask);
        if next {
            object.plan.advance();
        }
        next
    }

    /// Records the index of a member, if no object of the class requested it at this step before.
    #[cold]
    pub(crate) fn note_next<K: Ask>(&mut self, object: &Opened, ask: K, depth: usize) -> bool {
        let news = self.plans.may_note(object.plan);
        if news {
            let frameless_depth = self.frameless_depth;
            self.search_rest(object, depth);
            self.note_member(ask);
            self.frames.pop();
            self.frameless_depth = frameless_depth;
        }
        news
    }

    /// Searches for the members of the object from here on. `depth` is the object's nesting depth.
    pub(crate) fn search_rest(&mut self, object: &Opened, depth: usize) {
        self.base.depth = depth;
        let Opened { kind, plan, version, .. } = *object;
        let form = Frame { kind, plan, version, at: plan.steps(), ..Frame::new(Form::Members) };
        self.open(Frame { versioned: true, ..form });
    }
}
