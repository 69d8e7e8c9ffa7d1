//! `Uuid`: stored as text with hyphens. Every form that `uuid` parses can be loaded, and so can 16
//! bytes.

use uuid::Uuid;

use crate::model::error::{Error, ErrorKind, Result};
use crate::model::head::PointerHead;
use crate::model::number::Number;
use crate::model::shape::{About, Shape};
use crate::state::options::Options;
use crate::visit::archive::Archive;
use crate::visit::blank::Blank;
use crate::visit::body::{Body, LoadAny};
use crate::visit::erased::loads;
use crate::visit::serialize::{Save, Serialize};

/// The description of the text in messages, and the shape's meaning.
const WHAT: &str = "a UUID";

impl Serialize for Uuid {
    const SHAPE: &'static Shape = &<String as Serialize>::SHAPE.with_meaning(WHAT);
    const ABOUT: &'static About = &About::named("Uuid");

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        if !loads!(A, ar) {
            return self.save(ar);
        }
        let mut found = Found(wrong("nothing"));
        ar.session_mut().trees.expected = Some(Self::SHAPE);
        ar.load_any(&mut found)?;
        *self = found.0?;
        Ok(())
    }
}

impl Save for Uuid {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        let mut buffer = Uuid::encode_buffer();
        ar.scalar(crate::model::scalar::Scalar::Str(self.hyphenated().encode_lower(&mut buffer)))
    }
}

impl Blank for Uuid {
    fn blank(_: &Options<'_>) -> Self {
        Uuid::nil()
    }
}

/// The value in the file, as a UUID.
struct Found(Result<Uuid>);

const EXPECTED: &str = "a UUID (text or 16 bytes)";

#[cold]
fn wrong(found: impl std::fmt::Display) -> Result<Uuid> {
    Err(Error::wrong_type(EXPECTED, found))
}

impl LoadAny for Found {
    fn null(&mut self) {
        self.0 = wrong("null");
    }
    fn bool(&mut self, value: bool) {
        self.0 = wrong(value);
    }
    fn number(&mut self, value: Number) {
        self.0 = wrong(value);
    }
    fn str(&mut self, value: &str) {
        self.0 = value
            .parse()
            .map_err(|why: uuid::Error| Error::wrong_type(WHAT, format_args!("{value:?} ({why})")));
    }
    fn bytes(&mut self, value: Vec<u8>) {
        self.0 = Uuid::from_slice(&value).map_err(|_| {
            let message = format_args!("expected {EXPECTED}, found {} bytes", value.len());
            Error::new(ErrorKind::WrongLength, message)
        });
    }
    fn seq<A: Archive>(&mut self, ar: &mut A) -> Result {
        struct Byte<'a>(&'a mut Vec<u8>);
        impl Body for Byte<'_> {
            fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                let mut byte = 0_u8;
                byte.serialize(ar)?;
                self.0.push(byte);
                if self.0.len() > 16 {
                    let message = format_args!("expected {EXPECTED}, found more bytes");
                    return Err(Error::new(ErrorKind::WrongLength, message));
                }
                Ok(())
            }
        }
        let mut bytes = Vec::new();
        while ar.item(bytes.len(), &mut Byte(&mut bytes))? {}
        self.bytes(bytes);
        Ok(())
    }
    fn object<A: Archive>(&mut self, _: &mut A) -> Result {
        wrong("an object").map(|_| ())
    }
    fn pointer<A: Archive>(&mut self, _: &mut A, _: &PointerHead<'_>) -> Result {
        wrong("a pointer").map(|_| ())
    }
}
