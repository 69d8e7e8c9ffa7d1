//! The levels of games: every project of the fixtures, and other forms of projects.

use std::fs;
use std::path::{Path, PathBuf};

use archive::Format;
use skirmish::{Game, Level, LevelError, Settings, Terrain, digest};

/// Plays a game there, interrupted once for each format.
fn play(level: &Level) -> Game {
    let mut game =
        Game::new(level, &Settings { seed: 2, units: Some(level.room().min(16)) }).unwrap();
    game.play(10);
    let saved: Vec<_> = Format::all()
        .map(|format| (format, skirmish::save(game.world(), format).unwrap()))
        .collect();
    game.play(15);
    for (format, bytes) in saved {
        let mut resumed = Game::resume(skirmish::load(&bytes, format).unwrap()).unwrap();
        resumed.play(15);
        assert_eq!(digest(resumed.world()), digest(game.world()), "{format}: {}", level.name);
    }
    game
}

#[test]
fn every_project_of_the_fixtures() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/fixtures/ldtk");
    let Ok(entries) = fs::read_dir(&folder) else {
        println!("skipped: {} is not there", folder.display());
        return;
    };
    let mut count = 0;
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.extension().is_some_and(|extension| extension == "ldtk") {
            let level = Level::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert!(level.room() > 10, "{}", path.display());
            play(&level);
            count += 1;
        }
    }
    assert!(count >= 5, "{count} projects");
}

#[test]
fn several_worlds_and_levels_in_files_of_their_own() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/level/data/lighthouse.ldtk");
    let level = Level::read(&path).unwrap();
    let rows = level.map.rows().join("\n");
    assert!(
        rows.contains(Terrain::Water.symbol()) && rows.contains(Terrain::Rough.symbol()),
        "\n{rows}"
    );
    play(&level);
}

#[test]
fn the_level_of_the_game_is_repeated_for_large_battles() {
    let level = Level::own();
    let game = Game::new(&level, &Settings { seed: 1, units: Some(4 * level.room()) }).unwrap();
    assert_eq!(game.world().units.len(), 4 * level.room());
    assert_eq!(game.world().map.width(), 2 * level.map.width());
    let too_many = Settings { seed: 1, units: Some(usize::MAX) };
    let error = Game::new(&level, &too_many).err().unwrap().to_string();
    assert!(error.contains("do not fit into The Fords"), "{error}");
}

/// Reads a project written to a file of that name.
fn read(name: &str, project: &str) -> Result<Level, LevelError> {
    let file = format!("skirmish {} {name}.ldtk", std::process::id());
    let path: PathBuf = std::env::temp_dir().join(file);
    fs::write(&path, project).unwrap();
    let level = Level::read(&path);
    fs::remove_file(&path).unwrap();
    level
}

/// A project with these levels.
fn project(levels: &str) -> String {
    format!(
        r#"{{"__header__":{{"fileType":"LDtk Project JSON"}},"jsonVersion":"1.5.3","levels":[{levels}]}}"#
    )
}

/// A level of 96 × 64 pixels with these layers.
fn one_level(layers: &str) -> String {
    format!(
        r##"{{"identifier":"Field","pxWid":96,"pxHei":64,"__bgColor":"#000000","layerInstances":[{layers}]}}"##
    )
}

#[test]
fn neither_walls_nor_entities() {
    let layer =
        r#"{"__identifier":"Things","__type":"Entities","__cWid":12,"__cHei":8,"__gridSize":8}"#;
    let level = read("open", &project(&one_level(layer))).unwrap();
    assert_eq!((level.map.width(), level.map.height()), (12, 8));
    assert!(level.map.rows().iter().all(|row| row == "............"));
    let [blue, red] = &level.camps;
    assert!(blue[0].steps_to(red[0]) >= 11, "{blue:?} {red:?}");
    play(&level);
}

#[test]
fn walls_from_tiles_only() {
    let tile =
        |x: i32, y: i32| format!(r#"{{"px":[{},{}],"src":[0,0],"f":0,"t":1}}"#, 16 * x, 16 * y);
    let tiles = [tile(2, 0), tile(2, 1), tile(2, 3)].join(",");
    let layer = format!(
        r#"{{"__identifier":"Walls","__type":"Tiles","__cWid":6,"__cHei":4,"__gridSize":16,"gridTiles":[{tiles}]}}"#
    );
    let level = read("tiles", &project(&one_level(&layer))).unwrap();
    assert_eq!(level.map.rows(), ["..#...", "..#...", "......", "..#..."]);
    play(&level);
}

#[test]
fn overlapping_levels_are_put_in_a_row() {
    let layer =
        r#"{"__identifier":"Things","__type":"Entities","__cWid":6,"__cHei":4,"__gridSize":16}"#;
    let level = one_level(layer);
    let level = read("pile", &project(&format!("{level},{level}"))).unwrap();
    assert_eq!(level.map.rows(), ["......#......"; 4]);
    play(&level);
}

#[test]
fn levels_next_to_each_other_and_on_another_floor() {
    let layer =
        r#"{"__identifier":"Things","__type":"Entities","__cWid":6,"__cHei":4,"__gridSize":16}"#;
    let level = one_level(layer);
    let moved = |to: &str| level.replacen("\"pxWid\"", &format!("{to},\"pxWid\""), 1);
    let beside = moved(r#""worldX":96,"worldY":32"#);
    let above = moved(r#""worldX":16,"worldDepth":1"#);
    let level = read("floors", &project(&[level, above, beside].join(","))).unwrap();
    let rows = [
        "......######",
        "......######",
        "............",
        "............",
        "######......",
        "######......",
        "############",
        "......######",
        "......######",
        "......######",
        "......######",
    ];
    assert_eq!(level.map.rows(), rows);
    play(&level);
}

#[test]
fn errors_of_unplayable_projects_give_the_reason() {
    let solid = format!(
        r#"{{"__identifier":"Rock","__type":"IntGrid","__cWid":6,"__cHei":4,"__gridSize":16,"intGridCsv":[{}1]}}"#,
        "1,".repeat(23)
    );
    let short = r#"{"__identifier":"Rock","__type":"IntGrid","__cWid":6,"__cHei":4,"__gridSize":16,"intGridCsv":[1]}"#;
    let huge = r#"{"identifier":"Huge","pxWid":2000000000,"pxHei":2000000000,
        "layerInstances":[{"__type":"Entities","__gridSize":1}]}"#;
    for (name, levels, says) in [
        ("no levels", String::new(), "has no level with a layer"),
        ("no layers", one_level(""), "has no level with a layer"),
        ("solid", one_level(&solid), "no floor with room for two units"),
        ("short", one_level(short), "level Field: a layer of 6 × 4 cells has 1 values"),
        ("huge", huge.to_owned(), "are larger than"),
    ] {
        let error = read(name, &project(&levels)).err().unwrap_or_else(|| panic!("{name}"));
        assert!(error.to_string().contains(says), "{name}: {error}");
    }
    let error = read("other", r#"{"a":1}"#).err().unwrap().to_string();
    assert!(error.contains("is not an LDtk file"), "{error}");
}
