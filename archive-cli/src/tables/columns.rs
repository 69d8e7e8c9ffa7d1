//! [`Tables`]: the tables of all saves, and their columns.

use std::collections::HashMap;
use std::rc::Rc;

#[cfg(feature = "sqlite")]
use super::flat::Flat;
use super::kinds::{Kind, Kinds, Members, merge_members};
use super::names::Names;
use super::tape::{Event, Tape};

/// The tables of the saves that were read, before their columns are final.
#[derive(Default)]
pub struct Found {
    tables: Vec<(Rc<str>, Members)>,
    by_name: HashMap<Rc<str>, usize>,
}

impl Found {
    /// Adds the members of a class.
    pub fn add(&mut self, name: &str, kinds: Kinds) {
        let Some(members) = kinds.all.into_iter().find_map(|kind| match kind {
            Kind::Struct(members) => Some(members),
            _ => None,
        }) else {
            return;
        };
        if let Some(at) = self.by_name.get(name) {
            return merge_members(&mut self.tables[*at].1, members);
        }
        let name: Rc<str> = name.into();
        self.by_name.insert(name.clone(), self.tables.len());
        self.tables.push((name, members));
    }

    /// Names the tables and the columns.
    pub fn finish(self) -> Tables {
        let mut names = Names::default();
        let mut tables: Vec<Table> = Vec::new();
        for (class, members) in self.tables {
            tables.push(Table {
                name: names.unique(&class),
                class,
                fields: fields(members, Names::with_own()),
            });
        }
        let by_class = tables.iter().enumerate().map(|(at, table)| (table.class.clone(), at));
        Tables { by_class: by_class.collect(), all: tables }
    }
}

/// The tables of all saves.
pub struct Tables {
    pub all: Vec<Table>,
    by_class: HashMap<Rc<str>, usize>,
}

impl Tables {
    /// Returns the index of the table of a class.
    pub fn find(&self, class: &str) -> Option<usize> {
        self.by_class.get(class).copied()
    }
}

/// A table.
pub struct Table {
    pub name: String,
    class: Rc<str>,
    pub fields: Vec<Field>,
}

#[cfg(feature = "sqlite")]
impl Table {
    /// Returns the names of its columns in SQL.
    pub fn columns(&self) -> Vec<String> {
        let flat = Flat::new(self);
        flat.columns().iter().map(|(name, _)| name.clone()).collect()
    }
}

/// A column, or a part of one: the values of one kind of a member.
pub struct Field {
    /// The name of the column.
    pub name: String,
    /// The name of the member.
    pub member: Rc<str>,
    pub layout: Layout,
    /// Whether an object may be null, so that its absence is not that of its members.
    pub is_null: bool,
}

/// The type of a column.
#[cfg_attr(
    not(feature = "parquet"),
    expect(dead_code, reason = "only Parquet has short floats and types of keys")
)]
pub enum Layout {
    Bool,
    Int,
    /// An integer that may be above `i64::MAX`.
    UInt,
    /// An integer of more than 64 bits.
    Decimal,
    Float {
        is_short: bool,
    },
    Text,
    Bytes,
    Json,
    List(Box<Layout>),
    Map(Box<Layout>, Box<Layout>),
    Tuple(Vec<Field>),
    Struct(Vec<Field>),
    /// The payloads by variant.
    Enum(Vec<Field>),
}

impl Layout {
    /// Returns whether a column of this type takes a value.
    pub fn takes(&self, tape: &Tape, at: usize) -> bool {
        match (self, tape.event(at)) {
            (Layout::Json, Event::Json(_)) | (_, Event::Null) => true,
            (Layout::Bool, Event::Bool(_)) => true,
            (Layout::Int | Layout::UInt | Layout::Decimal, Event::Number(number)) => {
                matches!(number, archive::value::Number::Int(_) | archive::value::Number::UInt(_))
            }
            (Layout::Float { .. }, Event::Number(_)) => true,
            (Layout::Text, Event::Text(_) | Event::Word(_)) => true,
            (Layout::Bytes, Event::Bytes(_)) => true,
            (Layout::List(_), Event::List(_)) => true,
            (Layout::Map(..), Event::Map(_) | Event::Struct(_)) => true,
            (Layout::Tuple(_), Event::Tuple(_)) => true,
            (Layout::Struct(_), Event::Struct(_)) => true,
            (Layout::Enum(_), Event::Word(_) | Event::Variant(..)) => true,
            _ => false,
        }
    }

