//! Loading from a reader keeps only a window of the text, with the same results.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

use crate::common::reported;
use allocation_counter::measure;
use archive::error::Position;
use archive::{Archive, ErrorKind, Format, Options, Result, Serialize, Value, json};
use proptest::prelude::*;

use super::json_types::{Level, Unit, level};

/// Returns a few bytes at a time.
pub(crate) struct Pieces<'a>(pub(crate) &'a [u8], pub(crate) usize);

impl Read for Pieces<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = self.1.min(out.len());
        (&mut self.0).take(len as u64).read(out)
    }
}

/// The result of a text, in words.
fn outcome<T: Serialize + archive::Save>(loaded: Result<T>) -> String {
    match loaded {
        Ok(value) => json::to_string(&value).unwrap(),
        Err(error) => format!("{:?}: {error}", error.kind()),
    }
}

/// Loads a text whole and in pieces.
pub(crate) fn in_pieces<T: archive::Element + archive::Save>(text: &[u8], options: &Options<'_>) {
    let whole = outcome(json::from_slice_with::<T>(text, options));
    let report = json::from_slice_report::<T>(text, options);
    let noted = report.as_ref().map(|(_, report)| report.to_string()).ok();
    let told = outcome(report.map(|(value, _)| value));
    for len in [1, 2, 3, 7, 50, 1 << 20] {
        let shown = || format!("{len} of {}", String::from_utf8_lossy(text));
        let pieces = json::from_reader_with::<T>(Pieces(text, len), options);
        assert_eq!(outcome(pieces), whole, "{}", shown());
        let report =
            reported(options, |options| json::from_reader_with::<T>(Pieces(text, len), options));
        assert_eq!(
            report.as_ref().map(|(_, report)| report.to_string()).ok(),
            noted,
            "{}",
            shown()
        );
        assert_eq!(outcome(report.map(|(value, _)| value)), told, "{}", shown());
    }
}

#[test]
fn whole_files() {
    let options = Options::new();
    for pretty in [false, true] {
        let text = json::to_vec_with(&level(9), &options.clone().pretty(pretty)).unwrap();
        in_pieces::<Level>(&text, &options);
        in_pieces::<Value>(&text, &options);
    }
    for text in
        ["", " ", "1", "-0.5 ", "[]", "\"a,b\"", "[1,2,]", "[1,,2]", "1,2", "[1,2],", "{,}", ","]
    {
        in_pieces::<Value>(text.as_bytes(), &options);
        in_pieces::<Vec<u8>>(text.as_bytes(), &options);
        in_pieces::<Level>(text.as_bytes(), &options);
        in_pieces::<Value>(text.as_bytes(), &options.clone().relaxed(true));
    }
}

#[test]
fn commas_in_strings_and_escapes() {
    let texts: Vec<String> =
        ["a,b", "\",\"", "\\\",\\", ",,,\\\\", "é,\u{1f600},\n", ""].map(String::from).into();
    let text = json::to_vec(&texts).unwrap();
    in_pieces::<Vec<String>>(&text, &Options::new());
    for cut in 0..text.len() {
        in_pieces::<Vec<String>>(&text[..cut], &Options::new());
    }
}

#[test]
fn bytes_that_are_not_text() {
    for text in
        [&b"[\"a\",\"\xff\",\"b\"]"[..], b"[\"a\",\"\xe2\x82", b"[1,2,\xff", b"\xff", b"[1],\xff"]
    {
        in_pieces::<Vec<String>>(text, &Options::new());
        in_pieces::<Vec<u8>>(text, &Options::new());
    }
}

