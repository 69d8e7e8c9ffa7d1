//! Saves the members of objects of hand-written functions.

use archive_core::shape::{Class, Member, Shape};
use archive_core::{ArchiveKind, Body, Result, Scalar, Visitor, Walk, check_name};

use super::super::{Saving, cannot};
use crate::encoder;

/// Saves the members of an object of a hand-written function. Each member is a step in
/// [`Layouts`](crate::layouts::Layouts).
struct ByHand<'s, 'a, 'w> {
    saving: &'s mut Saving<'a, 'w>,
    object: encoder::ByHand,
}

impl<'a, 'w> Saving<'a, 'w> {
    /// Saves an object of a hand-written function: the number of its layout, which is known only at
    /// the end, and its members.
    #[inline]
    pub(in super::super) fn object_with_layout<B: Body>(
        &mut self,
        class: &'static Class,
        body: &mut B,
    ) -> Result {
        self.reserve(size_of::<[u64; 2]>());
        let object = self.encoder.begin_by_hand(class, self.out.len());
        self.varint(object.number.into());
        let mut members = ByHand { saving: self, object };
        body.run(&mut members)?;
        let object = members.object;
        if let Some(number) = self.encoder.end_by_hand(&object)? {
            self.pass_output();
            self.encoder.patch(object.at, object.number.into(), number.into());
        }
        Ok(())
    }
}

impl ByHand<'_, '_, '_> {
    /// Saves a member.
    #[inline(always)]
    fn member<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        self.object.node = self.saving.encoder.member_by_hand(self.object.node, name, shape);
        self.saving
            .any_or(|| matches!(shape, Shape::Any), body)
            .map_err(|error| error.in_member(name))
    }
}

/// A hand-written function may visit only members.
impl Visitor for ByHand<'_, '_, '_> {
    archive_core::__takes_bodies!();
    archive_core::__one_way!(saves in saving);

    #[inline]
    fn fixed_shape(&self) -> bool {
        true
    }

    #[inline]
    fn refuses_duplicates(&self) -> bool {
        true
    }

    fn scalar(&mut self, _: Scalar<'_>) -> Result {
        Err(cannot("a value outside its members"))
    }
}

impl Walk for ByHand<'_, '_, '_> {
    type Way = archive_core::Saves;
    // A class never has two members with the same name.
    const KIND: ArchiveKind = ArchiveKind { refuses_duplicates: true, ..ArchiveKind::TOOL };

    // Inlined for the names: comparing a name with a constant takes two instructions.
    #[inline(always)]
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        self.member(name, shape, body)
    }
    #[inline(always)]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        check_name(info.name)?;
        self.member(info.name, info.shape.get(), body)
    }
    fn save_key<B: Body>(&mut self, name: &str, body: &mut B) -> Result {
        let Saving { session, options, .. } = &mut *self.saving;
        session.count(options).map_err(|error| error.in_member(name))?;
        self.member(name, &Shape::Any, body)
    }
}
