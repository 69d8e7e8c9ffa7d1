//! Output to a terminal and to a program.

use archive::save::SaveFile;
use archive::{Format, Serialize, Value, json};

use crate::run_command::{command, folder, ok, run};

/// Characters that control a terminal, or that reorder the text on it.
const NASTY: &str = "a\u{1b}]0;x\u{7}\u{1b}[31m\u{7f}\u{9b}2J\r\u{202e}b\u{2066}\u{200f}\u{2028}";

fn is_nasty(c: char) -> bool {
    c.is_control() && c != '\n'
        || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[derive(Clone, Default, Serialize)]
struct Unit {
    name: String,
    tags: std::collections::BTreeMap<String, u16>,
    #[archive(rename = "two words")]
    other: Vec<u16>,
}

/// Names, values, types and titles, in every format.
fn files(folder: &std::path::Path) -> Vec<String> {
    let unit = Unit {
        name: NASTY.into(),
        tags: [(NASTY.to_owned(), 7), ("b".into(), 9)].into(),
        other: vec![1, 2],
    };
    let tree = Value::Object(vec![
        (NASTY.to_owned(), Value::from(NASTY)),
        ("items".into(), vec![Value::from(NASTY); 3].into_iter().collect()),
    ]);
    let mut all = Vec::new();
    let mut add = |name: String, bytes: Vec<u8>| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        all.push(path.to_str().unwrap().to_owned());
    };
    for format in Format::all().chain([Format::of::<archive::bins::Bins>()]) {
        add(format!("typed.{format}"), format.to_vec(&unit).unwrap());
        add(format!("tree.{format}"), format.to_vec(&tree).unwrap());
        let mut cut = format.to_vec(&tree).unwrap();
        cut.truncate(cut.len() - 9);
        add(format!("cut.{format}"), cut);
    }
    let path = folder.join("quick.sav");
    SaveFile::new(&path).title(NASTY).metadata(&tree).unwrap().save(&unit, Format::Json).unwrap();
    add(
        "bad.json".into(),
        format!("{{\"{NASTY}\": tru, ").replace(['\u{1b}', '\u{7}', '\r'], "\u{9b}").into_bytes(),
    );
    add(
        "raw.json".into(),
        format!("{{\"a\u{9b}\u{202e}\u{7f}\": {{\"b\": [1, 2 {NASTY}").into_bytes(),
    );
    all.push(path.to_str().unwrap().to_owned());
    all
}

#[test]
fn nothing_that_was_read_reaches_a_terminal_raw() {
    let folder = folder();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    let files = files(folder.path());
    let mut messages = 0;
    for (file, other) in files.iter().zip(files.iter().cycle().skip(3)) {
        for args in [
            vec!["inspect", file, "--depth", "9"],
            vec!["inspect", file, "*"],
            vec!["schema", file],
            vec!["stats", file],
            vec!["verify", file],
            vec!["diff", file, other],
            vec!["diff", other, file],
            vec!["repair", file, "-o", out],
            vec!["set", file, "*", "[", "-o", out],
            vec!["set", file, "nothing", "1", "-o", out],
            vec!["set", file, "*", "1", "-o", out],
            vec!["get", file, "a.b.c"],
            vec!["get", file, "items.x"],
            vec!["convert", file, out, "--to", "bins"],
            vec!["list", folder.path().to_str().unwrap()],
        ] {
            let output = run(&args);
            for bytes in [&output.stdout, &output.stderr] {
                let text = String::from_utf8(bytes.clone()).expect("text");
                assert!(!text.contains(is_nasty), "{args:?}: {text:?}");
                messages += usize::from(
                    text.contains("u001b") || text.contains("u009b") || text.contains("u{1b}"),
                );
            }
        }
    }
    assert!(messages > 60, "only {messages} messages have something of these characters");
}

/// A pipe gets every character.
#[test]
fn programs_get_unescaped_text() {
    let folder = folder();
    for file in files(folder.path()) {
        if file.contains("cut") || file.contains("bad") || file.contains("raw") {
            continue;
        }
        let value: Value = json::from_str(&ok(&["get", &file])).unwrap();
        let has = |text: &str| text.contains("\u{7f}") && text.contains("\u{9b}");
        assert!(has(&value.to_string()), "{file}");
        let parsed = |args: &[&str]| {
            let output = run(args);
            let text = String::from_utf8(output.stdout).unwrap();
            let value: Value = json::from_str(&text).unwrap();
            (value, text)
        };
        for args in [
            vec!["inspect", &file, "--json", "--depth", "9"],
            vec!["stats", &file, "--json"],
            vec!["schema", &file, "--json"],
            vec!["get", &file, "*", "--json"],
        ] {
            let (_, text) = parsed(&args);
            if args[0] == "inspect" || args[0] == "get" {
                assert!(has(&text), "{args:?}: {text:?}");
            }
        }
        let other = folder.path().join("bare.json");
        std::fs::write(&other, "{}").unwrap();
        let (changes, text) = parsed(&["diff", other.to_str().unwrap(), &file, "--json"]);
        assert!(has(&text) && !changes.as_array().unwrap().is_empty(), "{file}");
    }
    let (list, _) = {
        let text = ok(&["list", folder.path().to_str().unwrap(), "--json"]);
        (json::from_str::<Value>(&text).unwrap(), text)
    };
    assert_eq!(list[0]["title"].as_str(), Some(NASTY));
}

