//! The paths that errors print are the paths that `archive::path` parses.

use std::collections::BTreeMap;

use archive::error::Position;
use archive::path::{Path, Pattern, PatternStep, Step};
use archive::{Error, ErrorKind, Serialize, Value};
use proptest::prelude::*;

use crate::common::{forgiving, search};

/// Names with special characters of paths, and others.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z]{1,4}",
        r#"[.\[\]"\\$ *0-9\n\t'a-]{0,5}"#,
        "[$][0-9]{0,3}[a-z]{0,2}",
        any::<String>(),
        Just("e\u{301}\u{0}\u{7f}größe\u{1F600}".to_owned()),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        name().prop_map(|name| Step::from(name.as_str())),
        prop_oneof![0..20usize, any::<usize>()].prop_map(Step::Index),
    ]
}

fn path() -> impl Strategy<Value = Path> {
    let first = proptest::option::weighted(0.2, any::<u64>().prop_map(Step::Object));
    let rest = proptest::collection::vec(step(), 0..6);
    (first, rest).prop_map(|(first, rest)| first.into_iter().chain(rest).collect())
}

/// The path of an error that occurs in that place.
fn printed(path: &Path) -> String {
    let error = path.iter().rev().fold(Error::custom("no"), |error, step| match step {
        Step::Name(name) => error.in_member(name),
        Step::Index(index) => error.in_item(*index),
        Step::Object(id) => error.in_object(*id),
    });
    error.path().to_owned()
}

#[derive(Debug, Default, Serialize)]
struct Names {
    #[archive(as_object)]
    map: BTreeMap<String, Vec<u8>>,
}

proptest! {
    #![proptest_config(search::config(20_000))]

    #[test]
    fn paths_are_printed_as_in_errors(path in path()) {
        let text = path.to_string();
        prop_assert_eq!(&text, &printed(&path));
        prop_assert_eq!(Path::parse(&text).unwrap(), path.clone());
        let pattern = Pattern::parse(&text).unwrap();
        prop_assert_eq!(pattern.as_path(), Some(path.clone()));
        prop_assert!(pattern.matches(&path));
        let value = Value::of(&path).unwrap();
        prop_assert_eq!(value.to::<Path>().unwrap(), path);
    }

    #[test]
    fn any_text_is_a_path_or_an_error_in_its_place(text in r#"([a.\["\]\\*$0-9]|\\u\{|é){0,8}"#) {
        match Path::parse(&text) {
            Ok(path) => prop_assert_eq!(Path::parse(&path.to_string()).unwrap(), path),
            Err(error) => {
                prop_assert_eq!(error.kind(), ErrorKind::Syntax);
                let Some(Position::Offset(at)) = error.position() else { panic!("{error}") };
                prop_assert!(text.is_char_boundary(at.try_into().unwrap()), "{}", error);
            }
        }
        if let Ok(pattern) = Pattern::parse(&text) {
            prop_assert_eq!(Pattern::parse(&pattern.to_string()).unwrap(), pattern);
        }
    }
}

proptest! {
    #![proptest_config(search::config(500))]

    /// A key of a map is found by the path of an error in its value.
    #[test]
    fn errors_of_loads_have_paths_that_are_parsed(key in name(), before in 0..3usize) {
        let key = if key.starts_with('$') { format!("${key}") } else { key };
        let items = std::iter::repeat_n(Value::from(1), before).chain([300.into()]).collect();
        let map = Value::Object(vec![(key.clone(), Value::Array(items))]);
        let value = Value::Object(vec![("map".into(), map)]);
        for format in forgiving().into_iter().filter(|format| format.name() != "msgpack") {
            let file = format.to_vec(&value).unwrap();
            let error = format.from_slice::<Names>(&file).unwrap_err();
            let wanted = Path::from_iter([Step::from("map"), key.as_str().into(), before.into()]);
            prop_assert_eq!(Path::parse(error.path()).unwrap(), wanted, "{}: {}", format, error);
        }
    }
}

#[test]
fn errors_say_where_in_the_text() {
    for (text, at, message) in [
        (".a", 0, "expected a name"),
        ("a.", 2, "expected a name"),
        ("a..b", 2, "expected a name"),
        ("a b", 1, "a name with this character is quoted: `[\"…\"]`"),
        ("a[", 2, "expected an index or a name in quotes"),
        ("a[]", 2, "expected an index or a name in quotes"),
        ("a[-1]", 2, "expected an index or a name in quotes"),
        ("a[1", 3, "expected `]`"),
        ("a[1.5]", 4, "expected `..`"),
        ("a[1]b", 4, "expected `.` or `[`"),
        ("a[99999999999999999999]", 2, "the index is too large"),
        ("a[\"b", 4, "expected `\"`"),
        ("a[\"\\q\"]", 3, "unknown escape"),
        ("a[\"\\u{d800}\"]", 3, "unknown escape"),
        ("a[\"\\u41\"]", 5, "expected `{`"),
        ("$x.$7", 3, "`$` and a number is an object of a file, and begins the path"),
        ("$7x", 0, "`$` and a number is an object of a file, and begins the path"),
        ("a.*", 1, "a path names one place: `*` and ranges are for patterns"),
        ("a[*]", 1, "a path names one place: `*` and ranges are for patterns"),
        ("a[1..2]", 1, "a path names one place: `*` and ranges are for patterns"),
        ("größe!", 7, "a name with this character is quoted: `[\"…\"]`"),
    ] {
        let error = Path::parse(text).unwrap_err();
        assert_eq!(error.position(), Some(Position::Offset(at)), "{text}: {error}");
        assert_eq!(error.message(), format!("in the path {text:?}: {message}"));
    }
}

#[test]
fn patterns_match_their_description() {
    let path = |text| Path::parse(text).unwrap();
    for (pattern, matches, misses) in [
        ("units[*].hp", "units[7].hp", "units[7].name"),
        ("units[*].hp", "units.seven.hp", "units[7]"),
        ("units[2..4]", "units[3]", "units[4]"),
        ("units[..4]", "units[0]", "units.hp"),
        ("units[4..]", "units[4]", "units[3]"),
        ("*", "hp", "$7"),
        ("$7.*", "$7.hp", "$8.hp"),
        (r#"["*"]"#, r#"["*"]"#, "hp"),
        ("", "", "hp"),
    ] {
        let pattern = Pattern::parse(pattern).unwrap();
        assert!(pattern.matches(&path(matches)), "{pattern} {matches}");
        assert!(!pattern.matches(&path(misses)), "{pattern} {misses}");
    }
    let any = Pattern::parse("a.*[*]").unwrap();
    assert_eq!(any.steps()[1..], [PatternStep::Any, PatternStep::Any]);
    assert_eq!(any.to_string(), "a[*][*]");
}

/// A path that a session joins from the outside begins at the last object in it.
#[test]
fn an_object_begins_a_path() {
    let path = Path::from_iter([Step::from("a"), Step::Object(7), Step::from("hp")]);
    assert_eq!(path.to_string(), "$7.hp");
    let mut pushed = Path::parse("a").unwrap();
    pushed.push(Step::Object(7));
    pushed.push("hp");
    assert_eq!((&pushed, &Path::parse("a").unwrap().join(&path)), (&path, &path));
}
