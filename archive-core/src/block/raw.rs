//! [`Raw`]: types whose values lie in memory as they do in a block, so that a vector of them is one
//! copy.
#![allow(unsafe_code)] // value by value takes several times as long; `bench/`, workload `mesh`

use std::fmt;
use std::marker::PhantomData;

/// Says of a type that its values lie in memory just as they do in a block. Then they have no
/// padding, and any bytes are a value.
///
/// There is one for a type only if its author made it, which takes `unsafe`, or if `__raw!` did, which
/// compares the places of all fields: that is what the derive calls.
pub struct Raw<T: ?Sized>(PhantomData<fn(*const T) -> *const T>);

impl<T: ?Sized> Clone for Raw<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for Raw<T> {}

impl<T: ?Sized> fmt::Debug for Raw<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Raw")
    }
}

impl<T> Raw<T> {
    /// The claim.
    ///
    /// # Safety
    /// Every byte of every value of the type belongs to an integer or a float: there is no padding.
    /// Any bytes are a valid value. The numbers lie in the order in which the type saves them, the
    /// lowest byte of each first.
    pub const unsafe fn new() -> Self {
        Raw(PhantomData)
    }

    /// The bytes of values.
    pub(crate) fn bytes(self, values: &[T]) -> &[u8] {
        // SAFETY: the values are `size_of_val` bytes in a row, all of them initialised, since `Raw`
        // says that there is no padding. A byte needs no alignment, and the borrow is the same.
        unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
    }

    /// Makes `into` the values that these bytes are; the rest of them, if they are no whole number of
    /// values, is nothing.
    pub(crate) fn load(self, bytes: &[u8], into: &mut Vec<T>) {
        let count = bytes.len().checked_div(size_of::<T>()).unwrap_or(0);
        empty(into, count);
        // SAFETY: `empty` made room for `count` values after the length, which is 0, and
        // `count * size_of::<T>()` is no more than there are bytes. They do not overlap: the vector is
        // borrowed for change. Copied as bytes, they need no alignment where they are; and `Raw` says
        // that any bytes are values, so `count` values are there then.
        unsafe {
            let place = into.as_mut_ptr().cast::<u8>();
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), place, count * size_of::<T>());
            into.set_len(count);
        }
    }
}

/// Takes everything out of the vector and makes room for so many values.
#[inline]
fn empty<T>(into: &mut Vec<T>, room: usize) {
    into.clear();
    if into.capacity() < room {
        // What is there is not to be copied, and making a vector takes less than letting one grow.
        *into = Vec::with_capacity(room);
    }
}

/// The bytes of truth values: 0 and 1.
pub(crate) fn flags(values: &[bool]) -> &[u8] {
    // SAFETY: a truth value is one byte, and all of it is initialised.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

/// Makes `into` the truth values that these bytes are, if all of them are 0 or 1.
#[inline]
pub(crate) fn load_flags(bytes: &[u8], into: &mut Vec<bool>) -> bool {
    const ODD: u64 = 0xfefe_fefe_fefe_fefe;
    let (words, rest) = bytes.as_chunks::<8>();
    let words = words.iter().fold(0, |all, word| all | u64::from_ne_bytes(*word));
    let rest = rest.iter().fold(0, |all, byte| all | byte);
    if words & ODD != 0 || rest > 1 {
        return false;
    }
    empty(into, bytes.len());
    // SAFETY: `empty` made room for as many truth values as there are bytes, after the length, which
    // is 0. They do not overlap: the vector is borrowed for change. All bytes are 0 or 1, as has just
    // been seen, and these are the values of `bool`, of one byte each.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), into.as_mut_ptr().cast(), bytes.len());
        into.set_len(bytes.len());
    }
    true
}

/// Numbers, which are their bytes. Where the highest comes first they are not those of a block.
macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl Raw<$number> {
            /// That of a number.
            pub(crate) const NUMBER: Option<Self> = if cfg!(target_endian = "little") {
                // SAFETY: a number is all bytes and takes any; on this machine the lowest is first.
                Some(unsafe { Raw::new() })
            } else {
                None
            };
        }
    )* };
}
numbers!(u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64);

/// That of an array, whose items lie one after the other.
pub(crate) const fn array<T, const N: usize>(item: Option<Raw<T>>) -> Option<Raw<[T; N]>> {
    match item {
        // SAFETY: an array is its items without anything between them; what holds for each holds for
        // all.
        Some(_) => Some(unsafe { Raw::new() }),
        None => None,
    }
}

/// Where a field lies, and how large it is if its own type has a [`Raw`].
pub struct Place<T>(usize, Option<usize>, PhantomData<fn(*const T) -> *const T>);

impl<T> Place<T> {
    /// The place of the field of type `F` that `_field` gives, at `offset`.
    pub const fn of<F>(
        _field: fn(&T) -> Exactly<'_, F>,
        offset: usize,
        raw: Option<Raw<F>>,
    ) -> Self {
        let size = match raw {
            Some(_) => Some(size_of::<F>()),
            None => None,
        };
        Place(offset, size, PhantomData)
    }

    /// Whether these fields, in this order, are the whole of a value.
    pub const fn are_whole(fields: &[Self]) -> bool {
        let mut at = 0;
        let mut i = 0;
        while i < fields.len() {
            match fields[i] {
                Place(offset, Some(size), _) if offset == at => at += size,
                _ => return false,
            }
            i += 1;
        }
        at == size_of::<T>() && at > 0
    }
}

/// A field of the type `F` and of no type that a reference to it can become.
pub struct Exactly<'a, F>(PhantomData<&'a F>, PhantomData<Raw<F>>);

impl<'a, F> Exactly<'a, F> {
    /// That of a field.
    pub const fn new(_field: &'a F) -> Self {
        Exactly(PhantomData, PhantomData)
    }
}

/// The [`Raw`] of the type whose impl it stands in, if there is one: `__raw!(x: u32, y: u32)`. The fields
/// stand in the order in which they are saved.
///
/// It is safe to call, whatever it is called with. A pattern without `..` says that these are all
/// fields, another one that each has the type that is given, and `offset_of!` where it lies; every other
/// name that it uses is one of this crate or of `core`.
#[doc(hidden)]
#[macro_export]
macro_rules! __raw {
    ($($member:tt: $ty:ty),+ $(,)?) => {{
        // A closure, because an item could not refer to `Self`; nobody calls it.
        let _ = |value: &Self| {
            let Self { $($member: _),+ } = value;
        };
        let whole = $crate::__private::raw::Place::<Self>::are_whole(&[$(
            $crate::__private::raw::Place::<Self>::of::<$ty>(
                |value: &Self| {
                    let Self { $member: field, .. } = value;
                    // Without the type that is wanted, so that nothing is dereferenced to become it.
                    let exactly = $crate::__private::raw::Exactly::new(field);
                    exactly
                },
                ::core::mem::offset_of!(Self, $member),
                $crate::__private::Probe::<$ty>::RAW,
            )
        ),+]);
        if whole {
            // SAFETY: each field has a `Raw` itself, they are saved in this order, each begins where the
            // one before ends, and the value ends with the last.
            ::core::option::Option::Some(unsafe { $crate::__private::Raw::<Self>::new() })
        } else {
            ::core::option::Option::None
        }
    }};
}
