//! Files that were edited by hand: comments and trailing commas.

use archive::{ErrorKind, Options, Value, json};

use crate::model::Level;

const TEXT: &str = r#"// a level
{ // its
  "name": /* of */ "the // \"level\" /* */", /* more
  lines */ "spawn": {"x" /*:*/ : 1.0, "y": 2, }, // and more
  "units": [ {"hp": 1, "tags": ["a", "b",],},
    /**/ {"order": {"Go": {"speed": 3,},},}, ],
  "unknown": [{"a": [1,],}, /***/],
  "scores": {"a": 1, /* last */ }, "note": null // end
} // no line break"#;

fn relaxed() -> Options<'static> {
    Options::new().relaxed(true)
}

#[test]
fn comments_and_trailing_commas() {
    let level: Level = json::from_str_with(TEXT, &relaxed()).unwrap();
    assert_eq!(level.name, "the // \"level\" /* */");
    assert_eq!((level.spawn.x, level.spawn.y, level.units.len()), (1.0, 2.0, 2));
    // With a report the members are asked for one by one.
    let (same, report) =
        json::from_slice_report_with::<Level>(TEXT.as_bytes(), &relaxed()).unwrap();
    assert_eq!(same, level);
    assert_eq!(report.unknown().collect::<Vec<_>>(), ["unknown"]);
    let tree: Value = json::from_str_with(TEXT, &relaxed()).unwrap();
    assert_eq!(tree.get("name"), Some(&Value::from("the // \"level\" /* */")));
}

#[test]
fn refused_unless_asked_for() {
    for text in ["[1,]", "[1] // end", "/**/[1]", "[/**/]", "[1, // one\n2]"] {
        assert!(json::from_str::<Vec<u8>>(text).is_err(), "{text}");
        json::from_str_with::<Vec<u8>>(text, &relaxed()).unwrap();
    }
    assert_eq!(json::from_str::<Level>(TEXT).unwrap_err().kind(), ErrorKind::Syntax);
}

#[test]
fn still_refused() {
    for text in [
        "[,]",
        "[1,,]",
        "[1,,2]",
        "{,}",
        "[1 2]",
        "[1] /* no end",
        "[1] /",
        "[/]",
        "[1] /*/",
        "[1]]",
        "[1}",
        "/",
        "",
        "//",
        "[1,",
        "[1 /* */",
        "[1, // ]",
        "1.",
        "01",
    ] {
        assert!(json::from_str_with::<Vec<u8>>(text, &relaxed()).is_err(), "{text}");
        assert!(json::from_str_with::<Value>(text, &relaxed()).is_err(), "{text}");
    }
    for text in ["{,}", r#"{"name":"a",,}"#, r#"{"name":,}"#, r#"{"name"/*:"a"}"#, "{/}"] {
        assert!(json::from_str_with::<Level>(text, &relaxed()).is_err(), "{text}");
    }
}

#[test]
fn positions_count_comments() {
    let error =
        json::from_str_with::<Level>("// ü\n{/* ü */ \"name\": 1}", &relaxed()).unwrap_err();
    assert_eq!(error.position().unwrap().to_string(), "line 2 column 18");
}
