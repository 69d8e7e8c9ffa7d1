//! [`DataType`]: the type of a datum.
// Why: docs/decisions/blob-and-bins.md#the-original-program-can-walk-every-objectblob-file

use std::fmt;

use archive_core::Primitive;

macro_rules! types {
    ($($code:literal $Name:ident $name:literal $size:literal $doc:literal;)*) => {
        /// The type of a datum. Codes from 0 to 4 are those of the original program. Codes from 5
        /// on are additions, which the original program skips. Data with any other code is kept
        /// unchanged.
        ///
        /// ```
        /// use archive::blob::DataType;
        ///
        /// assert_eq!(DataType::Double.code(), 4);
        /// assert_eq!(DataType::Double.element_size(), Some(8));
        /// assert_eq!(DataType::new(4), DataType::Double);
        /// assert_eq!(DataType::new(77).to_string(), "type 77");
        /// assert!(matches!(DataType::new(77), DataType::Unknown(_)));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum DataType {
            $(#[doc = $doc] $Name,)*
            /// A code that this library does not know.
            Unknown(UnknownCode),
        }

        impl DataType {
            /// Returns the type with that code.
            pub const fn new(code: i32) -> Self {
                match code {
                    $($code => DataType::$Name,)*
                    _ => DataType::Unknown(UnknownCode(code)),
                }
            }

            /// Returns the code.
            pub const fn code(self) -> i32 {
                match self {
                    $(DataType::$Name => $code,)*
                    DataType::Unknown(UnknownCode(code)) => code,
                }
            }

            /// Returns the name, if the type is known.
            pub const fn name(self) -> Option<&'static str> {
                match self {
                    $(DataType::$Name => Some($name),)*
                    DataType::Unknown(_) => None,
                }
            }

            /// Returns the size of one element in bytes, if the type is known. Types without
            /// elements of a certain size are counted in bytes.
            pub const fn element_size(self) -> Option<usize> {
                match self {
                    $(DataType::$Name => Some($size),)*
                    DataType::Unknown(_) => None,
                }
            }
        }
    };
}

/// The code of an [unknown type](DataType::Unknown), as created by [`DataType::new`]. Never the
/// code of a known type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UnknownCode(i32);

types! {
    0 Bool "bool" 1 "A truth value: 0 or 1.";
    1 Char "char" 1 "A byte of text; text ends with NUL.";
    2 Int "int" 4 "A signed integer of 4 bytes.";
    3 Float "float" 4 "A float of 4 bytes.";
    4 Double "double" 8 "A float of 8 bytes.";
    5 Object "object" 1 "A blob inside the blob.";
    6 List "list" 1 "A sequence of data without names.";
    7 Null "null" 1 "Nothing.";
    8 Text "text" 1 "UTF-8 that may contain NUL, and is not terminated by it.";
    9 Bytes "bytes" 1 "Bytes.";
    10 Character "character" 4 "The number of a Unicode character.";
    11 I8 "i8" 1 "A signed integer of 1 byte.";
    12 U8 "u8" 1 "An unsigned integer of 1 byte.";
    13 I16 "i16" 2 "A signed integer of 2 bytes.";
    14 U16 "u16" 2 "An unsigned integer of 2 bytes.";
    15 U32 "u32" 4 "An unsigned integer of 4 bytes.";
    16 I64 "i64" 8 "A signed integer of 8 bytes.";
    17 U64 "u64" 8 "An unsigned integer of 8 bytes.";
    18 I128 "i128" 16 "A signed integer of 16 bytes.";
    19 U128 "u128" 16 "An unsigned integer of 16 bytes.";
    20 Mark "mark" 1 "No datum of its own, but a remark on the one before it.";
}

impl DataType {
    /// Returns whether the original program knows the type.
    pub const fn is_original(self) -> bool {
        matches!(self.code(), 0..=4)
    }

    /// Returns the scalar type of one element; `None` for text, for containers, and for unknown
    /// types.
    pub(crate) const fn primitive(self) -> Option<Primitive> {
        Some(match self {
            DataType::Bool => Primitive::Bool,
            DataType::Int => Primitive::I32,
            DataType::Float => Primitive::F32,
            DataType::Double => Primitive::F64,
            DataType::Character => Primitive::Char,
            DataType::I8 => Primitive::I8,
            DataType::U8 => Primitive::U8,
            DataType::I16 => Primitive::I16,
            DataType::U16 => Primitive::U16,
            DataType::U32 => Primitive::U32,
            DataType::I64 => Primitive::I64,
            DataType::U64 => Primitive::U64,
            DataType::I128 => Primitive::I128,
            DataType::U128 => Primitive::U128,
            _ => return None,
        })
    }

    /// Returns the type whose elements are that scalar.
    pub(crate) const fn of(primitive: Primitive) -> Option<DataType> {
        Some(match primitive {
            Primitive::Bool => DataType::Bool,
            Primitive::U8 => DataType::U8,
            Primitive::U16 => DataType::U16,
            Primitive::U32 => DataType::U32,
            Primitive::U64 => DataType::U64,
            Primitive::U128 => DataType::U128,
            Primitive::I8 => DataType::I8,
            Primitive::I16 => DataType::I16,
            Primitive::I32 => DataType::Int,
            Primitive::I64 => DataType::I64,
            Primitive::I128 => DataType::I128,
            Primitive::F32 => DataType::Float,
            Primitive::F64 => DataType::Double,
            Primitive::Char => DataType::Character,
            Primitive::Unit | Primitive::Str | Primitive::Bytes => return None,
        })
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "type {}", self.code()),
        }
    }
}
