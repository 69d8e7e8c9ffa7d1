//! Commands that error messages suggest work in a shell.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use archive::save::SaveFile;
use archive::{Format, Serialize, Value, json};

use crate::run_command::{folder, run};

#[derive(Clone, Default, Serialize)]
struct Unit {
    name: String,
    hp: u16,
    #[archive(rename = "two words")]
    other: u8,
}

#[derive(Clone, Default, Serialize)]
struct World {
    title: String,
    units: Vec<Unit>,
    scores: std::collections::BTreeMap<u32, String>,
    names: std::collections::BTreeMap<String, u16>,
}

fn world() -> World {
    let unit = |name: &str| Unit { name: name.into(), hp: 70, other: 1 };
    World {
        title: "Harbour".into(),
        units: vec![unit("Ann"), unit("Bob")],
        scores: [(5, "a".to_owned())].into(),
        names: [("ann".to_owned(), 7)].into(),
    }
}

/// The names of files, also names that need quotes in a shell.
const NAMES: [&str; 6] = ["world", "two words", "it's", "$HOME", "-o", "a;b&c"];

fn run_in(folder: &Path, args: &[&str]) -> std::process::Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_archive"));
    command.args(args).current_dir(folder).env("NO_COLOR", "1").stdin(std::process::Stdio::null());
    command.output().unwrap()
}

/// Runs the command that an error suggests in a shell, and returns it.
fn typed(folder: &Path, args: &[&str]) -> Option<String> {
    let output = run_in(folder, args);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args:?}: {errors}");
    let line = errors.lines().find_map(|line| line.strip_prefix("try: "))?;
    let program = Path::new(env!("CARGO_BIN_EXE_archive"));
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths =
        [program.parent().unwrap().to_owned()].into_iter().chain(std::env::split_paths(&paths));
    let typed = Command::new("sh")
        .args(["-c", line])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(paths).unwrap())
        .env("EDITOR", "true")
        .output()
        .unwrap();
    let wrong = String::from_utf8_lossy(&typed.stderr);
    let is_repair = line.starts_with("archive repair");
    assert!(
        typed.status.success() || is_repair && typed.status.code() == Some(1),
        "{args:?}: {line}: {wrong}"
    );
    Some(line.to_owned())
}

#[test]
fn suggested_commands_work() {
    let formats: Vec<Format> = Format::all().chain([Format::of::<archive::bins::Bins>()]).collect();
    let (mut with, mut without) = (0, Vec::new());
    for (index, name) in NAMES.into_iter().enumerate() {
        // Quotes are the same for all formats.
        let formats = if index == 0 { &formats[..] } else { &formats[..2] };
        for format in formats {
            let folder = folder();
            let file =
                format!("{name}.{}", if *format == Format::Binary { "bin" } else { format.name() });
            let path = folder.path().join(&file);
            let shown = if file.starts_with('-') { format!("./{file}") } else { file.clone() };
            let save = || std::fs::write(&path, format.to_vec(&world()).unwrap()).unwrap();
            for args in [
                ["get", "unit"],
                ["get", "units.name"],
                ["get", "units[0].hpp"],
                ["get", "units[7]"],
                ["get", "units[0"],
                ["get", "units[0].two words"],
                ["get", "units[*].hpp"],
                ["get", "$7"],
                ["get", "units[-1]"],
                ["get", "\"title\""],
                ["get", "/units/0/name"],
                ["get", ".units[0].hp"],
                ["get", ".units[].hp"],
                ["get", "$.units[0]"],
                ["get", "title.x"],
                ["get", "units[0]['hp']"],
                ["inspect", "unit"],
                ["inspect", "units[0"],
                ["edit", "unit"],
                ["edit", ".units"],
                ["get", "scores.7"],
                ["get", "names.an"],
            ] {
                save();
                match typed(folder.path(), &[args[0], &shown, args[1]]) {
                    Some(_) => with += 1,
                    None => without.push(format!("{file}: {args:?}")),
                }
            }
            for (at, value, is_known) in [
                ("title", "Harbor", true),
                ("title", "it's", true),
                ("title", "$HOME", true),
                ("titel", "\"x\"", true),
                ("units[0].hpp", "5", true),
                ("units[*].hp", "abc", false),
                ("names.bob", "7", *format != Format::of::<archive::bins::Bins>()),
                (".title", "\"x\"", true),
                (".title", "x y", true),
                ("units[0].two words", "7", false),
                ("units[0].two word", "7", false),
                ("scores[\"6\"]", "x", false),
                ("scores.x", "\"x\"", false),
                ("title", "{x", false),
                ("nothing", "1e5", false),
            ] {
                save();
                let line = typed(folder.path(), &["set", &shown, at, value]);
                assert!(line.is_some() || !is_known, "{file}: {at} {value}");
                with += usize::from(line.is_some());
            }
            // The rest is about files; one name of each is enough.
            if index > 0 {
                continue;
            }
            save();
            let mut cut = std::fs::read(&path).unwrap();
            cut.truncate(cut.len() - 3);
            std::fs::write(&path, &cut).unwrap();
            for args in [
                &["get", &shown][..],
                &["stats", &shown],
                &["schema", &shown],
                &["convert", &shown, "out.json"],
            ] {
                with += usize::from(typed(folder.path(), args).is_some());
            }
        }
    }
    assert!(with > 400, "{with} errors have something to type, and these have not: {without:#?}");
    assert!(without.is_empty(), "{without:#?}");
}