    /// Returns the word that a second column of a member has in its name.
    fn word(&self) -> &'static str {
        match self {
            Layout::Bool => "bool",
            Layout::Int | Layout::UInt | Layout::Decimal => "int",
            Layout::Float { .. } => "float",
            Layout::Text => "text",
            Layout::Bytes => "bytes",
            Layout::Json => "json",
            Layout::List(_) => "list",
            Layout::Map(..) => "map",
            Layout::Tuple(_) => "tuple",
            Layout::Struct(_) => "object",
            Layout::Enum(_) => "enum",
        }
    }
}

/// Returns the field of a member that takes a value. The field at `guess` is tried first.
pub fn field_of<'f>(
    fields: &'f [Field],
    guess: usize,
    member: &str,
    (tape, at): (&Tape, usize),
) -> Option<(usize, &'f Field)> {
    let is_it = |field: &&Field| *field.member == *member && field.layout.takes(tape, at);
    if let Some(field) = fields.get(guess).filter(is_it) {
        return Some((guess, field));
    }
    // Every value fits a column of JSON.
    let is_json = |field: &&Field| *field.member == *member && matches!(field.layout, Layout::Json);
    let at = fields.iter().position(|field| is_it(&field));
    let at = at.or_else(|| fields.iter().position(|field| is_json(&field)))?;
    Some((at, &fields[at]))
}

/// Returns a field for each kind of each member.
fn fields(members: Members, mut names: Names) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut rest = Vec::new();
    for (member, kinds) in members {
        let is_null = kinds.is_null;
        if kinds.all.is_empty() && !is_null {
            // No save has such a value.
            continue;
        }
        let mut layouts = kinds.all.into_iter().map(layout);
        let first = layouts.next().unwrap_or(Layout::Json);
        rest.extend(layouts.map(|layout| (member.clone(), layout)));
        fields.push(Field { name: names.unique(&member), member, layout: first, is_null });
    }
    for (member, layout) in rest {
        let name = names.unique(&format!("{member}_{}", layout.word()));
        let own = Field { name, member: member.clone(), layout, is_null: true };
        let after = fields.iter().rposition(|field| field.member == member);
        fields.insert(after.map_or(fields.len(), |at| at + 1), own);
    }
    fields
}

/// Returns the layout of items, which are JSON if their kinds differ.
fn single(kinds: Kinds) -> Layout {
    let mut all = kinds.all.into_iter();
    match (all.next(), all.next()) {
        (Some(kind), None) => layout(kind),
        _ => Layout::Json,
    }
}

fn layout(kind: Kind) -> Layout {
    match kind {
        Kind::Bool => Layout::Bool,
        Kind::Int(min, max) if i64::try_from(min).is_ok() && i64::try_from(max).is_ok() => {
            Layout::Int
        }
        Kind::Int(0.., max) if u64::try_from(max).is_ok() => Layout::UInt,
        Kind::Int(..) => Layout::Decimal,
        Kind::Float { is_short } => Layout::Float { is_short },
        Kind::Text => Layout::Text,
        Kind::Bytes => Layout::Bytes,
        Kind::Json => Layout::Json,
        Kind::List(item) => Layout::List(Box::new(single(item))),
        Kind::Map(key, value) => {
            let is_null = key.is_null;
            let key = match single(key) {
                _ if is_null => Layout::Json,
                key @ (Layout::Bool
                | Layout::Int
                | Layout::UInt
                | Layout::Decimal
                | Layout::Float { .. }
                | Layout::Text) => key,
                _ => Layout::Json,
            };
            Layout::Map(Box::new(key), Box::new(single(value)))
        }
        Kind::Tuple(items) => {
            let named =
                items.into_iter().enumerate().map(|(at, item)| (at.to_string().into(), item));
            let fields = fields(named.collect(), Names::default());
            if fields.is_empty() { Layout::Json } else { Layout::Tuple(fields) }
        }
        Kind::Struct(members) => {
            let fields = fields(members, Names::default());
            if fields.is_empty() { Layout::Json } else { Layout::Struct(fields) }
        }
        Kind::Enum(variants) => {
            let with_data =
                variants.into_iter().filter_map(|(name, payload)| Some((name, payload?.or_null())));
            let mut names = Names::default();
            drop(names.unique("variant"));
            let fields = fields(with_data.collect(), names);
            if fields.is_empty() { Layout::Text } else { Layout::Enum(fields) }
        }
    }
}
