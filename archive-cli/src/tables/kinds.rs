//! [`Kinds`]: what the values of a column are, over all saves.

use std::mem;
use std::rc::Rc;

use archive::value::Number;

use super::tape::{Event, Tape};

/// The kinds of the values of a member. No two are alike.
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
        /// Whether integers are in the same column.
        has_ints: bool,
    },
    Text,
    Bytes,
    List(Kinds),
    Map(Kinds, Kinds),
    Tuple(Vec<Kinds>),
    /// Says whether a type states the members.
    Struct(Members, bool),
    Enum(Vec<(Rc<str>, Option<Kinds>)>),
    Json,
}

/// The number of members from which on an object without a stated type is a map.
pub const MANY: usize = 256;
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
            match self.all.iter_mut().find(|own| own.is_like(&kind)) {
                Some(own) => own.merge(kind),
                None => self.all.push(kind),
            }
        }
    }

    /// Returns the kinds that need a column each. Floats take integers if all of them are exact as floats, and a
    /// column of JSON takes every value that has parts.
    pub fn columns(mut self) -> Vec<Kind> {
        let is_exact = self.all.iter().all(|kind| match kind {
            Kind::Int(min, max) => *max <= EXACT && *min >= -(EXACT as i128),
            _ => true,
        });
        let has = |all: &[Kind], kind: &Kind| all.iter().any(|own| own.is_like(kind));
        let float = Kind::Float { is_short: false, has_ints: true };
        if is_exact && has(&self.all, &float) && has(&self.all, &Kind::Int(0, 0)) {
            self.all.retain(|kind| !matches!(kind, Kind::Int(..)));
            let own = self.all.iter_mut().find(|kind| kind.is_like(&float));
            own.into_iter().for_each(|own| *own = float.clone());
        }
        if has(&self.all, &Kind::Text) {
            let has_data = |(_, payload): &(Rc<str>, Option<Kinds>)| payload.is_some();
            self.all.retain(|kind| match kind {
                Kind::Enum(variants) => variants.iter().any(has_data),
                _ => true,
            });
        }
        if has(&self.all, &Kind::Json) {
            self.all.retain(|kind| {
                matches!(kind, Kind::Json | Kind::Bool | Kind::Int(..))
                    || matches!(kind, Kind::Float { .. } | Kind::Text | Kind::Bytes)
            });
        }
        self.all
    }
}

impl Kind {
    /// Returns whether values of both kinds are in one column.
    fn is_like(&self, other: &Kind) -> bool {
        let is_object = |kind: &Kind| matches!(kind, Kind::Struct(..) | Kind::Map(..));
        mem::discriminant(self) == mem::discriminant(other) || is_object(self) && is_object(other)
    }

    /// Adds another kind that is like this one.
    fn merge(&mut self, other: Kind) {
        match (&mut *self, other) {
            (Kind::Int(min, max), Kind::Int(low, high)) => {
                (*min, *max) = ((*min).min(low), (*max).max(high));
            }
            (Kind::Float { is_short, .. }, Kind::Float { is_short: other, .. }) => {
                *is_short &= other
            }
            (Kind::List(item), Kind::List(other)) => item.merge(other),
            (Kind::Map(key, value), Kind::Map(other_key, other)) => {
                key.merge(other_key);
                value.merge(other);
            }
            (Kind::Map(..), Kind::Struct(members, _)) => self.merge(map(members)),
            (Kind::Struct(members, _), other @ Kind::Map(..)) => {
                *self = map(mem::take(members));
                self.merge(other);
            }
            (Kind::Tuple(items), Kind::Tuple(others)) => {
                for (index, other) in others.into_iter().enumerate() {
                    match items.get_mut(index) {
                        Some(item) => item.merge(other),
                        None => items.push(other),
                    }
                }
            }
            (Kind::Struct(members, is_stated), Kind::Struct(others, other)) => {
                *is_stated |= other;
                merge_members(members, others);
                if members.len() > MANY && !*is_stated {
                    *self = map(mem::take(members));
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
            _ => {}
        }
    }
}

/// Returns the map that has these members.
fn map(members: Members) -> Kind {
    let mut value = Kinds::default();
    members.into_iter().for_each(|(_, member)| value.merge(member));
    Kind::Map(Kinds::one(Kind::Text), value)
}

/// Adds the members of other objects. A member that only some objects have may be null.
fn merge_members(members: &mut Members, others: Members) {
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

/// Returns the range of a number.
fn number(number: Number) -> Kind {
    match number {
        Number::Int(value) => Kind::Int(value, value.try_into().unwrap_or(0)),
        Number::UInt(value) => Kind::Int(value.try_into().unwrap_or(i128::MAX), value),
        Number::F32(_) => Kind::Float { is_short: true, has_ints: false },
        Number::F64(_) => Kind::Float { is_short: false, has_ints: false },
    }
}

fn of(tape: &Tape, at: usize, levels: usize) -> Kinds {
    let simple = match tape.event(at) {
        Event::Null => return Kinds::default().or_null(),
        Event::Bool(_) => Some(Kind::Bool),
        Event::Number(value) => Some(number(value)),
        Event::Text(_) | Event::Name(_) => Some(Kind::Text),
        Event::Bytes(_) => Some(Kind::Bytes),
        Event::Word(span) => Some(Kind::Enum(vec![(tape.str(span).into(), None)])),
        Event::Json(_) => Some(Kind::Json),
        _ => None,
    };
    let inner = match (simple, levels.checked_sub(1)) {
        (Some(simple), _) => return Kinds::one(simple),
        (None, None) => return Kinds::one(Kind::Json),
        (None, Some(inner)) => inner,
    };
    let merged = |mut all: Kinds, part| {
        all.merge(of(tape, part, inner));
        all
    };
    Kinds::one(match tape.event(at) {
        Event::Variant(span, end) => {
            let payload = (at + 1 < end).then(|| of(tape, at + 1, inner));
            Kind::Enum(vec![(tape.str(span).into(), payload)])
        }
        Event::Tuple(_) => Kind::Tuple(tape.parts(at).map(|part| of(tape, part, inner)).collect()),
        Event::Map(_) => Kind::Map(
            tape.pairs(at).map(|(key, _)| key).fold(Kinds::default(), merged),
            tape.pairs(at).map(|(_, value)| value).fold(Kinds::default(), merged),
        ),
        Event::Struct(_, is_stated) => {
            let mut names = tape.parts(at);
            if !is_stated && names.by_ref().nth(MANY).is_some() {
                let value = tape.parts(at).map(|name| name + 1).fold(Kinds::default(), merged);
                return Kinds::one(Kind::Map(Kinds::one(Kind::Text), value));
            }
            let member = |name| (tape.name(name).into(), of(tape, name + 1, inner));
            Kind::Struct(tape.parts(at).map(member).collect(), is_stated)
        }
        _ => Kind::List(tape.parts(at).fold(Kinds::default(), merged)),
    })
}
