//! [`Kinds`]: what the values of a column are, over all saves.

use std::rc::Rc;

use archive::value::Number;

use super::tape::{Event, Tape};

/// The kinds of the values of a member. A member has a column for each.
#[derive(Clone, Debug, Default)]
pub struct Kinds {
    pub all: Vec<Kind>,
    pub is_null: bool,
}

/// The members of objects, and their kinds.
pub type Members = Vec<(Rc<str>, Kinds)>;

#[derive(Clone, Debug)]
pub enum Kind {
    Bool,
    /// Integers in that range.
    Int(i128, u128),
    Float {
        is_short: bool,
    },
    Text,
    Bytes,
    List(Kinds),
    Map(Kinds, Kinds),
    Tuple(Vec<Kinds>),
    Struct(Members),
    Enum(Vec<(Rc<str>, Option<Kinds>)>),
    Json,
}

/// The number of members from which on an object is a map.
const MANY: usize = 256;
/// The number of levels of values without stated types that become columns.
const LEVELS: usize = 16;
/// The integers up to this one are exact as floats.
const EXACT: u128 = 1 << 53;

impl Kinds {
    pub fn one(kind: Kind) -> Self {
        Kinds { all: vec![kind], is_null: false }
    }

    pub fn or_null(mut self) -> Self {
        self.is_null = true;
        self
    }

    /// Returns the kinds of a value on a tape.
    pub fn of(tape: &Tape, at: usize) -> Self {
        of(tape, at, LEVELS)
    }

    /// Adds the kinds of other values.
    pub fn merge(&mut self, other: Kinds) {
        self.is_null |= other.is_null;
        for kind in other.all {
            if let Some(rest) = self.all.iter_mut().try_fold(kind, |kind, own| own.merge(kind)) {
                self.all.push(rest);
            }
        }
    }
}

impl Kind {
    /// Adds another kind, and returns it if it needs a column of its own.
    fn merge(&mut self, other: Kind) -> Option<Kind> {
        match (&mut *self, other) {
            (Kind::Int(min, max), Kind::Int(low, high)) => {
                (*min, *max) = ((*min).min(low), (*max).max(high));
            }
            (Kind::Float { is_short }, Kind::Float { is_short: other }) => *is_short &= other,
            (Kind::Float { is_short }, Kind::Int(min, max)) if is_exact(min, max) => {
                *is_short = false;
            }
            (Kind::Int(min, max), Kind::Float { .. }) if is_exact(*min, *max) => {
                *self = Kind::Float { is_short: false };
            }
            (Kind::List(item), Kind::List(other)) => item.merge(other),
            (Kind::Map(key, value), Kind::Map(other_key, other)) => {
                key.merge(other_key);
                value.merge(other);
            }
            (Kind::Map(_, value), Kind::Struct(members)) => {
                members.into_iter().for_each(|(_, member)| value.merge(member));
            }
            (Kind::Tuple(items), Kind::Tuple(others)) => {
                for (index, other) in others.into_iter().enumerate() {
                    match items.get_mut(index) {
                        Some(item) => item.merge(other),
                        None => items.push(other),
                    }
                }
            }
            (Kind::Struct(members), Kind::Struct(others)) => {
                merge_members(members, others);
                if members.len() > MANY {
                    let mut value = Kinds::default();
                    members.drain(..).for_each(|(_, member)| value.merge(member));
                    *self = Kind::Map(Kinds::one(Kind::Text), value);
                }
            }
            (Kind::Enum(variants), Kind::Enum(others)) => {
                for (name, payload) in others {
                    match (variants.iter_mut().find(|(known, _)| *known == name), payload) {
                        (Some((_, Some(known))), Some(payload)) => known.merge(payload),
                        (Some((_, known @ None)), payload) => *known = payload,
                        (Some(_), None) => {}
                        (None, payload) => variants.push((name, payload)),
                    }
                }
            }
            (Kind::Bool, Kind::Bool)
            | (Kind::Text, Kind::Text)
            | (Kind::Bytes, Kind::Bytes)
            | (Kind::Json, Kind::Json) => {}
            (_, other) => return Some(other),
        }
        None
    }
}

/// Adds the members of other objects. A member that only some objects have may be null.
pub fn merge_members(members: &mut Members, others: Members) {
    let mut found = vec![false; members.len()];
    let known = found.len();
    for (index, (name, kinds)) in others.into_iter().enumerate() {
        // The members of most objects are in the same order.
        let same = members.get(index).filter(|(known, _)| *known == name).map(|_| index);
        match same.or_else(|| members.iter().position(|(known, _)| *known == name)) {
            Some(at) => {
                members[at].1.merge(kinds);
                found.get_mut(at).into_iter().for_each(|found| *found = true);
            }
            None => members.push((name, kinds.or_null())),
        }
    }
    for ((_, kinds), found) in members[..known].iter_mut().zip(found) {
        kinds.is_null |= !found;
    }
}

fn is_exact(min: i128, max: u128) -> bool {
    max <= EXACT && min >= -(EXACT as i128)
}

/// Returns the range of a number.
fn number(number: Number) -> Kind {
    match number {
        Number::Int(value) => Kind::Int(value, value.try_into().unwrap_or(0)),
        Number::UInt(value) => Kind::Int(value.try_into().unwrap_or(i128::MAX), value),
        Number::F32(_) => Kind::Float { is_short: true },
        Number::F64(_) => Kind::Float { is_short: false },
    }
}

fn of(tape: &Tape, at: usize, levels: usize) -> Kinds {
    let Some(inner) = levels.checked_sub(1) else { return Kinds::one(Kind::Json) };
    let merged = |mut all: Kinds, part| {
        all.merge(of(tape, part, inner));
        all
    };
    Kinds::one(match tape.event(at) {
        Event::Null => return Kinds::default().or_null(),
        Event::Bool(_) => Kind::Bool,
        Event::Number(value) => number(value),
        Event::Text(_) | Event::Name(_) => Kind::Text,
        Event::Bytes(_) => Kind::Bytes,
        Event::Word(span) => Kind::Enum(vec![(tape.str(span).into(), None)]),
        Event::Variant(span, end) => {
            let payload = (at + 1 < end).then(|| of(tape, at + 1, inner));
            Kind::Enum(vec![(tape.str(span).into(), payload)])
        }
        Event::List(_) => Kind::List(tape.parts(at).fold(Kinds::default(), merged)),
        Event::Tuple(_) => Kind::Tuple(tape.parts(at).map(|part| of(tape, part, inner)).collect()),
        Event::Map(_) => Kind::Map(
            tape.pairs(at).map(|(key, _)| key).fold(Kinds::default(), merged),
            tape.pairs(at).map(|(_, value)| value).fold(Kinds::default(), merged),
        ),
        Event::Struct(_) => {
            let member = |name| (tape.name(name).into(), of(tape, name + 1, inner));
            Kind::Struct(tape.parts(at).map(member).collect())
        }
        Event::Json(_) => Kind::Json,
    })
}