/// On a terminal, JSON is shown with escapes, which are the same JSON.
#[cfg(target_os = "linux")]
#[test]
fn json_on_a_terminal_is_escaped() {
    let folder = folder();
    let path = folder.path().join("a.json");
    std::fs::write(&path, json::to_string(&vec![NASTY.to_owned()]).unwrap()).unwrap();
    let program = env!("CARGO_BIN_EXE_archive");
    for (args, expected) in [
        ("get", r#""a\u001b]0;x\u0007\u001b[31m\u007f\u009b2J\r\u202eb\u2066\u200f\u2028""#),
        ("get -r", r"a\u001b]0;x\u0007\u001b[31m\u007f\u009b2J\u000d\u202eb\u2066\u200f\u2028"),
    ] {
        let line = format!("'{program}' {args} '{}' '[0]'", path.display());
        let script =
            std::process::Command::new("script").args(["-qec", &line, "/dev/null"]).output();
        let Ok(output) = script else {
            println!("skipped: there is no `script`");
            return;
        };
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.trim_end().replace("\r\n", "\n"), expected);
    }
}

/// Texts that are longer than any column.
#[test]
fn long_names_and_titles_are_cut() {
    let folder = folder();
    let long = "x".repeat(70_000);
    let path = folder.path().join("a.sav");
    let tree = Value::Object(vec![(long.clone(), Value::from(long.as_str()))]);
    SaveFile::new(&path).title(&*long).metadata(&tree).unwrap().save(&tree, Format::Json).unwrap();
    let json = folder.path().join("a.json");
    let twice = folder.path().join("twice.json");
    std::fs::write(&json, tree.to_string()).unwrap();
    std::fs::write(&twice, format!("{{\"{long}\": {{\"{long}\":[{{\"{long}\":tru")).unwrap();
    for args in [
        vec!["list", folder.path().to_str().unwrap()],
        vec!["stats", path.to_str().unwrap()],
        vec!["stats", json.to_str().unwrap()],
        vec!["inspect", path.to_str().unwrap()],
        vec!["schema", json.to_str().unwrap()],
        vec!["diff", json.to_str().unwrap(), twice.to_str().unwrap()],
        vec!["get", twice.to_str().unwrap()],
        vec!["get", json.to_str().unwrap(), "y"],
    ] {
        let output = run(&args);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!errors.contains("panicked"), "{args:?}");
        assert!(output.status.code().is_some(), "{args:?}");
        let lines = String::from_utf8(output.stdout).unwrap();
        let longest = lines.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(longest < 1000, "{args:?}: {longest}");
    }
    // Members whose names begin and end the same are different ones.
    let names = [format!("{long}a{long}"), format!("{long}b{long}")];
    let tree = Value::Object(names.iter().map(|name| (name.clone(), Value::from(7))).collect());
    std::fs::write(&json, tree.to_string()).unwrap();
    let stats: Value = json::from_str(&ok(&["stats", json.to_str().unwrap(), "--json"])).unwrap();
    assert_eq!(stats["members"].as_array().unwrap().len(), 2);
}

