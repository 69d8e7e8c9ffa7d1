//! Lists of numbers that are saved in one step: an erased archive does not call the format for each
//! number.

use super::Saving;
use crate::format::encoder::Encoder;
use crate::model::error::Result;
use crate::model::shape::{Primitive, Shape};
use crate::visit::visitor::Visitor;

impl<E: Encoder + ?Sized> Saving<'_, E> {
    /// Saves the items of a list that was begun, if they are numbers or truth values. `block` has
    /// their bytes. Returns `false` if they are other values.
    pub(super) fn save_numbers(&mut self, shape: &'static Shape, block: &[u8]) -> Result<bool> {
        let Shape::Seq(item, _) = shape else { return Ok(false) };
        let Shape::Primitive(kind, _) = item.get() else { return Ok(false) };
        macro_rules! numbers {
            ($($Kind:ident $number:ident),*) => {
                match kind {
                    Primitive::Bool => self.each(block, |to, [byte]| to.bool(byte != 0))?,
                    $(Primitive::$Kind => {
                        self.each(block, |to, bytes| to.$number($number::from_le_bytes(bytes)))?
                    })*
                    _ => return Ok(false),
                }
            };
        }
        numbers!(
            U8 u8, U16 u16, U32 u32, U64 u64, I8 i8, I16 i16, I32 i32, I64 i64, F32 f32, F64 f64
        );
        Ok(true)
    }

    fn each<const N: usize>(
        &mut self,
        block: &[u8],
        write: impl Fn(&mut E, [u8; N]) -> Result,
    ) -> Result {
        let (items, _) = block.as_chunks::<N>();
        for (index, item) in items.iter().enumerate() {
            self.begin_item(index)?;
            write(&mut *self.encoder, *item).map_err(|error| error.in_item(index))?;
        }
        Ok(())
    }
}
