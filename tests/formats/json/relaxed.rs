//! Files that were edited by hand: comments, trailing commas, a byte order mark.

use archive::{Element, ErrorKind, Format, Options, Save, Value, json};

use super::json_types::{Level, level};
use super::reader::in_pieces;
use crate::common::search::some_of;

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
    // With a report the members are requested one by one.
    let (same, report) = json::from_slice_report::<Level>(TEXT.as_bytes(), &relaxed()).unwrap();
    assert_eq!(same, level);
    assert_eq!(report.unknown().collect::<Vec<_>>(), ["unknown"]);
    let tree: Value = json::from_str_with(TEXT, &relaxed()).unwrap();
    assert_eq!(tree.get("name"), Some(&Value::from("the // \"level\" /* */")));
}

#[test]
fn refused_without_the_option() {
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

/// The result of a refused text, as a whole and from a reader.
fn refused<T: Element + Save>(text: &[u8], options: &Options<'_>) -> (ErrorKind, String) {
    in_pieces::<T>(text, options);
    let error = json::from_slice_with::<T>(text, options).err().unwrap();
    (error.kind(), error.to_string())
}

/// At any place: its beginning, and the end of the input.
#[test]
fn an_unclosed_comment_is_reported() {
    for (text, begins, ends) in [
        ("/* 1", "line 1 column 1", "line 1 column 5"),
        ("[1] /* no end", "line 1 column 5", "line 1 column 14"),
        ("[ /*/ 1]", "line 1 column 3", "line 1 column 9"),
        ("[1,\n  /* ü\n2]\n", "line 2 column 3", "line 4 column 1"),
        ("[1 /**/ /* /* 2]", "line 1 column 9", "line 1 column 17"),
    ] {
        let message = format!(
            "the comment that begins at {begins} is never closed, found the end of the input at {ends}"
        );
        for (kind, found) in [
            refused::<Vec<u8>>(text.as_bytes(), &relaxed()),
            refused::<Value>(text.as_bytes(), &relaxed()),
        ] {
            assert_eq!(kind, ErrorKind::UnexpectedEnd, "{text}");
            assert!(found.ends_with(&message), "{text}: {found}");
        }
    }
    let known = r#"{"name":"a","units":[{"hp":1}],"spawn":{"x":1,"y":2}}"#;
    let unknown = known.replace("name", "other");
    for text in [known, &unknown] {
        for (at, _) in text.match_indices(['{', '}', '[', ']', ',', ':']) {
            for at in [at, at + 1] {
                let text = format!("{}/*{}", &text[..at], &text[at..]);
                let message = format!(
                    "the comment that begins at line 1 column {} is never closed, found the end of the \
                     input at line 1 column {}",
                    at + 1,
                    text.len() + 1
                );
                let (kind, found) = refused::<Level>(text.as_bytes(), &relaxed());
                assert_eq!(kind, ErrorKind::UnexpectedEnd, "{text}");
                assert!(found.ends_with(&message), "{text}: {found}");
                // Unless it is relaxed no comment is looked for.
                let (kind, found) = refused::<Level>(text.as_bytes(), &Options::new());
                assert_ne!(kind, ErrorKind::UnexpectedEnd, "{text}: {found}");
            }
        }
    }
}

/// The error is the one that ends the text within a comment.
#[test]
fn a_flaw_in_a_comment() {
    let (kind, message) = refused::<Vec<u8>>(b"[1, /* \xff */ 2]", &relaxed());
    assert_eq!(kind, ErrorKind::Syntax);
    assert_eq!(message, "[1]: a byte that is not UTF-8 text at line 1 column 8");
    let (kind, _) = refused::<Vec<u8>>(b"[1] /* \xc3", &relaxed());
    assert_eq!(kind, ErrorKind::UnexpectedEnd);
    let (kind, message) = refused::<Vec<u8>>(b"[1] /", &relaxed());
    assert_eq!(kind, ErrorKind::TrailingData);
    assert_eq!(message, "expected the end of the input, found `/` at line 1 column 5");
}

#[test]
fn a_byte_order_mark() {
    let marked = format!("\u{feff}{TEXT}");
    let level: Level = json::from_str_with(TEXT, &relaxed()).unwrap();
    assert_eq!(json::from_str_with::<Level>(&marked, &relaxed()).unwrap(), level);
    in_pieces::<Level>(marked.as_bytes(), &relaxed());
    in_pieces::<Value>(marked.as_bytes(), &relaxed());
    assert_eq!(json::from_reader_with::<Level>(marked.as_bytes(), &relaxed()).unwrap(), level);
    let mut into = Level::default();
    json::load_into_with(&mut into, marked.as_bytes(), &relaxed()).unwrap();
    assert_eq!(into, level);

    let found = Format::detect(marked.as_bytes()).unwrap();
    assert_eq!(found, Format::Json);
    let loaded: Level = found.from_slice_with(marked.as_bytes(), &relaxed()).unwrap();
    assert_eq!(loaded, level);
}

/// Files with named roots, of a named format and of a detected one.
#[test]
fn a_byte_order_mark_before_named_roots() {
    let text = "\u{feff}{\"b\": [1, 2,], /* b */ \"a\": 7}";
    let mut reader = json::Reader::with(text, &relaxed()).unwrap();
    assert_eq!(reader.load::<u8>("a").unwrap(), 7);
    assert_eq!(reader.load::<Vec<u8>>("b").unwrap(), [1, 2]);
    reader.finish().unwrap();
    let format = Format::detect(text.as_bytes()).unwrap();
    let mut reader = format.reader_with(text.as_bytes(), &relaxed()).unwrap();
    assert_eq!(reader.load::<u8>("a").unwrap(), 7);
    reader.finish().unwrap();
    let strict = json::Reader::new(text).and_then(|mut reader| reader.load::<u8>("a"));
    assert!(strict.unwrap_err().to_string().contains(HINT));
}

const HINT: &str = "found a byte order mark (`Options::relaxed` skips it at the start of the text) at line 1 column 1";

#[test]
fn a_byte_order_mark_elsewhere_is_refused() {
    let strict = Options::new();
    let marked = |text: &str| format!("\u{feff}{text}").into_bytes();
    for text in ["[1]", "{}", "", "7"] {
        let (kind, message) = refused::<Value>(&marked(text), &strict);
        assert_eq!((kind, message), (ErrorKind::Syntax, format!("expected a value, {HINT}")));
        let (_, message) = refused::<Vec<u8>>(&marked(text), &strict);
        assert!(message.ends_with(HINT), "{message}");
        let (_, message) = refused::<Level>(&marked(text), &strict);
        assert!(message.ends_with(HINT), "{message}");
    }
    // Only one, and only at the start.
    for text in ["\u{feff}[1]", "[\u{feff}1]", "[1]\u{feff}", " \n\u{feff}[1]"] {
        for options in [&strict, &relaxed()] {
            if options.settings().relaxed() || !text.starts_with('\u{feff}') {
                let text = if options.settings().relaxed() { marked(text) } else { text.into() };
                let (_, message) = refused::<Vec<u8>>(&text, options);
                assert!(message.contains("found a byte order mark at line"), "{message}");
            }
        }
    }
    // It has no other effect: positions are those that an editor shows.
    let (_, message) = refused::<Vec<u8>>(&marked("[300]"), &relaxed());
    assert_eq!(message, "[0]: 300 does not fit u8 at line 1 column 2");
    let (kind, message) = refused::<Vec<u8>>(&marked(""), &relaxed());
    assert_eq!(kind, ErrorKind::UnexpectedEnd);
    assert_eq!(message, "the file is empty at line 1 column 1");
    in_pieces::<Level>(&marked(&json::to_string(&level(9)).unwrap()), &relaxed());
}

/// Comments with quotes, commas and brackets, where a window over the text may end.
#[test]
fn comments_between_windows() {
    const BLANK: [&str; 8] = [
        "",
        " ",
        "/* it's, \" */",
        "// \", [\n",
        "/**/\n",
        "/*/,*/ ",
        "\n// a \\\" , b\n\t",
        "/* ** , */ // \"\n",
    ];
    let mut seed = 7_u64;
    let mut blank = || {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        BLANK[(seed >> 61) as usize]
    };
    for round in some_of(30) {
        let mut text = format!("{}[", blank());
        for item in 0..round {
            for part in [
                "{", "\"a,/*\"", ":", "\"\\\\\"", ",", "\"b\"", ":", "[", "1", ",", "2", ",", "]",
                "}", ",",
            ] {
                text += part;
                text += blank();
            }
            text += &format!("{item},{}", blank());
        }
        text += "]";
        text += blank();
        in_pieces::<Value>(text.as_bytes(), &relaxed());
        // Strictly, the first comment is an error.
        in_pieces::<Value>(text.as_bytes(), &Options::new());
        for cut in (0..text.len()).filter(|cut| cut % 37 == round) {
            in_pieces::<Value>(&text.as_bytes()[..cut], &relaxed());
        }
    }
}

/// A window is enough for a text with comments.
#[test]
fn comments_take_no_memory() {
    let most = |count: usize| {
        let text = format!("[{}]", "/* it's */ 1, // \"\n".repeat(count));
        let mut read = 0_usize;
        let mut rest = text.as_bytes();
        let feed = &mut |buffer: &mut [u8]| {
            let (now, later) = rest.split_at(rest.len().min(buffer.len()));
            buffer[..now.len()].copy_from_slice(now);
            rest = later;
            read += now.len();
            Ok(now.len())
        };
        allocation_counter::measure(|| {
            use archive::format::Decoder as _;
            use archive::shape::Shape;
            let mut json = json::Decoder::from_feed(feed, 100).relaxed(true);
            json.begin_seq(&Shape::Any).unwrap();
            while json.next_item().unwrap() {
                json.skip().unwrap();
            }
            json.end_seq().unwrap();
            json.end().unwrap();
        })
        .bytes_max
    };
    let (small, large) = (most(40_000), most(400_000));
    assert!(large < small + 1024 && large < 1 << 19, "{small}, then {large}");
}
