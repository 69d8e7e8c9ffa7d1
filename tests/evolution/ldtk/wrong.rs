//! A model with members of the wrong type, and the expected errors, computed from the tree of
//! `serde_json`.

use archive::Serialize;
use serde_json::Value;

#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
pub struct WrongProject {
    /// Text.
    json_version: u32,
    next_uid: i32,
    defs: WrongDefinitions,
    levels: Vec<WrongLevel>,
}

#[derive(Default, Serialize)]
struct WrongDefinitions {
    tilesets: Vec<WrongTileset>,
}

#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
struct WrongTileset {
    /// A number.
    uid: String,
    /// Text.
    identifier: Vec<u8>,
    px_wid: i32,
}

#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
struct WrongLevel {
    identifier: String,
    /// Numbers. Some of them fit.
    px_wid: u8,
    layer_instances: Option<Vec<WrongLayer>>,
}

#[derive(Default, Serialize)]
#[archive(rename_all = "camelCase")]
struct WrongLayer {
    /// Text that is not such a variant.
    #[archive(rename = "__type")]
    kind: WrongKind,
    /// A truth value.
    visible: Option<f32>,
    entity_instances: Vec<WrongEntity>,
}

#[derive(Default, PartialEq, Serialize)]
enum WrongKind {
    #[default]
    Unheard,
    Entities,
}

#[derive(Default, Serialize)]
struct WrongEntity {
    #[archive(rename = "__identifier")]
    identifier: String,
    /// Two numbers.
    px: [i32; 3],
    /// A list.
    #[archive(rename = "__grid")]
    grid: std::collections::BTreeMap<String, String>,
}

fn items(value: &Value) -> impl Iterator<Item = (usize, &Value)> {
    value.as_array().into_iter().flatten().enumerate()
}

/// The paths of the errors, in the order of the model.
pub fn expected(text: &str) -> Vec<String> {
    let project: Value = serde_json::from_str(text).unwrap();
    let mut paths = vec!["jsonVersion".to_owned()];
    for (i, _) in items(&project["defs"]["tilesets"]) {
        paths.extend(["uid", "identifier"].map(|name| format!("defs.tilesets[{i}].{name}")));
    }
    for (i, level) in items(&project["levels"]) {
        if level["pxWid"].as_u64().unwrap() > 255 {
            paths.push(format!("levels[{i}].pxWid"));
        }
        for (k, layer) in items(&level["layerInstances"]) {
            let path = format!("levels[{i}].layerInstances[{k}]");
            if layer["__type"] != "Entities" {
                paths.push(format!("{path}.__type"));
            }
            paths.push(format!("{path}.visible"));
            for (e, _) in items(&layer["entityInstances"]) {
                paths.push(format!("{path}.entityInstances[{e}].px"));
                // Two numbers are two entries that are not pairs.
                paths.extend([0, 1].map(|at| format!("{path}.entityInstances[{e}].__grid[{at}]")));
            }
        }
    }
    paths
}

impl WrongProject {
    /// Members of the right type were loaded, and nothing else.
    pub fn check_rest(&self, text: &str) {
        let project: Value = serde_json::from_str(text).unwrap();
        assert_eq!(
            (self.json_version, i64::from(self.next_uid)),
            (0, integer(&project["nextUid"]))
        );
        assert_eq!(self.defs.tilesets.len(), items(&project["defs"]["tilesets"]).count());
        for (i, tileset) in items(&project["defs"]["tilesets"]) {
            assert_eq!(i64::from(self.defs.tilesets[i].px_wid), integer(&tileset["pxWid"]));
            assert!(self.defs.tilesets[i].uid.is_empty());
        }
        assert_eq!(self.levels.len(), items(&project["levels"]).count());
        for (i, level) in items(&project["levels"]) {
            assert_eq!(self.levels[i].identifier, level["identifier"].as_str().unwrap());
            let layers = self.levels[i].layer_instances.as_deref().unwrap_or_default();
            assert_eq!(layers.len(), items(&level["layerInstances"]).count());
            for (k, layer) in items(&level["layerInstances"]) {
                let entities = layer["__type"] == "Entities";
                assert_eq!(layers[k].kind == WrongKind::Entities, entities);
                assert_eq!(layers[k].visible, None);
                for (e, entity) in items(&layer["entityInstances"]) {
                    let loaded = &layers[k].entity_instances[e];
                    assert_eq!(loaded.identifier, entity["__identifier"].as_str().unwrap());
                    assert!(loaded.grid.is_empty());
                }
            }
        }
    }
}

fn integer(value: &Value) -> i64 {
    value.as_i64().unwrap()
}
