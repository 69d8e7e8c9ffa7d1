//! Random schemas, and random values for them.

use std::collections::BTreeMap;

use super::data::{Data, Graph};
use super::tape::Tape;
use super::types::{Choice, Class, Member, NUMBERS, Number, Schema, Type, Variant};

/// A program's types.
pub fn schema(tape: &mut Tape<'_>) -> Schema {
    let mut schema = Schema::default();
    let (classes, choices) = (3 + tape.below(3), 1 + tape.below(2));
    for index in 0..classes {
        let name = schema.new_name("Class");
        // The root is hand-written, and so is what pointers point to: the last class. The one before
        // it is that of struct variants.
        let derived =
            index != 0 && index != classes - 1 && (index == classes - 2 || tape.once_in(2));
        let in_variants = index == classes - 2;
        schema.classes.push(Class { name, derived, in_variants, members: Vec::new() });
    }
    for _ in 0..choices {
        let name = schema.new_name("Enum");
        schema.choices.push(Choice { name, variants: Vec::new() });
    }
    for class in 0..classes {
        for _ in 0..tape.below(if class == 0 { 7 } else { 5 }) {
            let ty = member_type(tape, &schema, class);
            let name = schema.new_name("m");
            schema.classes[class].members.push(Member { name, aliases: Vec::new(), ty });
        }
    }
    for choice in 0..choices {
        for _ in 0..1 + tape.below(4) {
            let variant = variant(tape, &mut schema, choice);
            schema.choices[choice].variants.push(variant);
        }
    }
    schema
}

/// A variant of an enum, which may hold enums of a higher number and the last two classes.
pub fn variant(tape: &mut Tape<'_>, schema: &mut Schema, choice: usize) -> Variant {
    let last = schema.classes.len() - 1;
    let payload = match tape.below(7) {
        0..3 => None,
        3 => Some(scalar_type(tape)),
        4 if choice + 1 < schema.choices.len() => Some(Type::Enum(choice + 1)),
        5 => Some(Type::Object(last)),
        _ => Some(Type::Object(last - 1)),
    };
    Variant { name: schema.new_name("V"), aliases: Vec::new(), payload }
}

pub fn scalar_type(tape: &mut Tape<'_>) -> Type {
    match tape.below(8) {
        0..5 => Type::Number(*tape.pick(&NUMBERS)),
        5 => Type::Bool,
        6 => Type::Char,
        _ => Type::Text,
    }
}

/// The type of a member of a class.
pub fn member_type(tape: &mut Tape<'_>, schema: &Schema, class: usize) -> Type {
    let boxed = |ty| Box::new(ty);
    match tape.below(10) {
        0..3 => scalar_type(tape),
        3 => Type::Option(boxed(part_type(tape, schema, class))),
        4 => Type::List(boxed(part_type(tape, schema, class))),
        5 => Type::Array(boxed(part_type(tape, schema, class)), tape.below(4)),
        6 => Type::Map(boxed(part_type(tape, schema, class))),
        // A list in a list, an option of a list.
        7 => Type::List(boxed(Type::List(boxed(scalar_type(tape))))),
        8 => Type::Option(boxed(Type::List(boxed(part_type(tape, schema, class))))),
        _ => part_type(tape, schema, class),
    }
}

/// A type that may be used anywhere.
fn part_type(tape: &mut Tape<'_>, schema: &Schema, class: usize) -> Type {
    let last = schema.classes.len() - 1;
    match tape.below(7) {
        0 | 1 => scalar_type(tape),
        2 | 3 if class < last => Type::Object(class + 1 + tape.below(last - class)),
        // The last two classes are in enums, so they have none.
        4 if class + 1 < last => Type::Enum(tape.below(schema.choices.len())),
        5 if class < last => Type::Pointer(last),
        6 => Type::Option(Box::new(Type::Pointer(last))),
        _ => scalar_type(tape),
    }
}

