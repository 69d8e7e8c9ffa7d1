//! The type of a field, as its name says it.

/// The type of a field.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldType {
    /// Whether it is a list.
    pub is_array: bool,
    /// The type of the value, or of each value of the list.
    pub scalar: Scalar,
}

/// The type of one value.
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// A truth value.
    Bool,
    /// A text, of one line or of several.
    Text,
    /// A file's path, from the folder of the project file.
    FilePath,
    /// A colour.
    Color,
    /// A cell.
    Point,
    /// A rectangle of a tileset.
    Tile,
    /// A reference to an entity.
    EntityRef,
    /// A value of the enum of that name.
    Enum(String),
    /// A type that this model does not know.
    Unknown,
}

impl FieldType {
    /// Reads a name: `Int`, `Array<Point>`, `LocalEnum.Item`, `ExternEnum.Key`.
    pub fn parse(name: &str) -> Self {
        match name.strip_prefix("Array<").and_then(|rest| rest.strip_suffix('>')) {
            Some(element) => FieldType { is_array: true, scalar: Scalar::parse(element) },
            None => FieldType { is_array: false, scalar: Scalar::parse(name) },
        }
    }
}

impl Scalar {
    /// Reads the name of a type that is not a list.
    fn parse(name: &str) -> Self {
        match name {
            "Int" => Scalar::Int,
            "Float" => Scalar::Float,
            "Bool" => Scalar::Bool,
            "String" | "Multilines" => Scalar::Text,
            "FilePath" => Scalar::FilePath,
            "Color" => Scalar::Color,
            "Point" => Scalar::Point,
            "Tile" => Scalar::Tile,
            "EntityRef" => Scalar::EntityRef,
            _ => ["LocalEnum.", "ExternEnum."]
                .iter()
                .find_map(|prefix| name.strip_prefix(prefix))
                .map_or(Scalar::Unknown, |name| Scalar::Enum(name.to_owned())),
        }
    }
}
