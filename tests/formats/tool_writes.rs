//! An archive of the program that saves: it may change the visited values, and no change is lost.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use archive::format::Session;
use archive::tool::{Either, Scalar, Visitor, Walk};
use archive::{Archive, Options, Registry, Result, Serialize, json, polymorphic, register};

/// Adds 1 to each number.
#[derive(Default)]
struct Increment<'o> {
    session: Session,
    options: Options<'o>,
}

impl Visitor for Increment<'_> {
    fn parts(&self) -> (&Session, &Options<'_>) {
        (&self.session, &self.options)
    }
    fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
        (&mut self.session, &self.options)
    }
    fn scalar(&mut self, value: Scalar<'_>) -> Result {
        match value {
            Scalar::U8(number) => *number += 1,
            Scalar::I64(number) => *number += 1,
            Scalar::F32(number) => *number += 1.0,
            Scalar::Char(letter) => *letter = 'z',
            Scalar::Bool(flag) => *flag = !*flag,
            _ => {}
        }
        Ok(())
    }
}

impl Walk for Increment<'_> {
    type Way = Either;
}

trait Order: archive::Polymorphic {}
polymorphic!(dyn Order);

#[derive(Default, Serialize)]
struct Wait {
    ticks: u8,
}
impl Order for Wait {}

fn increment<T: Serialize>(value: T) -> (Result, String) {
    let mut registry = Registry::new();
    register!(registry, dyn Order { Wait }).unwrap();
    let options = Options::new().registry(&registry);
    let mut value = value;
    let mut archive = Increment { options: options.clone(), ..Increment::default() };
    let done = archive.serialize("value", &mut value);
    (done, json::to_string_with(&mut value, &options).unwrap())
}

#[derive(Serialize)]
struct Plain {
    hp: u8,
    at: (f32, [u8; 2]),
    by_name: BTreeMap<u8, i64>,
    state: Option<Result<char, bool>>,
    cell: Cell<u8>,
}

#[test]
fn values_of_the_program_are_changed() {
    let plain = Plain {
        hp: 1,
        at: (0.5, [2, 3]),
        by_name: BTreeMap::new(),
        state: Some(Ok('a')),
        cell: Cell::new(4),
    };
    let (done, text) = increment(plain);
    done.unwrap();
    assert_eq!(text, r#"{"hp":2,"at":[1.5,[3,4]],"by_name":[],"state":{"Ok":"z"},"cell":5}"#);
}

/// Copies and shared objects cannot be changed: the write is refused.
#[test]
fn a_write_to_a_copy_is_refused() {
    fn check<T: Serialize>(value: T, path: &str, text: &str) {
        let (done, after) = increment(value);
        let error = done.expect_err(&after);
        let message = "this value is visited through a shared reference and cannot be changed";
        assert_eq!((error.message(), error.path()), (message, path), "{after}");
        assert_eq!(after, text);
    }
    check(Rc::new(RefCell::new(6_u8)), "value", r#"{"$id":1,"$value":6}"#);
    check(Rc::new(7_u8), "value", r#"{"$id":1,"$value":7}"#);
    check(Arc::new((true, 'c')), "value[0]", r#"{"$id":1,"$value":[true,"c"]}"#);
    check(
        vec![Rc::new(f32::NAN), Rc::new(-0.5)],
        "value[1]",
        r#"[{"$id":1,"$value":"NaN"},{"$id":2,"$value":-0.5}]"#,
    );
    check(glam::Vec3::ONE, "value[0]", "[1.0,1.0,1.0]");
    check(BTreeMap::from([(1_u8, ())]), "value[0][0]", "[[1,null]]");
    let orders: Vec<Box<dyn Order>> = vec![Box::new(Wait { ticks: 3 })];
    check(orders, "value[0].ticks", r#"[{"$type":"Wait","$value":{"ticks":3}}]"#);
}
