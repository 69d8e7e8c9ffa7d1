//! Edits that attributes for people forbid.

use archive::path::Path;
use archive::reflect::{self, Edit};
use archive::{ErrorKind, Options, Serialize, Value, json};

#[derive(Default, Serialize)]
struct Unit {
    #[archive(range = 0.0..=30.0)]
    speed: f32,
    #[archive(range = 1.0..)]
    levels: [u8; 2],
    #[archive(read_only)]
    id: Id,
}

#[derive(Default, Serialize)]
struct Id {
    number: u32,
}

#[test]
fn ranges_and_read_only_members_are_respected() {
    let options = Options::new();
    let id = Id { number: 7 };
    let mut units = vec![Unit { speed: 99.0, levels: [1, 2], id }];
    let before = json::to_string(&units).unwrap();
    for (place, content, kind, message) in [
        ("[0].speed", "31", ErrorKind::OutOfRange, "31 is not in the range from 0 to 30"),
        ("[0].speed", r#""NaN""#, ErrorKind::OutOfRange, "NaN is not in the range from 0 to 30"),
        ("[0].levels[1]", "0", ErrorKind::OutOfRange, "0 is less than 1"),
        ("[0].levels", "[5,0]", ErrorKind::OutOfRange, "0 is less than 1"),
        ("[0]", r#"{"speed":-1}"#, ErrorKind::OutOfRange, "-1 is not in the range from 0 to 30"),
        ("[0].id", r#"{"number":1}"#, ErrorKind::ReadOnly, "this member is read-only"),
        ("[0].id.number", "1", ErrorKind::ReadOnly, "this member is read-only"),
    ] {
        let content: Value = json::from_str(content).unwrap();
        let edit = Edit::new().set(Path::parse(place).unwrap(), content);
        let error = reflect::apply(&mut units, &edit, &options).unwrap_err();
        assert_eq!((error.kind(), error.message()), (kind, message), "{place}: {error}");
        assert!(error.path().starts_with(place) || place == "[0].levels", "{place}: {error}");
        assert_eq!(json::to_string(&units).unwrap(), before, "{place}");
    }
    let edit = Edit::new().set(Path::parse("[0].speed").unwrap(), 30);
    let undo = reflect::apply(&mut units, &edit, &options).unwrap();
    assert_eq!(units[0].speed, 30.0);
    // The value that the program had set is restored.
    reflect::apply(&mut units, &undo, &options).unwrap();
    assert_eq!(units[0].speed, 99.0);
}
