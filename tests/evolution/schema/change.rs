//! The changes between an old program's types and the new ones.
//!
//! Some changes are left out, because formats store these types differently: a number and text (128
//! bits and infinity are text in some), a number and a list, a map and a struct, an integer and a
//! float that cannot represent it, an option in an option and one around it. If values meet these
//! anyway, or a pointer becomes a plain value, the law allows any result
//! ([`Fate::Odd`](super::law::Fate)).

use super::generate;
use super::tape::Tape;
use super::types::{Member, NUMBERS, Number, Schema, Type};

/// Changes a schema several times.
pub fn changed(tape: &mut Tape<'_>, old: &Schema) -> Schema {
    let mut schema = old.clone();
    for _ in 0..1 + tape.below(6) {
        if tape.once_in(4) {
            change_enum(tape, &mut schema);
        } else {
            change_class(tape, &mut schema);
        }
        if !tape.keeps_going() {
            break;
        }
    }
    schema
}

fn change_class(tape: &mut Tape<'_>, schema: &mut Schema) {
    let class = tape.below(schema.classes.len());
    let count = schema.classes[class].members.len();
    let kind = tape.below(14);
    if count == 0 || kind == 0 {
        let ty = generate::member_type(tape, schema, class);
        let member = Member { name: schema.new_name("m"), aliases: Vec::new(), ty };
        schema.classes[class].members.insert(tape.below(count + 1), member);
        return;
    }
    let at = tape.below(count);
    match kind {
        1 => drop(schema.classes[class].members.remove(at)),
        2 => schema.classes[class].members.swap(at, (at + 1) % count),
        3 => {
            let name = schema.new_name("m");
            let member = &mut schema.classes[class].members[at];
            let old = std::mem::replace(&mut member.name, name);
            member.aliases.push(old);
        }
        // From hand-written to derived or back, unless a pointer may point to it.
        4 if class != 0 && class + 1 < schema.classes.len() => {
            schema.classes[class].derived ^= true;
        }
        _ => {
            let last = schema.classes.len() - 1;
            let old = schema.classes[class].members[at].ty.clone();
            let new = change_type(tape, &old, class, last);
            schema.classes[class].members[at].ty = new;
        }
    }
}

/// Another type for the same member.
fn change_type(tape: &mut Tape<'_>, old: &Type, class: usize, last: usize) -> Type {
    // Inner types change as often as outer ones.
    if tape.once_in(2) {
        match old {
            Type::Option(value) => {
                return Type::Option(Box::new(change_type(tape, value, class, last)));
            }
            Type::List(item) => return Type::List(Box::new(change_type(tape, item, class, last))),
            Type::Array(item, len) => {
                return Type::Array(Box::new(change_type(tape, item, class, last)), *len);
            }
            Type::Map(value) => return Type::Map(Box::new(change_type(tape, value, class, last))),
            _ => {}
        }
    }
    match old {
        // The class that pointers point to must not always contain one.
        Type::Option(value) if class == last && matches!(**value, Type::Pointer(_)) => old.clone(),
        Type::Option(value) if tape.once_in(2) => (**value).clone(),
        Type::List(item) if tape.once_in(2) => Type::Array(item.clone(), tape.below(4)),
        Type::Array(item, len) => match tape.below(3) {
            0 => Type::List(item.clone()),
            _ => Type::Array(item.clone(), len + tape.below(3)),
        },
        Type::Number(old) => match tape.below(6) {
            0 => Type::Option(Box::new(Type::Number(*old))),
            1 if tape.once_in(3) => generate::scalar_type(tape),
            2 => Type::Number(*tape.pick(&[Number::F64, Number::F32])),
            _ => Type::Number(*tape.pick(&NUMBERS)),
        },
        Type::Char if tape.once_in(2) => Type::Text,
        Type::Bool | Type::Char | Type::Text if tape.once_in(3) => generate::scalar_type(tape),
        // A plain object becomes shared, if it is of the class that pointers point to.
        Type::Object(object) if *object == last && tape.once_in(3) => Type::Pointer(last),
        Type::Pointer(_) if class < last && tape.once_in(3) => Type::Object(last),
        Type::Option(_) => old.clone(),
        _ => Type::Option(Box::new(old.clone())),
    }
}

fn change_enum(tape: &mut Tape<'_>, schema: &mut Schema) {
    let choice = tape.below(schema.choices.len());
    let count = schema.choices[choice].variants.len();
    let at = tape.below(count);
    match tape.below(6) {
        0 => {
            let variant = generate::variant(tape, schema, choice);
            schema.choices[choice].variants.insert(at, variant);
        }
        1 if count > 1 => drop(schema.choices[choice].variants.remove(at)),
        2 => schema.choices[choice].variants.swap(at, (at + 1) % count),
        3 => {
            let name = schema.new_name("V");
            let variant = &mut schema.choices[choice].variants[at];
            let old = std::mem::replace(&mut variant.name, name);
            variant.aliases.push(old);
        }
        4 => {
            // Its payload changes, or is added or removed.
            let other = generate::variant(tape, schema, choice);
            schema.choices[choice].variants[at].payload = other.payload;
        }
        _ => {
            let payload = schema.choices[choice].variants[at].payload.clone();
            if let Some(ty @ Type::Number(_)) = &payload {
                let last = schema.classes.len() - 1;
                let ty = change_type(tape, ty, last, last);
                schema.choices[choice].variants[at].payload = Some(ty);
            }
        }
    }
}
