//! Input that is meant to break the decoder: cut short, altered, deep, or with very many keys.

use crate::common::{DEPTH, check, read};
use archive_core::shape::OBJECT;
use archive_core::{Decoder as _, ErrorKind, Result};
use archive_json::Decoder;
use archive_test_support::search::some_of;

const DOCUMENTS: [&str; 4] = [
    r#"{"name":"Ann \ud83d\ude00 é","hp":-12.5e+3,"on":true,"off":false,"none":null,"list":[1,[2],{}]}"#,
    "[\n  {\n    \"k\" : \"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"\n  },\n  -0.0,\n  [ ]\n]",
    r#"{"$id":1,"$type":"T","$value":{"next":{"$id":2,"$later":true}},"$deferred":[{"$id":2,"$value":{}}]}"#,
    r#""a text of more than thirty-two bytes, a few of them escaped: \u0000""#,
];

/// Uses every way of reading that the input allows.
fn read_all(input: &[u8]) -> Result {
    let decoder = || Decoder::new(input, DEPTH);
    decoder().find_pointees(&mut |_, _| ()).ok();
    decoder().begin_pointer().map(drop).ok();
    let mut json = decoder();
    if json.begin_object(&OBJECT).is_ok() {
        for name in ["list", "$value", "name", "hp", "absent"] {
            if json.member(name).unwrap_or(false) {
                let mark = json.mark();
                json.f64().ok();
                json.recover(mark);
                json.skip().ok();
            }
        }
        json.end_object(&mut |_| Ok(())).ok();
    }
    let skipped = check(input);
    let tree = read(input).map(drop);
    assert_eq!(skipped.is_ok(), tree.is_ok(), "{skipped:?} {tree:?}");
    tree
}

#[test]
fn every_truncation_is_an_error() {
    for document in DOCUMENTS {
        assert!(read_all(document.as_bytes()).is_ok());
        for len in 0..document.len() {
            let error = read_all(&document.as_bytes()[..len]).unwrap_err();
            assert_eq!(
                error.kind(),
                ErrorKind::UnexpectedEnd,
                "{len} bytes of {document}: {error}"
            );
        }
    }
}

#[test]
fn altered_bytes_never_panic() {
    for document in DOCUMENTS {
        for at in some_of(document.len()) {
            for byte in [0, b' ', b'"', b'\\', b'{', b']', b',', b'9', 0x7f, 0x80, 0xff] {
                let mut altered = document.as_bytes().to_vec();
                altered[at] = byte;
                read_all(&altered).ok();
            }
        }
    }
}

#[test]
fn depth_is_limited() {
    for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
        let nested = |depth: usize| format!("{}1{}", open.repeat(depth), close.repeat(depth));
        assert!(check(nested(DEPTH).as_bytes()).is_ok());
        assert!(read(nested(DEPTH).as_bytes()).is_ok());
        for depth in [DEPTH + 1, 100_000] {
            let text = nested(depth);
            for error in [check(text.as_bytes()).unwrap_err(), read(text.as_bytes()).unwrap_err()] {
                assert_eq!(error.kind(), ErrorKind::DepthLimit);
            }
            let found = Decoder::from_text(&text, DEPTH).find_pointees(&mut |_, _| ());
            assert_eq!(found.unwrap_err().kind(), ErrorKind::DepthLimit);
        }
        let text = nested(100_000);
        assert!(Decoder::from_text(&text, 100_000).skip().is_ok());
    }
}

/// Runs `work`. If it takes quadratic time, it does not end.
fn linear(what: &str, work: impl FnOnce()) {
    println!("{what}");
    work();
}

#[test]
fn many_keys_cost_no_more_each_than_few() {
    const COUNT: usize = 100_000;
    let members: Vec<_> = (0..COUNT).map(|i| format!(r#""key{i}":{i}"#)).collect();
    let text = format!("{{{}}}", members.join(","));

    linear("looking up all keys backwards", || {
        let mut json = Decoder::from_text(&text, DEPTH);
        json.begin_object(&OBJECT).unwrap();
        for i in (0..COUNT).rev() {
            assert!(json.member(&format!("key{i}")).unwrap());
            assert_eq!(json.u32().unwrap(), i as u32);
            assert!(!json.member(&format!("none{i}")).unwrap());
        }
        json.end_object(&mut |_| unreachable!()).unwrap();
    });
    linear("comparing all keys", || {
        let mut json = Decoder::from_text(&text, DEPTH);
        json.begin_object(&OBJECT).unwrap();
        assert!(json.member("key7").unwrap());
        json.skip().unwrap();
        let mut unknown = 0;
        json.end_object(&mut |_| {
            unknown += 1;
            Ok(())
        })
        .unwrap();
        assert_eq!(unknown, COUNT - 1);
    });
    linear("listing keys after asking for one", || {
        let mut json = Decoder::from_text(&text, DEPTH);
        json.begin_object(&OBJECT).unwrap();
        assert!(!json.member("none").unwrap());
        let mut listed = 0;
        while json.next_key().unwrap().is_some() {
            json.skip().unwrap();
            listed += 1;
        }
        assert_eq!(listed, COUNT);
        json.end_object(&mut |_| unreachable!()).unwrap();
    });
    let text = format!("{{{},\"key5\":0}}", members.join(","));
    let mut json = Decoder::from_text(&text, DEPTH);
    json.begin_object(&OBJECT).unwrap();
    assert!(!json.member("none").unwrap());
    let error = json.end_object(&mut |_| Ok(())).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateMember);
}

#[test]
fn an_absent_member_at_each_level_does_not_walk_over_the_rest_again() {
    const LEVELS: usize = 20_000;
    let padding = "x".repeat(100);
    let open = format!(r#"{{"pad":"{padding}","next":"#);
    let text = format!("{}null{}", open.repeat(LEVELS), r#","last":1}"#.repeat(LEVELS));
    linear("asking for an absent member on each level", || {
        let mut json = Decoder::from_text(&text, LEVELS);
        for _ in 0..LEVELS {
            json.begin_object(&OBJECT).unwrap();
            assert_eq!(json.version(&OBJECT).unwrap(), 0);
            assert!(!json.member("absent").unwrap());
            assert!(json.member("next").unwrap());
        }
        json.null().unwrap();
        for _ in 0..LEVELS {
            assert!(json.member("last").unwrap());
            assert_eq!(json.u8().unwrap(), 1);
            json.end_object(&mut |name| {
                assert_eq!(name, "pad");
                Ok(())
            })
            .unwrap();
        }
        json.end().unwrap();
    });
}

/// A hole in a sparse file is read as zeros. There may be terabytes of them.
#[test]
fn a_hole_ends_the_text() {
    for start in ["{\"a\":1", "[1,2,", "", "[\"text", "7", "/* a comment"] {
        for relaxed in [false, true] {
            let mut calls = 0;
            let mut feed = |buffer: &mut [u8]| {
                calls += 1;
                assert!(calls < 10, "{start}");
                buffer.fill(0);
                if calls == 1 {
                    buffer[..start.len()].copy_from_slice(start.as_bytes());
                    return Ok(start.len());
                }
                Ok(buffer.len())
            };
            let mut json = Decoder::from_feed(&mut feed, DEPTH).relaxed(relaxed);
            let read = json.skip().and_then(|()| json.end());
            assert!(read.is_err(), "{start}");
        }
    }
}
