//! The definition of a field.

use archive::{Serialize, Value};

use super::Color;

/// A field that every entity of one kind has, or every level.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct FieldDef {
    /// Its name.
    pub identifier: String,
    /// Its uid.
    pub uid: i32,
    /// Its type as a game reads it: `Int`, `Array<Point>`, `LocalEnum.Item`.
    #[archive(rename = "__type")]
    pub type_name: String,
    /// Its type as the editor names it: `F_Int`, `F_Enum(5)`; before 1.0, an enum's was an object.
    #[archive(rename = "type")]
    pub editor_type: Value,
    /// Whether it holds a list.
    pub is_array: bool,
    /// Whether it may be null.
    pub can_be_null: bool,
    /// Least length of the list.
    pub array_min_length: Option<i32>,
    /// Greatest length of the list.
    pub array_max_length: Option<i32>,
    /// Least number.
    pub min: Option<f64>,
    /// Greatest number.
    pub max: Option<f64>,
    /// What a text must match.
    pub regex: Option<String>,
    /// The extensions of the files it may name.
    pub accept_file_types: Option<Vec<String>>,
    /// The default value.
    pub default_override: Option<EditorValue>,
    /// The language of a text.
    pub text_language_mode: Option<String>,
    /// The tileset of a tile.
    pub tileset_uid: Option<i32>,
    /// Whether its instances are in the table of contents.
    pub export_to_toc: bool,
    /// Whether the editor's search finds it.
    pub searchable: bool,
    /// Which entities it may refer to.
    #[archive(flatten)]
    pub references: ReferenceRules,
    /// How the editor shows it.
    #[archive(flatten)]
    pub display: FieldDisplay,
}

/// A value as the editor keeps it.
#[derive(Debug, Default, Clone, Serialize)]
pub struct EditorValue {
    /// Its type: `V_Int`, `V_Float`, `V_Bool` or `V_String`.
    pub id: String,
    /// The value, of that type.
    pub params: Vec<Value>,
}

/// Which entities a field may refer to.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct ReferenceRules {
    /// Whether the entity referred to refers back.
    pub symmetrical_ref: bool,
    /// Whether the editor continues with the entity referred to.
    pub auto_chain_ref: bool,
    /// Whether it may be in another level.
    pub allow_out_of_level_ref: bool,
    /// The kinds that it may be of.
    pub allowed_refs: AllowedRefs,
    /// The one kind it may be of.
    pub allowed_refs_entity_uid: Option<i32>,
    /// The tags it needs one of.
    pub allowed_ref_tags: Vec<String>,
}

/// The kinds that an entity referred to may be of.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub enum AllowedRefs {
    /// Of any.
    #[default]
    Any,
    /// Of the same as the one that refers.
    OnlySame,
    /// Of one with the right tags.
    OnlyTags,
    /// Of one named kind.
    OnlySpecificEntity,
    /// One that only a newer editor knows.
    #[archive(other)]
    Unknown,
}

/// How the editor shows a field. Its modes are text here, because no game uses them.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct FieldDisplay {
    /// Notes of the author.
    pub doc: Option<String>,
    /// What is shown: `Hidden`, `ValueOnly`, `RadiusGrid` and others.
    pub editor_display_mode: String,
    /// Its scale.
    pub editor_display_scale: f64,
    /// Where: `Above`, `Center` or `Beneath`.
    pub editor_display_pos: String,
    /// How a reference is drawn: `ZigZag`, `StraightArrow` and others.
    pub editor_link_style: String,
    /// Its colour.
    pub editor_display_color: Option<Color>,
    /// Whether it is shown while nothing is picked.
    pub editor_always_show: bool,
    /// Whether it is shown in the view of the world.
    pub editor_show_in_world: bool,
    /// Whether a long value is cut off.
    pub editor_cut_long_values: bool,
    /// Text after the value.
    pub editor_text_suffix: Option<String>,
    /// Text before the value.
    pub editor_text_prefix: Option<String>,
    /// Whether a colour or an enum value colours the entity.
    pub use_for_smart_color: bool,
}
