//! Loads the members of objects of hand-written functions.

use archive_core::shape::{Class, Member, Shape};
use archive_core::{Archive, Body, Keyed, Result, Scalar, Visitor, Walk, check_name};

use super::super::{Loading, cannot};
use crate::decoder::{Ask, Opened};
use crate::types::TypeId;

/// Loads the members of an object of a hand-written function. While the function requests the
/// members in file order, as it did for other objects of the class, they are read by position. From
/// the first other request on, the decoder searches for the members.
struct ByHand<'s, 'a, 'r> {
    loading: &'s mut Loading<'a, 'r>,
    object: Opened,
    /// Whether the decoder searches for the members.
    searched: bool,
}

impl Loading<'_, '_> {
    /// Loads an object of a hand-written function.
    #[inline]
    pub(in super::super) fn object_with_layout<B: Body>(
        &mut self,
        class: &'static Class,
        body: &mut B,
    ) -> Result {
        self.session.enter_object(class, self.options)?;
        let at = self.data.at();
        let number = self.data.u64()?;
        let object = match self.decoder.get().begin_by_hand(number, class) {
            Some(object) if object.version() <= class.version => object,
            // The decoder refuses a newer version.
            _ => {
                self.session.leave_object(class);
                self.data.goto(at);
                return self.with_general_archive(TypeId::MATCHES_PROGRAM, |general| {
                    general.erased().loading().object(class, body)
                });
            }
        };
        let outer = self.session.set_version(object.version());
        let mut members = ByHand { loading: self, object, searched: false };
        match body.run(&mut members).and_then(|()| members.finish(class)) {
            Ok(()) => {}
            Err(error) => return Err(self.located(error).in_class(class)),
        }
        self.session.set_version(outer);
        self.session.leave_object(class);
        Ok(())
    }
}

impl ByHand<'_, '_, '_> {
    /// Loads the value of the member at the cursor.
    #[inline(always)]
    fn value<B: Body>(&mut self, name: &str, body: &mut B) -> Result {
        match body.run(self.loading) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.loading.located(error).in_member(name)),
        }
    }

    #[inline(always)]
    fn is_next<K: Ask>(&mut self, ask: K) -> bool {
        !self.searched && self.loading.decoder.get().is_next(&mut self.object, ask)
    }

    /// Like [`is_next`](ByHand::is_next), for a request that no object of the class made before.
    /// The arguments are passed so that they need not be moved when this is not called.
    #[inline(never)]
    fn is_next_at_last(&mut self, name: &str, shape: &'static Shape) -> bool {
        self.note((name, shape))
    }

    fn note<K: Ask>(&mut self, ask: K) -> bool {
        let depth = self.loading.depth() - 1;
        !self.searched
            && self.loading.decoder.get().note_next(&self.object, ask, depth)
            && self.loading.decoder.get().is_next(&mut self.object, ask)
    }

    /// Lets the decoder read the rest of the object.
    #[inline(never)]
    fn search<R>(
        &mut self,
        load: impl FnOnce(&mut archive_core::Loading<'_, crate::Decoder<'_>>) -> Result<R>,
    ) -> Result<R> {
        if !std::mem::replace(&mut self.searched, true) {
            let depth = self.loading.depth() - 1;
            self.loading.decoder.get().search_rest(&self.object, depth);
        }
        self.loading.with_general_archive(TypeId::MATCHES_PROGRAM, |general| load(general))
    }

    /// Ends the object after the function returned.
    #[inline]
    fn finish(mut self, class: &'static Class) -> Result {
        if !self.searched && self.object.is_complete() {
            return Ok(());
        }
        self.search(|general| general.close_object(class))
    }
}

/// A hand-written function may visit only members.
impl Visitor for ByHand<'_, '_, '_> {
    archive_core::__takes_bodies!();
    archive_core::__one_way!(loads in loading);

    fn scalar(&mut self, _: Scalar<'_>) -> Result {
        Err(cannot("a value outside its members"))
    }
}

impl Walk for ByHand<'_, '_, '_> {
    type Way = archive_core::Loads;

    // Inlined for the names: comparing a name with a constant takes few instructions.
    #[inline(always)]
    fn slot<B: Body>(&mut self, name: &str, shape: &'static Shape, body: &mut B) -> Result {
        check_name(name)?;
        if self.is_next((name, shape)) || self.is_next_at_last(name, shape) {
            return self.value(name, body);
        }
        self.search(|general| general.erased().loading().slot(name, shape, body))
    }
    #[inline(always)]
    fn named<B: Body>(&mut self, info: &'static Member, body: &mut B) -> Result {
        if self.is_next(info) || self.note(info) {
            return self.value(info.name, body);
        }
        self.search(|general| general.erased().loading().named(info, body))
    }
    fn load_key<B: Keyed>(&mut self, body: &mut B) -> Result<bool> {
        self.search(|general| general.erased().loading().load_key(body))
    }
    fn load_pointee<B: Body>(&mut self, id: u64, body: &mut B) -> Result<bool> {
        self.search(|general| general.erased().loading().load_pointee(id, body))
    }
}
