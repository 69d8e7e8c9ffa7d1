//! The project types of a program that was written for version 0.9.3, as far as they differ.

use archive::Serialize;
use skirmish::ldtk::{LayerKind, WorldLayout};

#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct OldProject {
    pub json_version: String,
    pub next_uid: i32,
    pub world_layout: Option<WorldLayout>,
    pub defs: OldDefinitions,
    pub levels: Vec<OldLevel>,
}

#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct OldDefinitions {
    pub entities: Vec<OldEntityDef>,
    pub enums: Vec<OldEnumDef>,
}

#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct OldEntityDef {
    pub identifier: String,
    pub uid: i32,
    pub tileset_id: Option<i32>,
    pub tile_id: Option<i32>,
}

#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct OldEnumDef {
    pub identifier: String,
    pub values: Vec<OldEnumValue>,
}

#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct OldEnumValue {
    pub id: String,
    pub tile_id: Option<i32>,
    #[archive(rename = "__tileSrcRect")]
    pub tile_src_rect: Option<[i32; 4]>,
}

#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct OldLevel {
    pub identifier: String,
    pub uid: i32,
    #[archive(rename = "__neighbours")]
    pub neighbours: Vec<OldNeighbour>,
    pub layer_instances: Option<Vec<OldLayer>>,
}

/// Levels had no other ids.
#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct OldNeighbour {
    pub level_uid: Option<i32>,
    pub dir: String,
}

#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct OldLayer {
    #[archive(rename = "__type")]
    pub kind: LayerKind,
    #[archive(rename = "intGridCsv")]
    pub cells: Vec<i32>,
    pub entity_instances: Vec<OldEntity>,
}

#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct OldEntity {
    #[archive(rename = "__identifier")]
    pub identifier: String,
    pub px: [i32; 2],
    #[archive(rename = "__tile")]
    pub tile: Option<OldTile>,
}

/// A rectangle was one member.
#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct OldTile {
    pub tileset_uid: i32,
    pub src_rect: [i32; 4],
}
