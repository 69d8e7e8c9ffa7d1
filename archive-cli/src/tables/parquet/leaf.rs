//! [`Leaf`]: the values of a column of single values, with the levels at which they are present and repeated.

use archive::value::Number;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, FloatType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::writer::SerializedColumnWriter;

use crate::tables::columns::Layout;
use crate::tables::flat;

enum Values {
    Bool(Vec<bool>),
    Int(Vec<i64>),
    Float(Vec<f32>),
    Double(Vec<f64>),
    Bytes(Vec<ByteArray>),
}

pub(super) struct Leaf {
    values: Values,
    present: Vec<i16>,
    repeated: Vec<i16>,
    /// The greatest levels.
    most: (i16, i16),
    /// The number of bytes that the values take.
    len: usize,
}

impl Leaf {
    /// Creates a column for values of that type, with its greatest levels.
    pub fn new(layout: &Layout, most: (i16, i16)) -> Self {
        let values = match layout {
            Layout::Bool => Values::Bool(Vec::new()),
            Layout::Int | Layout::UInt => Values::Int(Vec::new()),
            Layout::Float { is_short: true, .. } => Values::Float(Vec::new()),
            Layout::Float { is_short: false, .. } => Values::Double(Vec::new()),
            _ => Values::Bytes(Vec::new()),
        };
        Leaf { values, present: Vec::new(), repeated: Vec::new(), most, len: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    fn level(&mut self, present: i16, repeated: i16, len: usize) {
        self.present.push(present);
        self.repeated.push(repeated);
        self.len += 4 + len;
    }

    /// Adds the absence of a value.
    pub fn null(&mut self, present: i16, repeated: i16) {
        self.level(present, repeated, 0);
    }

    /// Adds a value, and returns whether the column takes it. This is so for all functions that follow.
    pub fn bool(&mut self, value: bool, present: i16, repeated: i16) -> bool {
        let Values::Bool(values) = &mut self.values else { return false };
        values.push(value);
        self.level(present, repeated, 1);
        true
    }

    pub fn number(&mut self, value: Number, present: i16, repeated: i16) -> bool {
        match (&mut self.values, value) {
            (Values::Int(values), Number::Int(value)) => {
                // The bits of an unsigned integer.
                let unsigned = || u64::try_from(value).ok().map(u64::cast_signed);
                let Some(value) = i64::try_from(value).ok().or_else(unsigned) else { return false };
                values.push(value);
            }
            (Values::Float(values), Number::F32(value)) => values.push(value),
            (Values::Double(values), value) => {
                let Number::F64(value) = flat::float(value) else { return false };
                values.push(value);
            }
            (Values::Bytes(_), value) => return self.text(&value.to_string(), present, repeated),
            _ => return false,
        }
        self.level(present, repeated, 8);
        true
    }

    pub fn text(&mut self, text: &str, present: i16, repeated: i16) -> bool {
        self.bytes(text.as_bytes(), present, repeated)
    }

    pub fn bytes(&mut self, bytes: &[u8], present: i16, repeated: i16) -> bool {
        /// What a value takes besides its bytes.
        const BESIDES: usize = 64;
        let Values::Bytes(values) = &mut self.values else { return false };
        values.push(bytes.to_vec().into());
        self.level(present, repeated, BESIDES + bytes.len());
        true
    }

    /// Writes the values, and forgets them.
    pub fn write(&mut self, to: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let present = (self.most.0 > 0).then_some(&self.present[..]);
        let repeated = (self.most.1 > 0).then_some(&self.repeated[..]);
        match &mut self.values {
            Values::Bool(values) => {
                to.typed::<BoolType>().write_batch(values, present, repeated)?
            }
            Values::Int(values) => {
                to.typed::<Int64Type>().write_batch(values, present, repeated)?
            }
            Values::Float(values) => {
                to.typed::<FloatType>().write_batch(values, present, repeated)?
            }
            Values::Double(values) => {
                to.typed::<DoubleType>().write_batch(values, present, repeated)?
            }
            Values::Bytes(values) => {
                to.typed::<ByteArrayType>().write_batch(values, present, repeated)?
            }
        };
        match &mut self.values {
            Values::Bool(values) => values.clear(),
            Values::Int(values) => values.clear(),
            Values::Float(values) => values.clear(),
            Values::Double(values) => values.clear(),
            Values::Bytes(values) => *values = Vec::new(),
        }
        self.present.clear();
        self.repeated.clear();
        self.len = 0;
        Ok(())
    }
}
