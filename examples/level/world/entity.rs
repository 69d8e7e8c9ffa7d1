//! An entity and the values of its fields.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::{Serialize, Value};

use super::{EntityDef, EnumDef, FieldDef, Level, Rgb, Sprite};

/// An entity.
#[derive(Debug, Default, Serialize)]
pub struct Entity {
    /// Its kind.
    pub def: Rc<EntityDef>,
    /// Its unique id.
    pub id: String,
    /// The level it is in.
    pub level: Weak<RefCell<Level>>,
    /// Its position in the level, in pixels.
    pub position: [i32; 2],
    /// Its width and height in pixels.
    pub size: [i32; 2],
    /// The values of its fields.
    pub fields: Vec<Field>,
}

/// The value of a field of an entity or a level.
#[derive(Debug, Default, Serialize)]
pub struct Field {
    /// Which field.
    pub def: Rc<FieldDef>,
    /// Its value.
    pub value: FieldValue,
}

/// A value of any type that a field may have.
#[derive(Debug, Default, Serialize)]
pub enum FieldValue {
    /// Nothing.
    #[default]
    Null,
    /// A whole number.
    Int(i64),
    /// A number.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A text, or a file's path.
    Text(String),
    /// A colour.
    Color(Rgb),
    /// A cell: column and row.
    Cell([i32; 2]),
    /// A part of a tileset.
    Sprite(Sprite),
    /// Another entity.
    Entity(Weak<RefCell<Entity>>),
    /// A value of an enum.
    Enum {
        /// The enum.
        def: Rc<EnumDef>,
        /// Which of its values.
        index: usize,
    },
    /// A list.
    List(Vec<FieldValue>),
    /// Anything else.
    Any(Value),
}
