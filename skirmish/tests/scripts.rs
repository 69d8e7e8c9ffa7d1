//! Mods with scripts, and mods that change while a game is played.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use archive::Format;
use skirmish::mods::Mods;
use skirmish::{Game, Level, Settings, digest, load, save};

const MODS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/mods-lua");

fn copied(folder: &Path) -> PathBuf {
    let to = folder.join("signal_corps");
    fs::create_dir_all(&to).unwrap();
    for entry in fs::read_dir(Path::new(MODS).join("signal_corps")).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
    to
}

fn new_game() -> Game {
    Game::new(&Level::own(), &Settings { seed: 9, units: Some(48) }).unwrap()
}

fn text(game: &Game) -> String {
    String::from_utf8(save(game.world(), Format::Json).unwrap()).unwrap()
}

/// One test, since all games of a program use the same mods.
#[test]
fn games_with_scripts() {
    scripts_run_and_resume();
    changed_mods_are_loaded_again();
    bad_scripts_are_refused();
}

fn scripts_run_and_resume() {
    Mods::read(Path::new(MODS)).unwrap().install();
    let mut game = new_game();
    game.play(40);
    let saved = text(&game);
    assert!(saved.contains("\"Drum\"") && saved.contains("\"beat\":2"), "{saved}");
    for format in Format::all() {
        let bytes = save(game.world(), format).unwrap();
        let mut resumed = Game::resume(load(&bytes, format).unwrap()).unwrap();
        resumed.play(160);
        let mut whole = new_game();
        whole.play(200);
        assert_eq!(digest(resumed.world()), digest(whole.world()), "{format}");
    }
}

fn changed_mods_are_loaded_again() {
    let folder = tempfile::tempdir().unwrap();
    let files = copied(folder.path());
    let change = |name: &str, from: &str, to: &str| {
        let path = files.join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        fs::write(&path, text.replace(from, to)).unwrap();
    };
    Mods::read(folder.path()).unwrap().install();
    let mut game = new_game();
    game.play(30);
    let before = text(&game);

    // Nothing has changed.
    game.reload_mods(folder.path()).unwrap();
    assert_eq!(text(&game), before);

    // A script, a type and a new member: objects of the game get them.
    change(
        "script.lua",
        "self.beat % #self.rhythm + 1",
        "self.beat % #self.rhythm + 1  self.total = self.total + 1",
    );
    change(
        "schema.json",
        "{ \"name\": \"beat\", \"type\": \"u32\" }",
        "{ \"name\": \"beat\", \"type\": \"u64\" }, { \"name\": \"total\", \"type\": \"u16\", \"default\": 100 }",
    );
    game.reload_mods(folder.path()).unwrap();
    let reloaded = text(&game);
    assert!(reloaded.contains("\"total\":100"), "{reloaded}");
    game.play(12);
    let after = text(&game);
    assert!(after.contains("\"total\":102") || after.contains("\"total\":103"), "{after}");

    // Mistakes are reported, and the old state stays.
    let before = text(&game);
    for (name, from, to, message) in [
        ("script.lua", "Drum = {}", "Drum = {", "script.lua:"),
        ("schema.json", "\"u16\"", "\"u61\"", "did you mean `u16`"),
        ("drum.json", "rhythm", "rythm", "drum.json"),
        // Objects of the game do not fit.
        ("schema.json", "\"type\": \"Vec<u8>\", \"default\": [4, 4, 8]", "\"type\": \"bool\"", ""),
    ] {
        change(name, from, to);
        let error = game.reload_mods(folder.path()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
        assert_eq!(text(&game), before);
        change(name, to, from);
    }
    game.reload_mods(folder.path()).unwrap();
    game.play(10);
}

fn bad_scripts_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let files = copied(folder.path());
    fs::write(files.join("script.lua"), "while true do end").unwrap();
    let error = Mods::read(folder.path()).err().unwrap();
    assert_eq!(error.kind(), archive::ErrorKind::SizeLimit);
    // One that is ended in the game: its component does nothing, and the game is played.
    fs::write(files.join("script.lua"), "Drum = { tick = function() while true do end end }")
        .unwrap();
    Mods::read(folder.path()).unwrap().install();
    let mut game = new_game();
    game.play(3);
    Mods::read(Path::new(MODS)).unwrap().install();
}

/// The page shows the script.
#[test]
fn the_page_has_the_script() {
    let read = |path: &str| fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    let page = read(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/TYPES_FROM_DATA.md"));
    let script = read(concat!(env!("CARGO_MANIFEST_DIR"), "/mods-lua/signal_corps/script.lua"));
    assert!(page.contains(&format!("```lua\n{script}```")));
}

#[test]
fn the_program_watches_its_mods() {
    let folder = tempfile::tempdir().unwrap();
    let files = copied(folder.path());
    let mut program = Command::new(env!("CARGO_BIN_EXE_skirmish"))
        .args(["--units", "24", "--ticks", "400", "--watch", "--mods"])
        .arg(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut next = |what: &str| {
        let line = lines.find(|line| line.contains(what));
        line.unwrap_or_else(|| panic!("the program says nothing of {what:?}"))
    };
    next("watches");
    let schema = fs::read_to_string(files.join("schema.json")).unwrap();
    fs::write(files.join("schema.json"), "{").unwrap();
    assert!(next("the old mods stay").contains("schema.json"));
    fs::write(files.join("schema.json"), schema).unwrap();
    next("the mods are loaded again");
    next("final hash");
    assert!(program.wait().unwrap().success());
}
