//! The project: the root of a `.ldtk` file.

use archive::Serialize;

use super::{Color, Definitions, Level, TocEntry, WorldLayout, WorldNode};

/// Everything in a `.ldtk` file.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct Project {
    /// Which program wrote the file.
    #[archive(rename = "__header__")]
    pub header: Header,
    /// The project's unique id.
    pub iid: String,
    /// The version of the file format, `1.5.3` for one.
    pub json_version: String,
    /// The build of the editor that wrote the file.
    pub app_build_id: f64,
    /// The next uid that the editor assigns.
    pub next_uid: i32,
    /// How the editor spells identifiers.
    pub identifier_style: IdentifierStyle,
    /// The entities that the project lists in its table of contents.
    pub toc: Vec<TocEntry>,
    /// What all levels share.
    pub defs: Definitions,
    /// The levels of a project with one world.
    pub levels: Vec<Level>,
    /// The worlds of a project with several; the root's `levels` are empty then.
    pub worlds: Vec<WorldNode>,
    /// The iid that a project with one world gives that world.
    pub dummy_world_iid: String,
    /// How the one world is laid out, null in a project with several.
    pub world_layout: Option<WorldLayout>,
    /// Width of the world grid in pixels, for `GridVania`.
    pub world_grid_width: Option<i32>,
    /// Height of the world grid in pixels, for `GridVania`.
    pub world_grid_height: Option<i32>,
    /// Width of a new level.
    pub default_level_width: Option<i32>,
    /// Height of a new level.
    pub default_level_height: Option<i32>,
    /// Whether each level is in a file of its own.
    pub external_levels: bool,
    /// The colour around the levels.
    pub bg_color: Color,
    /// The colour of a level that has none of its own.
    pub default_level_bg_color: Color,
    /// The rest of the settings.
    #[archive(flatten)]
    pub settings: Settings,
}

/// The settings of a project that only concern the editor and its exports.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct Settings {
    /// Horizontal pivot of a new entity.
    pub default_pivot_x: f64,
    /// Vertical pivot of a new entity.
    pub default_pivot_y: f64,
    /// Cell size of a new layer.
    pub default_grid_size: i32,
    /// Width of a new entity.
    pub default_entity_width: i32,
    /// Height of a new entity.
    pub default_entity_height: i32,
    /// Whether the file is written without indentation.
    pub minify_json: bool,
    /// Whether the project is exported to Tiled, too.
    pub export_tiled: bool,
    /// Whether the project is exported in the simplified form, too.
    pub simplified_export: bool,
    /// Which images are exported.
    pub image_export_mode: ImageExportMode,
    /// Whether exported images include the background.
    pub export_level_bg: bool,
    /// How exported images are named.
    pub png_file_pattern: Option<String>,
    /// Whether saving keeps a backup.
    pub backup_on_save: bool,
    /// How many backups are kept.
    pub backup_limit: i32,
    /// Where backups go.
    pub backup_rel_path: Option<String>,
    /// How new levels are named.
    pub level_name_pattern: String,
    /// The text of the editor's tutorial.
    pub tutorial_desc: Option<String>,
    /// Programs the editor runs on some events.
    pub custom_commands: Vec<CustomCommand>,
    /// Switches of the editor, by name.
    pub flags: Vec<String>,
}

/// Which program wrote a file, and what the file is.
#[derive(Debug, Default, Clone, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct Header {
    /// `LDtk Project JSON` or `LDtk Level JSON`.
    pub file_type: String,
    /// The program.
    pub app: String,
    /// Its documentation of the format.
    pub doc: String,
    /// The JSON schema of the format.
    pub schema: String,
    /// The program's author.
    pub app_author: String,
    /// The program's version.
    pub app_version: String,
    /// The program's web site.
    pub url: String,
}

/// A program the editor runs.
#[derive(Debug, Default, Clone, Serialize)]
pub struct CustomCommand {
    /// The command line.
    pub command: String,
    /// The event: `Manual`, `AfterLoad`, `BeforeSave` or `AfterSave`.
    pub when: String,
}

/// How the editor spells identifiers.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub enum IdentifierStyle {
    /// `First_letter`.
    #[default]
    Capitalize,
    /// `ALL_LETTERS`.
    Uppercase,
    /// `no_letter`.
    Lowercase,
    /// `As_Typed`.
    Free,
    /// One that only a newer editor knows.
    #[archive(other)]
    Unknown,
}

/// Which images the editor exports.
#[derive(Debug, Default, Clone, Copy, PartialEq, Serialize)]
pub enum ImageExportMode {
    /// None.
    #[default]
    None,
    /// One for each layer of each level.
    OneImagePerLayer,
    /// One for each level.
    OneImagePerLevel,
    /// Both.
    LayersAndLevels,
    /// One that only a newer editor knows.
    #[archive(other)]
    Unknown,
}
