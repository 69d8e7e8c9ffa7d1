//! Types that are stored as text, where printing may fail and the error of parsing says why.

use crate::archive::Archive;
use crate::error::{Error, Result};
use crate::scalar::Scalar;
use crate::shape::Meaning;

/// A type that is stored as text.
pub(super) trait Text: Sized {
    /// What the text is, for messages: `a UUID`.
    const WHAT: &'static str;
    /// The shape's meaning.
    const MEANING: Meaning = Self::WHAT;

    /// The text.
    ///
    /// # Errors
    /// If the value has none that gives the same value again.
    fn print(&self) -> Result<String>;

    /// The value of a text; the error says what is wrong with it.
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

/// The value of a text.
fn read<T: Text>(text: &str) -> Result<T> {
    T::read(text).map_err(|why| Error::wrong_type(T::WHAT, format_args!("{text:?} ({why})")))
}

/// `Serialize` and its companions for types with [`Text`]; each with its blank value.
macro_rules! text {
    ($($ty:ty = $blank:expr),* $(,)?) => { $(
        impl crate::Serialize for $ty {
            const SHAPE: &'static crate::shape::Shape =
                &<String as crate::Serialize>::SHAPE.with_meaning(<$ty as crate::foreign::text::Text>::MEANING);

            fn serialize<A: crate::Archive>(&mut self, ar: &mut A) -> crate::Result {
                if !crate::archive::loads!(A, ar) {
                    return crate::foreign::text::save(self, ar);
                }
                *self = crate::foreign::text::load(ar)?;
                Ok(())
            }
        }
        impl crate::Save for $ty {
            fn save<A: crate::Archive>(&self, ar: &mut A) -> crate::Result {
                crate::foreign::text::save(self, ar)
            }
        }
        impl crate::Blank for $ty {
            fn blank(_: &crate::Options<'_>) -> Self {
                $blank
            }
        }
    )* };
}
