//! `NonZero`: stored as the number inside; zero is out of range.

use std::num::NonZero;

use crate::model::error::{Error, ErrorKind};
use crate::stored_as;

#[cold]
fn zero() -> Error {
    Error::new(ErrorKind::OutOfRange, "expected a number other than 0, found 0")
}

macro_rules! nonzero {
    ($($number:ident),*) => {
        stored_as! { $(
            NonZero<$number> as $number {
                save: |value| Ok(value.get()),
                load: |number| NonZero::new(number).ok_or_else(zero),
                // 1 for signed numbers too: `MIN` would be an unusual value.
                blank: |_| const { NonZero::<$number>::new(1).expect("one is not zero") },
            }
        )* }
    };
}
nonzero!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);
