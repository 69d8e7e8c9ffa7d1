//! The names of types.

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::num::{NonZero, Wrapping};
use std::path::PathBuf;
use std::rc::{Rc, Weak};
use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use archive::reflect::Meta;
use archive::{Element, Serialize, Value};

trait Command: archive::Polymorphic {}
archive::polymorphic!(dyn Command);

#[derive(Default, Serialize)]
struct Unit {
    hp: u16,
}

#[derive(Default, Serialize)]
struct Meters(f32);

#[derive(Default, Serialize)]
struct Squad(Vec<Unit>);

#[derive(Default, Serialize)]
struct Slot<T> {
    value: T,
}

#[derive(Serialize)]
#[archive(name = "Haltung")]
enum Stance {
    Calm,
    Angry,
}

fn is<T: Element>(name: &str) {
    assert_eq!(Meta::of::<T>().name(), name);
}

#[test]
fn types_of_the_standard_library_have_readable_names() {
    is::<u32>("u32");
    is::<usize>("usize");
    is::<bool>("bool");
    is::<()>("()");
    is::<String>("String");
    is::<Vec<u8>>("Vec<u8>");
    is::<[u8; 4]>("[u8; 4]");
    is::<(u8, String)>("(u8, String)");
    is::<(u8,)>("(u8,)");
    is::<Option<Vec<Unit>>>("Option<Vec<Unit>>");
    is::<VecDeque<i8>>("VecDeque<i8>");
    is::<LinkedList<i8>>("LinkedList<i8>");
    is::<BinaryHeap<i8>>("BinaryHeap<i8>");
    is::<BTreeSet<char>>("BTreeSet<char>");
    is::<HashSet<char>>("HashSet<char>");
    is::<HashMap<String, [f32; 2]>>("HashMap<String, [f32; 2]>");
    is::<BTreeMap<u8, BTreeMap<u8, i64>>>("BTreeMap<u8, BTreeMap<u8, i64>>");
    is::<Box<str>>("Box<str>");
    is::<Box<[u16]>>("Box<[u16]>");
    is::<Arc<str>>("Arc<str>");
    is::<Rc<[u8]>>("Rc<[u8]>");
    is::<Cow<'static, str>>("Cow<String>");
    is::<Cell<u8>>("Cell<u8>");
    is::<OnceCell<u8>>("OnceCell<u8>");
    is::<Mutex<Vec<u8>>>("Mutex<Vec<u8>>");
    is::<AtomicU32>("AtomicU32");
    is::<NonZero<u8>>("NonZero<u8>");
    is::<Wrapping<u8>>("Wrapping<u8>");
    is::<Duration>("Duration");
    is::<PathBuf>("PathBuf");
    is::<std::net::Ipv4Addr>("Ipv4Addr");
    is::<Result<u8, String>>("Result<u8, String>");
    is::<std::ops::Range<u8>>("Range<u8>");
    is::<Value>("Value");
}

#[test]
fn pointers_name_their_objects() {
    is::<Box<Unit>>("Box<Unit>");
    is::<Rc<Unit>>("Rc<Unit>");
    is::<Rc<RefCell<Unit>>>("Rc<RefCell<Unit>>");
    is::<Weak<RefCell<Unit>>>("Weak<RefCell<Unit>>");
    is::<Arc<Mutex<Unit>>>("Arc<Mutex<Unit>>");
    is::<Box<dyn Command>>("Box<dyn Command>");
    is::<Rc<RefCell<dyn Command>>>("Rc<RefCell<dyn Command>>");
    is::<Vec<Weak<RefCell<dyn Command>>>>("Vec<Weak<RefCell<dyn Command>>>");
}

#[test]
fn types_of_the_program_have_their_own() {
    is::<Unit>("Unit");
    is::<Meters>("Meters");
    is::<Squad>("Squad");
    is::<Vec<Slot<Meters>>>("Vec<Slot<Meters>>");
    is::<Option<Stance>>("Option<Haltung>");
    assert_eq!(Meta::of::<Squad>().item().unwrap().name(), "Unit");
}

#[test]
fn types_of_one_name_differ() {
    mod other {
        #[derive(Default, archive::Serialize)]
        pub struct Unit {
            _hp: u16,
        }
        #[derive(Default, archive::Serialize)]
        pub struct Meters(f32);
    }
    let (own, other) = (Meta::of::<Vec<Unit>>(), Meta::of::<Vec<other::Unit>>());
    assert_eq!(own.name(), other.name());
    assert_ne!(own, other);
    assert_eq!(own, Meta::of::<Vec<Unit>>());
    assert_ne!(Meta::of::<Meters>(), Meta::of::<other::Meters>());
    assert_ne!(Meta::of::<Meters>(), Meta::of::<f32>());
}
