//! The scalars of trees, for visitors.

/// The methods of a visitor that builds trees, except those for containers.
macro_rules! visit_scalars {
    () => {
        crate::tree::visit_scalars! {
            visit_bool: bool; visit_i8: i8; visit_i16: i16; visit_i32: i32; visit_i64: i64;
            visit_i128: i128; visit_u8: u8; visit_u16: u16; visit_u32: u32; visit_u64: u64;
            visit_u128: u128; visit_f64: f64; visit_char: char; visit_str: &str;
            visit_string: String;
        }

        fn visit_f32<E>(self, value: f32) -> Result<Value, E> {
            // Floats in text have no width.
            Ok(if self.is_text() { f64::from(value).into() } else { value.into() })
        }
        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("any value")
        }
        fn visit_bytes<E>(self, value: &[u8]) -> Result<Value, E> {
            Ok(Value::Bytes(value.to_vec()))
        }
        fn visit_byte_buf<E>(self, value: Vec<u8>) -> Result<Value, E> {
            Ok(Value::Bytes(value))
        }
        fn visit_none<E>(self) -> Result<Value, E> {
            Ok(Value::Null)
        }
        fn visit_unit<E>(self) -> Result<Value, E> {
            Ok(Value::Null)
        }
        fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
            from.deserialize_any(self)
        }
        fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
            from.deserialize_any(self)
        }
    };
    ($($name:ident: $ty:ty;)*) => { $(
        fn $name<E>(self, value: $ty) -> Result<Value, E> {
            Ok(value.into())
        }
    )* };
}
pub(crate) use visit_scalars;
