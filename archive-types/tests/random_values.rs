//! Random values of any shape, as trees.

use archive::Value;
use archive::shape::{Absence, Class, Payload, Primitive, Shape, ShapeOf};
use archive::value::Number;

/// Random choices.
pub struct Random {
    state: u64,
    /// Whether objects have all members. Two keys are then equal if their trees are.
    whole: bool,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Random { state: seed, whole: false }
    }

    pub fn bits(&mut self) -> u64 {
        // SplitMix64.
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut hash = self.state;
        hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        hash ^ hash >> 31
    }

    pub fn below(&mut self, limit: usize) -> usize {
        (self.bits() % limit.max(1) as u64) as usize
    }

    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// An integer of so many bits, with a preference for the limits.
    fn integer(&mut self, bits: u32, signed: bool) -> Number {
        let wide = u128::from(self.bits()) << 64 | u128::from(self.bits());
        let some = match self.below(5) {
            0 => 0,
            1 => u128::MAX,
            2 => u128::MAX >> 1,
            _ => wide >> self.below(128),
        };
        if signed {
            return Number::Int((some << (128 - bits)) as i128 >> (128 - bits));
        }
        let value = some & (u128::MAX >> (128 - bits));
        i128::try_from(value).map_or(Number::UInt(value), Number::Int)
    }

    fn float(&mut self) -> f64 {
        let all = [0.0, -0.0, 1.5, -1e10, f64::INFINITY, f64::NEG_INFINITY, 0.1, 16_777_217.0];
        all[self.below(all.len())]
    }

    fn text(&mut self) -> String {
        let all = [
            "",
            "a",
            "Ü\"\\",
            "$id",
            "x\0y",
            "17",
            "null",
            "Fire",
            "a long text, with more than thirty-two bytes",
        ];
        all[self.below(all.len())].to_owned()
    }

    /// A value of a shape.
    pub fn value(&mut self, shape: &'static Shape, depth: usize) -> Value {
        match shape {
            Shape::Primitive(primitive, _) => self.primitive(*primitive),
            Shape::Seq(item, meaning) => {
                let len = if depth > 4 { 0 } else { self.below(4) };
                let mut items: Vec<Value> = (0..len).map(|_| self.part(item, depth)).collect();
                if !meaning.is_empty() {
                    items.truncate(1);
                }
                Value::Array(items)
            }
            Shape::Array(item, len, ..) => {
                Value::Array((0..*len).map(|_| self.part(item, depth)).collect())
            }
            Shape::Tuple(items, ..) => {
                Value::Array(items.iter().map(|item| self.part(item, depth)).collect())
            }
            Shape::Map(key, value) => {
                let len = if depth > 4 { 0 } else { self.below(4) };
                let mut entries: Vec<(Value, Value)> = Vec::new();
                for _ in 0..len {
                    let outer = std::mem::replace(&mut self.whole, true);
                    let key = self.part(key, depth);
                    self.whole = outer;
                    let value = self.part(value, depth);
                    if entries.iter().all(|(known, _)| *known != key) {
                        entries.push((key, value));
                    }
                }
                Value::Array(entries.into_iter().map(|(k, v)| Value::Array(vec![k, v])).collect())
            }
            Shape::Option(_) if depth > 3 || self.once_in(3) => Value::Null,
            Shape::Option(value) => match self.part(value, depth) {
                Value::Null => Value::Object(vec![("$some".to_owned(), Value::Null)]),
                Value::Object(members)
                    if members.first().is_some_and(|(name, _)| name == "$some") =>
                {
                    Value::Object(vec![("$some".to_owned(), Value::Object(members))])
                }
                value => value,
            },
            Shape::Class(class) => Value::Object(self.members(class, depth)),
            Shape::Enum(info) => {
                let variant = &info.variants[self.below(info.variants.len())];
                let payload = match &variant.payload {
                    Payload::Unit => return Value::Str(variant.name.to_owned()),
                    Payload::Newtype(value) => self.part(value, depth),
                    Payload::Tuple(items) => {
                        Value::Array(items.iter().map(|item| self.part(item, depth)).collect())
                    }
                    Payload::Struct(class) => Value::Object(self.members(class, depth)),
                };
                Value::Object(vec![(variant.name.to_owned(), payload)])
            }
            _ => match self.below(4) {
                0 => Value::Null,
                1 => Value::from(self.below(300) as u64),
                2 => Value::Array(vec![Value::Bool(true), Value::Str(self.text())]),
                _ => Value::Object(vec![("any".to_owned(), Value::from(1.5))]),
            },
        }
    }

    fn part(&mut self, of: &ShapeOf, depth: usize) -> Value {
        self.value(of.get(), depth + 1)
    }

    fn members(&mut self, class: &'static Class, depth: usize) -> Vec<(String, Value)> {
        let mut members = Vec::new();
        for member in class.members.unwrap_or_default() {
            if member.flatten {
                if let Shape::Class(inner) = member.shape.get() {
                    members.extend(self.members(inner, depth));
                }
            } else if self.whole || member.absence == Absence::Refused || !self.once_in(5) {
                members.push((member.name.to_owned(), self.part(&member.shape, depth)));
            }
        }
        members
    }

    fn primitive(&mut self, primitive: Primitive) -> Value {
        let bits = primitive.block_size().unwrap_or(1) as u32 * 8;
        match primitive {
            Primitive::Unit => Value::Null,
            Primitive::Bool => Value::Bool(self.once_in(2)),
            Primitive::U8 | Primitive::U16 | Primitive::U32 | Primitive::U64 | Primitive::U128 => {
                Value::Number(self.integer(bits, false))
            }
            Primitive::I8 | Primitive::I16 | Primitive::I32 | Primitive::I64 | Primitive::I128 => {
                Value::Number(self.integer(bits, true))
            }
            Primitive::F32 => Value::Number(Number::F32(self.float() as f32)),
            Primitive::F64 => Value::Number(Number::F64(self.float())),
            Primitive::Char => Value::Str(['a', '\0', 'ü', '"', '本'][self.below(5)].to_string()),
            Primitive::Str => Value::Str(self.text()),
            Primitive::Bytes => {
                let len = self.below(5);
                Value::Bytes((0..len).map(|_| self.bits() as u8).collect())
            }
        }
    }
}
