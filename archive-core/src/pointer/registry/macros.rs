//! The macros `polymorphic!` and `register!`.

/// Lets objects of a trait be saved and loaded, in `Box`, `Rc` and `Arc`, with or without a cell.
///
/// Write one line for each trait object type, in the module that defines the trait. The types have
/// the bounds that the pointers have: `dyn Command`, `dyn Command + Send`,
/// `dyn Command + Send + Sync`.
///
/// ```
/// trait Command: archive::Polymorphic {}
/// archive::polymorphic!(dyn Command);
/// archive::polymorphic!(dyn Command + Send + Sync);
/// ```
#[macro_export]
macro_rules! polymorphic {
    (dyn $($bounds:tt)+) => {
        const _: () = {
            use $crate::__private::polymorphic as __archive;

            type __Object = dyn $($bounds)+;

            // First, so that a trait without the supertrait gets this error before the errors of
            // the other impls.
            impl __archive::Interface for __Object {}

            impl<__T: 'static + $($bounds)+> __archive::CastBox<__T> for __Object {
                fn boxed(pointer: __archive::Box<__T>) -> __archive::Box<Self> {
                    pointer
                }
            }
            $crate::__polymorphic_cast!(RcFlavor, Rc, RcWeak, $($bounds)+);
            $crate::__polymorphic_cast!(ArcFlavor, Arc, ArcWeak, $($bounds)+);

            // The names below are looked up in this module first. The trait object is `__Object`,
            // so that a trait may have any name.
            const _: () = {
                use $crate::__private::polymorphic::*;

                const OBJECT: &TypeInfo = &TypeInfo::of_unsized(&About::object::<__Object>(
                    ::core::stringify!(dyn $($bounds)+),
                ));

                impl Boxed for __Object {
                    const SHAPE: &'static Shape = &Shape::Dyn;
                    const INFO: &'static TypeInfo = OBJECT;
                    const NULLABLE: bool = false;
                    fn box_value<A: Archive>(this: &mut Box<Self>, ar: &mut A) -> Result {
                        visit_dyn::<Self, A>(this, ar)
                    }
                    fn box_blank(options: &Options<'_>) -> Result<Box<Self>> {
                        dynamic::boxed(options)
                    }
                    fn box_new<A: Archive>(ar: &mut A) -> Result<Box<Self>> {
                        load_dyn::<Self, A>(ar)
                    }
                }

                impl BoxedSave for __Object {
                    fn box_save<A: Archive>(&self, ar: &mut A) -> Result {
                        save_dyn::<Self, A>(self, ar)
                    }
                }

                impl<__P: ContainsDyn<__Object> + ?Sized> Pointee<__P> for __Object {
                    const INFO: &'static TypeInfo = OBJECT;
                    type Objects = dynamic::Dynamic<Self>;
                }
            };
        };
    };
}

/// Implements the casts of one kind of pointer, for `polymorphic!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __polymorphic_cast {
    ($Flavor:ident, $Strong:ident, $Weak:ident, $($bounds:tt)+) => {
        impl<__T: 'static + $($bounds)+> __archive::Cast<__T, __archive::$Flavor> for __Object {
            fn bare(pointer: __archive::$Strong<__T>) -> __archive::$Strong<Self> {
                pointer
            }
            fn bare_weak(pointer: __archive::$Weak<__T>) -> __archive::$Weak<Self> {
                pointer
            }
            fn refcell(pointer: __archive::$Strong<__archive::RefCell<__T>>) -> __archive::$Strong<__archive::RefCell<Self>> {
                pointer
            }
            fn refcell_weak(pointer: __archive::$Weak<__archive::RefCell<__T>>) -> __archive::$Weak<__archive::RefCell<Self>> {
                pointer
            }
            fn mutex(pointer: __archive::$Strong<__archive::Mutex<__T>>) -> __archive::$Strong<__archive::Mutex<Self>> {
                pointer
            }
            fn mutex_weak(pointer: __archive::$Weak<__archive::Mutex<__T>>) -> __archive::$Weak<__archive::Mutex<Self>> {
                pointer
            }
            fn rwlock(pointer: __archive::$Strong<__archive::RwLock<__T>>) -> __archive::$Strong<__archive::RwLock<Self>> {
                pointer
            }
            fn rwlock_weak(pointer: __archive::$Weak<__archive::RwLock<__T>>) -> __archive::$Weak<__archive::RwLock<Self>> {
                pointer
            }
        }
    };
}

/// Registers types for a trait, like `archive::register!`, but without functions compiled for
/// single formats.
#[macro_export]
macro_rules! register {
    ($registry:expr, dyn $($rest:tt)+) => {
        $crate::__register!([()] $registry, [] $($rest)+)
    };
}

/// Collects the tokens of the trait object up to the braces, for `register!`. The first type
/// selects the formats for which functions are compiled.
#[doc(hidden)]
#[macro_export]
macro_rules! __register {
    ([$formats:ty] $registry:expr, [$($bounds:tt)+] { $($types:tt)* }) => {
        $crate::__register_types!($formats, $registry, (dyn $($bounds)+) { $($types)* })
    };
    ([$formats:ty] $registry:expr, [$($bounds:tt)*] $next:tt $($rest:tt)+) => {
        $crate::__register!([$formats] $registry, [$($bounds)* $next] $($rest)+)
    };
}

/// Registers each type, for `register!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __register_types {
    ($formats:ty, $registry:expr, ($dyn:ty) { $($ty:ty $(as $id:literal)?),* $(,)? }) => {
        (|| -> $crate::Result {
            $($registry.register::<$dyn, $ty>(
                &$crate::__private::polymorphic::id::<$ty>(stringify!($ty), &[$($id)?]),
            )?;
            $registry.compile::<$ty, $formats>();)*
            ::core::result::Result::Ok(())
        })()
    };
}