/// A value, with at most so many parts in lists and maps.
pub fn graph(tape: &mut Tape<'_>, schema: &Schema) -> Graph {
    let pointee = schema.pointee();
    let objects = 1 + tape.below(4);
    let mut make = Make { schema, tape, objects, room: 60 };
    let root = make.value(&Type::Object(0));
    let heap = (0..objects).map(|_| (pointee, make.value(&Type::Object(pointee)))).collect();
    Graph { root, heap }
}

struct Make<'a, 't> {
    schema: &'a Schema,
    tape: &'a mut Tape<'t>,
    objects: usize,
    room: usize,
}

impl Make<'_, '_> {
    fn value(&mut self, ty: &Type) -> Data<usize> {
        match ty {
            Type::Number(number) => self.number(*number),
            Type::Bool => Data::Bool(self.tape.once_in(2)),
            Type::Char => Data::Char(*self.tape.pick(&['a', '\0', 'ü', '"', '本', '7'])),
            Type::Text => Data::Text(self.text()),
            Type::Option(value) => {
                let is_there = self.room > 0 && !self.tape.once_in(3);
                Data::Option(is_there.then(|| Box::new(self.value(value))))
            }
            Type::List(item) => {
                let len = self.len();
                Data::List((0..len).map(|_| self.value(item)).collect())
            }
            Type::Array(item, len) => Data::List((0..*len).map(|_| self.value(item)).collect()),
            Type::Map(value) => {
                let len = self.len();
                let entries = (0..len).map(|_| (self.text(), self.value(value)));
                Data::Map(entries.collect::<BTreeMap<_, _>>())
            }
            Type::Object(class) => {
                self.room = self.room.saturating_sub(1);
                let members = &self.schema.classes[*class].members;
                Data::Object(members.iter().map(|member| self.value(&member.ty)).collect())
            }
            Type::Enum(choice) => {
                let variants = &self.schema.choices[*choice].variants;
                let index = self.tape.below(variants.len());
                let payload = variants[index].payload.as_ref();
                Data::Variant(index, payload.map(|ty| Box::new(self.value(ty))))
            }
            Type::Pointer(_) => Data::Pointer(self.tape.below(self.objects)),
        }
    }

    fn len(&mut self) -> usize {
        let len = self.tape.below(4).min(self.room);
        self.room -= len;
        len
    }

    fn text(&mut self) -> String {
        let texts = ["", "a", "é", "key", "$id", "a b", "x\0y", "\"quoted\"", "17", "null", "V1"];
        (*self.tape.pick(&texts)).to_owned()
    }

    fn number(&mut self, number: Number) -> Data<usize> {
        let bits = match self.tape.below(6) {
            0 => 0,
            1..4 => self.tape.below(200) as u128,
            4 => u128::MAX,
            _ => self.tape.bits() >> self.tape.below(128),
        };
        // Eighths, which text represents exactly. Other floats are read at the member's width.
        let eighths = (self.tape.below(2000) as f32 - 1000.0) / if bits == 0 { 1.0 } else { 8.0 };
        let special = if self.tape.once_in(12) { Some(*self.tape.pick(&SPECIAL)) } else { None };
        match number {
            Number::U8 => Data::Int((bits as u8).into()),
            Number::U16 => Data::Int((bits as u16).into()),
            Number::U32 => Data::Int((bits as u32).into()),
            Number::U64 => Data::Int((bits as u64).into()),
            Number::U128 => Data::unsigned(bits),
            Number::I8 => Data::Int((bits as i8).into()),
            Number::I16 => Data::Int((bits as i16).into()),
            Number::I32 => Data::Int((bits as i32).into()),
            Number::I64 => Data::Int((bits as i64).into()),
            Number::I128 => Data::Int(bits as i128),
            Number::F32 if special == Some(f64::INFINITY) => Data::F32(f32::INFINITY),
            Number::F32 => Data::F32(eighths),
            Number::F64 => Data::F64(special.unwrap_or(eighths.into())),
        }
    }
}

const SPECIAL: [f64; 6] = [f64::INFINITY, 1e300, 0.1, -1e20, 3.402_823_5e38, 1e-310];
