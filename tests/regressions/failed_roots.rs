//! A reader continued after a root had failed, and a writer accepted a name twice.

use archive::{Archive, ErrorKind, Serialize, binary, json};

/// It continued to read inside the failed root.
#[test]
fn a_reader_gives_nothing_after_a_failed_root() {
    #[derive(Default, Serialize)]
    struct Wrong {
        x: u32,
    }
    let mut reader = json::Reader::new(r#"{"a":{"b":5,"x":"oops"},"b":7}"#).unwrap();
    assert!(reader.serialize("a", &mut Wrong::default()).is_err());
    let mut b = 0;
    assert!(reader.serialize("b", &mut b).is_err());
    assert_eq!(b, 0);
    assert!(reader.finish().is_err());
}

#[test]
fn a_writer_refuses_a_root_twice() {
    let mut writer = json::Writer::new();
    writer.save("a", &1).unwrap();
    let error = writer.save("a", &2).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::DuplicateMember, "a"));
    let mut writer = binary::Writer::new();
    writer.save("a", &1).unwrap();
    assert_eq!(writer.save("a", &2).unwrap_err().kind(), ErrorKind::DuplicateMember);
}
