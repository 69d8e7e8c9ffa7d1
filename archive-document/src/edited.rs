//! [`Edited`]: a file that is changed and saved again without the program's types.

use std::marker::PhantomData;

use archive_core::{Backend, Options, Result, Value};

/// A file that can be changed and saved again without the program's types, because it states the type of
/// each value. The documents of ObjectBlob and of Bins files have this type.
#[derive(Clone, Debug)]
pub struct Edited<F> {
    /// The root, which may be changed.
    pub value: Value,
    original: Value,
    file: Vec<u8>,
    format: PhantomData<fn() -> F>,
}

/// A format whose files state the type of each value.
pub trait Rewrite: Backend {
    /// Returns the file with `new` in place of the value `old`, keeping the types of the file.
    ///
    /// # Errors
    /// An error if a value does not fit its type, with its path.
    fn rewrite(file: &[u8], old: &Value, new: &Value, options: &Options<'_>) -> Result<Vec<u8>>;
}

impl<F: Rewrite> Edited<F> {
    /// Loads a file.
    ///
    /// # Errors
    /// An error if the file is not of this format, is damaged, or exceeds a limit.
    pub fn from_slice(file: &[u8]) -> Result<Self> {
        Self::from_slice_with(file, &Options::new())
    }

    /// Like [`from_slice`](Edited::from_slice), with options.
    pub fn from_slice_with(file: &[u8], options: &Options<'_>) -> Result<Self> {
        let value: Value = F::from_slice_with(file, options)?;
        Ok(Edited { original: value.clone(), value, file: file.to_vec(), format: PhantomData })
    }

    /// Saves the value with the types of the file.
    ///
    /// # Errors
    /// An error if a value does not fit its type. The error has the path of the value.
    pub fn to_vec(&self) -> Result<Vec<u8>> {
        self.to_vec_with(&Options::new())
    }

    /// Like [`to_vec`](Edited::to_vec), with options. Only their limits are used.
    pub fn to_vec_with(&self, options: &Options<'_>) -> Result<Vec<u8>> {
        F::rewrite(&self.file, &self.original, &self.value, options)
    }
}
