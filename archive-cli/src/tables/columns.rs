//! [`Table`]: a table, and its columns.

use std::rc::Rc;

use archive::value::Number;
use archive::{Error, ErrorKind, Result};

use super::Row;
#[cfg(feature = "sqlite")]
use super::flat::Flat;
use super::kinds::{Kind, Kinds, Members};
use super::names::Names;
use super::recorder::VALUE;
use super::tape::{Event, Tape};

/// The number of columns of a table from which on members of members are JSON. SQLite has at most 2,000.
const MOST: usize = 1_800;

/// A table.
pub struct Table {
    pub name: String,
    pub fields: Vec<Field>,
    /// Whether a row is one value, because its objects are maps.
    is_whole: bool,
}

impl Table {
    /// Creates the table of values of these kinds.
    pub fn new(name: String, kinds: Kinds) -> Self {
        let kind = kinds.all.into_iter().next().unwrap_or(Kind::Struct(Vec::new(), true));
        let (members, is_whole) = match kind {
            Kind::Struct(members, _) => (members, false),
            map => (vec![(VALUE.into(), Kinds::one(map))], true),
        };
        let mut left = MOST.saturating_sub(members.len());
        Table { name, fields: fields(members, Names::with_own(), &mut left), is_whole }
    }

    /// Returns the value of each field of a row.
    ///
    /// # Errors
    /// An error if there is no column for a value.
    pub fn values(&self, row: &Row<'_>) -> Result<Vec<Option<usize>>> {
        if self.is_whole { Ok(vec![Some(row.at)]) } else { values(&self.fields, row.tape, row.at) }
    }

    /// Returns the names of its columns in SQL.
    #[cfg(feature = "sqlite")]
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
        /// Whether it takes integers.
        has_ints: bool,
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
            (layout, Event::Number(number)) => layout.takes_number(number),
            (Layout::Text, Event::Text(_) | Event::Word(_) | Event::Name(_)) => true,
            (Layout::Bytes, Event::Bytes(_)) => true,
            (Layout::List(_), Event::List(_)) => true,
            (Layout::Map(..), Event::Map(_) | Event::Struct(..)) => true,
            (Layout::Tuple(_), Event::Tuple(_)) => true,
            (Layout::Struct(_), Event::Struct(..)) => true,
            (Layout::Enum(_), Event::Word(_) | Event::Variant(..)) => true,
            _ => false,
        }
    }

    fn takes_number(&self, number: Number) -> bool {
        match (self, number) {
            (Layout::Int, Number::Int(value)) => i64::try_from(value).is_ok(),
            (Layout::UInt, Number::Int(value)) => u64::try_from(value).is_ok(),
            (Layout::Decimal, Number::Int(_) | Number::UInt(_)) => true,
            (Layout::Float { has_ints, .. }, Number::Int(_)) => *has_ints,
            (Layout::Float { .. }, Number::F32(_)) => true,
            (Layout::Float { is_short, .. }, Number::F64(_)) => !is_short,
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

/// Returns the value of each field of an object or a tuple. Fields that it does not have are absent.
///
/// # Errors
/// An error if there is no column for a value.
pub fn values(fields: &[Field], tape: &Tape, at: usize) -> Result<Vec<Option<usize>>> {
    let is_tuple = matches!(tape.event(at), Event::Tuple(_));
    let mut found: Vec<Option<usize>> = vec![None; fields.len()];
    let mut guess = 0;
    for (index, part) in tape.parts(at).enumerate() {
        let number = if is_tuple { index.to_string() } else { String::new() };
        let (member, value) = match is_tuple {
            true => (&*number, part),
            false => (tape.name(part), part + 1),
        };
        let field = field_of(fields, guess, member, (tape, value));
        let (field, _) = field.ok_or_else(|| no_column(member))?;
        found[field] = Some(value);
        guess = field + 1;
    }
    Ok(found)
}

#[cold]
pub fn no_column(member: &str) -> Error {
    let message = format_args!("`{member}` has a value that none of the columns takes");
    Error::new(ErrorKind::WrongType, message)
}

/// Returns a field for each kind of each member. `left` columns may be added to those of the members.
fn fields(members: Members, mut names: Names, left: &mut usize) -> Vec<Field> {
    let mut fields = Vec::new();
    let mut rest = Vec::new();
    for (member, kinds) in members {
        let is_null = kinds.is_null;
        if kinds.all.is_empty() && !is_null {
            // No save has such a value.
            continue;
        }
        let mut kinds = kinds.columns();
        match left.checked_sub(kinds.len().saturating_sub(1)) {
            Some(rest) => *left = rest,
            None => kinds = vec![Kind::Json],
        }
        let mut layouts = kinds.into_iter().map(|kind| layout(kind, left));
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
fn single(kinds: Kinds, left: &mut usize) -> Layout {
    let mut all = kinds.columns().into_iter();
    match (all.next(), all.next()) {
        (Some(kind), None) => layout(kind, left),
        _ => Layout::Json,
    }
}

fn layout(kind: Kind, left: &mut usize) -> Layout {
    match kind {
        Kind::Bool => Layout::Bool,
        Kind::Int(min, max) if i64::try_from(min).is_ok() && i64::try_from(max).is_ok() => {
            Layout::Int
        }
        Kind::Int(0.., max) if u64::try_from(max).is_ok() => Layout::UInt,
        Kind::Int(..) => Layout::Decimal,
        Kind::Float { is_short, has_ints } => Layout::Float { is_short, has_ints },
        Kind::Text => Layout::Text,
        Kind::Bytes => Layout::Bytes,
        Kind::Json => Layout::Json,
        Kind::List(item) => Layout::List(Box::new(single(item, left))),
        Kind::Map(key, value) => {
            let is_null = key.is_null;
            let key = match single(key, left) {
                _ if is_null => Layout::Json,
                key @ (Layout::Bool
                | Layout::Int
                | Layout::UInt
                | Layout::Decimal
                | Layout::Float { .. }
                | Layout::Text) => key,
                _ => Layout::Json,
            };
            Layout::Map(Box::new(key), Box::new(single(value, left)))
        }
        Kind::Tuple(items) => {
            let named =
                items.into_iter().enumerate().map(|(at, item)| (at.to_string().into(), item));
            parts(named.collect(), Names::default(), left).map_or(Layout::Json, Layout::Tuple)
        }
        Kind::Struct(members, _) => {
            parts(members, Names::default(), left).map_or(Layout::Json, Layout::Struct)
        }
        Kind::Enum(variants) => {
            let with_data = variants
                .into_iter()
                .filter_map(|(name, payload)| Some((name, payload?.or_null())))
                .collect::<Members>();
            if with_data.is_empty() {
                return Layout::Text;
            }
            let mut names = Names::default();
            drop(names.unique("variant"));
            parts(with_data, names, left).map_or(Layout::Json, Layout::Enum)
        }
    }
}

/// Returns the fields of a value with parts, or `None` if it has none, or more than are left.
fn parts(members: Members, names: Names, left: &mut usize) -> Option<Vec<Field>> {
    *left = left.checked_sub(members.len() + 1)?;
    Some(fields(members, names, left)).filter(|fields| !fields.is_empty())
}
