//! `diff`: across formats, by path, and what moved.

use archive::{Format, json};

use crate::support::{fails, folder, golden, ok, run};

/// A file and its conversion are the same, in every format that has what it has.
#[test]
fn conversions_do_not_differ() {
    let folder = folder();
    const FORMATS: [&str; 5] = ["json", "msgpack", "binary", "blob", "bins"];
    for (index, file) in golden().into_iter().enumerate() {
        // All of them in turn.
        for to in [FORMATS[index % 5], FORMATS[(index + 2) % 5]] {
            let out = folder.path().join("out");
            let out = out.to_str().unwrap();
            ok(&["convert", file.text(), out, "--to", to]);
            assert_eq!(ok(&["diff", file.text(), out]), "", "{} as {to}", file.text());
        }
    }
}

/// One member of one golden file is another one in each format.
#[test]
fn one_change_is_one_line() {
    let folder = folder();
    let old = r#"{"level":"Arena","units":[{"hp":7,"name":"Ann"},{"hp":9,"name":"Bob"}]}"#;
    let new = r#"{"level":"Arena","units":[{"hp":7,"name":"Ann"},{"hp":4,"name":"Bob"}]}"#;
    let a = folder.path().join("a.json");
    std::fs::write(&a, old).unwrap();
    for format in Format::all() {
        let b = folder.path().join("b");
        let value: archive::Value = json::from_str(new).unwrap();
        std::fs::write(&b, format.to_vec(&value).unwrap()).unwrap();
        let output = run(&["diff", a.to_str().unwrap(), b.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "~ units[1].hp: 9 → 4\n");
    }
}

fn changes(old: &str, new: &str) -> String {
    let folder = folder();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    std::fs::write(&a, old).unwrap();
    std::fs::write(&b, new).unwrap();
    let output = run(&["diff", a.to_str().unwrap(), b.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(i32::from(!output.stdout.is_empty())));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn changes_are_found_by_path_and_then_by_content() {
    for (old, new, expected) in [
        ("[1,2]", "[1,2]", ""),
        ("[1, 2]", "[1,2.0]", ""),
        (r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, ""),
        ("[]", "{}", ""),
        ("1", "\"1\"", "~ : 1 → \"1\"\n"),
        (r#"{"a":null}"#, "{}", "- a: null\n"),
        ("{}", r#"{"a.b":[1]}"#, "+ [\"a.b\"]: [1]\n"),
        // An item in front moves none of the others.
        (r#"["Ann","Bob"]"#, r#"["Cy","Ann","Bob"]"#, "+ [0]: \"Cy\"\n"),
        (r#"["Ann","Bob","Cy"]"#, r#"["Cy","Ann","Bob"]"#, "> [2]: now [0]\n"),
        (r#"{"old":{"hp":7}}"#, r#"{"new":{"hp":7}}"#, "> old: now new\n"),
        (
            r#"{"a":"one\ntwo\n"}"#,
            r#"{"a":"one\n2\n"}"#,
            "~ a: text\n      one\n    - two\n    + 2\n",
        ),
        // The ids of objects are numbers of their files.
        (
            r#"{"a":{"$id":1,"$value":{"hp":7}},"b":{"$id":1}}"#,
            r#"{"a":{"$id":5,"$value":{"hp":8}},"b":{"$id":5}}"#,
            "~ a.hp: 7 → 8\n",
        ),
        (
            r#"[{"$id":1,"$value":7},{"$id":2,"$value":8},{"$id":1}]"#,
            r#"[{"$id":2,"$value":7},{"$id":1,"$value":8},{"$id":1}]"#,
            "~ [2]: {\"$id\":1} → {\"$id\":1}\n",
        ),
    ] {
        assert_eq!(changes(old, new), expected, "{old} {new}");
    }
}

#[test]
fn differences_are_json_for_programs() {
    let folder = folder();
    let (a, b) = (folder.path().join("a"), folder.path().join("b"));
    std::fs::write(&a, r#"{"a":1,"b":"text"}"#).unwrap();
    std::fs::write(&b, r#"{"a":2,"c":"text"}"#).unwrap();
    let output = run(&["diff", a.to_str().unwrap(), b.to_str().unwrap(), "--json"]);
    let list: archive::Value = json::from_slice(&output.stdout).unwrap();
    let expected = r#"[{"change":"changed","path":"a","old":1,"new":2},{"change":"moved","path":"b","to":"c"}]"#;
    assert_eq!(list.to_string(), expected);
    assert!(run(&["diff", "-q", a.to_str().unwrap(), b.to_str().unwrap()]).stdout.is_empty());
    let missing = folder.path().join("missing");
    assert!(
        fails(&["diff", a.to_str().unwrap(), missing.to_str().unwrap()], 2).contains("cannot read")
    );
}
