//! Data was lost or changed without a note.

use archive::format::{Decoder, ValueDecoder};
use archive::report::NoteKind;
use archive::shape::Primitive;
use archive::{ErrorKind, Options, Serialize, Value, json};

use crate::common::forgiving;

#[test]
fn a_tree_reports_duplicate_members() {
    let (_, report) =
        json::from_slice_report::<Value>(br#"{"b":{"a":1,"a":2}}"#, &Options::new()).unwrap();
    assert_eq!(report.notes().len(), 1);
    assert_eq!((&*report.notes()[0].path, &report.notes()[0].kind), ("b.a", &NoteKind::Duplicate));
}

/// The payload of a variant was skipped without a note, even by a strict load.
#[test]
fn a_lost_payload_is_reported() {
    #[derive(Serialize)]
    enum Old {
        Walking { speed: f32 },
        Idle,
    }
    #[derive(Debug, PartialEq, Serialize)]
    enum New {
        Idle,
        Walking,
    }
    let strict = Options::new().strict(true);
    for format in forgiving() {
        let bytes = format.to_vec(&vec![Old::Idle, Old::Walking { speed: 1.0 }]).unwrap();
        let (new, report) = format.from_slice_report::<Vec<New>>(&bytes, &Options::new()).unwrap();
        assert_eq!(new, [New::Idle, New::Walking], "{format}");
        assert_eq!(report.unknown().collect::<Vec<_>>(), ["[1].Walking"], "{format}");
        let error = format.from_slice_with::<Vec<New>>(&bytes, &strict).unwrap_err();
        let found = (error.kind(), error.path());
        assert_eq!(found, (ErrorKind::UnknownMember, "[1].Walking"), "{format}: {error}");
    }
    // Nothing is lost of an empty payload, as other programs write unit variants.
    assert_eq!(json::from_str_with::<New>(r#"{"Walking":null}"#, &strict).unwrap(), New::Walking);
}

/// A tree did not report that a float became an integer of 128 bits.
#[test]
fn a_float_in_a_tree_becomes_a_wide_integer_with_a_note() {
    let value = Value::from(2.0);
    let mut decoder = ValueDecoder::new(&value);
    assert_eq!(decoder.i128().unwrap(), 2);
    assert_eq!(decoder.take_conversion(Primitive::I128), Some((Primitive::F64, Primitive::I128)));
    assert_eq!(decoder.u128().unwrap(), 2);
    assert_eq!(decoder.take_conversion(Primitive::U128), Some((Primitive::F64, Primitive::U128)));
    let value = Value::from("170141183460469231731687303715884105728");
    assert_eq!(ValueDecoder::new(&value).u128().unwrap(), 1 << 127);
    let error = ValueDecoder::new(&value).i128().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongType);
}
