//! Writing scalars, for both encoders.

/// Writes each scalar of fixed size with `self.scalar(type_name, bytes)`.
macro_rules! scalars {
    () => {
        scalars! {
            bool |value| [u8::from(value)];
            char |value| u32::from(value).to_le_bytes();
            u8 |value| [value];
            u16 |value| value.to_le_bytes();
            u32 |value| value.to_le_bytes();
            u64 |value| value.to_le_bytes();
            u128 |value| value.to_le_bytes();
            i8 |value| value.to_le_bytes();
            i16 |value| value.to_le_bytes();
            i32 |value| value.to_le_bytes();
            i64 |value| value.to_le_bytes();
            i128 |value| value.to_le_bytes();
            f32 |value| value.to_le_bytes();
            f64 |value| value.to_le_bytes();
        }
    };
    ($($name:ident |$value:ident| $bytes:expr;)*) => { $(
        fn $name(&mut self, $value: $name) -> Result {
            self.scalar(stringify!($name), &$bytes)
        }
    )* };
}
