//! Small hand-written files, with data that real projects contain and the fixtures do not.

use std::path::{Path, PathBuf};

use archive::json;
use skirmish::ldtk::{FieldValue, FileError, Project, ProjectFile, Slot, TileRect};

use super::formats;

/// A folder that goes when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("ldtk-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A project, and the same loaded from every format.
fn everywhere(text: &str) -> Vec<Project> {
    let project: Project = json::from_str(text).unwrap();
    let saved = formats()
        .map(|format| format.from_slice::<Project>(&format.to_vec(&project).unwrap()).unwrap());
    let mut all: Vec<Project> = saved.collect();
    all.push(project);
    all
}

/// A tile whose tileset was removed from the project.
#[test]
fn a_tile_without_a_tileset() {
    let text = r##"{"__header__":{"fileType":"LDtk Project JSON"},"jsonVersion":"1.5.3",
        "defs":{"entities":[{"identifier":"Chest","uid":1,"color":"#FF0000","tilesetId":null,
            "tileRect":{"tilesetUid":null,"x":16,"y":0,"w":16,"h":16},
            "uiTileRect":{"tilesetUid":7,"x":1,"y":2,"w":3,"h":4}}]},
        "levels":[{"identifier":"Level_0","uid":2,"fieldInstances":[
            {"__identifier":"Icon","__type":"Tile","defUid":3,"realEditorValues":[],
             "__value":{"tilesetUid":null,"x":0,"y":8,"w":8,"h":8},
             "__tile":{"tilesetUid":null,"x":0,"y":8,"w":8,"h":8}}]}]}"##;
    for project in everywhere(text) {
        let entity = &project.defs.entities[0];
        let rect = TileRect { tileset_uid: None, x: 16, y: 0, w: 16, h: 16 };
        assert_eq!(entity.tile_rect, Some(rect));
        assert_eq!(entity.display.ui_tile_rect.as_ref().unwrap().tileset_uid, Some(7));
        let field = &project.levels[0].field_instances[0];
        assert_eq!(field.tile.as_ref().unwrap().y, 8);
        let FieldValue::Tile(Slot::One(Some(tile))) = &field.value else { panic!("{field:?}") };
        assert_eq!((tile.tileset_uid, tile.w), (None, 8));
    }
}

/// Version 0.8: the tile is of the tileset of its definition.
#[test]
fn an_entity_whose_tile_has_no_tileset_of_its_own() {
    let entity = |tile: &str| {
        format!(
            r##"{{"__header__":{{"fileType":"LDtk Project JSON"}},"jsonVersion":"0.8.1",
            "defs":{{"entities":[{{"identifier":"Tree","uid":1,"color":"#00FF00","tilesetId":5,"tileId":3}}]}},
            "levels":[{{"identifier":"Level","uid":2,"layerInstances":[{{"__identifier":"Entities",
                "__type":"Entities","entityInstances":[{{"__identifier":"Tree","defUid":1,"px":[8,24],
                "__tile":{tile},"fieldInstances":[]}}]}}]}}]}}"##
        )
    };
    for (tile, expected) in [
        (r#"{"srcRect":[16,32,16,16]}"#, Some((None, [16, 32, 16, 16]))),
        (r#"{"tilesetUid":null,"srcRect":[16,32,16,16]}"#, Some((None, [16, 32, 16, 16]))),
        (r#"{"tilesetUid":5,"srcRect":[0,0,8,8]}"#, Some((Some(5), [0, 0, 8, 8]))),
        ("null", None),
    ] {
        for project in everywhere(&entity(tile)) {
            let layers = project.levels[0].layer_instances.as_ref().unwrap();
            let found = &layers[0].entity_instances[0];
            let tile = found.tile.as_ref().map(|it| (it.tileset_uid, [it.x, it.y, it.w, it.h]));
            assert_eq!((tile, found.px), (expected, [8, 24]));
        }
    }
}

fn project(levels: &str) -> String {
    format!(r#"{{"__header__":{{"fileType":"LDtk Project JSON"}},"levels":[{levels}]}}"#)
}

fn level(file_type: &str, ids: &str, layers: &str) -> String {
    let header = format!(r#""__header__":{{"fileType":"{file_type}"}}"#);
    format!(r#"{{{header},"identifier":"Cellar",{ids},"layerInstances":{layers}}}"#)
}

/// The editor has called the files of levels projects, too.
#[test]
fn levels_in_files_of_their_own() {
    let folder = Folder::new("levels");
    for ids in [r#""iid":"a-b","uid":4"#, r#""uid":4"#] {
        let stub = format!(
            r#"{{"identifier":"Cellar",{ids},"externalRelPath":"Cellar.ldtkl","layerInstances":null}}"#
        );
        let path = folder.write("world.ldtk", &project(&stub));
        for file_type in ["LDtk Project JSON", "LDtk Level JSON"] {
            folder.write("Cellar.ldtkl", &level(file_type, ids, r#"[{"__identifier":"Floor"}]"#));
            let file = ProjectFile::read(&path).unwrap();
            assert_eq!(file.files, 2);
            let level = &file.project.levels[0];
            assert_eq!(level.layer_instances.as_ref().unwrap()[0].identifier, "Floor");
            assert_eq!(level.identifier, "Cellar");
        }
        let refused = |text: &str, other: bool| {
            folder.write("Cellar.ldtkl", text);
            let error = ProjectFile::read(&path).unwrap_err();
            assert_eq!(matches!(error, FileError::OtherLevel(..)), other, "{error}");
            assert_eq!(matches!(error, FileError::NotThat(..)), !other, "{error}");
        };
        refused(&level("LDtk Level JSON", r#""iid":"a-b","uid":5"#, "[]"), true);
        refused(&level("LDtk Level JSON", r#""iid":"a-c","uid":4"#, "[]"), true);
        refused(&level("LDtk Project JSON", ids, "null"), true);
        refused(&project(""), true); // a whole project
        refused(&level("Tiled", ids, "[]"), false);
        refused("{}", false);
    }
    assert!(Path::new(&folder.0).exists());
}
