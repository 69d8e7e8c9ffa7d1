//! The macros for archives of one direction.

/// Whether an archive of the type `$A` loads. If the type alone decides it, code of the other
/// direction is not compiled.
macro_rules! loads {
    ($A:ident, $ar:expr) => {
        (const { matches!(<$A::Way as $crate::visit::erased::Way>::LOADS, Some(true)) })
            || (const { <$A::Way as $crate::visit::erased::Way>::LOADS.is_none() }
                && $crate::visit::visitor::Visitor::loads($ar))
    };
}
pub(crate) use loads;

/// Implements the methods that all one-way archives share: the direction, and access to the session
/// and the options. The session and the options are fields of these names, or those of the archive
/// in the given field.
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
