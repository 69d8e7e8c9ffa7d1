//! Conversions between trees and values of the program's types.

use super::{Value, ValueDecoder, ValueEncoder};
use crate::format::loading::Loading;
use crate::format::saving::Saving;
use crate::model::error::Result;
use crate::state::options::Options;
use crate::visit::blank::Element;
use crate::visit::body::New;
use crate::visit::serialize::Source;
use crate::visit::serialize::shape_of_new;
use crate::visit::session::Session;

impl Value {
    /// Saves `&value` of a type with [`Save`](crate::Save), or `&mut value` of any type, into a tree.
    ///
    /// ```
    /// use archive::Value;
    ///
    /// let value = Value::of(&vec![Some(1u8), None])?;
    /// assert_eq!(value, Value::from(vec![Value::from(1), Value::Null]));
    /// assert_eq!(value.to::<Vec<Option<u8>>>()?, [Some(1), None]);
    /// # Ok::<(), archive::Error>(())
    /// ```
    pub fn of<S: Source>(source: S) -> Result<Value> {
        Value::of_with(source, &Options::new())
    }

    /// Like [`of`](Value::of), with options.
    pub fn of_with<S: Source>(mut source: S, options: &Options<'_>) -> Result<Value> {
        let mut encoder = ValueEncoder::new();
        Saving::new(&mut encoder, &mut Session::new(), options).root(&mut source)?;
        encoder.finish()
    }

    /// Loads a new value of one of the program's types from the tree.
    ///
    /// ```
    /// use archive::{ErrorKind, Value};
    ///
    /// let value = Value::from(vec![Value::from(1), Value::from(-2)]);
    /// assert_eq!(value.to::<(u8, i64)>()?, (1, -2));
    /// let error = value.to::<Vec<u8>>().unwrap_err();
    /// assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "[1]"));
    /// # Ok::<(), archive::Error>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the tree does not fit the type.
    pub fn to<T: Element>(&self) -> Result<T> {
        self.to_with(&Options::new())
    }

    /// Like [`to`](Value::to), with options.
    ///
    /// # Errors
    /// Returns an error if the tree does not fit the type.
    pub fn to_with<T: Element>(&self, options: &Options<'_>) -> Result<T> {
        let mut decoder = ValueDecoder::new(self);
        let mut new = New(None);
        Loading::new(&mut decoder, &mut Session::new(), options)
            .root(shape_of_new::<T>(options), &mut new)?;
        new.take()
    }
}
