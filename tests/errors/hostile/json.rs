//! Malicious JSON, and the wrong format.

use std::cell::RefCell;
use std::rc::Rc;

use archive::{ErrorKind, Format, Options, Value, json};

use super::deep_and_forged::Doc;

#[test]
fn json_nested_100_000_deep() {
    let n = 100_000;
    let kinds = [
        ("[".repeat(n), "]".repeat(n)),
        (r#"{"a":"#.repeat(n) + "1", "}".repeat(n)),
        (r#"{"deep":["#.repeat(n) + "null", "]}".repeat(n)),
        (r#"{"$id":1,"$value":"#.repeat(n) + "1", "}".repeat(n)),
        (r#"{"$some":"#.repeat(n) + "null", "}".repeat(n)),
    ];
    for (open, close) in &kinds {
        for text in
            [format!("{open}{close}"), open.clone(), format!(r#"{{"unknown":{open}{close}}}"#)]
        {
            let kind = |error: archive::Error| error.kind();
            let limit = [ErrorKind::DepthLimit, ErrorKind::WrongType];
            assert_eq!(json::from_str::<Value>(&text).map_err(kind).unwrap_err(), limit[0]);
            assert!(limit.contains(&json::from_str::<Doc>(&text).map_err(kind).unwrap_err()));
            let option = json::from_str::<Option<Option<()>>>(&text).map_err(kind);
            assert!(limit.contains(&option.unwrap_err()));
            let shared = json::from_str::<Rc<RefCell<Doc>>>(&text).map(|_| ()).map_err(kind);
            assert!(limit.contains(&shared.unwrap_err()), "{:?}", shared);
        }
    }
}

/// Many elements without bytes, many keys, many pointers: nothing is quadratic or endless.
#[test]
fn large_and_flat() {
    let n = 200_000;
    let keys: Vec<String> = (0..n).map(|i| format!("\"k{i}\":{i}")).collect();
    let object = format!("{{{}}}", keys.join(","));
    assert_eq!(json::from_str::<Value>(&object).unwrap().as_object().unwrap().len(), n);
    assert!(json::from_str::<Doc>(&object).unwrap().list.is_empty());
    let strict = Options::new().strict(true);
    let error = json::from_str_with::<Doc>(&object, &strict).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::UnknownMember, "k0"));
    // Forward references, each to an object at the end.
    let ids: Vec<String> = (1..=n).map(|i| format!("{{\"$id\":{i}}}")).collect();
    let objects: Vec<String> = (1..=n).map(|i| format!("{{\"$id\":{i},\"$value\":{i}}}")).collect();
    let text = format!("[{},{}]", ids.join(","), objects.join(","));
    let loaded: Vec<Rc<RefCell<u32>>> = json::from_str(&text).unwrap();
    assert!(Rc::ptr_eq(&loaded[7], &loaded[n + 7]));
    let loaded: Vec<Rc<u32>> = json::from_str(&text).unwrap();
    assert!(Rc::ptr_eq(&loaded[7], &loaded[n + 7]));
}

#[test]
fn json_duplicate_members() {
    for text in [
        r#"{"list":[],"list":[1]}"#,
        r#"{"text":"a","list":[1],"text":"b"}"#,
        r#"{"x":1,"list":[1],"x":2}"#,
        r#"{"l\u0069st":[],"list":[1]}"#,
    ] {
        let error = json::from_str::<Doc>(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DuplicateMember, "{text}: {error}");
    }
}

#[test]
fn the_wrong_format() {
    assert_eq!(Format::detect(b"\x00\x01\x02").unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(Format::from_path("a.xyz").unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(Format::from_name("yaml").unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(Format::from_name("JSON").unwrap(), Format::Json);
    let bytes = Format::Binary.to_vec(&1_u8).unwrap();
    assert!(json::from_slice::<u8>(&bytes).is_err());
    assert!(Format::Binary.from_slice::<u8>(b"1").is_err());
    assert!(Format::Binary.from_slice::<u8>(b"").is_err());
}
