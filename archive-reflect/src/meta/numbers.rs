//! [`Numbers`]: the numbers that a value may be.

use archive_core::Number;
use archive_core::shape::{Facts, Primitive, Shape};

use super::{MemberMeta, Meta, PropertyMeta};

/// The numbers that a value may be: those of its type, limited to the range of the member.
///
/// ```
/// use archive::reflect::Meta;
/// use archive::Serialize;
/// use archive::value::Number;
///
/// #[derive(Default, Serialize)]
/// struct Sound {
///     #[archive(range = 0.0..=1.0)]
///     volume: f32,
///     #[archive(range = -10..)]
///     pitch: i8,
///     channel: Option<u16>,
///     name: String,
/// }
///
/// let meta = Meta::of::<Sound>();
/// let numbers = |name| meta.member(name).unwrap().numbers();
/// let pitch = numbers("pitch").unwrap();
/// assert!(pitch.is_integer);
/// assert_eq!((pitch.min, pitch.max), (Number::Int(-10), Number::Int(127)));
/// assert!(!numbers("volume").unwrap().is_integer);
/// assert_eq!(numbers("channel").unwrap().max, Number::Int(65_535));
/// assert_eq!(numbers("name"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Numbers {
    /// Whether they are integers.
    pub is_integer: bool,
    /// The smallest number.
    pub min: Number,
    /// The largest number.
    pub max: Number,
}

impl Numbers {
    fn of(shape: &Shape) -> Option<Numbers> {
        let numbers = |is_integer, min, max| Some(Numbers { is_integer, min, max });
        let int = |min: i128, max: i128| numbers(true, Number::Int(min), Number::Int(max));
        let Shape::Primitive(primitive, _) = shape else { return None };
        match primitive {
            Primitive::U8 => int(0, u8::MAX.into()),
            Primitive::U16 => int(0, u16::MAX.into()),
            Primitive::U32 => int(0, u32::MAX.into()),
            Primitive::U64 => int(0, u64::MAX.into()),
            Primitive::U128 => numbers(true, Number::Int(0), Number::UInt(u128::MAX)),
            Primitive::I8 => int(i8::MIN.into(), i8::MAX.into()),
            Primitive::I16 => int(i16::MIN.into(), i16::MAX.into()),
            Primitive::I32 => int(i32::MIN.into(), i32::MAX.into()),
            Primitive::I64 => int(i64::MIN.into(), i64::MAX.into()),
            Primitive::I128 => int(i128::MIN, i128::MAX),
            Primitive::F32 => numbers(false, Number::F32(f32::MIN), Number::F32(f32::MAX)),
            Primitive::F64 => numbers(false, Number::F64(f64::MIN), Number::F64(f64::MAX)),
            _ => None,
        }
    }

    /// Returns the numbers within a range.
    #[allow(clippy::cast_possible_truncation, reason = "the cast saturates")]
    fn within(self, facts: &Facts) -> Numbers {
        let Numbers { is_integer, min, max } = self;
        let bound = |float: f64| match is_integer {
            true => Number::Int(float as i128),
            false => Number::F64(float),
        };
        let least = facts.min.map(|min| bound(if is_integer { min.ceil() } else { min }));
        let greatest = facts.max.map(|max| bound(if is_integer { max.floor() } else { max }));
        let min = least.filter(|least| is_less(min, *least)).unwrap_or(min);
        let max = greatest.filter(|greatest| is_less(*greatest, max)).unwrap_or(max);
        Numbers { is_integer, min, max }
    }
}

/// Returns whether a number is less than another one: both are integers, or both floats.
fn is_less(one: Number, other: Number) -> bool {
    match (one, other) {
        (Number::Int(one), Number::Int(other)) => one < other,
        (Number::UInt(one), Number::UInt(other)) => one < other,
        (Number::Int(_), Number::UInt(_)) => true,
        (Number::UInt(_), Number::Int(_)) => false,
        (one, other) => one.to_f64().ok() < other.to_f64().ok(),
    }
}

impl Meta {
    /// Returns the numbers that a value of the type, or the value in an `Option`, may be. `None`
    /// for types whose values are not numbers.
    pub fn numbers(&self) -> Option<Numbers> {
        match self.shape {
            Shape::Option(value) => Numbers::of(value.get()),
            shape => Numbers::of(shape),
        }
    }
}

impl MemberMeta {
    /// Returns the numbers that the member may be: those of its [type](Meta::numbers), limited to
    /// its range.
    pub fn numbers(&self) -> Option<Numbers> {
        self.meta().numbers().map(|numbers| numbers.within(self.facts()))
    }
}

impl PropertyMeta {
    /// Returns the numbers that the property may be: those of its [type](Meta::numbers), limited to
    /// its range.
    pub fn numbers(&self) -> Option<Numbers> {
        self.meta().numbers().map(|numbers| numbers.within(self.facts()))
    }
}
