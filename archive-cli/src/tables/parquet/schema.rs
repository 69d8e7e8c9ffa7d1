//! The schema of a Parquet file, and the places of its columns.

use std::sync::Arc;

use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::errors::ParquetError;
use parquet::schema::types::Type;

use super::leaf::Leaf;
use super::shred::Shape;
use crate::tables::columns::{Field, Layout, Table};
use crate::tables::names::OWN;

/// Returns the schema of a table, the places of its columns, and the columns.
pub(super) fn of(table: &Table) -> Result<(Type, Vec<Shape>, Vec<Leaf>), ParquetError> {
    let mut maker = Maker { leaves: Vec::new() };
    let own = [Layout::Text, Layout::UInt, Layout::Text];
    let mut types = Vec::new();
    for ((name, layout), is_key) in OWN.into_iter().zip(&own).zip([false, true, false]) {
        let repetition = if is_key { Repetition::OPTIONAL } else { Repetition::REQUIRED };
        types.push(Arc::new(leaf(name, layout, repetition)?));
        maker.leaves.push(Leaf::new(layout, (is_key.into(), 0)));
    }
    let own = maker.leaves.len();
    let mut shapes = Vec::new();
    for field in &table.fields {
        let (ty, shape) = maker.column(&field.name, &field.layout, (0, 0))?;
        types.push(Arc::new(ty));
        shapes.push(shape.moved(own));
    }
    let schema = Type::group_type_builder("schema").with_fields(types).build()?;
    Ok((schema, shapes, maker.leaves))
}

struct Maker {
    leaves: Vec<Leaf>,
}

impl Maker {
    /// Returns the type of an optional column, and adds its leaves. `around` are the levels of what it is in.
    fn column(
        &mut self,
        name: &str,
        layout: &Layout,
        around: (i16, i16),
    ) -> Result<(Type, Shape), ParquetError> {
        let (present, repeated) = (around.0 + 1, around.1);
        let group = |fields: Vec<Type>, logical: Option<LogicalType>| {
            Type::group_type_builder(name)
                .with_repetition(Repetition::OPTIONAL)
                .with_logical_type(logical)
                .with_fields(fields.into_iter().map(Arc::new).collect())
                .build()
        };
        match layout {
            Layout::List(item) => {
                let (element, shape) = self.column("element", item, (present + 1, repeated + 1))?;
                let list = repeat("list", vec![element])?;
                Ok((
                    group(vec![list], Some(LogicalType::List))?,
                    Shape::List(repeated + 1, Box::new(shape)),
                ))
            }
            Layout::Map(key, value) => {
                let inside = (present + 1, repeated + 1);
                let key_type = leaf("key", key, Repetition::REQUIRED)?;
                let key = self.leaf(key, inside);
                let (value_type, value) = self.column("value", value, inside)?;
                let entries = repeat("key_value", vec![key_type, value_type])?;
                Ok((
                    group(vec![entries], Some(LogicalType::Map))?,
                    Shape::Map(repeated + 1, key, Box::new(value)),
                ))
            }
            Layout::Struct(fields) | Layout::Tuple(fields) => {
                let (types, shapes) = self.fields(fields, (present, repeated))?;
                Ok((group(types, None)?, Shape::Group(shapes)))
            }
            Layout::Enum(fields) => {
                let mut all = vec![leaf("variant", &Layout::Text, Repetition::OPTIONAL)?];
                let variant = self.leaf(&Layout::Text, (present + 1, repeated));
                let (types, shapes) = self.fields(fields, (present, repeated))?;
                all.extend(types);
                Ok((group(all, None)?, Shape::Enum(variant, shapes)))
            }
            layout => {
                let ty = leaf(name, layout, Repetition::OPTIONAL)?;
                Ok((ty, Shape::Leaf(self.leaf(layout, (present, repeated)))))
            }
        }
    }

    fn fields(
        &mut self,
        fields: &[Field],
        around: (i16, i16),
    ) -> Result<(Vec<Type>, Vec<Shape>), ParquetError> {
        let column = |field: &Field| self.column(&field.name, &field.layout, around);
        let all: Vec<(Type, Shape)> = fields.iter().map(column).collect::<Result<_, _>>()?;
        Ok(all.into_iter().unzip())
    }

    fn leaf(&mut self, layout: &Layout, most: (i16, i16)) -> usize {
        self.leaves.push(Leaf::new(layout, most));
        self.leaves.len() - 1
    }
}

fn repeat(name: &str, fields: Vec<Type>) -> Result<Type, ParquetError> {
    Type::group_type_builder(name)
        .with_repetition(Repetition::REPEATED)
        .with_fields(fields.into_iter().map(Arc::new).collect())
        .build()
}

fn leaf(name: &str, layout: &Layout, repetition: Repetition) -> Result<Type, ParquetError> {
    let (physical, logical) = match layout {
        Layout::Bool => (Physical::BOOLEAN, None),
        Layout::Int => (Physical::INT64, None),
        Layout::UInt => (Physical::INT64, Some(LogicalType::integer(64, false))),
        Layout::Float { is_short: true, .. } => (Physical::FLOAT, None),
        Layout::Float { is_short: false, .. } => (Physical::DOUBLE, None),
        Layout::Bytes => (Physical::BYTE_ARRAY, None),
        _ => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    Type::primitive_type_builder(name, physical)
        .with_repetition(repetition)
        .with_logical_type(logical)
        .build()
}
