//! The common parts of all archives of this crate.

/// Implements the common part of [`Archive`](archive_core::Archive).
macro_rules! way {
    (saving) => {
        type Way = archive_core::Saves;
    };
    (loading) => {
        type Way = archive_core::Loads;
        fn load_pointee<B: ::archive_core::Body>(
            &mut self,
            _: u64,
            _: &mut B,
        ) -> ::archive_core::Result<bool> {
            $crate::load::look_elsewhere(self.shared)
        }
    };
}
/// Implements the common part of [`Visitor`](archive_core::Visitor): every body runs elsewhere, and
/// [`Shared`] has the session and the options.
macro_rules! parts {
    ($way:ident, no scalars) => {
        parts!($way);
        fn scalar(&mut self, _: ::archive_core::Scalar<'_>) -> ::archive_core::Result {
            Err(::archive_core::bridge::misuse())
        }
    };
    (@bodies) => {
        archive_core::__takes_bodies!(@steps);
        // Inlined, so that a level needs less stack.
        fn elsewhere(
            &mut self,
            step: ::archive_core::Step,
            body: &mut dyn ::archive_core::ErasedBody,
        ) -> ::archive_core::Result<bool> {
            use ::archive_core::{Step, Walk};
            let body = &mut ::archive_core::DynBody(body);
            match step {
                Step::Named(info) => self.named(info, body).map(|()| true),
                Step::Found(info) => self.found(info, body).map(|()| true),
                step => self.run_elsewhere(step, body),
            }
        }
    };
    (saving) => {
        archive_core::__one_way!(saves in shared);
        parts!(@bodies);
    };
    (loading) => {
        archive_core::__one_way!(loads in shared);
        parts!(@bodies);
        fn resolve_pending(&mut self) -> ::archive_core::Result {
            $crate::load::resolve_pending(self.shared)
        }
    };
}
pub(crate) use {parts, way};
