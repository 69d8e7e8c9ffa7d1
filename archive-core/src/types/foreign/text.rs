//! Types that are stored as text. Printing them may fail, and parse errors say why.

use crate::model::error::{Error, Result};
use crate::model::scalar::Scalar;
use crate::model::shape::Meaning;
use crate::visit::archive::Archive;

/// A type that is stored as text.
pub(super) trait Text: Sized {
    /// The description of the text in messages: `a UUID`.
    const WHAT: &'static str;
    /// The shape's meaning.
    const MEANING: Meaning = Self::WHAT;

    /// Returns the text for the value.
    ///
    /// # Errors
    /// Returns an error if no text loads as the same value.
    fn print(&self) -> Result<String>;

    /// Returns the value for a text. The error says what is wrong with the text.
    fn read(text: &str) -> Result<Self, String>;
}

pub(super) fn save<T: Text, A: Archive>(value: &T, ar: &mut A) -> Result {
    ar.scalar(Scalar::Str(&value.print()?))
}

pub(super) fn load<T: Text, A: Archive>(ar: &mut A) -> Result<T> {
    let mut text = String::new();
    ar.scalar(Scalar::String(&mut text))?;
    read(&text)
}

/// Returns the value for a text.
fn read<T: Text>(text: &str) -> Result<T> {
    T::read(text).map_err(|why| Error::wrong_type(T::WHAT, format_args!("{text:?} ({why})")))
}

/// Implements `Serialize` and its companions for types with [`Text`], each given with its blank
/// value.
macro_rules! text {
    ($($ty:ty = $blank:expr),* $(,)?) => { $(
        impl crate::visit::serialize::Serialize for $ty {
            const SHAPE: &'static crate::model::shape::Shape =
                &<String as crate::visit::serialize::Serialize>::SHAPE.with_meaning(<$ty as crate::types::foreign::text::Text>::MEANING);
            const ABOUT: &'static crate::model::shape::About = &crate::model::shape::About::named(stringify!($ty));

            fn serialize<A: crate::visit::archive::Archive>(&mut self, ar: &mut A) -> crate::model::error::Result {
                if !crate::visit::erased::loads!(A, ar) {
                    return crate::types::foreign::text::save(self, ar);
                }
                *self = crate::types::foreign::text::load(ar)?;
                Ok(())
            }
        }
        impl crate::visit::serialize::Save for $ty {
            fn save<A: crate::visit::archive::Archive>(&self, ar: &mut A) -> crate::model::error::Result {
                crate::types::foreign::text::save(self, ar)
            }
        }
        impl crate::visit::blank::Blank for $ty {
            fn blank(_: &crate::state::options::Options<'_>) -> Self {
                $blank
            }
        }
    )* };
}