#[test]
fn folders_saves_and_damaged_files_have_something_to_type() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    std::fs::create_dir(path("saves")).unwrap();
    std::fs::write(path("bad.json"), "{\"a\": [1, 2, tru]}").unwrap();
    std::fs::write(path("bad.repaired.json"), "1").unwrap();
    let utf16: Vec<u8> = "{\"a\":1}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    std::fs::write(path("utf16.json"), [b"\xff\xfe", &utf16[..]].concat()).unwrap();
    for number in 0..2 {
        SaveFile::new(path("quick.sav"))
            .backups(1)
            .title(number.to_string())
            .save(&world(), Format::Json)
            .unwrap();
    }
    let mut cut = std::fs::read(path("quick.sav")).unwrap();
    cut.truncate(cut.len() - 9);
    std::fs::write(path("quick.sav"), cut).unwrap();
    for args in [
        &["get", "saves"][..],
        &["inspect", "saves"],
        &["stats", "saves"],
        &["schema", "saves"],
        &["diff", "bad.json", "saves"],
        &["convert", "saves", "x.json"],
        &["set", "saves", "a", "1"],
        &["edit", "saves"],
        &["repair", "saves", "-o", "x"],
        &["get", "bad.json"],
        &["get", "utf16.json"],
        &["get", "quick.sav"],
        &["set", "quick.sav", "title", "7"],
    ] {
        let line = typed(folder.path(), args);
        assert!(line.is_some(), "{args:?}");
    }
    assert_eq!(std::fs::read(path("bad.repaired.json")).unwrap(), b"1");
    assert!(path("bad.repaired2.json").exists() && path("quick.repaired.sav").exists());
    // Names that cannot be typed are not suggested.
    for args in [&["get", "-", "a"][..], &["get", "none.json"], &["set", "bad.json", "-", "-"]] {
        assert_eq!(typed(folder.path(), args), None, "{args:?}");
    }
    std::fs::write(path("a\u{1b}\nb.json"), "{\"a\":1}").unwrap();
    assert_eq!(typed(folder.path(), &["get", "a\u{1b}\nb.json", "b"]), None);
}

/// The examples of each help are commands that are accepted.
#[test]
fn examples_of_the_help_are_accepted() {
    let help = |args: &[&str]| String::from_utf8(run(args).stdout).unwrap();
    let all = help(&["--help"]);
    let commands = all.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let commands: Vec<&str> = commands
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() >= 13, "{all}");
    let mut examples = Vec::new();
    for command in commands.iter().filter(|command| **command != "help") {
        let help = help(&[command, "--help"]);
        let lines = help.lines().skip_while(|line| !line.starts_with("Example"));
        let found: Vec<String> = lines
            .skip(1)
            .filter(|line| line.contains("archive"))
            .map(|line| line.trim().to_owned())
            .collect();
        assert!(!found.is_empty(), "{command}: {help}");
        assert!(found.iter().all(|line| line.contains(&format!("archive {command}"))), "{found:?}");
        examples.extend(found);
    }
    run_examples(&examples);
}

mod tables {
    /// A class with the members that the questions name.
    #[derive(Default, archive::Serialize)]
    pub struct Unit {
        pub hp: u16,
        pub state: u8,
    }
}

/// Runs the examples in a folder that has the files that they name.
fn run_examples(examples: &[String]) {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let level = r#"{"title": "x", "weather": "sun", "spawn": {"x": 1, "y": 2}, "units": [1]}"#;
    let schema = r#"{"types": {"Unit": {"members": [{"name": "hp", "type": "u16"}]}}}"#;
    let unit =
        |at: u64| format!("{{\"$id\":{},\"$value\":{{\"hp\":{at},\"name\":\"u{at}\"}}}}", at + 1);
    let units: Vec<String> = (0..5).map(unit).collect();
    let world: Value = json::from_str(&format!("{{\"units\":[{}]}}", units.join(","))).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_archive"));
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths =
        [program.parent().unwrap().to_owned()].into_iter().chain(std::env::split_paths(&paths));
    let paths = std::env::join_paths(paths).unwrap();
    // `view` serves its page until it is interrupted; other tests run it.
    let ends =
        |example: &&String| !example.contains("archive view") || example.contains("--export");
    // A build may lack what these need.
    let is_built = |example: &&String| {
        let has = |word: &str| example.contains(word);
        (cfg!(feature = "sqlite") || !has("archive query") && !has("--sqlite"))
            && (cfg!(feature = "parquet") || !has("--parquet"))
    };
    for example in examples.iter().filter(ends).filter(is_built) {
        std::fs::create_dir_all(path(".local/share/skirmish/saves")).unwrap();
        std::fs::create_dir_all(path(".local/share/bash-completion/completions")).unwrap();
        std::fs::create_dir_all(path("saves")).unwrap();
        std::fs::create_dir_all(path("mods")).unwrap();
        std::fs::write(path("mod.schema.json"), schema).unwrap();
        std::fs::write(path("mods/orc.json"), r#"{"hp": 7}"#).unwrap();
        std::fs::write(path("level.json"), level).unwrap();
        std::fs::write(
            path("level.bin"),
            Format::Binary.to_vec(&json::from_str::<Value>(level).unwrap()).unwrap(),
        )
        .unwrap();
        for name in ["quick.sav", "before.sav", "after.sav"] {
            SaveFile::new(path(name)).save(&world, Format::Json).unwrap();
        }
        SaveFile::new(path("saves/a.sav"))
            .save(&vec![tables::Unit::default()], Format::Binary)
            .unwrap();
        // Other programs may not be installed.
        let line = example.replace("curl -s https://example.com/level.json", "cat level.json");
        let line = line.split(" | jq").next().unwrap().replace("| man -l -", "| cat > page");
        let typed = Command::new("sh")
            .args(["-c", &line])
            .current_dir(folder.path())
            .env("PATH", &paths)
            .env("HOME", folder.path())
            .env("EDITOR", "true")
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&typed.stderr);
        assert!(typed.status.success(), "{line}: {errors}");
    }
}
