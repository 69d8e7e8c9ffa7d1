//! [`Decoder`]: for files with named roots, which can be requested in any order.

use std::borrow::Cow;
use std::marker::PhantomData;

use archive_core::{
    Class, Error, Kind, Limits, Mark, Number, Options, Position, Primitive, Result, Shape, Value,
    ValueDecoder,
};

use crate::backend::read_tree;
use crate::format::SerdeFormat;
use crate::locate::locate_all;

/// Reads the whole input as a tree when the first root is requested.
pub struct Decoder<'r, F> {
    input: &'r [u8],
    limits: Limits,
    tree: ValueDecoder<'static>,
    format: PhantomData<fn() -> F>,
}

impl<'r, F: SerdeFormat> Decoder<'r, F> {
    pub(crate) fn new(input: &'r [u8], limits: Limits) -> Self {
        Decoder { input, limits, tree: ValueDecoder::owned(Value::Null), format: PhantomData }
    }

    pub(crate) fn input(&self) -> &'r [u8] {
        self.input
    }
}

macro_rules! forward {
    ($($name:ident: $ty:ty;)*) => { $(
        fn $name(&mut self) -> Result<$ty> {
            self.tree.$name()
        }
    )* };
}

impl<F: SerdeFormat> archive_core::Decoder for Decoder<'_, F> {
    fn opens_one_each(&self) -> bool {
        true
    }
    forward! {
        peek: Kind; skip: (); null: (); bool: bool; number: Number; str: &str; next_item: bool;
        end_seq: (); i8: i8; i16: i16; i32: i32; i64: i64; i128: i128; u8: u8; u16: u16; u32: u32;
        u64: u64; u128: u128; f32: f32; f64: f64; next_key: Option<Cow<'_, str>>;
    }

    fn input_len(&self) -> Option<usize> {
        Some(self.input.len())
    }

    fn begin_root(&mut self, _: &'static Shape) -> Result {
        self.tree = read_tree::<F>(self.input, &Options::new().limits(self.limits))?;
        Ok(())
    }

    fn position(&self) -> Position {
        self.tree.position()
    }
    fn locate(&self, errors: &mut [Error]) {
        locate_all::<F>(self.input, errors, &Options::new().limits(self.limits));
    }
    fn position_of(&self, mark: Mark) -> Position {
        self.tree.position_of(mark)
    }
    fn bytes(&mut self, out: &mut Vec<u8>) -> Result {
        self.tree.bytes(out)
    }
    fn begin_seq(&mut self, shape: &'static Shape) -> Result<usize> {
        self.tree.begin_seq(shape)
    }
    fn begin_object(&mut self, class: &'static Class) -> Result {
        self.tree.begin_object(class)
    }
    fn member(&mut self, name: &str) -> Result<bool> {
        self.tree.member(name)
    }
    fn end_object(&mut self, unknown: &mut dyn FnMut(&str) -> Result) -> Result {
        self.tree.end_object(unknown)
    }
    fn at_pointer(&mut self, refused: bool) -> Result<bool> {
        self.tree.at_pointer(refused)
    }
    fn mark(&mut self) -> Mark {
        self.tree.mark()
    }
    fn goto(&mut self, mark: Mark) {
        self.tree.goto(mark);
    }
    fn recover(&mut self, mark: Mark) {
        self.tree.recover(mark);
    }
    fn find_pointees(&mut self, found: &mut dyn FnMut(u64, Mark)) -> Result {
        self.tree.find_pointees(found)
    }
    fn take_conversion(&mut self, to: Primitive) -> Option<(Primitive, Primitive)> {
        self.tree.take_conversion(to)
    }
}
