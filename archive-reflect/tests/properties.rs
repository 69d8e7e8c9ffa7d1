//! Values that are computed and not stored.

use std::marker::PhantomData;

use archive::reflect::Meta;
use archive::{Error, ErrorKind, Result, Serialize, Value, json};

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
    /// Its own type does not lead to an endless constant.
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
    assert!(open.set(&mut door, &Value::Bool(true)).unwrap_err().to_string().contains("read only"));
}

#[test]
fn objects_of_other_types_are_errors() {
    let degrees = Meta::of::<Door>().property("degrees").unwrap();
    assert!(degrees.get(&7_u8).unwrap_err().to_string().contains("another type"));
    assert!(degrees.set(&mut 7_u8, &Value::from(1)).is_err());
}
