//! A load through a tree reports positions, too: the input is read again up to there.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use archive::error::Position;
use archive::format::{Backend, Reader, Writer};
use archive::serde_formats::SerdeBackend;
use archive::{ErrorKind, Options, Result, Serialize};

use crate::shared::serde_formats::{RmpNamed, Ron, SerdeJson, Toml, has_position, serde_formats};

type Json = SerdeBackend<SerdeJson>;

#[derive(Default, Debug, Serialize)]
struct World {
    units: Vec<Rc<RefCell<Unit>>>,
    by_name: BTreeMap<String, Option<Option<u8>>>,
    pairs: BTreeMap<u8, Order>,
    leader: Weak<RefCell<Unit>>,
}

#[derive(Default, Debug, Serialize)]
struct Unit {
    hp: u8,
    next: Option<Rc<RefCell<Unit>>>,
}

#[derive(Default, Debug, Serialize)]
enum Order {
    #[default]
    Hold,
    Attack {
        target: u8,
    },
}

/// Loads over a value with pointers, for which the input is read as a tree.
fn fails(text: &str) -> (String, ErrorKind, usize, usize) {
    let error = Json::load_into(&mut World::default(), text.as_bytes(), &Options::new());
    let error = error.unwrap_err();
    match error.position() {
        Some(Position::Line { line, column }) => {
            (error.path().to_owned(), error.kind(), line, column)
        }
        other => panic!("{error} at {other:?}"),
    }
}

#[test]
fn the_place_is_that_of_the_path() {
    use ErrorKind::{BadPointer, OutOfRange, WrongType};
    let at = |path: &str, kind, line, column| (path.to_owned(), kind, line, column);
    assert_eq!(
        fails("{\"units\":[{\"$id\":1,\"$value\":{}},\n{\"$id\":2,\"$value\":\n{\"hp\":300}}]}"),
        at("units[1].hp", OutOfRange, 3, 9)
    );
    assert_eq!(
        fails("{\"by_name\":{\"a\":1,\n\"a.b\":\n\"x\"}}"),
        at("by_name[\"a.b\"]", WrongType, 3, 3),
    );
    assert_eq!(
        fails("{\"pairs\":[[1,\"Hold\"],\n[2,{\"Attack\":\n{\"target\":-1}}]]}"),
        at("pairs[1][1].Attack.target", OutOfRange, 3, 12),
    );
    // By its id, because the object is searched for.
    assert_eq!(
        fails("{\"units\":[{\"$id\":7}],\n\"gone\":[{\"$id\":7,\"$value\":\n{\"hp\":\"x\"}}]}"),
        at("$7.hp", WrongType, 3, 9),
    );
    assert_eq!(fails("{\"units\":[\n{\"$id\":7}]}"), at("$7", BadPointer, 2, 9));
    // A missing member has no position.
    assert_eq!(fails("\n7"), at("", WrongType, 2, 1));
}

#[test]
fn formats_with_positions_report_these() {
    let units = vec![Rc::new(RefCell::new(Unit { hp: 7, next: None })), Rc::default()];
    let world = World { units, ..World::default() };

    #[derive(Default, Debug, Serialize)]
    struct Other {
        units: Vec<Rc<RefCell<Named>>>,
    }
    #[derive(Default, Debug, Serialize)]
    struct Named {
        hp: String,
    }
    // Other formats request the value by its type.
    for format in serde_formats().into_iter().filter(|format| format.name() != "postcard") {
        let file = format.to_vec(&world).unwrap();
        let error = format.load_into(&mut Other::default(), &file).unwrap_err();
        assert_eq!(error.path(), "units[0].hp", "{format}");
        // Without names, the path cannot be followed.
        let named = format.name() != "rmp_serde arrays";
        assert!(has_position(format, &error) || !named, "{format}: {error}");
    }
    fn check<F: Backend>(text: &str, line: usize) -> Result {
        let error = F::load_into(&mut World::default(), text.as_bytes(), &Options::new());
        let error = error.unwrap_err();
        assert_eq!(error.path(), "units[0].hp", "{error}");
        match error.position() {
            Some(Position::Line { line: found, .. }) => assert_eq!(found, line, "{error}"),
            Some(Position::Offset(at)) => {
                let lines = text[..at as usize].lines().count();
                assert_eq!(lines, line, "{error}");
            }
            other => panic!("{error} at {other:?}"),
        }
        Ok(())
    }
    check::<SerdeBackend<Ron>>("(units:[{\"$id\":1,\"$value\":\n(hp:300)}])", 2).unwrap();
    check::<SerdeBackend<Toml>>("[[units]]\n\"$id\" = 1\n\"$value\" = { hp = 300 }", 3).unwrap();
}

/// Files with named roots are read as trees.
#[test]
fn errors_in_named_roots_have_positions() {
    fn check<F: Backend<Output: AsRef<[u8]>>>() {
        let mut writer = Writer::<F>::new();
        writer.save("first", &1_u8).unwrap();
        writer.save("second", &vec![World::default()]).unwrap();
        writer.save("third", &vec![1_u16, 300, 2, 301]).unwrap();
        let file = writer.finish().unwrap();
        let mut reader = Reader::<F>::new(file.as_ref()).unwrap();
        let error = reader.load::<Vec<u8>>("third").unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "third[1]"));
        assert!(error.position().is_some(), "{}: {error}", F::NAME);

        let report = Cell::default();
        let options = Options::new().keep_going(true).each_error(true).report(&report);
        let mut reader = Reader::<F>::with(file.as_ref(), &options).unwrap();
        reader.load::<Vec<u8>>("third").unwrap();
        reader.finish().unwrap();
        let report = report.take();
        let paths: Vec<&str> = report.errors().iter().map(|error| error.path()).collect();
        assert_eq!(paths, ["third[1]", "third[3]"], "{}", F::NAME);
        let located = report.errors().iter().all(|error| error.position().is_some());
        assert!(located, "{}: {report}", F::NAME);
    }
    check::<SerdeBackend<SerdeJson>>();
    check::<SerdeBackend<RmpNamed>>();
    check::<SerdeBackend<Ron>>();

    let text = "{\"first\":1,\n\"third\":[1,\n300]}";
    let mut reader = Reader::<Json>::new(text).unwrap();
    let error = reader.load::<Vec<u8>>("third").unwrap_err();
    assert!(matches!(error.position(), Some(Position::Line { line: 3, .. })), "{error}");
}

/// The error of truncated input has the path of a member, also if no type is known.
#[test]
fn truncated_trees_have_paths() {
    let text = r#"{"units":[{"$id":1,"$value":{"hp":1,"next":{"$id":2,"$value":{"hp":"#;
    let error = Json::load_into(&mut World::default(), text.as_bytes(), &Options::new());
    let error = error.unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::UnexpectedEnd, "units[0].next.hp"));
    let text = r#"{"units":[{"$id":1,"$later":true},{"$id":3,"$value":{"hp":1},"$deferred":[{"$id":1,"$value":{"hp":"#;
    let error = Json::load_into(&mut World::default(), text.as_bytes(), &Options::new());
    let error = error.unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::UnexpectedEnd, "$1.hp"));
}
