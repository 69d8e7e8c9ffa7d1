//! `schema`, `verify`, `stats` and `list`.

use archive::save::{SaveFile, Saves};
use archive::{Format, Serialize, Value, json};

use crate::run_command::{fails, fixture, folder, golden, ok, run};

#[test]
fn golden_files_are_good() {
    let files = golden();
    let mut args = vec!["verify"];
    args.extend(files.iter().map(|file| file.text()));
    assert_eq!(ok(&args).lines().count(), files.len());
}

/// A file that is cut short is damaged in every format.
#[test]
fn damage_is_found() {
    let folder = folder();
    for file in golden() {
        let cut = folder.path().join("cut");
        let bytes = file.bytes();
        std::fs::write(&cut, &bytes[..bytes.len() - 1]).unwrap();
        let message = fails(&["verify", cut.to_str().unwrap()], 1);
        assert!(message.starts_with("error: "), "{}: {message}", file.text());
    }
    let missing = folder.path().join("missing");
    fails(&["verify", missing.to_str().unwrap()], 2);
}

/// Text that JSON refuses is refused, except comments, trailing commas and a byte order mark.
#[test]
fn the_test_suite_of_json_is_verified() {
    let Some(folder) = fixture("json-test-suite/test_parsing") else { return };
    let allowed = ["trailing_comma", "_comment", "BOM", "extra_comma", "number_and_comma"];
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        // One byte may be a whole file of MessagePack.
        if Format::detect(&std::fs::read(&path).unwrap()).is_ok_and(|format| format != Format::Json)
        {
            continue;
        }
        let status = run(&["verify", path.to_str().unwrap()]).status.code().unwrap();
        count += 1;
        match name.as_bytes()[0] {
            b'y' => assert_eq!(status, 0, "{name}"),
            b'n' if !allowed.iter().any(|part| name.contains(part)) => {
                // Without a format the file cannot be read at all.
                assert_ne!(status, 0, "{name}");
            }
            _ => assert!((0..=2).contains(&status), "{name}: {status}"),
        }
    }
    assert!(count > 300, "{count}");
}

#[test]
fn schemas_are_stated_or_seen() {
    for file in golden() {
        let text = ok(&["schema", file.text()]);
        assert!(!text.is_empty());
        if file.format == Format::Binary {
            assert!(text.contains("\nroot: "), "{text}");
        }
    }
    let folder = folder();
    let path = folder.path().join("units.json");
    std::fs::write(&path, r#"{"units":[{"hp":7,"name":"Ann"},{"hp":9.5,"at":[1,2]},{"hp":null}]}"#)
        .unwrap();
    assert_eq!(
        ok(&["schema", path.to_str().unwrap()]),
        "object\n  units: sequence of 3\n    [*]: object\n      hp: float (7 to 9.5) or null\n      \
         name?: text\n      at?: sequence of 2\n        [*]: integer (1 to 2)\n"
    );
}

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    tags: Vec<String>,
}

#[test]
fn stats_show_the_largest_members() {
    let folder = folder();
    let units: Vec<Unit> = (0..100)
        .map(|at| Unit { name: format!("unit {at}"), tags: vec!["a long text".into(); 10] })
        .collect();
    for (format, tags) in [(Format::Binary, "Unit.tags"), (Format::Json, "[*].tags")] {
        let path = folder.path().join("units");
        std::fs::write(&path, format.to_vec(&units).unwrap()).unwrap();
        let text = ok(&["stats", path.to_str().unwrap()]);
        let first = text.lines().nth(1).unwrap();
        assert!(first.contains(tags) && first.contains("100 ×") && first.contains('█'), "{text}");
        let value: Value =
            json::from_str(&ok(&["stats", path.to_str().unwrap(), "--json"])).unwrap();
        assert_eq!(value["members"][0]["count"], Value::from(100));
        assert_eq!(value["members"][1]["member"].as_str().unwrap(), tags.replace("tags", "name"));
    }
}

/// In a file in which every value is measured, the parts are no more than the whole.
#[test]
fn golden_files_have_stats() {
    for file in golden() {
        let value: Value =
            json::from_str(&ok(&["stats", file.text(), "--json", "--top", "0"])).unwrap();
        let total = value["total"].as_u64().unwrap();
        assert!(total <= file.bytes().len() as u64, "{}: {total}", file.text());
        for member in value["members"].as_array().unwrap() {
            assert!(member["bytes"].as_u64().unwrap() <= total, "{}: {member}", file.text());
        }
    }
}

#[test]
fn saves_are_listed_with_their_metadata() {
    let folder = folder();
    let saves = Saves::in_folder(folder.path()).unwrap();
    let slot = saves.slot("Ann's campaign").unwrap().title("Before the boss");
    slot.metadata(&vec!["The harbour".to_owned()]).unwrap().save(&7, Format::Binary).unwrap();
    saves.slot("broken").unwrap().save(&8, Format::Json).unwrap();
    let broken = saves.slot("broken").unwrap().path().to_owned();
    let bytes = std::fs::read(&broken).unwrap();
    std::fs::write(&broken, &bytes[..bytes.len() - 3]).unwrap();
    let text = ok(&["list", folder.path().to_str().unwrap()]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("name") && lines.len() == 3, "{text}");
    assert!(lines.iter().any(|line| line.contains("Before the boss")), "{text}");
    assert!(
        lines.iter().any(|line| line.starts_with("broken") && line.contains("damaged")),
        "{text}"
    );
    let list: Value =
        json::from_str(&ok(&["list", folder.path().to_str().unwrap(), "--json"])).unwrap();
    let ann =
        list.as_array().unwrap().iter().find(|slot| slot["title"] == "Before the boss".into());
    assert_eq!(ann.unwrap()["metadata"].to_string(), r#"["The harbour"]"#);
    fails(&["list", folder.path().join("missing").to_str().unwrap()], 2);
}

/// The value in a save file is read, without its container.
#[test]
fn save_files_are_read_as_their_values() {
    let folder = folder();
    for format in Format::all() {
        let path = folder.path().join("quick.sav");
        SaveFile::new(&path).title("A title").save(&vec![Unit::default()], format).unwrap();
        let path = path.to_str().unwrap();
        assert_eq!(ok(&["get", path, "[0].tags", "-c"]), "[]\n");
        assert!(ok(&["inspect", path]).contains("title: A title"));
        assert!(ok(&["verify", path]).contains("ok (save file of "));
    }
}

#[test]
fn pages_are_printed() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(ok(&["completions", shell]).contains("inspect"), "{shell}");
    }
    assert!(ok(&["man"]).contains(".TH archive 1"));
    let folder = folder();
    ok(&["man", "--dir", folder.path().to_str().unwrap()]);
    assert!(folder.path().join("archive-diff.1").exists());
    let help = ok(&["--help"]);
    let commands: Vec<&str> =
        help.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   ")).collect();
    let mut count = 0;
    for name in commands.iter().filter_map(|line| line.split_whitespace().next()) {
        if !name.starts_with('-') && !["archive", "help"].contains(&name) {
            count += 1;
            assert!(ok(&[name, "--help"]).contains("Example"), "{name}");
        }
    }
    assert!(count > 9, "{help}");
}
