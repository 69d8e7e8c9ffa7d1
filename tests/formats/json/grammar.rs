//! The grammar in typed loads: the JSON test suite, and positions of refused text.

use std::collections::BTreeMap;
use std::path::Path;

use archive::{Archive, Blank, ErrorKind, Result, Serialize, Value, json};

/// Loads any value by requesting the type that it has, as typed loads do.
#[derive(Clone, Debug, Default, PartialEq)]
struct Typed(Value);

/// Loads members and items as types that the program knows.
fn typed(input: &[u8]) -> Result<Value> {
    let tree: Value = json::from_slice(input)?;
    fn load<T: Serialize + Blank>(input: &[u8]) -> Result {
        json::from_slice::<T>(input).map(drop)
    }
    // Text must load as the type of its tree, and must be refused if it is wrong.
    #[derive(Default, Serialize)]
    struct Nothing {
        no_such_member: u8,
    }
    let loaded = match &tree {
        Value::Null => load::<Option<u8>>(input),
        Value::Bool(_) => load::<bool>(input),
        Value::Str(_) => load::<String>(input),
        Value::Array(_) => load::<Vec<Value>>(input),
        Value::Object(_) => load::<Nothing>(input),
        _ => load::<f64>(input).or_else(|_| load::<i128>(input)).or(Ok(())),
    };
    loaded.map(|()| tree)
}

#[test]
fn test_suite() {
    let folder = Path::new(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../shared/fixtures/json-test-suite/test_parsing"
    ));
    let Ok(files) = std::fs::read_dir(folder) else {
        println!("skipped: there is no {}", folder.display());
        return;
    };
    #[derive(Default, Serialize)]
    struct Nothing {
        no_such_member: u8,
    }
    let mut wrong = Vec::new();
    for file in files {
        let file = file.unwrap();
        let name = file.file_name().into_string().unwrap();
        let input = std::fs::read(file.path()).unwrap();
        let loads = [
            typed(&input).map(drop),
            // Skipped as an unknown member, and read as the value of a map.
            json::from_slice::<Nothing>(&[b"{\"a\":", &input[..], b"}"].concat()).map(drop),
            json::from_slice::<BTreeMap<String, Value>>(&[b"{\"a\":", &input[..], b"}"].concat())
                .map(drop),
            json::from_slice::<Vec<Value>>(&[b"[", &input[..], b"]"].concat()).map(drop),
        ];
        // An object with a name twice is JSON, but not a typed object.
        let twice = name.contains("duplicated");
        let fine = match name.as_bytes()[0] {
            b'y' => twice || loads.iter().all(Result::is_ok),
            // Some are only wrong on their own: `]` closes the array around them.
            b'n' => loads[0].is_err(),
            _ => true,
        };
        if !fine {
            wrong.push(format!("{name}: {loads:?}"));
        }
        for error in loads.iter().filter_map(|load| load.as_ref().err()) {
            assert!(error.position().is_some(), "{name}: {error}");
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn refused_text_has_line_and_column() {
    #[derive(Debug, Default, Serialize)]
    struct Record {
        name: String,
        value: f64,
    }
    let cases: [(&[u8], &str); 17] = [
        (b"\xef\xbb\xbf{}", "line 1 column 1"),
        (b"{\"name\":\n\"\\ud800\"}", "line 2 column 2"),
        (b"{\"name\":\n\"\\ud800\\u0041\"}", "line 2 column 2"),
        (b"{\"name\":\n\"\\udc00\"}", "line 2 column 2"),
        (b"{\"name\":\n\"\xc0\xaf\"}", "line 2 column 2"),
        (b"{\"name\":\n\"\xed\xa0\x80\"}", "line 2 column 2"),
        (b"{\"name\":\n\"a\x01\"}", "line 2 column 3"),
        (b"{\"name\":\n\"a\tb\"}", "line 2 column 3"),
        (b"{\"name\":\n\"a\nb\"}", "line 2 column 3"),
        (b"{\"value\":\n1.}", "line 2 column 3"),
        (b"{\"value\":\n01}", "line 2 column 1"),
        (b"{\"value\":\n-}", "line 2 column 2"),
        (b"{\"value\":\n1e}", "line 2 column 3"),
        (b"{\"value\":\n+1}", "line 2 column 1"),
        (b"{\"value\":\n.5}", "line 2 column 1"),
        (b"{\"value\":\n1}\n}", "line 3 column 1"),
        (b"{\"value\":\nNaN}", "line 2 column 1"),
    ];
    for (text, position) in cases {
        let error = json::from_slice::<Record>(text).unwrap_err();
        let shown = String::from_utf8_lossy(text);
        assert_eq!(error.position().unwrap().to_string(), position, "{shown}: {error}");
        let kinds = [ErrorKind::Syntax, ErrorKind::TrailingData];
        assert!(kinds.contains(&error.kind()), "{shown}: {error:?}");
    }
}

impl Serialize for Typed {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("value", &mut self.0)
    }
}

/// Hand-written functions request their members one by one.
#[test]
fn functions_by_hand_see_the_same_grammar() {
    let mut typed = Typed::default();
    json::load_into(&mut typed, br#"{"other": [1, {}], "value": 1}"#).unwrap();
    assert_eq!(typed.0, Value::from(1));
    for text in [r#"{"other": [1,], "value": 1}"#, r#"{"value": 01}"#, r#"{"value": 1} 2"#] {
        assert!(json::load_into(&mut typed, text.as_bytes()).is_err(), "{text}");
    }
}

/// White space is skipped in steps.
#[test]
fn white_space_of_all_lengths() {
    let load = |text: &str| json::from_str::<Vec<Vec<u8>>>(text);
    for len in 0..70 {
        let blanks = " ".repeat(len);
        for space in [
            blanks.clone(),
            format!("\n{blanks}"),
            format!("\r\n{blanks}"),
            format!("{blanks}\n\n{blanks}"),
            format!("{blanks}\t{blanks}"),
        ] {
            let text = format!("{space}[{space}[1{space},{space}2]{space},[{space}]]{space}");
            assert_eq!(load(&text).unwrap(), [vec![1, 2], vec![]], "{text:?}");
            for wrong in ["\u{b}", "\u{a0}", "/", "//"] {
                assert!(
                    load(&format!("[{space}{wrong}{blanks}[1]]")).is_err(),
                    "{space:?}{wrong:?}"
                );
                assert!(load(&format!("[[1],{space}{wrong}[1]]")).is_err(), "{space:?}{wrong:?}");
            }
        }
    }
}
