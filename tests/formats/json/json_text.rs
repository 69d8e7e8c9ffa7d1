//! Text for people, and canonical text.

use std::collections::HashMap;

use archive::json::Indent;
use archive::{Options, Serialize, Value, json};

use super::json_types::{Level, Place, level};

fn written<T: archive::Save>(value: &T, options: &Options<'_>) -> String {
    let text = json::to_string_with(value, options).unwrap();
    // The same through a writer.
    let mut bytes = Vec::new();
    json::to_writer_with(&mut bytes, value, options).unwrap();
    assert_eq!(String::from_utf8(bytes).unwrap(), text);
    text
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Map {
    size: (u32, u32),
    empty: Vec<u8>,
    path: Vec<[f32; 2]>,
    rows: Vec<Vec<u16>>,
    places: Vec<Place>,
    mixed: (String, Option<u8>, Vec<Vec<bool>>),
}

fn map() -> Map {
    Map {
        size: (64, 32),
        empty: vec![],
        path: vec![[0.5, 1.0], [2.0, -3.25]],
        rows: vec![vec![1, 2, 3], (100..112).collect()],
        places: vec![Place { x: 1.0, y: 2.0 }],
        mixed: ("a \"b\", [c]".into(), None, vec![vec![], vec![true]]),
    }
}

#[test]
fn lists_of_scalars_are_on_one_line() {
    let expected = r#"{
  "size": [64, 32],
  "empty": [],
  "path": [
    [0.5, 1.0],
    [2.0, -3.25]
  ],
  "rows": [
    [1, 2, 3],
    [
      100,
      101,
      102,
      103,
      104,
      105,
      106,
      107,
      108,
      109,
      110,
      111
    ]
  ],
  "places": [
    {
      "x": 1.0,
      "y": 2.0
    }
  ],
  "mixed": [
    "a \"b\", [c]",
    null,
    [
      [],
      [true]
    ]
  ]
}"#;
    let text = written(&map(), &Options::new().width(40));
    assert_eq!(text, expected);
    assert_eq!(json::from_str::<Map>(&text).unwrap(), map());
}

#[test]
fn lines_of_lists_keep_to_the_width() {
    for width in 1..80 {
        let text = written(&map(), &Options::new().width(width));
        assert_eq!(json::from_str::<Map>(&text).unwrap(), map());
        let mut lists = text.lines().filter(|line| line.contains('[') && line.contains(", "));
        let long = lists.find(|line| line.len() > width && !line.contains('"'));
        assert_eq!(long, None, "{width}\n{text}");
    }
    // If nothing fits, it is the text of `pretty`.
    let pretty = json::to_string_pretty(&map()).unwrap();
    assert_eq!(written(&map(), &Options::new().width(1)), pretty);
}

#[test]
fn pretty_equals_the_text_of_serde_json() {
    let value = level(40);
    let text = json::to_string(&value).unwrap();
    let tree: serde_json::Value = serde_json::from_str(&text).unwrap();
    let pretty = written(&value, &Options::new().pretty(true));
    assert_eq!(serde_json::from_str::<serde_json::Value>(&pretty).unwrap(), tree);
    let strip = |text: &str| text.replace([' ', '\n'], "");
    assert_eq!(strip(&pretty), strip(&text));
}

#[test]
fn canonical_text_has_sorted_members() {
    #[derive(Default, Serialize)]
    #[archive(version = 3)]
    struct Odd {
        zebra: u8,
        #[archive(rename = "a\"b")]
        quoted: u8,
        #[archive(rename = "!first")]
        first: (u8, Inner),
        apple: u8,
    }
    #[derive(Default, Serialize)]
    struct Inner {
        b: Vec<u8>,
        a: Option<u8>,
    }
    let options = Options::new().canonical(true);
    assert_eq!(
        written(&Odd::default(), &options),
        r#"{"$version":3,"!first":[0,{"a":null,"b":[]}],"a\"b":0,"apple":0,"zebra":0}"#
    );
    assert_eq!(
        written(&Inner { b: vec![1, 2], a: Some(3) }, &options.clone().width(80)),
        "{\n  \"a\": 3,\n  \"b\": [1, 2]\n}"
    );
    assert_eq!(
        written(&Inner { b: vec![1], a: Some(3) }, &options.pretty(true)),
        "{\n  \"a\": 3,\n  \"b\": [\n    1\n  ]\n}"
    );
}

