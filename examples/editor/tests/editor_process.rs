//! The editor as a process, on saves in every format, and the picture of it in the documentation.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use archive::{Format, Value, json};
use editor::app::App;
use editor::document::Document;
use ratatui::crossterm::event::{KeyCode, KeyModifiers};
use skirmish::{Game, Level, Settings};

/// A folder with a save in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    /// Saves a game, and returns its file.
    fn game(&self, format: Format) -> PathBuf {
        let settings = Settings { seed: 1, units: Some(8) };
        let mut game = Game::new(&Level::own(), &settings).unwrap();
        game.play(40);
        let file = self.file(&format!("game.{}", format.extensions()[0]));
        fs::write(&file, skirmish::save(game.world(), format).unwrap()).unwrap();
        file
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
}

fn run(file: &Path, commands: &[&str]) -> Output {
    let mut editor = Command::new(env!("CARGO_BIN_EXE_editor"));
    editor.current_dir(file.parent().unwrap()).arg(file);
    for command in commands {
        editor.args(["-c", command]);
    }
    editor.output().unwrap()
}

/// The output of the commands.
fn printed(file: &Path, commands: &[&str]) -> String {
    let output = run(file, commands);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{commands:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// The message of the last command, which is refused.
fn refused(file: &Path, commands: &[&str]) -> String {
    let output = run(file, commands);
    assert_eq!(output.status.code(), Some(1), "{commands:?}");
    String::from_utf8(output.stderr).unwrap().trim_end().to_owned()
}

#[test]
fn a_table_has_types_ranges_units_offsets_and_documentation() {
    let folder = Folder::new();
    let table = printed(&folder.game(Format::Json), &["list units[0]"]);
    let words = |name: &str| {
        let line = table.lines().find(|line| line.starts_with(name)).unwrap();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ")
    };
    let pace = std::mem::offset_of!(skirmish::Unit, pace);
    assert_eq!(
        words("pace"),
        format!("pace u32 3 1..=60 ticks {pace} How many ticks a step takes.")
    );
    assert!(words("components").starts_with("components Vec<Box<dyn Component>> "), "{table}");
    assert!(words("attacker").starts_with("attacker Weak<RefCell<Unit>> null "), "{table}");
}

/// The list of events is a property of the world: a text with a line for each event, not in the
/// file.
#[test]
fn a_text_of_several_lines_follows_its_row() {
    let folder = Folder::new();
    let file = folder.game(Format::Json);
    let table = printed(&file, &["list"]);
    let mut lines = table.lines().skip_while(|line| !line.starts_with("news "));
    let row = lines.next().unwrap();
    assert!(row.ends_with("The last events, one per line."), "{table}");
    let shown: Vec<_> = lines.map_while(|line| line.strip_prefix("    ")).collect();
    let text: String = archive::json::from_str(&printed(&file, &["get news"])).unwrap();
    assert!(shown.len() > 1, "{table}");
    assert_eq!(shown, text.lines().collect::<Vec<_>>());
}

#[test]
fn changes_are_undone_and_saved_in_every_format() {
    for format in Format::all() {
        let folder = Folder::new();
        let file = folder.game(format);
        let before = printed(&file, &["hash"]);
        let commands = [
            "set units[0].health 17",
            "set units[1].name Rex",
            "variant units[1].state Waiting",
            "remove units[0].components[0]",
            "move units[0] 3",
        ];
        let undo = ["undo"; 5];
        assert_eq!(printed(&file, &[&commands[..], &undo, &["hash"]].concat()), before);

        let redo = ["redo"; 5];
        let all = [&commands[..], &undo, &redo, &["get units[3].health", "save"]].concat();
        let answer = printed(&file, &all);
        assert!(answer.starts_with("17\nsaved "), "{answer}");
        assert_eq!(printed(&file, &["get units[3].health"]), "17\n");
        assert_eq!(printed(&file, &["get units[0].name"]), "\"Rex\"\n");
        assert_ne!(printed(&file, &["hash"]), before, "{}", format.name());
    }
}

#[test]
fn a_pointer_that_comes_back_is_the_same_object() {
    let folder = Folder::new();
    let file = folder.game(Format::Binary);
    let holders = printed(&file, &["holders squads[0]"]);
    assert!(holders.lines().count() > 2, "{holders}");
    let commands = ["set units[0].squad null", "undo", "holders squads[0]"];
    assert_eq!(printed(&file, &commands), holders);
    let attached =
        ["set units[0].squad null", "attach units[0].squad units[1].squad", "holders squads[0]"];
    assert_eq!(printed(&file, &attached), holders);
}

#[test]
fn objects_are_created_from_data_files() {
    let folder = Folder::new();
    let file = folder.game(Format::Json);
    let medic = r#"{"$type":"healer","$value":{"strength":3}}"#;
    fs::write(folder.file("medic.json"), medic).unwrap();
    fs::write(folder.file("chief.json"), r#"{"$extends":"medic.json","$value":{"pause":9}}"#)
        .unwrap();
    let commands =
        ["create units[0].components[0] chief.json", "get units[0].components[0]", "save"];
    let answer = printed(&file, &commands);
    for part in [r#""$type": "healer""#, r#""strength": 3"#, r#""pause": 9"#] {
        assert!(answer.contains(part), "{answer}");
    }

    let unknown = refused(&file, &["create units[0] nobody.json"]);
    assert!(unknown.contains("nobody.json"), "{unknown}");

    let place = printed(&file, &["get units[0].position"]);
    let unit = format!(
        r#"{{
            // At the place of the first unit, and with its number.
            "$value": {{"id": 0, "name": "Rex", "kind": "rifle", "health": 30, "position": {place}}},
        }}"#
    );
    fs::write(folder.file("unit.json"), unit).unwrap();
    let twice = refused(&file, &["create units[0] unit.json"]);
    assert_eq!(twice, "error: not a game of Skirmish: two units have the number 0");
    let commands = ["remove units[0]", "create units[0] unit.json", "get units[0].name", "save"];
    assert!(printed(&file, &commands).starts_with("\"Rex\"\nsaved "));
    // Members that the file lacks have their defaults.
    assert_eq!(printed(&file, &["get units[0].pace"]), "3\n");
}

#[test]
fn refused_commands_are_explained_and_change_nothing() {
    let folder = Folder::new();
    let file = folder.game(Format::Json);
    let before = fs::read(&file).unwrap();
    for (command, message) in [
        ("set units[0].helth 4", "error: units[0]: there is no `helth`, did you mean `health`?"),
        (
            "set units[0].health 4000",
            "error: units[0].health: 4000 is not in the range from 0 to 1000",
        ),
        ("set units[0].health many", "error: units[0].health: expected i32, found \"many\""),
        ("set units[0].id 4", "error: units[0].id: this member is read-only"),
        ("set units[99].health 4", "error: units: there is no item 99"),
        ("set units[0].position {\"x\":-1,\"y\":0}", "error: "),
        ("set units[0", "error: `set` needs two arguments"),
        ("paint units[0]", "error: there is no command `paint`: try `help`"),
        ("undo", "error: there is nothing to undo"),
    ] {
        let error = refused(&file, &[command, "save"]);
        assert!(error.starts_with(message), "{command}: {error}");
        assert_eq!(fs::read(&file).unwrap(), before, "{command}");
    }
    let broken = folder.file("broken.json");
    fs::write(&broken, "{\"level\": 7}").unwrap();
    assert!(refused(&broken, &["list"]).contains("level"));
}

/// All positions of a slider are undone in one step.
#[test]
fn a_drag_is_undone_in_one_step() {
    let folder = Folder::new();
    let document = Document::open(&folder.game(Format::Json)).unwrap();
    let mut app = App::new(document);
    app.open("units[0]").unwrap();
    app.selected = app.lines.iter().position(|line| line.name == "health").unwrap();
    let health = |app: &App| app.lines[app.selected].value.parse::<i32>().unwrap();
    let before = health(&app);
    let press = |app: &mut App, keys: &str| {
        for key in keys.chars() {
            assert!(!app.key(KeyCode::Char(key), KeyModifiers::NONE), "it is still open");
        }
    };
    press(&mut app, "---+--");
    assert_eq!(health(&app), before - 4);
    press(&mut app, "u");
    assert_eq!(health(&app), before);
    press(&mut app, "r");
    assert_eq!(health(&app), before - 4);
    press(&mut app, "-uu");
    assert_eq!(health(&app), before);
}

/// Checks a picture in the documentation; `UPDATE_DOCS=1` writes it.
fn check_picture(folder: &Folder, arguments: &[&str], name: &str) {
    let output = Command::new(env!("CARGO_BIN_EXE_editor"))
        .current_dir(folder.0.path())
        .args(arguments)
        .args(["--picture", name])
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let shown = fs::read_to_string(folder.file(name)).unwrap();
    let picture = roxmltree::Document::parse(&shown).expect("well-formed XML");
    assert_eq!(picture.root_element().tag_name().name(), "svg");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&page, &shown).unwrap();
    }
    let known = fs::read_to_string(&page).unwrap_or_default();
    assert!(known == shown, "the picture has changed: UPDATE_DOCS=1 cargo test -p editor");
}

