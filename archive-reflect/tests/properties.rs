//! Values that are computed and not stored.

use std::marker::PhantomData;

use archive::path::Path;
use archive::reflect::{self, Edit, Meta};
use archive::{Error, ErrorKind, Options, Result, Serialize, Value, json};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(Clone, Default, Serialize)]
struct Door {
    radians: f32,
    /// How far it is open.
    #[archive(get = Door::degrees, set = Door::turn_to, range = 0.0..=90.0, group = "State")]
    degrees: PhantomData<f32>,
    #[archive(get = Door::is_open)]
    open: PhantomData<bool>,
    #[archive(get = Door::place, set = Door::move_to, label = "Position", show_if = Door::is_open)]
    place: Point,
    /// The constant of its own type does not recurse.
    #[archive(get = Door::closed)]
    closed: PhantomData<Door>,
}

impl Door {
    fn degrees(&self) -> f32 {
        self.radians.to_degrees()
    }
    fn turn_to(&mut self, degrees: f32) -> Result {
        if !(0.0..=90.0).contains(&degrees) {
            return Err(Error::custom("a door opens up to 90 degrees"));
        }
        self.radians = degrees.to_radians();
        Ok(())
    }
    fn is_open(&self) -> bool {
        self.radians > 0.0
    }
    fn place(&self) -> Point {
        self.place.clone()
    }
    fn move_to(&mut self, place: Point) {
        self.place = place;
    }
    fn closed(&self) -> Door {
        Door { radians: 0.0, ..self.clone() }
    }
}