/// Duplicate names are found at the end of the object, when their text may no longer be in memory.
#[test]
fn duplicate_names() {
    let filler = r#""name":"a","spawn":{"x":1,"y":2}"#;
    for text in [
        format!(r#"{{"what":1,{filler},"what":2}}"#),
        format!(r#"{{"what":1,{filler},"wh\u0061t":2,"units":[]}}"#),
        format!(r#"{{{filler},"name":"b"}}"#),
        format!(r#"{{{filler},"n\u0061me":"b"}}"#),
    ] {
        for len in [1, 10, 1000] {
            let error = json::from_reader::<Level>(Pieces(text.as_bytes(), len)).unwrap_err();
            let whole = json::from_str::<Level>(&text).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{text}");
            assert_eq!(error.to_string(), whole.to_string(), "{text}");
        }
    }
}

#[derive(Clone, Default, Serialize)]
struct Nodes {
    first: Option<Rc<RefCell<Node>>>,
    list: Vec<Rc<RefCell<Node>>>,
}

#[derive(Clone, Default, Serialize)]
struct Node {
    label: u32,
    next: Option<Rc<RefCell<Node>>>,
}

#[test]
fn shared_objects_that_are_stored_anywhere() {
    for text in [
        r#"{"list":[{"$id":1,"$value":{"label":5,"next":{"$id":1}}},{"$id":1}],"first":{"$id":1}}"#,
        r#"{"list":[{"$id":1},{"$id":1}],"first":{"$id":1,"$value":{"label":5}}}"#,
        r#"{"a":[1,2],"gone":{"x":[{"y":1,"z":2},{"$id":1,"$value":{"label":5}}]},"b":2,"list":[{"$id":1}],"first":null}"#,
        r#"{"list":[{"$id":1},{"$id":2}],"more":{"x":{"$id":2,"$value":{"label":1,"next":{"$id":1,"$value":{}}}}}}"#,
        r#"{"list":[{"$id":1}],"first":{"$id":1},"c":[1,2,3]}"#,
        r#"{"a":[1,2],"list":[{"$id":1}],"b":[3,4],2b":{"$id":1,"$value":{}}}"#,
        r#"{"list":[{"$id":1}],"x":{"$id":1,"$value":{}},"y":{"$id":1,"$value":{}},"c":[1,2,3]}"#,
    ] {
        in_pieces::<Nodes>(text.as_bytes(), &Options::new());
        // Data after the root, and errors before its end.
        for end in ["\u{1f600},[", ",{\"a\"", "]", " 1"] {
            in_pieces::<Nodes>(format!("{text}{end}").as_bytes(), &Options::new());
        }
        in_pieces::<Nodes>(&[text.as_bytes(), b",\xff"].concat(), &Options::new());
        for cut in 0..text.len() {
            in_pieces::<Nodes>(&text.as_bytes()[..cut], &Options::new());
        }
    }
    let mut chain = None;
    for label in 0..200 {
        chain = Some(Rc::new(RefCell::new(Node { label, next: chain })));
    }
    let text = json::to_vec(&Nodes { first: chain, list: Vec::new() }).unwrap();
    in_pieces::<Nodes>(&text, &Options::new());
}

/// Requests its members in another order than that of the file.
#[derive(Default, Clone)]
struct ByHand {
    a: u32,
    b: Vec<Unit>,
    c: String,
}

impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("a", &mut self.a)?;
        ar.serialize("b", &mut self.b)?;
        ar.serialize("c", &mut self.c)
    }
}
archive::save_by_clone!(ByHand);
archive::blank!(ByHand);

#[test]
fn functions_that_request_members() {
    let units = json::to_string(&level(3).units).unwrap();
    for text in [
        format!(r#"{{"a":1,"b":{units},"c":"x,y"}}"#),
        format!(r#"{{"b":{units},"x":[1,2],"c":"x,y","a":1,"y":{{}}}}"#),
        format!(r#"{{"a":1,"b":{units},"x":1,"y":2,"x":3}}"#),
        format!(r#"{{"a":1,"b":{units},"c":"","a":3}}"#),
        format!(r#"{{"a":1,"b":{units},"x":1,"b":[]}}"#),
    ] {
        in_pieces::<ByHand>(text.as_bytes(), &Options::new());
        in_pieces::<Vec<ByHand>>(format!("[{text},{text}]").as_bytes(), &Options::new());
    }
}

#[test]
fn errors_after_many_lines() {
    let mut text = json::to_string_pretty(&level(4000)).unwrap();
    text.truncate(text.rfind("\"scores\"").unwrap());
    text.push_str("\"scores\": {\"ü\": 1,  \"a\": true}}");
    let error = json::from_reader::<Level>(text.as_bytes()).unwrap_err();
    let line = text.lines().count();
    assert_eq!(error.position(), Some(Position::Line { line, column: 28 }), "{error}");
    assert_eq!(error.path(), "scores.a");
}

/// Fails after its bytes.
struct Broken<'a>(&'a [u8]);

impl Read for Broken<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self.0.read(out)? {
            0 => Err(io::Error::other("the line is dead")),
            count => Ok(count),
        }
    }
}

#[test]
fn readers_that_fail() {
    for text in ["", "[1", "[1,", "[1,2,3", "[1]"] {
        let error = json::from_reader::<Vec<u8>>(Broken(text.as_bytes())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io, "{text}: {error}");
        assert!(error.to_string().contains("the line is dead"), "{error}");
    }
}

/// The peak memory of a load that skips all of a text.
fn most<T: archive::Element>(text: &str) -> u64 {
    measure(|| drop(json::from_reader::<T>(text.as_bytes()).unwrap())).bytes_max
}

#[derive(Default, Serialize)]
struct Little {
    name: String,
}

#[derive(Default)]
struct LittleByHand {
    first: u8,
    rest: Vec<()>,
    name: String,
}

impl Serialize for LittleByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("first", &mut self.first)?;
        ar.serialize("rest", &mut self.rest)?;
        ar.serialize("name", &mut self.name)
    }
}
archive::blank!(LittleByHand);

#[test]
#[cfg_attr(not(feature = "static-formats"), ignore = "holds for formats compiled for the type")]
fn memory_does_not_grow_with_the_file() {
    let unknown =
        |units| format!(r#"{{"gone":{},"name":"a"}}"#, json::to_string(&level(units)).unwrap());
    let (small, large) = (most::<Little>(&unknown(2_000)), most::<Little>(&unknown(20_000)));
    assert!(large < small + 1024, "{small}, then {large}");
    let read =
        |count| format!(r#"{{"first":1,"rest":[null{}],"name":"a"}}"#, ",null".repeat(count));
    let (small, large) =
        (most::<LittleByHand>(&read(40_000)), most::<LittleByHand>(&read(400_000)));
    assert!(large < small + 1024, "{small}, then {large}");
    assert!(large < 1 << 19, "{large}");
}

#[test]
fn formats_picked_at_run_time_read_in_pieces_too() {
    let text = json::to_vec(&level(3)).unwrap();
    let loaded: Level = Format::Json.from_reader(Pieces(&text, 5)).unwrap();
    assert_eq!(loaded, level(3));
}

proptest! {
    #![proptest_config(crate::common::search::config(256))]

    #[test]
    fn damaged_files_end_in_the_same_way(
        flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let mut text = json::to_vec(&level(3)).unwrap();
        for (at, byte) in &flips {
            let at = at.index(text.len());
            text[at] = *byte;
        }
        if let Some(cut) = cut {
            text.truncate(cut.index(text.len()));
        }
        in_pieces::<Level>(&text, &Options::new());
        in_pieces::<Level>(&text, &Options::new().keep_going(true));
        in_pieces::<Value>(&text, &Options::new());
    }
}

/// Trees keep their objects, too, and positions are right after a jump back.
#[test]
fn objects_in_trees_and_places_that_were_left() {
    #[derive(Serialize)]
    struct Tree {
        tree: Value,
        pad: Vec<u32>,
        p: Option<Rc<u32>>,
    }
    for len in [10, 30_000] {
        let pad: Vec<String> = (0..len).map(|n: u32| n.to_string()).collect();
        let pad = pad.join(",");
        let text = format!(r#"{{"tree":{{"$id":1,"$value":5}},"pad":[{pad}],"p":{{"$id":1}}}}"#);
        let read = json::from_reader::<Tree>(text.as_bytes()).unwrap();
        assert_eq!((read.p.as_deref(), read.pad.len()), (Some(&5), len as usize));
        in_pieces::<Tree>(text.as_bytes(), &Options::new());
    }

    #[derive(Clone, Default, Serialize)]
    struct Inner {
        x: u8,
    }
    #[derive(Clone, Default)]
    struct Outer {
        a: Inner,
        b: Inner,
    }
    impl Serialize for Outer {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("a", &mut self.a)?;
            ar.serialize("b", &mut self.b)
        }
    }
    archive::save_by_clone!(Outer);
    archive::blank!(Outer);
    in_pieces::<Outer>(b"{\"b\":{\"u\":1,\n\"u\":2},\"a\":{\"v\":1}}", &Options::new());
}

/// A boxed object in an option is loaded as a new one: no text is kept for a second attempt.
#[test]
#[cfg_attr(not(feature = "static-formats"), ignore = "holds for formats compiled for the type")]
fn boxes_in_options_do_not_keep_text() {
    #[derive(Default, Serialize)]
    struct Holder {
        first: Option<Box<Little>>,
        list: std::collections::VecDeque<Box<Little>>,
        rest: String,
        names: Vec<()>,
    }

    let most = |units: usize| {
        let first = r#"{"first":{"name":"a"},"list":[{"name":"b"}],"rest":"c","unknown":["#;
        most::<Holder>(&format!("{first}{}0]}}", "0,".repeat(units)))
    };
    let (small, large) = (most(50_000), most(500_000));
    assert!(large <= small + 1024, "{small}, then {large}");
}