#[test]
fn the_picture_in_the_documentation_is_what_the_editor_shows() {
    let folder = Folder::new();
    folder.game(Format::Json);
    check_picture(&folder, &["game.json", "--at", "units[0]"], "editor.svg");
}

/// An object of a type of a mod, which the editor has not compiled.
#[test]
fn the_picture_of_an_object_of_a_mod() {
    const MODS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../skirmish/mods");
    let folder = Folder::new();
    let file = folder.game(Format::Json);
    let prototype = fs::read(Path::new(MODS).join("field_kitchen/kitchen.json")).unwrap();
    let mut game: Value = json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let components = &mut game["units"][0]["$value"]["components"];
    let Value::Array(components) = components else { panic!("{components}") };
    components.push(json::from_slice(&prototype).unwrap());
    let last = components.len() - 1;
    fs::write(&file, json::to_string(&game).unwrap()).unwrap();
    let at = format!("units[0].components[{last}]");
    check_picture(&folder, &["game.json", "--mods", MODS, "--at", &at], "editor_made.svg");
    // Without the mod the editor keeps the object.
    printed(&file, &["set units[0].name Kit", "save"]);
    let saved = fs::read_to_string(&file).unwrap();
    assert!(saved.contains(r#""name":"Kit""#) && saved.contains(r#""$type":"Kitchen""#), "{saved}");
}