#[test]
fn they_are_not_stored() {
    let door = Door { radians: 1.5, ..Door::default() };
    assert_eq!(json::to_string(&door).unwrap(), r#"{"radians":1.5}"#);
    let meta = Meta::of::<Door>();
    assert_eq!(meta.members().len(), 1);
    let names: Vec<_> = meta.properties().map(|property| property.name()).collect();
    assert_eq!(names, ["degrees", "open", "place", "closed"]);
}

#[test]
fn they_are_read_and_set() {
    let meta = Meta::of::<Door>();
    let mut door = Door::default();
    let degrees = meta.property("degrees").unwrap();
    assert_eq!((degrees.meta().name().as_str(), degrees.facts().max), ("f32", Some(90.0)));
    assert_eq!((degrees.facts().doc, degrees.facts().group), ("How far it is open.", "State"));
    degrees.set(&mut door, &Value::from(90)).unwrap();
    assert_eq!(door.radians, std::f32::consts::FRAC_PI_2);
    assert_eq!(degrees.get(&door).unwrap(), Value::from(90.0_f32));
    assert_eq!(meta.property("open").unwrap().get(&door).unwrap(), Value::Bool(true));
    assert_eq!(
        meta.property("closed").unwrap().get(&door).unwrap().get("radians"),
        Some(&Value::from(0.0_f32))
    );
}

#[test]
fn members_that_are_left_out_keep_their_values() {
    let meta = Meta::of::<Door>();
    let mut door = Door { place: Point { x: 1.0, y: 2.0 }, ..Door::default() };
    let place = meta.property("place").unwrap();
    assert_eq!(place.label(), "Position");
    place.set(&mut door, &Value::Object(vec![("x".into(), Value::from(7.0))])).unwrap();
    assert_eq!(door.place, Point { x: 7.0, y: 2.0 });
    assert!(!place.is_shown(&door));
    door.radians = 1.0;
    assert!(place.is_shown(&door));
}

#[test]
fn refused_values_change_nothing() {
    let meta = Meta::of::<Door>();
    let mut door = Door::default();
    let degrees = meta.property("degrees").unwrap();
    let error = degrees.set(&mut door, &Value::from(91)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Custom);
    let error = degrees.set(&mut door, &Value::from("wide")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::WrongType);
    assert_eq!(door.radians, 0.0);
    let open = meta.property("open").unwrap();
    assert!(open.is_read_only() && !degrees.is_read_only());
    assert!(open.set(&mut door, &Value::Bool(true)).unwrap_err().to_string().contains("read-only"));
}

#[test]
fn objects_of_other_types_are_errors() {
    let degrees = Meta::of::<Door>().property("degrees").unwrap();
    assert!(degrees.get(&7_u8).unwrap_err().to_string().contains("another type"));
    assert!(degrees.set(&mut 7_u8, &Value::from(1)).is_err());
}

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

fn doors() -> Vec<Door> {
    vec![Door::default(), Door { radians: 1.0, place: Point { x: 1.0, y: 2.0 }, ..Door::default() }]
}

#[test]
fn paths_resolve_to_them() {
    let (doors, options) = (doors(), Options::new());
    let get = |place: &str| reflect::get(&doors, &path(place), &options);
    for _ in 0..2 {
        assert_eq!(get("[1].degrees").unwrap().as_f64().unwrap().round(), 57.0);
        assert_eq!(get("[1].place.y").unwrap(), Value::from(2.0_f32));
        assert_eq!(get("[1].closed.closed.radians").unwrap(), Value::from(0.0_f32));
        let open: bool = reflect::get_as(&doors, &path("[1].open"), &options).unwrap();
        assert!(open);
    }
    assert_eq!(
        get("[1].degree").unwrap_err().to_string(),
        "[1]: there is no `degree`, did you mean `degrees`? There are: `radians`, `degrees`, `open`, `place`, `closed`"
    );
    assert_eq!(reflect::complete(&doors, "[0].de", &options).unwrap(), ["[0].degrees"]);
    let rows = reflect::list(&doors, &path("[1]"), &options).unwrap();
    let rows: Vec<_> = rows.iter().map(|row| (row.path.to_string(), row.facts().group)).collect();
    let expected = [
        ("[1].radians", ""),
        ("[1].degrees", "State"),
        ("[1].open", ""),
        ("[1].place.x", ""),
        ("[1].place.y", ""),
        ("[1].closed.radians", ""),
    ];
    assert_eq!(rows, expected.map(|(path, group)| (path.to_owned(), group)));
    let row = &reflect::children(&doors, &path("[1]"), &options).unwrap()[1];
    let property = row.property.as_ref().unwrap();
    assert_eq!((property.name(), row.meta.name().as_str()), ("degrees", "f32"));
    assert!(!property.is_read_only() && row.member.is_none());
}

#[test]
fn they_are_set_by_paths_and_undone() {
    let (mut doors, options) = (doors(), Options::new());
    let before = json::to_string(&doors).unwrap();
    for (place, value, wanted) in [
        ("[0].degrees", Value::from(90), r#"[{"radians":1.5707964},{"radians":1.0}]"#),
        ("[1].place.x", Value::from(7), r#"[{"radians":0.0},{"radians":1.0}]"#),
    ] {
        let edit = Edit::new().set(path(place), value);
        let undo = reflect::apply(&mut doors, &edit, &options).unwrap();
        assert_eq!(json::to_string(&doors).unwrap(), wanted);
        let redo = reflect::apply(&mut doors, &undo, &options).unwrap();
        assert_eq!(json::to_string(&doors).unwrap(), before);
        assert_eq!(doors[1].place, Point { x: 1.0, y: 2.0 });
        let undo = reflect::apply(&mut doors, &redo, &options).unwrap();
        assert_eq!(json::to_string(&doors).unwrap(), wanted);
        reflect::apply(&mut doors, &undo, &options).unwrap();
        assert_eq!(json::to_string(&doors).unwrap(), before);
    }
    for (place, value, kind, message) in [
        (
            "[0].degrees",
            Value::from(91),
            ErrorKind::Custom,
            "[0].degrees: a door opens up to 90 degrees",
        ),
        ("[0].degrees", Value::from("x"), ErrorKind::WrongType, "[0].degrees: expected f32"),
        ("[0].open", Value::from(true), ErrorKind::ReadOnly, "[0].open: this member is read-only"),
        ("[0].place.z", Value::from(1), ErrorKind::NotFound, "[0].place: there is no `z`"),
    ] {
        let edit = Edit::new().set(path("[1].radians"), 0.5).set(path(place), value);
        let error = reflect::apply(&mut doors, &edit, &options).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().starts_with(message), "{error}");
        assert_eq!(json::to_string(&doors).unwrap(), before);
    }
}

/// The function counts its calls, and refuses its own result.
#[test]
fn a_property_is_set_once_and_as_a_whole() {
    #[derive(Default, Serialize)]
    struct Dial {
        turns: u32,
        #[archive(get = Dial::angle, set = Dial::turn, range = 0..=10)]
        angle: PhantomData<[i32; 2]>,
    }
    impl Dial {
        fn angle(&self) -> [i32; 2] {
            [-1, -1]
        }
        fn turn(&mut self, to: [i32; 2]) -> Result {
            if to == [-1, -1] {
                return Err(Error::custom("not an angle"));
            }
            self.turns += 1;
            Ok(())
        }
    }
    let (mut dial, options) = (Dial::default(), Options::new());
    // The returned value is outside the range.
    let error = reflect::apply(&mut dial, &Edit::new().set(path("angle[1]"), 5), &options);
    assert_eq!(error.unwrap_err().to_string(), "angle[1]: -1 is not in the range from 0 to 10");
    assert_eq!(dial.turns, 0);
    let undo = reflect::merge(&mut dial, &json::from_str(r#"{"turns":3}"#).unwrap(), &options);
    assert_eq!(dial.turns, 3);
    reflect::apply(&mut dial, &undo.unwrap(), &options).unwrap();
    assert_eq!(dial.turns, 0);
}
