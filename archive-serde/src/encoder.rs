//! [`Encoder`]: for files with named roots, whose number is known only at the end.

use std::marker::PhantomData;

use archive_core::{Class, Limits, Options, Result, Shape, ValueEncoder};

use crate::backend::write_tree;
use crate::format::SerdeFormat;

/// Collects named roots in a tree, which is written at the end.
pub struct Encoder<F> {
    tree: ValueEncoder,
    done: Option<Vec<u8>>,
    pretty: bool,
    limits: Limits,
    format: PhantomData<fn() -> F>,
}

impl<F: SerdeFormat> Encoder<F> {
    pub(crate) fn new(options: &Options<'_>) -> Self {
        let (pretty, limits) = (options.settings().pretty(), *options.settings().limits());
        Encoder { tree: ValueEncoder::new(), done: None, pretty, limits, format: PhantomData }
    }

    /// Sets the bytes of a root that an archive has saved.
    pub(crate) fn done(&mut self, bytes: Vec<u8>) {
        self.done = Some(bytes);
    }

    pub(crate) fn finish(self) -> Result<Vec<u8>> {
        match self.done {
            Some(bytes) => Ok(bytes),
            None => {
                write_tree::<F>(self.tree, &Options::new().pretty(self.pretty).limits(self.limits))
            }
        }
    }
}

macro_rules! forward {
    ($($name:ident: $ty:ty;)*) => { $(
        fn $name(&mut self, value: $ty) -> Result {
            self.tree.$name(value)
        }
    )* };
}

impl<F: SerdeFormat> archive_core::Encoder for Encoder<F> {
    fn opens_one_each(&self) -> bool {
        true
    }
    forward! {
        bool: bool; i8: i8; i16: i16; i32: i32; i64: i64; i128: i128; u8: u8; u16: u16; u32: u32;
        u64: u64; u128: u128; f32: f32; f64: f64; str: &str; bytes: &[u8];
    }

    fn null(&mut self) -> Result {
        self.tree.null()
    }
    fn begin_seq(&mut self, shape: &'static Shape, len: usize) -> Result {
        self.tree.begin_seq(shape, len)
    }
    fn item(&mut self) -> Result {
        self.tree.item()
    }
    fn end_seq(&mut self) -> Result {
        self.tree.end_seq()
    }
    fn begin_object(&mut self, class: &'static Class) -> Result {
        self.tree.begin_object(class)
    }
    fn member(&mut self, name: &str, shape: &'static Shape) -> Result {
        self.tree.member(name, shape)
    }
    fn end_object(&mut self) -> Result {
        self.tree.end_object()
    }
}