#[test]
fn canonical_text_loads_and_is_the_same_for_equal_values() {
    let options = Options::new().canonical(true);
    let value = level(30);
    let text = written(&value, &options);
    assert_eq!(json::from_str::<Level>(&text).unwrap(), value);
    let again: archive::Value = json::from_str(&text).unwrap();
    assert_eq!(written(&again, &options), text);
    let tree: archive::Value = json::from_str(&json::to_string(&value).unwrap()).unwrap();
    assert_eq!(written(&tree, &options), text);

    #[derive(Serialize)]
    struct Names {
        #[archive(as_object, unordered)]
        names: HashMap<String, u32>,
    }
    let names = |order: Vec<u32>| Names {
        names: order.into_iter().map(|n| (format!("name {n}"), n)).collect(),
    };
    let (up, down) = (names((0..100).collect()), names((0..100).rev().collect()));
    assert_eq!(written(&up, &options), written(&down, &options));
}

#[test]
fn canonical_graphs_load() {
    use std::cell::RefCell;
    use std::rc::{Rc, Weak};

    #[derive(Default, Serialize)]
    struct Node {
        zero: u8,
        next: Option<Rc<RefCell<Node>>>,
        back: Weak<RefCell<Node>>,
    }
    let first = Rc::new(RefCell::new(Node::default()));
    let mut last = first.clone();
    for zero in 0..200 {
        let back = Rc::downgrade(&last);
        let next = Rc::new(RefCell::new(Node { zero, next: None, back }));
        last.borrow_mut().next = Some(next.clone());
        last = next;
    }
    for options in [Options::new().canonical(true), Options::new().canonical(true).width(60)] {
        let text = json::to_string_with(&first, &options).unwrap();
        let loaded: Rc<RefCell<Node>> = json::from_str(&text).unwrap();
        let mut here = loaded;
        let mut count = 0;
        while let Some(next) = { here.clone() }.borrow().next.clone() {
            let back = next.borrow().back.upgrade().unwrap();
            assert!(Rc::ptr_eq(&back, &here));
            here = next;
            count += 1;
        }
        assert_eq!(count, 200);
    }
}

/// Every indentation is that of serde_json's printer, sorted or not, at any depth.
#[test]
fn indentations() {
    fn theirs(text: &str, indent: &[u8]) -> String {
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        let mut out = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(indent);
        let mut serializer = serde_json::Serializer::with_formatter(&mut out, formatter);
        serde::Serialize::serialize(&value, &mut serializer).unwrap();
        String::from_utf8(out).unwrap()
    }
    let deep = format!("{}{{\"b\":[],\"a\":[{{}},1]}}{}", "[".repeat(40), "]".repeat(40));
    for text in [deep.as_str(), r#"{"z":[1,[2,{"y":{},"x":null}]],"a":"b"}"#, "[]", "7"] {
        let value: Value = json::from_str(text).unwrap();
        let indents = (0..=9).map(|count| (Indent::Spaces(count), " ".repeat(count.into())));
        for (indent, plain) in indents.chain([(Indent::Tab, "\t".to_owned())]) {
            // serde_json's trees are sorted by name.
            let options = Options::new().indent(indent).canonical(true);
            assert_eq!(written(&value, &options), theirs(text, plain.as_bytes()), "{indent:?}");
            let plain = json::to_string(&value).unwrap();
            let laid_out = written(&value, &Options::new().indent(indent).width(12));
            assert_eq!(json::from_str::<Value>(&laid_out).unwrap(), value, "{plain}");
        }
    }
}
