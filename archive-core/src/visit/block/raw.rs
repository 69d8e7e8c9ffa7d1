//! [`Raw`]: types whose bytes in memory are those of a block, so that a vector of them is copied at
//! once.
// Why: docs/decisions/limits-and-unsafe.md#five-files-of-the-library-have-unsafe-code
#![allow(unsafe_code)] // value by value takes several times as long; `bench/`, workload `mesh`

use std::fmt;
use std::marker::PhantomData;

/// A proof that the bytes of a value in memory are its bytes in a block. The type has no padding,
/// and any bytes are a valid value.
///
/// Only the author of a type can create one with `unsafe`. The macro `__raw!`, which the derive
/// calls, creates one after checking the offsets of all fields.
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

impl<T: ?Sized> Raw<T> {
    /// Returns the bytes of a value.
    #[inline]
    pub(crate) fn bytes_of(self, value: &T) -> &[u8] {
        // SAFETY: the value is `size_of_val` bytes, all of them initialised, since `Raw` guarantees
        // that there is no padding. A byte needs no alignment, and the lifetime is the same.
        unsafe { std::slice::from_raw_parts((&raw const *value).cast(), size_of_val(value)) }
    }
}

impl<T> Raw<T> {
    /// Claims that the type fulfills the conditions below.
    ///
    /// # Safety
    /// Every byte of every value of the type must belong to an integer or a float: there is no
    /// padding. Any bytes must be a valid value. The numbers must be in the order in which the type
    /// saves them, each with its lowest byte first.
    pub const unsafe fn new() -> Self {
        Raw(PhantomData)
    }

    /// Returns the bytes of values.
    pub(crate) fn bytes(self, values: &[T]) -> &[u8] {
        // SAFETY: the values are `size_of_val` consecutive bytes, all of them initialised, since
        // `Raw` guarantees that there is no padding. A byte needs no alignment, and the lifetime is
        // the same.
        unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), size_of_val(values)) }
    }

    /// Replaces the content of `into` with the values that have these bytes. Bytes after the last
    /// whole value are ignored.
    pub(crate) fn load(self, bytes: &[u8], into: &mut Vec<T>) {
        let count = bytes.len().checked_div(size_of::<T>()).unwrap_or(0);
        empty(into, count);
        // SAFETY: `empty` made room for `count` values after the length, which is 0, and `count *
        // size_of::<T>()` is at most `bytes.len()`. The memory does not overlap, because the vector
        // is mutably borrowed. The source needs no alignment, because bytes are copied. `Raw`
        // guarantees that any bytes are values, so `count` values are initialised.
        unsafe {
            let room = into.as_mut_ptr().cast::<u8>();
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), room, count * size_of::<T>());
            into.set_len(count);
        }
    }
}

/// Clears the vector and makes room for `room` values.
#[inline]
fn empty<T>(into: &mut Vec<T>, room: usize) {
    into.clear();
    if into.capacity() < room {
        // The old content need not be copied, and a new vector is cheaper than growing the old one.
        *into = Vec::with_capacity(room);
    }
}

/// Returns the bytes of truth values: 0 and 1.
pub(crate) fn flags(values: &[bool]) -> &[u8] {
    // SAFETY: a truth value is one byte, and all of it is initialised.
    unsafe { std::slice::from_raw_parts(values.as_ptr().cast(), values.len()) }
}

/// Replaces the content of `into` with the truth values that have these bytes. Returns `false` if a
/// byte is neither 0 nor 1.
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
    // SAFETY: `empty` made room for as many truth values as there are bytes, after the length,
    // which is 0. The memory does not overlap, because the vector is mutably borrowed. All bytes
    // are 0 or 1, as checked above, and these are the values of `bool`, which takes one byte.
    unsafe {
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), into.as_mut_ptr().cast(), bytes.len());
        into.set_len(bytes.len());
    }
    true
}

