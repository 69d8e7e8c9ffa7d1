//! Files of other programs, whose maps are objects, are saved in their original form.

use std::collections::BTreeMap;

use crate::common::formats;
use archive::json::Indent;
use archive::{Options, Serialize, json};
use indexmap::IndexMap;

/// The manifest of a package, as npm writes it.
const PACKAGE: &str = r#"{
  "name": "tower",
  "scripts": {
    "build": "tsc -p .",
    "test": "node --test"
  },
  "exports": {
    ".": {
      "import": "./dist/index.mjs",
      "require": "./dist/index.cjs"
    },
    "./levels": {
      "import": "./dist/levels.mjs"
    }
  },
  "dependencies": {
    "zod": "^3.22.0",
    "@pixi/sound": "^6.0.0"
  },
  "overrides": {},
  "workspaces": [
    "packages/*"
  ]
}"#;

/// In the order of the file.
type Dictionary<T> = IndexMap<String, T>;

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Package {
    name: String,
    scripts: Dictionary<String>,
    exports: Dictionary<Dictionary<String>>,
    dependencies: Dictionary<String>,
    overrides: Dictionary<Dictionary<String>>,
    workspaces: Vec<String>,
}

#[test]
fn a_manifest() {
    let package: Package = json::from_str(PACKAGE).unwrap();
    assert_eq!(package.exports["./levels"]["import"], "./dist/levels.mjs");
    let options = Options::new().maps_as_objects(true).pretty(true);
    assert_eq!(json::to_string_with(&package, &options).unwrap(), PACKAGE);
    // Through every other format.
    for format in formats() {
        for options in [Options::new(), options.clone()] {
            let file = format.to_vec_with(&package, &options).unwrap();
            let loaded: Package = format.from_slice(&file).unwrap();
            assert_eq!(loaded, package, "{format}");
        }
    }
}

/// A recipe book: the attribute on the fields, in a file with tabs.
const RECIPES: &str = "{\n\t\"recipes\": {\n\t\t\"iron-gear\": {\n\t\t\t\"time\": 0.5,\n\t\t\t\"needs\": {\n\t\t\t\t\"iron-plate\": 2\n\t\t\t},\n\t\t\t\"levels\": [\n\t\t\t\t{\n\t\t\t\t\t\"1\": \"basic\",\n\t\t\t\t\t\"10\": \"fast\"\n\t\t\t\t},\n\t\t\t\t{}\n\t\t\t]\n\t\t}\n\t},\n\t\"names\": {\n\t\t\"de\": {\n\t\t\t\"iron-gear\": \"Zahnrad\"\n\t\t},\n\t\t\"en\": {\n\t\t\t\"iron-gear\": \"Gear\"\n\t\t}\n\t}\n}";

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Book {
    #[archive(as_object)]
    recipes: BTreeMap<String, Recipe>,
    #[archive(as_object)]
    names: BTreeMap<String, BTreeMap<String, String>>,
}

#[derive(Serialize, Debug, Default, Clone, PartialEq)]
struct Recipe {
    time: f32,
    #[archive(as_object)]
    needs: BTreeMap<String, u32>,
    #[archive(as_object)]
    levels: Vec<BTreeMap<u32, String>>,
}

#[test]
fn a_recipe_book() {
    let book: Book = json::from_str(RECIPES).unwrap();
    assert_eq!(book.recipes["iron-gear"].levels[0][&10], "fast");
    let options = Options::new().indent(Indent::Tab);
    assert_eq!(json::to_string_with(&book, &options).unwrap(), RECIPES);
}

/// Roots with names, in a format that is picked at run time.
#[test]
fn named_roots() {
    let book: Book = json::from_str(RECIPES).unwrap();
    let scores = BTreeMap::from([("Ann".to_owned(), BTreeMap::from([(1, 30), (2, 45)]))]);
    let options = Options::new().maps_as_objects(true);
    for format in formats() {
        let mut writer = format.writer_with(&options);
        writer.save("scores", &scores).unwrap();
        writer.save("book", &book).unwrap();
        let file = writer.finish().unwrap();
        if format.name() == "json" {
            let text = std::str::from_utf8(&file).unwrap();
            assert!(text.starts_with(r#"{"scores":{"Ann":{"1":30,"2":45}},"book":{"#), "{text}");
        }
        let mut reader = format.reader(&file).unwrap();
        assert_eq!(reader.load::<Book>("book").unwrap(), book, "{format}");
        let loaded: BTreeMap<String, BTreeMap<u8, u8>> = reader.load("scores").unwrap();
        assert_eq!(loaded, scores, "{format}");
    }
}
