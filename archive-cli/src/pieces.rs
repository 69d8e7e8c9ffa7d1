//! [`InPieces`]: an encoder that writes its output in pieces.

use archive::Result;
use archive::format::{Encoder, Pieces, Sink};
use archive::shape::{Class, Shape};

/// The number of pending bytes from which on they are written to the sink.
const MAX_PENDING: usize = 1 << 20;

/// An encoder whose pending output is written to a sink between values.
pub struct InPieces<'s, E> {
    pub encoder: E,
    sink: Sink<'s>,
}

impl<'s, E: Pieces> InPieces<'s, E> {
    /// Creates an encoder that writes its output to a sink.
    pub fn new(encoder: E, sink: Sink<'s>) -> Self {
        InPieces { encoder, sink }
    }

    #[inline]
    fn pass_on(&mut self) -> Result {
        if self.encoder.pending() < MAX_PENDING { Ok(()) } else { self.encoder.pass_on(self.sink) }
    }
}

macro_rules! scalars {
    ($($name:ident: $ty:ty),*) => { $(
        #[inline]
        fn $name(&mut self, value: $ty) -> Result {
            self.encoder.$name(value)
        }
    )* };
}

impl<E: Pieces> Encoder for InPieces<'_, E> {
    scalars! {
        bool: bool, i64: i64, u64: u64, i128: i128, u128: u128, f32: f32, f64: f64, str: &str, bytes: &[u8]
    }

    #[inline]
    fn null(&mut self) -> Result {
        self.encoder.null()
    }
    #[inline]
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result {
        self.encoder.begin_seq(shape, len)
    }
    #[inline]
    fn item(&mut self) -> Result {
        self.pass_on()?;
        self.encoder.item()
    }
    #[inline]
    fn end_seq(&mut self) -> Result {
        self.encoder.end_seq()
    }
    #[inline]
    fn begin_object(&mut self, class: &'static Class) -> Result {
        self.encoder.begin_object(class)
    }
    #[inline]
    fn member(&mut self, name: &str, shape: &'static Shape) -> Result {
        self.pass_on()?;
        self.encoder.member(name, shape)
    }
    #[inline]
    fn end_object(&mut self) -> Result {
        self.encoder.end_object()
    }
    fn begin_root(&mut self, shape: &'static Shape) -> Result {
        self.encoder.begin_root(shape)
    }
    fn end_root(&mut self) -> Result {
        self.encoder.end_root()
    }
}
