//! Numbers that become zero are noted. (Serde formats read text themselves, and do not report it.)

use crate::common::forgiving;
use archive::Serialize;

#[derive(Serialize)]
struct Holder<T> {
    list: T,
    z: u8,
}

/// In formats with floats of eight bytes as in text.
#[test]
fn a_number_that_becomes_zero_is_noted() {
    for format in forgiving() {
        for (small, notes) in [(1e-50, 1), (-1e-46, 1), (0.0, 0), (0.5, 0)] {
            let bytes = format.to_vec(&Holder { list: [small, 2.0], z: 1 }).unwrap();
            let (loaded, report) = format
                .from_slice_report::<Holder<[f32; 2]>>(&bytes, &archive::Options::new())
                .unwrap();
            assert_eq!(loaded.list, [small as f32, 2.0], "{format}");
            let converted: Vec<_> = report.converted().collect();
            assert_eq!(converted, &["list[0]"][..notes], "{format}: {small}: {report}");
        }
    }
}

#[test]
fn text_that_exceeds_floats_is_noted() {
    use archive::report::NoteKind;
    use archive::{Value, json};
    let note = |text: &str| {
        let (value, report) =
            json::from_slice_report::<f64>(text.as_bytes(), &archive::Options::new()).unwrap();
        let (tree, tree_report) =
            json::from_slice_report::<Value>(text.as_bytes(), &archive::Options::new()).unwrap();
        assert_eq!(tree.as_f64().unwrap_or(0.0), value, "{text}");
        assert_eq!(report.notes(), tree_report.notes(), "{text}");
        report.notes().first().map(|note| note.kind.clone())
    };
    let lost = Some(NoteKind::Converted { from: "f64", to: "f64" });
    for text in
        ["1e-400", "-1.5e-400", "0.001e-350", "1e-99999999999", "123456789012345678901e-400"]
    {
        assert_eq!(note(text), lost, "{text}");
    }
    for text in ["0", "-0", "0.0", "0e-400", "0.000e5", "5e-324", "1e-300"] {
        assert_eq!(note(text), None, "{text}");
    }
    let (value, report) =
        json::from_slice_report::<[f32; 3]>(b"[1e-50,1e-60,1]", &archive::Options::new()).unwrap();
    assert_eq!(value, [0.0, 0.0, 1.0]);
    let text = "[0]: converted from f64 to f32, the first of 2 times\n";
    assert_eq!(report.to_string(), text);
}
