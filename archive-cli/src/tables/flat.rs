//! [`Flat`]: the columns of a table whose cells are single values, for SQLite and CSV. Members of members are columns
//! with dotted names, and lists and maps are JSON.

use std::borrow::Cow;

use archive::Result;
use archive::value::Number;

use super::columns::{Field, Layout, Table, field_of, values};
use super::names::{Names, OWN};
use super::tape::{Event, Tape};
use super::{Row, json};

/// The type of a flat column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    Int,
    /// An integer that may be above `i64::MAX`, or a number that may be NaN.
    Any,
    Text,
    Bytes,
}

/// A value of a flat column.
pub enum Cell<'t> {
    Null,
    Bool(bool),
    Number(Number),
    Text(Cow<'t, str>),
    Bytes(&'t [u8]),
}

/// A column, and the columns of its parts.
struct Column {
    /// Its index, if it has cells of its own.
    own: Option<usize>,
    /// The columns of the members. Of an enum, the one of the payload.
    parts: Vec<Column>,
}

/// The flat columns of a table.
pub struct Flat {
    columns: Vec<(String, Type)>,
    /// Which of the columns that every table has are kept.
    own: [bool; OWN.len()],
    parts: Vec<Column>,
}

impl Flat {
    pub fn new(table: &Table) -> Self {
        let mut maker = Maker { names: Names::default(), columns: Vec::new() };
        for (name, ty) in OWN.into_iter().zip([Type::Text, Type::Any, Type::Text]) {
            maker.column(name, ty);
        }
        let parts = table.fields.iter().map(|field| maker.field("", field)).collect();
        Flat { columns: maker.columns, own: [true; OWN.len()], parts }
    }

    /// Returns the names and the types of the columns.
    pub fn columns(&self) -> &[(String, Type)] {
        &self.columns
    }

    /// Leaves the cells of other columns empty.
    #[cfg(feature = "sqlite")]
    pub fn keep(&mut self, keep: impl Fn(&str) -> bool) {
        fn reduce(parts: &mut [Column], keep: &impl Fn(usize) -> bool) {
            for part in parts {
                part.own = part.own.filter(|own| keep(*own));
                reduce(&mut part.parts, keep);
            }
        }
        let columns = &self.columns;
        let keep = |index: usize| keep(&columns[index].0);
        reduce(&mut self.parts, &keep);
        self.own = std::array::from_fn(keep);
    }

    /// Returns the cells of a row.
    ///
    /// # Errors
    /// An error if there is no column for a value.
    pub fn cells<'t>(&self, table: &Table, save: &'t str, row: &Row<'t>) -> Result<Vec<Cell<'t>>> {
        let mut cells: Vec<Cell<'t>> = Vec::new();
        cells.resize_with(self.columns.len(), || Cell::Null);
        let [has_save, has_key, has_path] = self.own;
        if has_save {
            cells[0] = Cell::Text(save.into());
        }
        if let Some(key) = row.key.filter(|_| has_key) {
            cells[1] = Cell::Number(Number::Int(key.into()));
        }
        if has_path {
            cells[2] = Cell::Text(row.path().into());
        }
        members(&table.fields, &self.parts, row.tape, &table.values(row)?, &mut cells)?;
        Ok(cells)
    }
}

struct Maker {
    names: Names,
    columns: Vec<(String, Type)>,
}

impl Maker {
    fn column(&mut self, name: &str, ty: Type) -> Option<usize> {
        self.columns.push((self.names.unique(name), ty));
        Some(self.columns.len() - 1)
    }

    fn field(&mut self, around: &str, field: &Field) -> Column {
        let dot = if around.is_empty() { "" } else { "." };
        let name = format!("{around}{dot}{}", field.name);
        let ty = match &field.layout {
            Layout::Struct(fields) | Layout::Tuple(fields) => {
                let own = if field.is_null { self.column(&name, Type::Int) } else { None };
                let parts = fields.iter().map(|field| self.field(&name, field)).collect();
                return Column { own, parts };
            }
            Layout::Enum(_) => {
                let own = self.column(&name, Type::Text);
                let data = self.column(&format!("{name}.data"), Type::Text);
                return Column { own, parts: vec![Column { own: data, parts: Vec::new() }] };
            }
            Layout::Bool | Layout::Int => Type::Int,
            Layout::UInt | Layout::Decimal | Layout::Float { .. } => Type::Any,
            Layout::Bytes => Type::Bytes,
            Layout::Text | Layout::Json | Layout::List(_) | Layout::Map(..) => Type::Text,
        };
        Column { own: self.column(&name, ty), parts: Vec::new() }
    }
}

/// Fills the cells of the members of a struct or of the items of a tuple.
fn members<'t>(
    fields: &[Field],
    columns: &[Column],
    tape: &'t Tape,
    values: &[Option<usize>],
    cells: &mut [Cell<'t>],
) -> Result {
    for (index, value) in values.iter().enumerate() {
        if let Some(value) = *value {
            cell(&fields[index], &columns[index], tape, value, cells)?;
        }
    }
    Ok(())
}

fn cell<'t>(
    field: &Field,
    column: &Column,
    tape: &'t Tape,
    at: usize,
    cells: &mut [Cell<'t>],
) -> Result {
    let value = match (&field.layout, tape.event(at)) {
        (_, Event::Null) => return Ok(()),
        (Layout::Struct(fields) | Layout::Tuple(fields), _) => {
            if let Some(own) = column.own {
                cells[own] = Cell::Bool(true);
            }
            return members(fields, &column.parts, tape, &values(fields, tape, at)?, cells);
        }
        (Layout::Enum(fields), Event::Variant(span, end)) => {
            let data = column.parts.first().and_then(|data| data.own);
            if let Some(data) = data.filter(|_| at + 1 < end) {
                let found = field_of(fields, 0, tape.str(span), (tape, at + 1));
                let layout = found.map_or(&Layout::Json, |(_, field)| &field.layout);
                cells[data] = Cell::Text(json::text(tape, at + 1, layout)?.into());
            }
            Cell::Text(tape.str(span).into())
        }
        (Layout::Enum(_), Event::Word(span)) => Cell::Text(tape.str(span).into()),
        (Layout::Bool, Event::Bool(value)) => Cell::Bool(value),
        (Layout::Int | Layout::UInt | Layout::Decimal, Event::Number(number)) => {
            Cell::Number(number)
        }
        (Layout::Float { .. }, Event::Number(number)) => Cell::Number(float(number)),
        (Layout::Text, Event::Text(span) | Event::Word(span)) => Cell::Text(tape.str(span).into()),
        (Layout::Bytes, Event::Bytes(span)) => Cell::Bytes(tape.bytes(span)),
        _ if column.own.is_none() => return Ok(()),
        (layout, _) => Cell::Text(json::text(tape, at, layout)?.into()),
    };
    if let Some(own) = column.own {
        cells[own] = value;
    }
    Ok(())
}

/// Returns a number as a float. One of four bytes becomes the float with the same text.
pub fn float(number: Number) -> Number {
    Number::F64(match number {
        Number::F32(value) => value.to_string().parse().unwrap_or_else(|_| value.into()),
        Number::F64(value) => value,
        Number::Int(value) => value as f64,
        Number::UInt(value) => value as f64,
    })
}
