//! `--json` of every command, for programs.

use archive::save::SaveFile;
use archive::{Format, Value, json};

use crate::run_command::{command, folder, ok, run};

/// Returns the only JSON value of a text.
fn parsed(text: &[u8]) -> Value {
    let text = std::str::from_utf8(text).expect("text");
    json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// Every command with `--json`, on files of every format: standard output is one JSON value, and each line of
/// standard error is one.
#[test]
fn every_command_prints_json() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let tree: Value = json::from_str(r#"{"a":[1,2],"b":"x","c":{"d":null}}"#).unwrap();
    for format in Format::all().chain([Format::of::<archive::bins::Bins>()]) {
        std::fs::write(path(&format!("a.{format}")), format.to_vec(&tree).unwrap()).unwrap();
    }
    SaveFile::new(path("a.sav")).save(&tree, Format::Json).unwrap();
    std::fs::write(path("bad"), "{\"a\": [1, 2, tru").unwrap();
    std::fs::write(path("twice"), "{\"a\": 1, \"a\": 2}").unwrap();
    let mut files: Vec<String> = Format::all().map(|format| path(&format!("a.{format}"))).collect();
    files.extend(["a.bins", "a.sav", "bad", "twice", "none", ""].map(path));
    let (out, dir) = (path("out"), path(""));
    for file in &files {
        for args in [
            vec!["inspect", file],
            vec!["inspect", file, "nothing"],
            vec!["get", file],
            vec!["get", file, "a[*]"],
            vec!["get", file, "a["],
            vec!["convert", file, &out, "--to", "json"],
            vec!["convert", file, &out, "--to", "binary"],
            vec!["convert", file, &out, "--to", "xyz"],
            vec!["diff", file, &files[0]],
            vec!["diff", file, file],
            vec!["schema", file],
            vec!["verify", file, &files[0]],
            vec!["stats", file],
            vec!["set", file, "a[*]", "7", "-o", &out],
            vec!["set", file, "a[0]", "-o", &out, "1"],
            vec!["set", file, "b", "y", "-o", &out],
            vec!["set", file, "e", "7", "--add", "-o", &out],
            vec!["edit", file, "-o", &out],
            vec!["edit", file, "a", "-o", &out],
            vec!["repair", file, "-o", &out],
            vec!["list", file],
            vec!["list", &dir],
            // Arguments that are refused before anything is read.
            vec!["get", file, "a", "b"],
            vec!["stats", file, "--top", "x"],
            vec!["set", file],
            vec!["repair", file],
            vec!["list", "--nothing"],
            vec!["nothing", file],
        ] {
            let args: Vec<&str> = args.into_iter().chain(["--json"]).collect();
            let output = command(&args).env("EDITOR", r"sed -i 's/\[1/[3/'").output().unwrap();
            let code = output.status.code().unwrap();
            if output.stdout.is_empty() {
                assert_eq!(code, 2, "{args:?}");
            } else {
                let value = parsed(&output.stdout);
                assert!(matches!(value, Value::Array(_) | Value::Object(_)), "{args:?}: {value}");
            }
            let mut errors = 0;
            for line in output.stderr.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                let value = parsed(line);
                let [(kind, about)] = value.as_object().unwrap() else {
                    panic!("{args:?}: {value}")
                };
                assert!(["error", "warning", "note"].contains(&kind.as_str()), "{args:?}: {value}");
                assert!(
                    about["message"].as_str().is_some_and(|text| !text.contains('\n')),
                    "{args:?}: {value}"
                );
                errors += u32::from(kind == "error");
            }
            let is_failed = code == 2 && args[0] != "verify";
            assert_eq!(
                errors,
                u32::from(is_failed),
                "{args:?}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
    }
}

#[test]
fn writers_report_their_output() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, out) = (path("a.json"), path("out.bin"));
    std::fs::write(&file, "{\"a\":[1,2,7]}").unwrap();
    let said = |args: &[&str]| {
        let value = parsed(ok(args).as_bytes());
        assert_eq!(value["file"].as_str(), Some(&*file), "{args:?}");
        value
    };
    let set = said(&["set", &file, "a[*]", "7", "--json", "-o", &out]);
    assert_eq!(
        set.to_string(),
        format!("{{\"file\":{file:?},\"output\":{out:?},\"changed\":true,\"values\":3}}")
    );
    let set = said(&["set", &file, "a[*]", "7", "--json"]);
    assert_eq!((set["output"].as_str(), set["changed"].as_bool()), (Some(&*file), Some(true)));
    let set = said(&["set", &file, "a[*]", "7", "--json"]);
    assert_eq!((set["values"].as_u64(), set["changed"].as_bool()), (Some(3), Some(false)));
    let converted = said(&["convert", &file, &out, "--json"]);
    let size = std::fs::metadata(&out).unwrap().len();
    assert_eq!(
        (converted["format"].as_str(), converted["size"].as_u64()),
        (Some("binary"), Some(size))
    );
    // Windows has no such editors.
    let editors = if cfg!(windows) { &[][..] } else { &[("true", false), ("sed -i s/7/8/", true)] };
    for &(editor, is_changed) in editors {
        let output = command(&["edit", &file, "--json"]).env("EDITOR", editor).output().unwrap();
        assert_eq!(parsed(&output.stdout)["changed"].as_bool(), Some(is_changed));
    }
    // Standard output has the file.
    for args in
        [&["set", &file, "a[0]", "5", "-o", "-", "--json"][..], &["convert", &file, "-", "--json"]]
    {
        let output = run(args);
        assert!(parsed(&output.stdout)["a"].as_array().is_some());
        assert_eq!(parsed(&output.stderr)["output"].as_str(), Some("-"));
    }
}

#[test]
fn errors_have_their_place() {
    let folder = folder();
    let path = folder.path().join("a.json");
    let file = path.to_str().unwrap();
    std::fs::write(&path, "{\"unit\": {\n\"hp\": tru}}").unwrap();
    let output = run(&["get", file, "--json"]);
    let error = &parsed(&output.stderr)["error"];
    assert_eq!((error["kind"].as_str(), error["file"].as_str()), (Some("Syntax"), Some(file)));
    assert_eq!((error["path"].as_str(), error["line"].as_u64()), (Some("unit.hp"), Some(2)));
    assert!(error["column"].as_u64().is_some() && error["hint"].as_str().is_some());
    let output = run(&["get", file, "a", "b", "--json"]);
    assert_eq!(parsed(&output.stderr)["error"]["kind"].as_str(), Some("Usage"));
}
