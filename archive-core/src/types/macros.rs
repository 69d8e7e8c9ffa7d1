//! Macros that write the same impls as the derive.

mod facts;

/// Implements [`Serialize`](crate::Serialize) and [`Save`](crate::Save) for a struct from a list of
/// its members: a declarative form of the derive.
///
/// A member has the name of its field, or the name after `as`. Fields that are not listed are
/// neither saved nor loaded.
///
/// ```
/// use archive::Serialize;
/// use archive::shape::Shape;
///
/// #[derive(Default)]
/// struct Rect { x: i16, y: i16, w: u16, h: u16, dirty: bool }
///
/// archive::members!(Rect { x as "X", y as "Y", w, h });
/// archive::blank!(Rect);
///
/// let Shape::Class(class) = Rect::SHAPE else { panic!() };
/// let names: Vec<_> = class.members.unwrap().iter().map(|member| member.name).collect();
/// assert_eq!(names, ["X", "Y", "w", "h"]);
/// ```
///
/// Doc comments and the attributes for people work as in the derive, except properties (`get`,
/// `set`), and are refused in the same cases. The bounds of a `range` are literals:
///
/// ```
/// # use archive::{Serialize, shape::Shape};
/// struct Door { degrees: f32 }
///
/// archive::members!(Door {
///     /// How far it is open.
///     #[archive(unit = "°", range = 0.0..=90.0)]
///     degrees,
/// });
/// # let Shape::Class(class) = Door::SHAPE else { panic!() };
/// # let facts = class.members.unwrap()[0].field.facts;
/// # assert_eq!((facts.doc, facts.unit, facts.max), ("How far it is open.", "°", Some(90.0)));
/// ```
///
/// For a generic type, write the parameters first:
///
/// ```
/// struct Range<T> { from: T, to: T }
///
/// archive::members!(impl<T> Range<T> { from, to });
///
/// fn saves_shared<T: archive::Save>() {}
/// saves_shared::<Range<f32>>();
/// ```
#[macro_export]
macro_rules! members {
    (
        impl<$($parameter:ident $(: $bound:tt $(+ $more:tt)*)?),+ $(,)?>
        $type:ty { $($(#[$($fact:tt)*])* $field:ident $(as $name:literal)?),* $(,)? }
    ) => {
        $crate::__members! {
            "" ($(($parameter: $($bound $(+ $more)* +)?))+)
            $type { $($field ($($name)?) [$([$($fact)*])*])* }
        }
    };
    ($type:ty { $($(#[$($fact:tt)*])* $field:ident $(as $name:literal)?),* $(,)? }) => {
        $crate::__members! { "" () $type { $($field ($($name)?) [$([$($fact)*])*])* } }
        // The facts of a generic type are checked where the type is used.
        const _: () = <$type as $crate::__private::Checked>::CHECK;
    };
}

/// Writes the impls, for both forms of [`members!`](crate::members).
#[doc(hidden)]
#[macro_export]
macro_rules! __members {
    (
        $meaning:literal ($(($parameter:ident : $($bound:tt)*))*)
        $type:ty { $($field:ident ($($name:literal)?) [$($fact:tt)*])* }
    ) => {
        impl<$($parameter: $($bound)* $crate::__private::Element),*>
            $crate::__private::Named<0> for $type
        {
            const MEMBERS: &'static [$crate::shape::Member] = &[
                $($crate::shape::Member::new(
                    $crate::__member_name!($field $($name)?),
                    $crate::__private::shape_of_field(|value: &Self| &value.$field),
                )
                .with_field($crate::__private::field_of(
                    |value: &Self| &value.$field,
                    ::core::mem::offset_of!(Self, $field),
                    &$crate::__facts!(() {} $($fact)*),
                ))),*
            ];
            const CLASS: &'static $crate::shape::Class = &$crate::shape::Class::new(
                <Self as $crate::Serialize>::NAME,
                $crate::shape::NameOf::Type(::core::any::type_name::<Self>),
                <Self as $crate::Serialize>::VERSION,
            )
            .with_members(
                ::core::option::Option::Some(<Self as $crate::__private::Named<0>>::MEMBERS),
                $crate::block::class_size(&[
                    $($crate::__private::field_shape(|value: &Self| &value.$field)),*
                ]),
            )
            .with_meaning($meaning);
        }

        impl<$($parameter: $($bound)* $crate::__private::Element),*>
            $crate::__private::Checked for $type
        {
            const CHECK: () = {
                let [$($field),*] = <Self as $crate::__private::Named<0>>::MEMBERS else {
                    ::core::unreachable!()
                };
                $($crate::__private::check_facts(
                    $field.field.facts,
                    $crate::__private::field_shape(|value: &Self| &value.$field),
                );)*
            };
        }

        impl<$($parameter: $($bound)* $crate::__private::Element),*>
            $crate::Serialize for $type
        {
            const SHAPE: &'static $crate::shape::Shape =
                &$crate::shape::Shape::Class(<Self as $crate::__private::Named<0>>::CLASS);
            const LOOKUP: ::core::option::Option<&'static $crate::lookup::Lookup> =
                $crate::__private::Table::<
                    Self,
                    { <[&::core::primitive::str]>::len(&[$(::core::stringify!($field)),*]) },
                    { $crate::__private::slots_for(<[&::core::primitive::str]>::len(&[$(::core::stringify!($field)),*])) },
                >::LOOKUP;

            fn load_item<__A: $crate::Archive>(&mut self, ar: &mut __A) -> $crate::Result {
                #[allow(unused_imports)] // for a type that has blank values
                use $crate::__private::Unproven as _;
                $crate::__private::load_item(self, ar, $crate::__private::Probe::<Self>::START)
            }
            fn members<__A: $crate::Archive>(
                &mut self,
                index: ::core::primitive::usize,
                ar: &mut __A,
            ) -> $crate::Result {
                let [$($field),*] = <Self as $crate::__private::Named<0>>::MEMBERS else {
                    ::core::unreachable!()
                };
                let mut next = 0;
                $(
                    if index == next {
                        let mut value = &mut self.$field;
                        return $crate::Walk::found(ar, $field, &mut value);
                    }
                    next += 1;
                )*
                let _ = (ar, next);
                ::core::result::Result::Ok(())
            }

            fn serialize<__A: $crate::Archive>(&mut self, ar: &mut __A) -> $crate::Result {
                let () = <Self as $crate::__private::Checked>::CHECK;
                let [$($field),*] = <Self as $crate::__private::Named<0>>::MEMBERS else {
                    ::core::unreachable!()
                };
                $($crate::Walk::named(ar, $field, &mut &mut self.$field)?;)*
                let _ = ar;
                ::core::result::Result::Ok(())
            }
        }

        impl<$($parameter: $($bound)* $crate::__private::Element + $crate::Save),*>
            $crate::Save for $type
        {
            fn save<__A: $crate::Archive>(&self, ar: &mut __A) -> $crate::Result {
                let [$($field),*] = <Self as $crate::__private::Named<0>>::MEMBERS else {
                    ::core::unreachable!()
                };
                $($crate::Walk::named(ar, $field, &mut &self.$field)?;)*
                let _ = ar;
                ::core::result::Result::Ok(())
            }
        }
    };
}

/// Expands to the name of a member: the given one, or the field's own without `r#`.
#[doc(hidden)]
#[macro_export]
macro_rules! __member_name {
    ($field:ident) => {
        const { $crate::__private::unraw(::core::stringify!($field)) }
    };
    ($field:ident $name:literal) => {
        const { $crate::__private::checked_name($name) }
    };
}

/// Implements [`Save`](crate::Save) for a hand-written type that is `Clone`, by saving a clone.
/// `&value` can then be saved, and the type can be used where only shared references exist (map
/// keys, set elements, `Rc` without a cell).
///
/// ```
/// use archive::{Archive, Result, Save, Serialize};
///
/// #[derive(Clone)]
/// struct Rect { w: u16, h: u16 }
///
/// impl Serialize for Rect {
///     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
///         ar.serialize("w", &mut self.w)?;
///         ar.serialize("h", &mut self.h)
///     }
/// }
/// archive::save_by_clone!(Rect);
///
/// fn saves_shared<T: Save>() {}
/// saves_shared::<Rect>();
/// ```
///
/// For a generic type, write the parameters first: `save_by_clone!(impl<T> Range<T>)` applies
/// wherever `Range<T>` is `Clone` and `Serialize`.
#[macro_export]
macro_rules! save_by_clone {
    (impl<$($parameter:ident $(: $bound:tt $(+ $more:tt)*)?),+ $(,)?> $type:ty) => {
        impl<$($parameter $(: $bound $(+ $more)*)?),+> $crate::Save for $type
        where
            $type: $crate::Serialize + ::core::clone::Clone,
        {
            $crate::__save_by_clone!();
        }
    };
    ($type:ty) => {
        impl $crate::Save for $type {
            $crate::__save_by_clone!();
        }
    };
}

/// Writes the methods, for both forms of [`save_by_clone!`](crate::save_by_clone).
#[doc(hidden)]
#[macro_export]
macro_rules! __save_by_clone {
    () => {
        fn save<__A: $crate::Archive>(&self, ar: &mut __A) -> $crate::Result {
            $crate::Serialize::serialize(&mut <Self as ::core::clone::Clone>::clone(self), ar)
        }
        fn save_value<__A: $crate::Archive>(&self, ar: &mut __A) -> $crate::Result {
            $crate::Serialize::value(&mut <Self as ::core::clone::Clone>::clone(self), ar)
        }
    };
}

/// Implements [`Blank`](crate::Blank) for a hand-written type, so that it can be an element of a
/// container. A blank value is the type's `Default`:
///
/// ```
/// use archive::{Blank, Options};
///
/// #[derive(Default)]
/// struct Rect { w: u16, h: u16 }
///
/// archive::blank!(Rect);
///
/// assert_eq!(Rect::blank(&Options::new()).w, 0);
/// ```
///
/// For a type without `Default`, or with a different blank value, write an expression after it. A
/// member that the file does not have keeps its value from that expression:
///
/// ```
/// use archive::{Archive, Result, Serialize, json};
///
/// struct Timer { ticks: u32, speed: f32 }
///
/// impl Serialize for Timer {
///     fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
///         ar.serialize("ticks", &mut self.ticks)?;
///         ar.serialize("speed", &mut self.speed)
///     }
/// }
/// archive::blank!(Timer, Timer { ticks: 0, speed: 1.0 });
///
/// let timers: Vec<Timer> = json::from_str(r#"[{"ticks":5}]"#)?;
/// assert_eq!((timers[0].ticks, timers[0].speed), (5, 1.0));
/// # Ok::<(), archive::Error>(())
/// ```
///
/// The expression is evaluated for each value. If it needs something from the caller, or can fail,
/// write an `impl` of [`Blank`](crate::Blank) instead.
///
/// For a generic type, write the parameters first: `blank!(impl<T> Range<T>)` applies wherever
/// `Range<T>` has `Default`, and `blank!(impl<T> Range<T>, Range::new())` everywhere.
#[macro_export]
macro_rules! blank {
    (impl<$($parameter:ident $(: $bound:tt $(+ $more:tt)*)?),+ $(,)?> $type:ty) => {
        impl<$($parameter $(: $bound $(+ $more)*)?),+> $crate::Blank for $type
        where
            $type: ::core::default::Default,
        {
            $crate::__blank!(::core::default::Default::default());
        }
    };
    (impl<$($parameter:ident $(: $bound:tt $(+ $more:tt)*)?),+ $(,)?> $type:ty, $value:expr $(,)?) => {
        impl<$($parameter $(: $bound $(+ $more)*)?),+> $crate::Blank for $type {
            $crate::__blank!($value);
        }
    };
    ($type:ty) => {
        $crate::blank!($type, ::core::default::Default::default());
    };
    ($type:ty, $value:expr $(,)?) => {
        impl $crate::Blank for $type {
            $crate::__blank!($value);
        }
    };
}

/// Writes the method, for all forms of [`blank!`](crate::blank).
#[doc(hidden)]
#[macro_export]
macro_rules! __blank {
    ($value:expr) => {
        fn blank(_: &$crate::Options<'_>) -> Self {
            $value
        }
    };
}