/// Numbers are numbers, dates are RFC 3339, and nothing is an empty array.
#[test]
fn json_has_the_types_that_programs_read() {
    let folder = folder();
    let path = folder.path().join("saves");
    std::fs::create_dir(&path).unwrap();
    let dir = path.to_str().unwrap();
    assert_eq!(ok(&["list", dir, "--json"]), "[]\n");
    let units = vec![Unit { other: vec![7], ..Unit::default() }];
    SaveFile::new(path.join("quick.sav"))
        .game("skirmish")
        .game_version(3)
        .title("The harbour")
        .play_time(std::time::Duration::from_millis(5_400_500))
        .metadata(&7)
        .unwrap()
        .thumbnail(*b"\x89PNG")
        .save(&units, Format::Binary)
        .unwrap();
    let list: Value = json::from_str(&ok(&["list", dir, "--json"])).unwrap();
    let slot = &list[0];
    assert_eq!(slot["version"].as_u64(), Some(3));
    assert_eq!(slot["played_seconds"].as_f64(), Some(5400.5));
    assert_eq!(slot["thumbnail_bytes"].as_u64(), Some(4));
    assert_eq!(slot["metadata"].as_u64(), Some(7));
    let file = path.join("quick.sav");
    let size = std::fs::metadata(&file).unwrap().len();
    assert_eq!(slot["size"].as_u64(), Some(size));
    let created = slot["created"].as_str().unwrap();
    assert!(created.ends_with('Z') && created.as_bytes()[10] == b'T', "{created}");
    let file = file.to_str().unwrap();
    let inspected: Value = json::from_str(&ok(&["inspect", file, "--json"])).unwrap();
    assert_eq!(inspected["save"]["version"].as_u64(), Some(3));
    assert_eq!(inspected["save"]["created"].as_str(), Some(created));

    assert_eq!(ok(&["diff", file, file, "--json"]), "[]\n");
    let copy = folder.path().join("copy.json");
    ok(&["convert", file, copy.to_str().unwrap()]);
    assert_eq!(ok(&["diff", file, copy.to_str().unwrap(), "--json"]), "[]\n");
    assert_eq!(ok(&["diff", file, copy.to_str().unwrap(), "--json", "--quiet"]), "");

    let bad = folder.path().join("bad.json");
    std::fs::write(&bad, "{\"a\": [1,\n 2, tru]}").unwrap();
    let output = run(&["verify", file, bad.to_str().unwrap(), "none.json", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(output.stderr, b"");
    let all: Value = json::from_str(&String::from_utf8(output.stdout).unwrap()).unwrap();
    assert_eq!(all[0]["state"].as_str(), Some("good"));
    assert_eq!(all[0]["kind"].as_str(), Some("save file of binary"));
    assert!(all[0]["size"].as_u64().is_some());
    assert_eq!(all[1]["state"].as_str(), Some("damaged"));
    assert_eq!(all[1]["error"]["path"].as_str(), Some("a[2]"));
    assert_eq!(all[1]["error"]["line"].as_u64(), Some(2));
    assert_eq!(all[2]["state"].as_str(), Some("unreadable"));

    let schema: Value = json::from_str(&ok(&["schema", file, "--json"])).unwrap();
    assert_eq!(schema["root"].as_str(), Some("Vec<Unit>"));
    assert_eq!(schema["types"][0]["members"][2]["name"].as_str(), Some("two words"));
    let schema: Value = json::from_str(&ok(&["schema", copy.to_str().unwrap(), "--json"])).unwrap();
    let unit = &schema["observed"]["items"];
    assert_eq!(unit["members"][2]["items"]["numbers"]["most"].as_u64(), Some(7));

    let repaired = folder.path().join("repaired.json");
    let output =
        run(&["repair", bad.to_str().unwrap(), "-o", repaired.to_str().unwrap(), "--json"]);
    let lost: Value = json::from_str(&String::from_utf8(output.stdout).unwrap()).unwrap();
    assert_eq!((output.status.code(), lost["lost"].as_array().unwrap().len()), (Some(1), 1));
    // The file itself is written to standard output, and messages are not.
    let output = run(&["repair", bad.to_str().unwrap(), "-o", "-"]);
    assert!(json::from_str::<Value>(&String::from_utf8(output.stdout).unwrap()).is_ok());
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("lost: "));

    let all: Value =
        json::from_str(&ok(&["get", copy.to_str().unwrap(), "[*][\"two words\"]", "--json"]))
            .unwrap();
    assert_eq!(all.to_string(), r#"[{"path":"[0][\"two words\"]","value":[7]}]"#);
    let one = ok(&["get", copy.to_str().unwrap(), "[0][\"two words\"][0]", "--json"]);
    assert_eq!(json::from_str::<Value>(&one).unwrap()[0]["value"].as_u64(), Some(7));
}

/// A value may begin with a minus.
#[test]
fn negative_numbers_are_values() {
    let folder = folder();
    let path = folder.path().join("a.json");
    let file = path.to_str().unwrap();
    for value in ["-5", "-5.5", "-5e-3", "-5E+3", "-0", "-0.0", "-1e300"] {
        for (before, after) in [(&[][..], &[][..]), (&["--add"], &[]), (&[], &["--add"])] {
            std::fs::write(&path, "{\"a\":1}").unwrap();
            ok(&[&["set"], before, &[file, "a", value], after].concat());
            let expected = format!("{{\"a\":{value}}}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
        }
    }
    std::fs::write(&path, "{\"a\":1}").unwrap();
    ok(&["set", file, "a", "--text", "-x"]);
    assert_eq!(ok(&["get", file, "a"]), "\"-x\"\n");
    ok(&["set", file, "a", "-x", "--text"]);
    ok(&["set", file, "a", "-t", "-5e-3"]);
    assert_eq!(ok(&["get", file, "a"]), "\"-5e-3\"\n");
    ok(&["set", file, "-o", "-", "a", "-7"]);
    let output = command(&["set", file, "a", "-"]).write_stdin("-3e-3").output().unwrap();
    assert!(output.status.success());
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "{\"a\":-3e-3}");
}
