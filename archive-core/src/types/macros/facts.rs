//! The attributes for people in `members!`.

/// Expands to the facts of a member. The arguments are the doc comments and settings so far, and
/// the remaining attributes.
#[doc(hidden)]
#[macro_export]
macro_rules! __facts {
    (() {}) => { $crate::shape::Facts::NONE };
    (($($line:literal)*) {$($set:tt)*}) => {
        $crate::shape::Facts {
            $($set)*
            doc: ::core::concat!($($line, "\n"),*).trim_ascii(),
            ..$crate::shape::Facts::NONE
        }
    };
    (($($doc:tt)*) $set:tt [doc = $line:literal] $($rest:tt)*) => {
        $crate::__facts!(($($doc)* $line) $set $($rest)*)
    };
    ($doc:tt $set:tt [archive($($list:tt)*)] $($rest:tt)*) => {
        $crate::__facts!(@($($list)*) $doc $set $($rest)*)
    };
    (@() $($rest:tt)*) => { $crate::__facts!($($rest)*) };
    (@(multiline $(, $($list:tt)*)?) $doc:tt {$($set:tt)*} $($rest:tt)*) => {
        $crate::__facts!(@($($($list)*)?) $doc {$($set)* multiline: true,} $($rest)*)
    };
    (@(color $(, $($list:tt)*)?) $doc:tt {$($set:tt)*} $($rest:tt)*) => {
        $crate::__facts!(@($($($list)*)?) $doc {$($set)* color: true,} $($rest)*)
    };
    (@(read_only $(, $($list:tt)*)?) $doc:tt {$($set:tt)*} $($rest:tt)*) => {
        $crate::__facts!(@($($($list)*)?) $doc {$($set)* read_only: true,} $($rest)*)
    };
    (@(hidden $(, $($list:tt)*)?) $doc:tt {$($set:tt)*} $($rest:tt)*) => {
        $crate::__facts!(@($($($list)*)?) $doc {$($set)* hidden: true,} $($rest)*)
    };
    (@(range = $min:literal ..= $max:literal $(, $($list:tt)*)?) $doc:tt {$($set:tt)*} $($rest:tt)*) => {
        $crate::__facts!(@($($($list)*)?) $doc {
            $($set)*
            min: ::core::option::Option::Some($min as ::core::primitive::f64),
            max: ::core::option::Option::Some($max as ::core::primitive::f64),
        } $($rest)*)
    };
    (@(range = $min:literal .. $(, $($list:tt)*)?) $doc:tt {$($set:tt)*} $($rest:tt)*) => {
        $crate::__facts!(@($($($list)*)?) $doc {
            $($set)* min: ::core::option::Option::Some($min as ::core::primitive::f64),
        } $($rest)*)
    };
    (@(range = ..= $max:literal $(, $($list:tt)*)?) $doc:tt {$($set:tt)*} $($rest:tt)*) => {
        $crate::__facts!(@($($($list)*)?) $doc {
            $($set)* max: ::core::option::Option::Some($max as ::core::primitive::f64),
        } $($rest)*)
    };
    (@(step = $step:literal $(, $($list:tt)*)?) $doc:tt {$($set:tt)*} $($rest:tt)*) => {
        $crate::__facts!(@($($($list)*)?) $doc {
            $($set)* step: ::core::option::Option::Some($step as ::core::primitive::f64),
        } $($rest)*)
    };
    (@(show_if = $test:path $(, $($list:tt)*)?) $doc:tt {$($set:tt)*} $($rest:tt)*) => {
        $crate::__facts!(@($($($list)*)?) $doc {
            $($set)*
            show_if: ::core::option::Option::Some(
                |object| $crate::__private::shown::<Self>(object, $test)
            ),
        } $($rest)*)
    };
    (@($text:ident = $value:literal $(, $($list:tt)*)?) $doc:tt {$($set:tt)*} $($rest:tt)*) => {
        $crate::__facts!(@($($($list)*)?) $doc {$($set)* $text: $value,} $($rest)*)
    };
    ($($other:tt)*) => {
        ::core::compile_error!(
            "`members!` takes doc comments and `#[archive(label, group, unit, range, step, multiline, color, read_only, hidden, show_if)]`, \
             with literals"
        )
    };
}
