//! A function of a member near the root removed notes that others counted, and panicked when they
//! were searched for.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::report::NoteKind;
use archive::{ErrorKind, Options, Serialize, Unknown, Value, json};

use crate::common::forgiving;

#[derive(Default, Serialize)]
#[archive(after_load = Self::check)]
enum State {
    #[default]
    Idle,
}

impl State {
    fn check(&mut self) {}
}

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    leader: Weak<RefCell<Unit>>,
    state: State,
}

#[derive(Default, Serialize)]
struct World {
    weather: u8,
    hero: Option<Rc<RefCell<Unit>>>,
    #[archive(unknown)]
    rest: Unknown,
}

#[test]
fn report_the_visited_members() {
    let file: Value = json::from_str(
        r#"{"crew":[{"$id":1,"$value":{"state":"Idle"}},
            {"$id":3,"$value":{"leader":{"$weak":1}}}],"hero":{"$id":3}}"#,
    )
    .unwrap();
    for format in forgiving() {
        let bytes = format.to_vec(&file).unwrap();
        let (world, report) = format
            .from_slice_report::<World>(&bytes, &Options::new())
            .unwrap_or_else(|error| panic!("{format}: {error}"));
        assert!(world.hero.is_some(), "{format}");
        let mut absent: Vec<&str> = report.absent().collect();
        absent.sort_unstable();
        let expected = ["$1.leader", "$2.name", "$2.state", "weather"];
        assert_eq!(absent, expected, "{format}");
    }
}

/// A pointer to an object that was refused is null.
#[test]
fn a_refused_object_is_reported_as_gone() {
    let file: Value = json::from_str(
        r#"{"units":[{"$id":1,"$value":7},{"$id":2,"$value":{"leader":{"$weak":1}}}]}"#,
    )
    .unwrap();
    #[derive(Default, Serialize)]
    struct Army {
        units: Vec<Rc<RefCell<Unit>>>,
    }
    let options = Options::new().keep_going(true);
    for format in forgiving() {
        let bytes = format.to_vec(&file).unwrap();
        let (army, report) = format.from_slice_report::<Army>(&bytes, &options).unwrap();
        assert_eq!(army.units.len(), 1, "{format}");
        assert!(army.units[0].borrow().leader.upgrade().is_none(), "{format}");
        assert_eq!(report.dangling().count(), 1, "{format}: {report}");
        assert_eq!(report.errors()[0].kind(), ErrorKind::WrongType, "{format}");
        assert!(report.notes().iter().any(|note| note.kind == NoteKind::Dangling));
    }
}
