//! The standard enums `Result`, `Bound`, `ControlFlow`, `Poll` and `Ordering`: stored like derived
//! enums.

use std::cmp::Ordering;
use std::ops::{Bound, ControlFlow};
use std::task::Poll;

use crate::model::error::Result;
use crate::model::shape::{Enum, NameOf, Payload, Shape, Variant};
use crate::state::blank_search::ends;
use crate::state::options::Options;
use crate::types::derive::{Choice, ChoiceOf, SavedChoice, SavedChoiceOf, choose};
use crate::visit::archive::Archive;
use crate::visit::blank::{Blank, Element, unwrap_blank};
use crate::visit::serialize::of_type::shape_of;
use crate::visit::serialize::{Save, Serialize};

/// Implements the traits for an enum given by its variants, each with its index and the one value
/// that it may carry. A blank enum has the first of the variants after `blank` that does not
/// contain the enum endlessly.
macro_rules! choice {
    ($(
        [$($T:ident),*] $Type:ty = $Enum:ident, blank $blank:literal $(, $next:literal)* => {
            $($index:literal $Variant:ident $(($value:ident: $Payload:ident))?),*
        }
    )*) => { $(
        impl<$($T: Element),*> Choice for $Type {
            const INFO: &'static Enum = &Enum::new(
                stringify!($Enum),
                NameOf::Type(std::any::type_name::<Self>),
                &[$(Variant::new(stringify!($Variant), choice!(@payload $($Payload)?))),*],
            );

            #[inline]
            fn index(&self) -> usize {
                match self {
                    $($Enum::$Variant { .. } => $index),*
                }
            }
            fn make(index: usize, _options: &Options<'_>) -> Result<Self> {
                Ok(match index {
                    $($index => $Enum::$Variant $(($Payload::fresh(_options)?))?,)*
                    _ => unreachable!("the enum has no variant {index}"),
                })
            }
            #[inline]
            fn payload<A: Archive>(&mut self, _ar: &mut A) -> Result {
                match self {
                    $($Enum::$Variant $(($value))? => choice!(@visit $($value.value(_ar))?)),*
                }
            }
        }
        impl<$($T: Element + Save),*> SavedChoice for $Type {
            #[inline]
            fn save_payload<A: Archive>(&self, _ar: &mut A) -> Result {
                match self {
                    $($Enum::$Variant $(($value))? => choice!(@visit $($value.save_value(_ar))?)),*
                }
            }
        }
        impl<$($T: Element),*> Serialize for $Type {
            const NAME: &'static str = stringify!($Enum);
            const SHAPE: &'static Shape = &Shape::Enum(<Self as Choice>::INFO);

            #[inline]
            fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                ar.variant(Self::INFO, &mut ChoiceOf(self))
            }
        }
        impl<$($T: Element + Save),*> Save for $Type {
            #[inline]
            fn save<A: Archive>(&self, ar: &mut A) -> Result {
                ar.variant(Self::INFO, &mut SavedChoiceOf(self))
            }
        }
        impl<$($T: Element),*> Blank for $Type {
            fn blank(options: &Options<'_>) -> Self {
                unwrap_blank(options)
            }
            fn try_blank(options: &Options<'_>) -> Result<Self> {
                if const { ends(&[$(<$T as Serialize>::SHAPE),*]) } {
                    return Self::make($blank, options);
                }
                choose(&[$blank $(, $next)*], false, options)
            }
        }
    )* };
    (@payload) => { Payload::Unit };
    (@payload $Payload:ident) => { Payload::Newtype(shape_of::<$Payload>()) };
    (@visit) => { Ok(()) };
    (@visit $visit:expr) => { $visit };
}

choice! {
    [T, E] Result<T, E> = Result, blank 0, 1 => { 0 Ok(value: T), 1 Err(value: E) }
    [T] Bound<T> = Bound, blank 0 => { 0 Unbounded, 1 Included(value: T), 2 Excluded(value: T) }
    [B, C] ControlFlow<B, C> = ControlFlow, blank 0, 1 => { 0 Continue(value: C), 1 Break(value: B) }
    [T] Poll<T> = Poll, blank 1 => { 0 Ready(value: T), 1 Pending }
    [] Ordering = Ordering, blank 1 => { 0 Less, 1 Equal, 2 Greater }
}
