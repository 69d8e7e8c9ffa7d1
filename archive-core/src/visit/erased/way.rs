//! The direction of an archive, as a type.

/// What is known of the direction of an [`Erased`](super::Erased) archive.
pub trait Way: 'static {
    /// Whether it loads, if that is known.
    const LOADS: Option<bool>;
}

/// The archive saves or loads, which is known at run time only. A tool that changes what it visits
/// has this direction, too: values may be visited as copies by an archive that [`Saves`].
pub enum Either {}
/// The archive saves.
pub enum Saves {}
/// The archive loads.
pub enum Loads {}

impl Way for Either {
    const LOADS: Option<bool> = None;
}
impl Way for Saves {
    const LOADS: Option<bool> = Some(false);
}
impl Way for Loads {
    const LOADS: Option<bool> = Some(true);
}

/// Whether an archive of the type `$A` loads. If the type alone decides it, nothing of the other
/// direction is compiled.
macro_rules! loads {
    ($A:ident, $ar:expr) => {
        (const { matches!(<$A::Way as $crate::visit::erased::Way>::LOADS, Some(true)) })
            || (const { <$A::Way as $crate::visit::erased::Way>::LOADS.is_none() }
                && $crate::visit::visitor::Visitor::loads($ar))
    };
}
pub(crate) use loads;

/// Implements the methods that all one-way archives share: the direction, and access to the session
/// and the options. These are fields named `session` and `options`, or belong to the archive in the
/// named field.
#[doc(hidden)]
#[macro_export]
macro_rules! __one_way {
    (loads $(in $archive:ident)?) => {
        #[inline]
        fn loads(&self) -> bool {
            true
        }
        $crate::__one_way!(@parts $($archive)?);
    };
    (saves $(in $archive:ident)?) => {
        #[inline]
        fn loads(&self) -> bool {
            false
        }
        $crate::__one_way!(@parts $($archive)?);
    };
    (@parts) => {
        #[inline]
        fn parts(&self) -> (&$crate::Session, &$crate::Options<'_>) {
            (self.session, self.options)
        }
        #[inline]
        fn parts_mut(&mut self) -> (&mut $crate::Session, &$crate::Options<'_>) {
            (self.session, self.options)
        }
    };
    (@parts $archive:ident) => {
        #[inline]
        fn parts(&self) -> (&$crate::Session, &$crate::Options<'_>) {
            self.$archive.parts()
        }
        #[inline]
        fn parts_mut(&mut self) -> (&mut $crate::Session, &$crate::Options<'_>) {
            self.$archive.parts_mut()
        }
    };
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
