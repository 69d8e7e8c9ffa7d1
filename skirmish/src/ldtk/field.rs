//! A field's value. Its type is in the file, too.

use archive::{Archive, Blank, Serialize, Value};

use super::{Color, EditorValue, EntityRef, FieldType, Scalar, TileRect};

/// The value of one field of an entity or a level.
#[derive(Debug, Default, Clone)]
pub struct FieldInstance {
    /// The name of its definition.
    pub identifier: String,
    /// Its type: `Int`, `Array<Point>`, `LocalEnum.Item`.
    pub type_name: String,
    /// The value, of that type.
    pub value: FieldValue,
    /// The tile that shows it.
    pub tile: Option<TileRect>,
    /// The uid of its definition.
    pub def_uid: i32,
    /// The values as the editor keeps them; null for one that is not set.
    pub real_editor_values: Vec<Option<EditorValue>>,
}

/// By hand, because the type of `__value` is known once `__type` is loaded. It does not matter that
/// some files have the two in the other order: members are found by name.
impl Serialize for FieldInstance {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> archive::Result {
        ar.serialize("__identifier", &mut self.identifier)?;
        ar.serialize("__type", &mut self.type_name)?;
        if ar.is_loading() {
            self.value = FieldValue::blank(&FieldType::parse(&self.type_name));
        }
        match &mut self.value {
            FieldValue::Int(slot) => slot.serialize_as("__value", ar)?,
            FieldValue::Float(slot) => slot.serialize_as("__value", ar)?,
            FieldValue::Bool(slot) => slot.serialize_as("__value", ar)?,
            FieldValue::Text(slot) => slot.serialize_as("__value", ar)?,
            FieldValue::Color(slot) => slot.serialize_as("__value", ar)?,
            FieldValue::Point(slot) => slot.serialize_as("__value", ar)?,
            FieldValue::Tile(slot) => slot.serialize_as("__value", ar)?,
            FieldValue::EntityRef(slot) => slot.serialize_as("__value", ar)?,
            FieldValue::Unknown(value) => ar.serialize("__value", value)?,
        }
        ar.serialize("__tile", &mut self.tile)?;
        ar.serialize("defUid", &mut self.def_uid)?;
        ar.serialize("realEditorValues", &mut self.real_editor_values)
    }
}

archive::save_by_clone!(FieldInstance);
archive::blank!(FieldInstance);

/// A value, or a list of values, of one of the types that a field may have.
#[derive(Debug, Clone)]
pub enum FieldValue {
    /// Whole numbers.
    Int(Slot<i64>),
    /// Numbers.
    Float(Slot<f64>),
    /// Truth values.
    Bool(Slot<bool>),
    /// Texts, file paths and names of enum values.
    Text(Slot<String>),
    /// Colours.
    Color(Slot<Color>),
    /// Cells.
    Point(Slot<GridPoint>),
    /// Tiles.
    Tile(Slot<TileRect>),
    /// References to entities.
    EntityRef(Slot<EntityRef>),
    /// The value of a type that this model does not know.
    Unknown(Value),
}

impl Default for FieldValue {
    fn default() -> Self {
        FieldValue::Unknown(Value::default())
    }
}

impl FieldValue {
    /// Nothing yet, of the given type.
    fn blank(field: &FieldType) -> Self {
        let list = field.is_array;
        match &field.scalar {
            Scalar::Int => FieldValue::Int(Slot::new(list)),
            Scalar::Float => FieldValue::Float(Slot::new(list)),
            Scalar::Bool => FieldValue::Bool(Slot::new(list)),
            Scalar::Text | Scalar::FilePath | Scalar::Enum(_) => FieldValue::Text(Slot::new(list)),
            Scalar::Color => FieldValue::Color(Slot::new(list)),
            Scalar::Point => FieldValue::Point(Slot::new(list)),
            Scalar::Tile => FieldValue::Tile(Slot::new(list)),
            Scalar::EntityRef => FieldValue::EntityRef(Slot::new(list)),
            Scalar::Unknown => FieldValue::default(),
        }
    }
}

/// One value or a list of values. Each may be null.
#[derive(Debug, Clone)]
pub enum Slot<T> {
    /// The value of a plain field.
    One(Option<T>),
    /// The values of an array field.
    Many(Vec<Option<T>>),
}

impl<T: Serialize + Blank> Slot<T> {
    /// Nothing yet.
    fn new(list: bool) -> Self {
        if list { Slot::Many(Vec::new()) } else { Slot::One(None) }
    }

    /// Saves or loads the member `name`: null, a value or an array, with nothing around it.
    fn serialize_as<A: Archive>(&mut self, name: &str, ar: &mut A) -> archive::Result {
        match self {
            Slot::One(value) => ar.serialize(name, value),
            Slot::Many(values) => ar.serialize(name, values),
        }
    }
}

/// A cell of the level's grid.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub struct GridPoint {
    /// Its column.
    pub cx: i32,
    /// Its row.
    pub cy: i32,
}
