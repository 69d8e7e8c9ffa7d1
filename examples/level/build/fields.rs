//! The values of fields.

use std::rc::Rc;

use super::{BuildError, Builder};
use crate::ldtk::{self, Slot};
use crate::world::{Field, FieldDef, FieldKind, FieldValue};

/// Makes the value of a field.
pub(super) fn build_field(
    builder: &Builder<'_>,
    source: &ldtk::FieldInstance,
) -> Result<Field, BuildError> {
    use ldtk::FieldValue as Source;
    let def = builder.catalog.field(source.def_uid)?;
    let value = match &source.value {
        Source::Int(slot) => each(slot, |value| Ok(FieldValue::Int(*value))),
        Source::Float(slot) => each(slot, |value| Ok(FieldValue::Float(*value))),
        Source::Bool(slot) => each(slot, |value| Ok(FieldValue::Bool(*value))),
        Source::Text(slot) => each(slot, |value| Ok(text(&def, value))),
        Source::Color(slot) => {
            each(slot, |value| Ok(FieldValue::Color(builder.catalog.color(value)?)))
        }
        Source::Point(slot) => each(slot, |value| Ok(FieldValue::Cell([value.cx, value.cy]))),
        Source::Tile(slot) => each(slot, |value| {
            let sprite = builder.catalog.sprite(value, None)?;
            Ok(sprite.map_or(FieldValue::Null, FieldValue::Sprite))
        }),
        Source::EntityRef(slot) => {
            each(slot, |value| Ok(FieldValue::Entity(builder.entity_with(&value.entity_iid))))
        }
        Source::Unknown(value) => Ok(FieldValue::Any(value.clone())),
    }?;
    Ok(Field { def, value })
}

/// Makes the one value of a field, or each of its values.
fn each<T>(
    slot: &Slot<T>,
    make: impl Fn(&T) -> Result<FieldValue, BuildError>,
) -> Result<FieldValue, BuildError> {
    let one = |value: &Option<T>| value.as_ref().map_or(Ok(FieldValue::Null), &make);
    match slot {
        Slot::One(value) => one(value),
        Slot::Many(values) => {
            Ok(FieldValue::List(values.iter().map(one).collect::<Result<_, _>>()?))
        }
    }
}

/// A text, or the value of an enum that it names. A name that the enum no longer has remains a
/// text: the editor keeps such values, and real projects contain them.
fn text(def: &FieldDef, text: &str) -> FieldValue {
    let FieldKind::Enum(def) = &def.kind else {
        return FieldValue::Text(text.to_owned());
    };
    match def.values.iter().position(|value| value.name == text) {
        Some(index) => FieldValue::Enum { def: Rc::clone(def), index },
        None => FieldValue::Text(text.to_owned()),
    }
}
