//! `--mods`: orders and components from a folder.

use std::fs;
use std::path::Path;

use crate::{final_hash, run};

const MODS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/mods");
const GAME: [&str; 6] = ["--units", "48", "--ticks", "240", "--seed", "9"];

fn play(arguments: &[&str], mods: Option<&str>) -> String {
    let mods = mods.into_iter().flat_map(|folder| ["--mods", folder]);
    let (output, said) = run(arguments.iter().copied().chain(mods));
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn a_game_with_mods_resumes() {
    let said = play(&GAME, Some(MODS));
    assert!(
        said.contains("every resumed game ended in the state of the uninterrupted one"),
        "{said}"
    );
    // The mod heals, and its order is carried out.
    let healed = |said: &str| {
        let before = said.rsplit_once(" healed").unwrap_or_else(|| panic!("{said}")).0;
        before.rsplit(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let without = play(&GAME, None);
    assert!(healed(&said) > 10 + 2 * healed(&without), "{said}");
    assert!(said.contains("Rounds") && !without.contains("Rounds"), "{said}");
}

#[test]
fn a_game_without_its_mods_keeps_them() {
    let folder = tempfile::tempdir().unwrap();
    for extension in ["json", "bin", "msgpack", "blob"] {
        let file = |name: &str| {
            folder.path().join(format!("{name}.{extension}")).to_str().unwrap().to_owned()
        };
        let (first, second) = (file("first"), file("second"));
        let saved = [&GAME[..], &["--at", "100", "--save", &first]].concat();
        let hash = play(&saved, Some(MODS));
        let hash = final_hash(&hash);
        let said = play(&["--resume", &first, "--ticks", "240"], Some(MODS));
        assert_eq!(final_hash(&said), hash, "{extension}");

        // Saved again by a program without the mods, before anything happens.
        let again = ["--resume", &first, "--ticks", "100", "--at", "100", "--save", &second];
        play(&again, None);
        if extension == "json" {
            assert!(fs::read(&first).unwrap() == fs::read(&second).unwrap(), "kept as they were");
        }
        let said = play(&["--resume", &second, "--ticks", "240"], Some(MODS));
        assert_eq!(final_hash(&said), hash, "{extension}: given back");
        // It can be played on, too.
        play(&["--resume", &first, "--ticks", "120"], None);
    }
}

#[test]
fn slots_and_stores_keep_mods() {
    for kept in ["--saves", "--store"] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("kept");
        let path = path.to_str().unwrap();
        let part = [&GAME[..], &[kept, path, "--every", "40", "--stop-after", "100"]].concat();
        play(&part, Some(MODS));
        let said = play(&[&GAME[..], &[kept, path]].concat(), Some(MODS));
        let at_once = folder.path().join("at_once");
        let whole = [&GAME[..], &[kept, at_once.to_str().unwrap()]].concat();
        assert_eq!(final_hash(&said), final_hash(&play(&whole, Some(MODS))), "{kept}");
    }
}

#[test]
fn mistakes_are_found_before_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, text: &str, expected: &str| {
        let mod_folder = folder.path().join("mod");
        fs::remove_dir_all(&mod_folder).ok();
        fs::create_dir(&mod_folder).unwrap();
        for entry in fs::read_dir(Path::new(MODS).join("field_kitchen")).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), mod_folder.join(entry.file_name())).unwrap();
        }
        if !text.is_empty() {
            fs::write(mod_folder.join(name), text).unwrap();
        } else {
            fs::remove_file(mod_folder.join(name)).unwrap();
        }
        let (output, said) = run(["--mods", folder.path().to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains(name) && said.contains(expected), "{said}");
        assert!(!said.contains("blueprints"), "the game has begun: {said}");
    };
    refused("schema.json", "{", "schema.json");
    let schema = r#"{"types":{"Kitchen":{"members":[{"name":"x","type":"u61"}]}}}"#;
    refused("schema.json", schema, "types.Kitchen.members[0].type: there is no type `u61`");
    let schema = r#"{"types":{"weapon":{"implements":["Component"]}}}"#;
    refused("schema.json", schema, "\"weapon\"");
    let schema = r#"{"types":{"Patrol":{"members":[]}}}"#;
    refused("schema.json", schema, "there is another type with the name `Patrol`");
    refused("units.json", r#"{"units":{"medic":{"component":[]}}}"#, "units.medic.component");
    refused("kitchen.json", r#"{"$type":"Kitchen","$value":{"cok":1}}"#, "cok");
    refused("kitchen.json", r#"{"$type":"Rounds","$value":{}}"#, "Rounds");
    refused("kitchen.json", r#"{"$extends":"big_kitchen.json"}"#, "kitchen.json");
    refused("rounds.json", "", "rounds.json");
    let (output, said) = run(["--mods", folder.path().join("none").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{said}");
}

/// The page shows the files of the mod.
#[test]
fn the_page_has_the_files() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/TYPES_FROM_DATA.md");
    let page = fs::read_to_string(page).unwrap().replace("\r\n", "\n");
    for name in ["schema.json", "kitchen.json", "big_kitchen.json", "units.json"] {
        let file = fs::read_to_string(Path::new(MODS).join("field_kitchen").join(name)).unwrap();
        let file = file.replace("\r\n", "\n");
        assert!(page.contains(&format!("```json\n{file}```")), "{name} is different");
    }
}