/// Implements `Raw` for numbers. On big-endian targets, the bytes in memory are not those of a
/// block.
macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl Raw<$number> {
            /// The `Raw` of the number, on targets where it has one.
            pub(crate) const NUMBER: Option<Self> = if cfg!(target_endian = "little") {
                // SAFETY: a number has no padding and any bytes are valid; on this target the
                // lowest byte is first.
                Some(unsafe { Raw::new() })
            } else {
                None
            };
        }
    )* };
}
numbers!(u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64);

/// Returns the `Raw` of an array, whose items follow each other.
pub(crate) const fn array<T, const N: usize>(item: Option<Raw<T>>) -> Option<Raw<[T; N]>> {
    match item {
        // SAFETY: an array is its items without anything between them, so the conditions hold for
        // the array if they hold for each item.
        Some(_) => Some(unsafe { Raw::new() }),
        None => None,
    }
}

/// The offset of a field, and its size if its type has a [`Raw`].
pub struct FieldAt<T>(usize, Option<usize>, PhantomData<fn(*const T) -> *const T>);

impl<T> FieldAt<T> {
    /// Describes the field of type `F` that `_field` returns. Its offset is `offset`.
    pub const fn of<F>(
        _field: fn(&T) -> Exactly<'_, F>,
        offset: usize,
        raw: Option<Raw<F>>,
    ) -> Self {
        let size = match raw {
            Some(_) => Some(size_of::<F>()),
            None => None,
        };
        FieldAt(offset, size, PhantomData)
    }

    /// Returns whether these fields, in this order, make up the whole value.
    const fn are_whole(fields: &[Self]) -> bool {
        let mut at = 0;
        let mut i = 0;
        while i < fields.len() {
            match fields[i] {
                FieldAt(offset, Some(size), _) if offset == at => at += size,
                _ => return false,
            }
            i += 1;
        }
        at == size_of::<T>() && at > 0
    }
}

/// Returns the [`Raw`] of a type, if each field begins where the previous one ends, the value ends
/// with the last, and each has a `Raw`.
///
/// # Safety
/// The fields must be all fields of the type, in the order in which they are saved, each at its
/// offset.
pub const unsafe fn all<T>(fields: &[FieldAt<T>]) -> Option<Raw<T>> {
    // SAFETY: the value consists of the fields, without padding, and their types have a `Raw`.
    if FieldAt::are_whole(fields) { Some(unsafe { Raw::new() }) } else { None }
}

/// A field of exactly the type `F`, without a coercion of the reference to it.
pub struct Exactly<'a, F>(PhantomData<&'a F>, PhantomData<Raw<F>>);

impl<'a, F> Exactly<'a, F> {
    /// Returns the proof for a field.
    pub const fn new(_field: &'a F) -> Self {
        Exactly(PhantomData, PhantomData)
    }
}

/// The [`Raw`] of the type whose impl contains the call, if it has one: `__raw!(x: u32, y: u32)`.
/// The fields must be in the order in which they are saved.
///
/// The macro is safe to call with any arguments. A pattern without `..` checks that these are all
/// fields, a second pattern checks that each has the given type, and `offset_of!` returns its
/// offset. All other names that the macro uses belong to this crate or to `core`.
#[doc(hidden)]
#[macro_export]
macro_rules! __raw {
    ($($member:tt: $ty:ty),+ $(,)?) => {{
        use $crate::__private::raw::{Exactly, FieldAt, all};
        // A closure, because an item could not refer to `Self`. It is never called.
        let _ = |Self { $($member: _),+ }: &Self| {};
        // SAFETY: these are all fields, each of the given type, at its offset, with the `Raw` of that
        // type. They are saved in this order.
        unsafe {
            all::<Self>(&[$(FieldAt::of::<$ty>(
                |Self { $member: field, .. }| {
                    // Without an expected type, so that the reference is not coerced to it.
                    let exactly = Exactly::new(field);
                    exactly
                },
                ::core::mem::offset_of!(Self, $member),
                $crate::__private::Probe::<$ty>::RAW,
            )),+])
        }
    }};
}
