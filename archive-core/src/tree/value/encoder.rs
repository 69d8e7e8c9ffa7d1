//! [`ValueEncoder`]: an [`Encoder`] that builds a [`Value`].

use super::Value;
use crate::format::encoder::Encoder;
use crate::model::error::{Error, ErrorKind, Result};
use crate::model::number::Number;
use crate::model::shape::{Class, Shape};
use crate::visit::visitor::UNCOUNTED;

/// An [`Encoder`] that builds a [`Value`]. For formats that are written from a whole tree: their
/// authors only need to print a [`Value`]. (To save into a tree alone, [`Value::of`] is shorter.)
///
/// Numbers keep their kind, and bytes become [`Value::Bytes`]. All other data has the form of text
/// formats: a pointer is an object with `$id` and `$value`.
///
/// ```
/// use archive::format::{Encoder, Saving, Session, ValueEncoder};
/// use archive::{Options, Value};
///
/// let mut encoder = ValueEncoder::new();
/// Saving::new(&mut encoder, &mut Session::new(), &Options::new()).root(&mut &(7, "Ann".to_owned()))?;
/// let value = encoder.finish()?;
/// assert_eq!(value.item(1), Some(&Value::from("Ann")));
/// # Ok::<(), archive::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct ValueEncoder {
    root: Option<Value>,
    /// The open arrays and objects. The last child of each is the one being filled.
    open: Vec<Value>,
    is_live: bool,
}

impl ValueEncoder {
    /// Creates an encoder of one value.
    pub fn new() -> Self {
        ValueEncoder::default()
    }

    /// Writes pointers as references to the program's own objects.
    #[doc(hidden)]
    pub fn live(mut self) -> Self {
        self.is_live = true;
        self
    }

    /// Returns the value.
    ///
    /// # Errors
    /// Returns an error if the value is missing or incomplete.
    pub fn finish(self) -> Result<Value> {
        match self.root {
            Some(root) if self.open.is_empty() => Ok(root),
            _ => Err(Error::custom("the value is incomplete: `finish` was called before its end")),
        }
    }

    /// Puts a value into the current place.
    fn put(&mut self, value: Value) -> Result {
        let place = match self.open.last_mut() {
            None => self.root.insert(Value::Null),
            Some(Value::Array(items)) => items.last_mut().ok_or_else(misuse)?,
            Some(Value::Object(members)) => &mut members.last_mut().ok_or_else(misuse)?.1,
            Some(_) => return Err(misuse()),
        };
        *place = value;
        Ok(())
    }

    /// Puts the array or object that was opened last into its place.
    fn close(&mut self) -> Result {
        let value = self.open.pop().ok_or_else(misuse)?;
        self.put(value)
    }

    fn int(&mut self, value: impl Into<i128>) -> Result {
        self.put(Value::Number(Number::Int(value.into())))
    }
}

/// Returns the error for calls in an invalid order.
#[cold]
fn misuse() -> Error {
    Error::new(ErrorKind::Unsupported, "calls out of order: a value outside an item or a member")
}

macro_rules! ints {
    ($($name:ident)*) => {$(
        fn $name(&mut self, value: $name) -> Result {
            self.int(value)
        }
    )*};
}

impl Encoder for ValueEncoder {
    fn fixed_members(&self) -> bool {
        // A tree that undoes an edit must name every member.
        self.is_live
    }

    fn is_live(&self) -> bool {
        self.is_live
    }

    ints!(i8 i16 i32 i64 i128 u8 u16 u32 u64);

    fn null(&mut self) -> Result {
        self.put(Value::Null)
    }
    fn bool(&mut self, value: bool) -> Result {
        self.put(Value::Bool(value))
    }
    fn u128(&mut self, value: u128) -> Result {
        match i128::try_from(value) {
            Ok(value) => self.int(value),
            Err(_) => self.put(Value::Number(Number::UInt(value))),
        }
    }
    fn f32(&mut self, value: f32) -> Result {
        self.put(value.into())
    }
    fn f64(&mut self, value: f64) -> Result {
        self.put(value.into())
    }
    fn str(&mut self, value: &str) -> Result {
        self.put(value.into())
    }
    fn bytes(&mut self, value: &[u8]) -> Result {
        self.put(Value::Bytes(value.to_vec()))
    }

    fn begin_seq(&mut self, _: &'static Shape, len: usize) -> Result {
        let known = if len == UNCOUNTED { 0 } else { len };
        self.open.push(Value::Array(Vec::with_capacity(known.min(1024))));
        Ok(())
    }
    fn item(&mut self) -> Result {
        match self.open.last_mut() {
            Some(Value::Array(items)) => items.push(Value::Null),
            _ => return Err(misuse()),
        }
        Ok(())
    }
    fn end_seq(&mut self) -> Result {
        self.close()
    }

    fn begin_object(&mut self, _: &'static Class) -> Result {
        self.open.push(Value::Object(Vec::new()));
        Ok(())
    }
    fn member(&mut self, name: &str, _: &'static Shape) -> Result {
        match self.open.last_mut() {
            Some(Value::Object(members)) => members.push((name.to_owned(), Value::Null)),
            _ => return Err(misuse()),
        }
        Ok(())
    }
    fn end_object(&mut self) -> Result {
        self.close()
    }
}
