//! [`Serde`]: a serde type as a member.

use archive_core::{Archive, Blank, Options, Result, Save, Serialize, Shape, Value};
use serde::de::DeserializeOwned;

use crate::value::{from_value, to_value};

/// A value of a serde type as a member of the program's own type. It is saved in every format, as a
/// tree that describes itself. `#[archive(serde)]` on a field does the same without the wrapper.
///
/// Structs are objects, enums are their names or objects with one member, and numbers, text and
/// bytes are the format's own. `is_human_readable` is true, so that the tree is the same in all
/// formats: an IP address is text. As with serde_json, `Some(None)` loads as `None`. Absent members
/// get the values that serde gives them (`#[serde(default)]`), not the old values. Reports do not
/// cover the inside of the value.
///
/// ```
/// use archive::serde_formats::Serde;
/// use archive::{Serialize, Value};
///
/// /// A type of another crate that implements serde's traits.
/// #[derive(Default, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
/// struct Color { r: u8, g: u8, b: u8 }
///
/// #[derive(Default, PartialEq, Debug, Serialize)]
/// struct Lamp { watts: u32, colors: Vec<Serde<Color>> }
///
/// let lamp = Lamp { watts: 40, colors: vec![Serde(Color { r: 255, g: 128, b: 0 })] };
/// let value = Value::of(&lamp)?;
/// assert_eq!(value.to_string(), r#"{"watts":40,"colors":[{"r":255,"g":128,"b":0}]}"#);
/// assert_eq!(value.to::<Lamp>()?, lamp);
/// # Ok::<(), archive::Error>(())
/// ```
///
/// # Errors
/// An error of the type is an [`ErrorKind::Custom`](archive_core::ErrorKind::Custom), with serde's
/// message and the path to the member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Serde<T>(pub T);

impl<T: serde::Serialize + DeserializeOwned> Serde<T> {
    /// Converts a value to the tree that `#[archive(serde)]` saves.
    pub fn save(value: &T) -> Result<Value> {
        to_value(value)
    }

    /// Converts a tree that was saved by `#[archive(serde)]` to a value.
    pub fn load(tree: Value) -> Result<T> {
        from_value(tree)
    }
}

impl<T: serde::Serialize + DeserializeOwned> Serialize for Serde<T> {
    const SHAPE: &'static Shape = &Shape::Any;
    const NULLABLE: bool = true;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            return Save::save(self, ar);
        }
        let mut tree = Value::Null;
        tree.serialize(ar)?;
        self.0 = from_value(tree)?;
        Ok(())
    }
}

impl<T: serde::Serialize + DeserializeOwned> Save for Serde<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        to_value(&self.0)?.save(ar)
    }
}

impl<T: Default> Blank for Serde<T> {
    fn blank(_: &Options<'_>) -> Self {
        Serde::default()
    }
}
