//! Functions that the generated code of enums calls.

use crate::model::error::{Error, Result};
use crate::model::shape::Enum;
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::body::Variants;

/// A derived enum.
pub trait Choice: Sized {
    /// The description of the enum.
    const INFO: &'static Enum;
    /// [`Variants::NEVER_ANY`].
    const NEVER_ANY: bool = false;
    /// The variant that unknown names from newer files load as.
    const OTHER: Option<usize> = None;
    /// Whether a value can be loaded over another one with the same variant so that nothing of the
    /// old one remains.
    const IN_PLACE: bool = false;
    /// Like [`Blank::EXCHANGE_KEPT`](crate::Blank::EXCHANGE_KEPT), for two values of the same
    /// variant.
    const EXCHANGE_KEPT: Option<fn(&mut Self, &mut Self)> = None;

    /// Returns the index of the current variant.
    fn index(&self) -> usize;
    /// Creates a blank value of the variant with that index.
    ///
    /// # Errors
    /// Returns an error if a field has no blank value.
    fn make(index: usize, options: &Options<'_>) -> Result<Self>;
    /// Visits the payload of the current variant.
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result;
    /// [`Variants::members`].
    #[inline]
    fn members<A: Archive>(&mut self, ar: &mut A) -> Result {
        let _ = ar;
        Ok(())
    }
    /// Creates the fallback variant for a name that no variant has, if the enum has a fallback
    /// variant.
    ///
    /// # Errors
    /// Returns an error if a field has no blank value.
    fn make_other(name: &str, options: &Options<'_>) -> Result<Option<Self>> {
        let _ = name;
        Self::OTHER.map(|other| Self::make(other, options)).transpose()
    }
    /// Returns the unknown name for which the value took the fallback variant.
    #[inline]
    fn other_name(&self) -> Option<&str> {
        None
    }
}

/// Creates a blank value of the first of these variants that does not contain the enum endlessly.
/// `preferred` is whether the first variant is the type's own choice.
///
/// # Errors
/// [`ErrorKind::Endless`](crate::ErrorKind::Endless) if there is no such variant; otherwise the
/// error of a variant.
pub fn choose<T: Choice>(variants: &[usize], preferred: bool, options: &Options<'_>) -> Result<T> {
    let mut out = None;
    let count = T::INFO.variants.len();
    options.search.choose(std::any::type_name::<T>(), count, preferred, &mut |index| {
        let made = T::make(*variants.get(index)?, options);
        Some(made.map(|value| out = Some(value)))
    })?;
    out.ok_or_else(|| Error::custom("an enum without variants"))
}

/// The payload of a fallback variant, which keeps the unknown name.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot store the name of an unknown variant",
    label = "has no `From<&str>` and `AsRef<str>`",
    note = "`#[archive(other)]` is for a variant that carries nothing, or text, as in `Other(String)`"
)]
pub trait UnknownName: Sized {
    /// Creates the payload from the name.
    fn from_name(name: &str) -> Self;
    /// Returns the name.
    fn name(&self) -> &str;
}

#[diagnostic::do_not_recommend]
impl<T: for<'a> From<&'a str> + AsRef<str>> UnknownName for T {
    fn from_name(name: &str) -> Self {
        T::from(name)
    }
    fn name(&self) -> &str {
        self.as_ref()
    }
}

/// Like [`Choice`], through a shared reference.
pub trait SavedChoice: Choice {
    /// Visits the payload of the current variant.
    fn save_payload<A: Archive>(&self, ar: &mut A) -> Result;
    /// [`Variants::members`].
    #[inline]
    fn save_members<A: Archive>(&self, ar: &mut A) -> Result {
        let _ = ar;
        Ok(())
    }
}

/// An enum to be saved or loaded.
pub struct ChoiceOf<'a, T>(pub &'a mut T);

impl<T: Choice> Variants for ChoiceOf<'_, T> {
    const NEVER_ANY: bool = T::NEVER_ANY;
    const TAGGED: bool = T::INFO.tag.is_some();

    #[inline]
    fn current(&self) -> usize {
        self.0.index()
    }
    #[inline]
    fn select(&mut self, index: usize, options: &Options<'_>) -> Result {
        let mut new = T::make(index, options)?;
        if let Some(exchange) = T::EXCHANGE_KEPT {
            exchange(&mut new, self.0);
        }
        *self.0 = new;
        Ok(())
    }
    #[inline]
    fn reuses(&self, index: usize) -> bool {
        T::IN_PLACE && self.0.index() == index
    }
    fn select_other(&mut self, name: &str, options: &Options<'_>) -> bool {
        match T::make_other(name, options) {
            Ok(Some(value)) => {
                *self.0 = value;
                true
            }
            _ => false,
        }
    }
    #[inline]
    fn other_name(&self) -> Option<&str> {
        self.0.other_name()
    }
    #[inline]
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.payload(ar)
    }
    #[inline]
    fn members<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.members(ar)
    }
}

/// An enum to be saved through a shared reference.
pub struct SavedChoiceOf<'a, T>(pub &'a T);

impl<T: SavedChoice> Variants for SavedChoiceOf<'_, T> {
    const NEVER_ANY: bool = T::NEVER_ANY;
    const TAGGED: bool = T::INFO.tag.is_some();

    #[inline]
    fn current(&self) -> usize {
        self.0.index()
    }
    fn select(&mut self, _: usize, _: &Options<'_>) -> Result {
        Err(Error::custom("a value cannot be loaded into a shared reference"))
    }
    #[inline]
    fn other_name(&self) -> Option<&str> {
        self.0.other_name()
    }
    #[inline]
    fn payload<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.save_payload(ar)
    }
    #[inline]
    fn members<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.0.save_members(ar)
    }
}
