//! A name that an object has twice: neither value is taken for the right one.

use archive::{Format, Value};

use crate::run_command::{fails, folder, ok, run};

const TEXT: &str = r#"{"o":{"a":1,"b":{"c":[1,2]},"a":2},"x":[[1,"one"],["k",2],["k",3]],"y":7}"#;

/// The same file in MessagePack and in the binary format, which have no types for it.
fn files(folder: &std::path::Path) -> Vec<String> {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    std::fs::write(path("a.json"), TEXT).unwrap();
    // Object o has a and then d, which is renamed.
    let value: Value = archive::json::from_str(&TEXT.replace("\"a\":2}", "\"d\":2}")).unwrap();
    for format in [Format::MessagePack, Format::Binary] {
        let mut bytes = format.to_vec(&value).unwrap();
        let at = bytes.iter().rposition(|byte| *byte == b'd').unwrap();
        bytes[at] = b'a';
        std::fs::write(path(&format!("a.{format}")), bytes).unwrap();
    }
    [path("a.json"), path("a.msgpack"), path("a.binary")].into()
}

#[test]
fn a_name_that_occurs_twice_is_an_error() {
    let folder = folder();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    for file in files(folder.path()) {
        let file = file.as_str();
        for args in [
            vec!["get", file, "o.a"],
            vec!["get", file, "o"],
            vec!["get", file, "*.a"],
            vec!["get", file, "x.k"],
            vec!["set", file, "o.a", "5", "-o", out],
            vec!["set", file, "x.k", "5", "-o", out],
            vec!["convert", file, out, "--to", "json"],
            vec!["convert", file, out, "--to", "msgpack"],
            vec!["convert", file, out, "--to", "binary"],
            vec!["convert", file, out, "--to", "blob"],
            vec!["convert", file, out, "--to", "bins"],
        ] {
            let output = run(&args);
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{args:?}");
            assert!(errors.contains("twice") && errors.contains(" at "), "{args:?}: {errors}");
            assert!(output.stdout.is_empty() || args[2].contains('*'), "{args:?}");
            assert!(!std::fs::exists(out).unwrap(), "{args:?}");
        }
        // Values on whose path there is no such name.
        assert_eq!(ok(&["get", file, "y"]), "7\n");
        assert_eq!(ok(&["get", file, "o.b.c[1]"]), "2\n");
        assert_eq!(ok(&["get", file, "x[2][1]"]), "3\n");
        ok(&["set", file, "y", "8", "-o", out]);
        std::fs::remove_file(out).unwrap();
    }
    let json = folder.path().join("a.json");
    let message = fails(&["get", json.to_str().unwrap(), "o.a"], 2);
    assert!(message.contains("o.a: ") && message.contains("column 33"), "{message}");
}

/// Text with such names is JSON, but programs do not load it.
#[test]
fn it_is_verified_and_repaired() {
    let folder = folder();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    for file in files(folder.path()) {
        let output = run(&["verify", &file]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{errors}");
        assert!(errors.starts_with("warning: ") && errors.contains("o.a: "), "{errors}");
        if file.ends_with("binary") {
            continue;
        }
        let output = run(&["repair", &file, "-o", out]);
        let lost = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{lost}");
        assert!(lost.contains("o.a: all but the last one"), "{lost}");
        assert_eq!(ok(&["get", out, "o", "-c"]), "{\"a\":2,\"b\":{\"c\":[1,2]}}\n");
    }
    // The rest may be damaged.
    let path = folder.path().join("cut.json");
    std::fs::write(&path, &TEXT[..TEXT.len() - 10]).unwrap();
    let output = run(&["repair", path.to_str().unwrap(), "-o", out]);
    assert_eq!(output.status.code(), Some(1));
    assert!(std::fs::read_to_string(out).unwrap().contains("\"k\",2"));
}
