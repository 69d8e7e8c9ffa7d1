//! `diff`: across formats, by path, and moved values.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::{Rc, Weak};

use archive::{Format, Serialize, Value, json};
use archive_test_support::everything::{Seed, everything, sample};
use archive_test_support::{random, search};
use proptest::prelude::*;

use crate::run_command::{fails, folder, golden, ok, run};

type Empty = (BTreeMap<u8, u8>, BTreeMap<String, u8>, Vec<u8>, BTreeSet<u8>);

/// Values that formats represent in different ways.
#[derive(Clone, Default, Serialize)]
struct Odd {
    #[archive(skip_if_default)]
    absent: Option<String>,
    none: Option<u8>,
    nested: Vec<Option<Option<()>>>,
    unit: (),
    floats: Vec<f32>,
    doubles: Vec<f64>,
    big: (i128, u128, i64, u64),
    letters: Vec<char>,
    bytes: Vec<u8>,
    more: [u8; 3],
    by_number: BTreeMap<i64, Option<u8>>,
    by_flag: BTreeMap<bool, f32>,
    by_pair: BTreeMap<(u8, String), Vec<u8>>,
    by_text: BTreeMap<String, BTreeMap<char, ()>>,
    by_choice: BTreeMap<Choice, Choice>,
    empty: Empty,
    choices: Vec<Choice>,
    tree: Value,
    trees: Vec<Value>,
    reserved: HashMap<String, u8>,
    shared: Vec<Rc<Shared>>,
    weak: Vec<Weak<Shared>>,
    maybe: Option<Rc<Shared>>,
    versioned: Versioned,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
enum Choice {
    #[default]
    Unit,
    Newtype(u8),
    Option(Option<u8>),
    Tuple(u8, String),
    Members {
        a: u8,
    },
    Empty {},
}

#[derive(Default, Serialize)]
struct Shared {
    id: u32,
    next: Option<Rc<Shared>>,
}

#[derive(Clone, Default, Serialize)]
#[archive(version = 3)]
struct Versioned {
    a: Option<Box<Versioned>>,
}

fn odd(tree: Value, number: f64) -> Odd {
    let first = Rc::new(Shared { id: 1, next: None });
    let second = Rc::new(Shared { id: 2, next: Some(first.clone()) });
    Odd {
        nested: vec![None, Some(None), Some(Some(()))],
        floats: vec![
            0.1,
            -0.0,
            0.0,
            f32::MAX,
            f32::NAN,
            f32::INFINITY,
            1e-45,
            16_777_216.0,
            number as f32,
        ],
        doubles: vec![
            0.1,
            -0.0,
            1e300,
            f64::NEG_INFINITY,
            5e-324,
            1e16,
            9_007_199_254_740_993.0,
            number,
        ],
        big: (i128::MIN, u128::MAX, i64::MIN, u64::MAX),
        letters: vec!['a', '\0', '\u{1f600}', '1'],
        bytes: vec![0, 255, 7],
        more: [1, 2, 3],
        by_number: [(-5, None), (0, Some(1)), (i64::MAX, Some(2))].into(),
        by_flag: [(false, 0.5), (true, -0.0)].into(),
        by_pair: [((1, "x".to_owned()), vec![1]), ((2, String::new()), vec![])].into(),
        by_text: [("a.b".to_owned(), [('x', ())].into()), (String::new(), BTreeMap::new())].into(),
        by_choice: [
            (Choice::Unit, Choice::Empty {}),
            (Choice::Newtype(1), Choice::Tuple(1, "x".into())),
        ]
        .into(),
        choices: vec![
            Choice::Unit,
            Choice::Newtype(7),
            Choice::Option(None),
            Choice::Option(Some(1)),
            Choice::Tuple(1, "x".into()),
            Choice::Members { a: 1 },
            Choice::Empty {},
        ],
        trees: vec![
            tree.clone(),
            Value::Null,
            tree.clone(),
            Value::Bytes(vec![1, 2]),
            Value::Array(vec![]),
        ],
        tree,
        reserved: [("$id".to_owned(), 1), ("$value".to_owned(), 2), ("$x".to_owned(), 3)].into(),
        weak: vec![Rc::downgrade(&first), Rc::downgrade(&second), Weak::new()],
        shared: vec![first.clone(), second, first.clone()],
        maybe: Some(first),
        ..Odd::default()
    }
}

/// Saves a value in every format, and compares all of these files.
fn no_two_formats_differ(mut value: impl Serialize) {
    let folder = folder();
    let formats: Vec<Format> = Format::all().chain([Format::of::<archive::bins::Bins>()]).collect();
    let path =
        |format: Format| folder.path().join(format!("a.{format}")).to_str().unwrap().to_owned();
    for format in &formats {
        std::fs::write(path(*format), format.to_vec(&mut value).unwrap()).unwrap();
    }
    for (at, one) in formats.iter().enumerate() {
        for other in &formats[at + 1..] {
            for (one, other) in [(one, other), (other, one)] {
                let output = run(&["diff", &path(*one), &path(*other)]);
                let text = String::from_utf8_lossy(&output.stdout);
                let errors = String::from_utf8_lossy(&output.stderr);
                assert!(
                    output.status.code() == Some(0) && text.is_empty(),
                    "{one} {other}: {text}{errors}"
                );
            }
        }
    }
}

#[test]
fn no_formats_of_a_value_differ() {
    no_two_formats_differ(odd(Value::Null, 0.1));
    no_two_formats_differ(odd(json::from_str("{\"a\":[1,{\"b\":null}],\"c\":[]}").unwrap(), 7.0));
    no_two_formats_differ(sample());
}

proptest! {
    #![proptest_config(search::config(10))]

    #[test]
    fn no_formats_of_a_random_value_differ(
        tree in random::tree(), number: f64, big: u64, signed: i64, text: String, bytes in proptest::collection::vec(any::<u8>(), 0..4),
    ) {
        no_two_formats_differ(odd(tree, number));
        let list = vec![text.clone(); bytes.len()];
        no_two_formats_differ(everything(&Seed { number: big, signed, text, list, bytes, foreign: true }));
    }
}

#[derive(Default, Serialize)]
struct Skips {
    hp: u8,
    #[archive(skip_if_default)]
    none: Option<u8>,
    #[archive(skip_if_default)]
    count: u32,
    #[archive(skip_if_default, default = 1.5)]
    speed: f32,
}

/// The page and the help document this: only the program knows the default of a member that is left
/// out.
#[test]
fn a_member_that_is_left_out_differs_unless_it_is_null() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (json, binary, msgpack) = (at("a.json"), at("a.bin"), at("a.msgpack"));
    let value = Skips { speed: 1.5, ..Skips::default() };
    for (format, path) in
        [(Format::Json, &json), (Format::Binary, &binary), (Format::MessagePack, &msgpack)]
    {
        std::fs::write(path, format.to_vec(&value).unwrap()).unwrap();
    }
    assert_eq!(ok(&["diff", &json, &msgpack]), "");
    for other in [&json, &msgpack] {
        let output = run(&["diff", other, &binary]);
        assert_eq!(output.status.code(), Some(1));
        let lines = String::from_utf8(output.stdout).unwrap();
        assert!(lines.contains("+ count: 0") && lines.contains("+ speed: 1.5"), "{lines}");
        assert!(!lines.contains("none") && !lines.contains("hp"), "{lines}");
    }
    assert!(ok(&["diff", "--help"]).contains("`skip_if_default`"));
}

/// A file and its conversion are equal, in every format that can represent the data.
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

/// One member of one golden file is changed in each format.
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
