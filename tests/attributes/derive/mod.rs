//! The attributes of `#[derive(Serialize)]`, in every format: how fields are stored, the values of
//! absent members, kept fields, called functions.

mod after_load;
mod as_object;
mod as_object_inside;
mod base;
mod bytes;
mod default_on_type;
mod other;
mod required;
mod skip_if_default;
mod skip_keep;
mod tag;
mod unordered;
mod with;

use std::collections::{BTreeMap, HashMap, HashSet, LinkedList, VecDeque};
use std::fmt::Debug;

use crate::common::{
    Erased, forgiving, formats, has_position, keeps_going, round_trip, round_trip_with,
};
use archive::shape::{Primitive, Shape};
use archive::{Blank, ErrorKind, Options, Result, Save, Serialize, Value, json};

/// Saves to exactly `text`, and loads equal from that and from every format.
#[track_caller]
fn check<T: Serialize + Save + Blank + PartialEq + Debug + 'static>(value: &T, text: &str) {
    assert_eq!(json::to_string(value).unwrap(), text);
    assert_eq!(&json::from_str::<T>(text).unwrap(), value);
    round_trip(value);
}

/// Loads the file of `old` in every format as a `T`, by value and over `existing`.
#[track_caller]
fn migrates<O, T>(old: &O, existing: impl Fn() -> T, expected: &T)
where
    O: Save,
    T: Serialize + Blank + PartialEq + Debug,
{
    for format in forgiving() {
        let bytes = format.to_vec(old).unwrap();
        assert_eq!(&format.from_slice::<T>(&bytes).unwrap(), expected, "{format}");
        let mut into = existing();
        format.load_into(&mut into, &bytes).unwrap();
        assert_eq!(&into, expected, "{format}: in place");
        let mut into = existing();
        format.load_into(&mut Erased(&mut into), &bytes).unwrap();
        assert_eq!(&into, expected, "{format}: through erased()");
    }
}
