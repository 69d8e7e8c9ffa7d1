//! `String`, `str` and paths.

use std::path::PathBuf;

use crate::archive::Archive;
use crate::blank::Blank;
use crate::error::{Error, ErrorKind, Result};
use crate::options::Options;
use crate::scalar::Scalar;
use crate::shape::{Primitive, Shape};
use crate::{Save, Serialize};

const TEXT: &Shape = &Shape::Primitive(Primitive::Str);

impl Serialize for String {
    const SHAPE: &'static Shape = TEXT;

    #[inline]
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.scalar(Scalar::String(self))
    }
}

impl Save for String {
    #[inline]
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.scalar(Scalar::Str(self))
    }
}

impl Blank for String {
    #[inline]
    fn blank(_: &Options<'_>) -> Self {
        String::new()
    }
}

/// Text can be saved through a slice; loading needs a `String`.
impl Serialize for str {
    const SHAPE: &'static Shape = TEXT;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.scalar(Scalar::Str(self))
    }
}

impl Save for str {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        ar.scalar(Scalar::Str(self))
    }
}

/// A path is text; one that is not UTF-8 cannot be saved.
impl Serialize for PathBuf {
    const SHAPE: &'static Shape = TEXT;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !ar.is_loading() {
            return self.save(ar);
        }
        let mut text = String::new();
        text.serialize(ar)?;
        *self = text.into();
        Ok(())
    }
}

impl Save for PathBuf {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        match self.to_str() {
            Some(text) => ar.scalar(Scalar::Str(text)),
            None => Err(Error::new(
                ErrorKind::Unsupported,
                format_args!("the path {} is not UTF-8", self.display()),
            )),
        }
    }
}

impl Blank for PathBuf {
    fn blank(_: &Options<'_>) -> Self {
        PathBuf::new()
    }
}
