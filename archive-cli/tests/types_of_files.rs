//! Which commands keep the types of a file.

use archive::save::SaveFile;
use archive::{Format, Serialize};

use crate::run_command::{fails, folder, ok, piped, run};

#[derive(Debug, Default, PartialEq, Serialize)]
struct Level {
    name: String,
    size: [u16; 2],
    doors: Vec<(u8, f32)>,
}

fn level() -> Level {
    Level { name: "Hall".into(), size: [640, 480], doors: vec![(1, 0.1), (2, 2.5)] }
}

/// A conversion to the format that a value has keeps the types that the file states.
#[test]
fn a_conversion_to_the_same_format_keeps_the_types() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for format in Format::all().chain([Format::of::<archive::bins::Bins>()]) {
        if format == Format::Json {
            continue;
        }
        let bytes = format.to_vec(&level()).unwrap();
        let (old, new, save) = (path("old"), path("new"), path("a.sav"));
        std::fs::write(&old, &bytes).unwrap();
        ok(&["convert", &old, &new, "--to", format.name()]);
        assert_eq!(std::fs::read(&new).unwrap(), bytes, "{format}");
        // In place.
        ok(&["convert", &old, &old, "--to", format.name()]);
        assert_eq!(std::fs::read(&old).unwrap(), bytes, "{format}");
        SaveFile::new(&save).save(&level(), format).unwrap();
        ok(&["convert", &save, &new, "--to", format.name()]);
        assert_eq!(std::fs::read(&new).unwrap(), bytes, "{format}");
        let output =
            piped(&["convert", "-", "-", "--to", format.name()], &std::fs::read(&save).unwrap());
        assert_eq!(output.stdout, bytes, "{format}");
        if format != Format::MessagePack {
            assert!(fails(&["set", &new, "size[0]", "70000"], 2).contains("70000"), "{format}");
        }
        // A damaged file is not copied.
        std::fs::write(&old, &bytes[..bytes.len() - 3]).unwrap();
        std::fs::remove_file(&new).unwrap();
        fails(&["convert", &old, &new, "--to", format.name()], 2);
        assert!(!std::fs::exists(&new).unwrap());
    }
}

/// A binary file that was converted from another format has no types; the conversion and `set`
/// report that.
#[test]
fn files_without_types_say_so() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(path("a.json"), archive::json::to_string(&level()).unwrap()).unwrap();
    for (name, part) in [
        ("a.bin", Some("does not state the types")),
        ("a.blob", Some("has the types that its values show")),
        ("a.bins", Some("has the types that its values show")),
        ("a.msgpack", None),
        ("b.json", None),
    ] {
        let output = run(&["convert", &path("a.json"), &path(name)]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{errors}");
        match part {
            Some(part) => {
                assert!(errors.starts_with("warning: ") && errors.contains(part), "{errors}")
            }
            None => assert_eq!(errors, ""),
        }
    }
    let output = run(&["set", &path("a.bin"), "size[0]", "70000"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && errors.contains("does not state types"), "{errors}");
    // A typed file does not.
    std::fs::write(path("typed.bin"), Format::Binary.to_vec(&level()).unwrap()).unwrap();
    let output = run(&["set", &path("typed.bin"), "size[0]", "7"]);
    assert!(output.status.success() && output.stderr.is_empty());
}

/// An older version of a format becomes the current one, with a warning.
#[test]
fn a_new_format_version_is_reported() {
    let folder = folder();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
    for (from, version) in
        [("binary/v1", "binary"), ("bins/v1", "Bins"), ("binary/v2", ""), ("bins/v2", "")]
    {
        for entry in std::fs::read_dir(root.join(from)).unwrap().step_by(3) {
            let path = folder.path().join("file");
            std::fs::copy(entry.unwrap().path(), &path).unwrap();
            let file = path.to_str().unwrap();
            let before = std::fs::read(&path).unwrap();
            // The first number of the file that can be another one.
            let json: archive::Value = archive::json::from_str(&ok(&["get", file])).unwrap();
            let mut all = Vec::new();
            crate::run_command::places(&json, &archive::path::Path::new(), &mut all);
            let set = all.iter().find_map(|(at, value)| {
                let number = value.as_u64()?;
                let output = run(&["set", file, &at.to_string(), &(number ^ 1).to_string()]);
                output.status.success().then_some(output)
            });
            let Some(output) = set.filter(|_| std::fs::read(&path).unwrap() != before) else {
                continue;
            };
            let errors = String::from_utf8(output.stderr).unwrap();
            let expected = format!("had version 1 of the {version} format");
            assert_eq!(errors.contains(&expected), !version.is_empty(), "{from}: {errors}");
        }
    }
}
