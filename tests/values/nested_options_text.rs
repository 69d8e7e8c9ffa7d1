//! The text in JSON and MessagePack, and its meaning for serde.

use std::cell::Cell;
use std::rc::{Rc, Weak};

use archive::{Serialize, Value, json, msgpack};

fn says<T: archive::Save>(value: T, text: &str) {
    assert_eq!(json::to_string(&value).unwrap(), text);
}

#[test]
fn json() {
    says(None::<Option<u8>>, "null");
    says(Some(Some(5)), "5");
    says(Some(None::<u8>), r#"{"$some":null}"#);
    says(Some(Some(None::<u8>)), r#"{"$some":{"$some":null}}"#);
    says(Some(Some(Some(5))), "5");
    says(Some(()), r#"{"$some":null}"#);
    says(Some(vec![Some(5), None]), "[5,null]");
    says(Some(Weak::<u8>::new()), r#"{"$some":null}"#);
    says(Some(Value::Null), r#"{"$some":null}"#);
    says(Some(Value::from(5)), "5");
    says(Some(Box::new(Some(Cell::new(5)))), "5");
    let shared = Rc::new(5);
    says((shared.clone(), Some(Rc::downgrade(&shared))), r#"[{"$id":1,"$value":5},{"$weak":1}]"#);
    let wrapped: Value = json::from_str(r#"{"$some":1,"x":2}"#).unwrap();
    says(Some(wrapped), r#"{"$some":{"$some":1,"x":2}}"#);
}

/// Text that comes in pieces.
#[test]
fn from_readers() {
    struct Pieces<'a>(&'a [u8], usize);
    impl std::io::Read for Pieces<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let len = self.0.len().min(self.1).min(into.len());
            into[..len].copy_from_slice(&self.0[..len]);
            self.0 = &self.0[len..];
            Ok(len)
        }
    }
    let pad = " ".repeat(9000);
    let text = format!(
        r#"[{{{pad}"$some"{pad}:{pad}null{pad}}},7,{{"$some":{{{pad}"$some":null}}}},{pad}null,"#
    ) + &r#"{"$some":null},5,"#.repeat(5000)
        + "6]";
    let value: Vec<Option<Option<Option<u8>>>> = json::from_str(&text).unwrap();
    assert_eq!(value[..4], [Some(None), Some(Some(Some(7))), Some(Some(None)), None]);
    assert_eq!(value.len(), 10_005);
    for len in [1, 7, 4096] {
        let loaded: Vec<Option<Option<Option<u8>>>> =
            json::from_reader(Pieces(text.as_bytes(), len)).unwrap();
        assert!(loaded == value, "{len}");
    }
}

#[derive(Debug, Default, PartialEq, Serialize, serde::Serialize, serde::Deserialize)]
struct Both {
    twice: Option<Option<u32>>,
    list: Vec<Option<Option<String>>>,
    inner: Option<Option<Inner>>,
}

#[derive(Debug, Default, PartialEq, Serialize, serde::Serialize, serde::Deserialize)]
struct Inner {
    hp: Option<u8>,
}

#[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Theirs {
    any: Option<serde_json::Value>,
    list: Vec<Option<serde_json::Value>>,
}

#[derive(Debug, Default, PartialEq, Serialize)]
struct Ours {
    any: Option<Value>,
    list: Vec<Option<Value>>,
}

/// Values in which serde loses nothing.
fn without_null() -> [Both; 3] {
    [
        Both::default(),
        Both { twice: Some(Some(5)), list: vec![None, Some(Some("a".into()))], inner: None },
        Both { twice: None, list: vec![], inner: Some(Some(Inner { hp: Some(1) })) },
    ]
}

#[test]
fn serde_reads_ours_and_we_read_serdes() {
    for value in without_null() {
        let ours = json::to_string(&value).unwrap();
        assert_eq!(ours, serde_json::to_string(&value).unwrap());
        assert_eq!(serde_json::from_str::<Both>(&ours).unwrap(), value);
        assert_eq!(json::from_str::<Both>(&ours).unwrap(), value);

        let ours = msgpack::to_vec(&value).unwrap();
        assert_eq!(ours, rmp_serde::to_vec_named(&value).unwrap());
        assert_eq!(rmp_serde::from_slice::<Both>(&ours).unwrap(), value);
        assert_eq!(msgpack::from_slice::<Both>(&ours).unwrap(), value);
    }
    // Data that serde loses is already lost in its own files.
    let lost = Both { twice: Some(None), ..Both::default() };
    let text = serde_json::to_string(&lost).unwrap();
    assert_eq!(json::from_str::<Both>(&text).unwrap(), Both::default());
    let ours = json::to_string(&lost).unwrap();
    assert_eq!(ours, r#"{"twice":{"$some":null},"list":[],"inner":null}"#);
    assert_eq!(json::from_str::<Both>(&ours).unwrap(), lost);
}

#[test]
fn any_value() {
    let text = r#"{"any":{"a":[1,null]},"list":[null,5,"x",[null],{"b":null}]}"#;
    let theirs: Theirs = serde_json::from_str(text).unwrap();
    let ours: Ours = json::from_str(&serde_json::to_string(&theirs).unwrap()).unwrap();
    assert_eq!(json::to_string(&ours).unwrap(), text);
    assert_eq!(serde_json::from_str::<Theirs>(text).unwrap(), theirs);
    let packed = rmp_serde::to_vec_named(&theirs).unwrap();
    assert_eq!(msgpack::from_slice::<Ours>(&packed).unwrap(), ours);
    assert_eq!(msgpack::to_vec(&ours).unwrap(), packed);
}
