//! Bugs that were found, each as the case that showed it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use crate::common::{Format, forgives, forgiving, formats};
use archive::report::NoteKind;
use archive::{
    Archive, ErrorKind, Limits, Options, Polymorphic, Registry, Serialize, Value, binary, json,
    polymorphic, register,
};

trait Thing: Polymorphic {
    fn next(&mut self) -> &mut Option<Rc<RefCell<dyn Thing>>>;
    fn other(&self) -> Option<Rc<RefCell<dyn Thing>>>;
    fn label(&self) -> u32;
}
polymorphic!(dyn Thing);

#[derive(Default, Serialize)]
struct Node {
    label: u32,
    next: Option<Rc<RefCell<dyn Thing>>>,
    other: Option<Weak<RefCell<dyn Thing>>>,
}

impl Thing for Node {
    fn next(&mut self) -> &mut Option<Rc<RefCell<dyn Thing>>> {
        &mut self.next
    }
    fn other(&self) -> Option<Rc<RefCell<dyn Thing>>> {
        self.other.as_ref()?.upgrade()
    }
    fn label(&self) -> u32 {
        self.label
    }
}

fn options() -> Options<'static> {
    let mut registry = Registry::new();
    register!(registry, dyn Thing { Node }).unwrap();
    Options::new().registry(&registry)
}

fn node(label: u32) -> Rc<RefCell<dyn Thing>> {
    Rc::new(RefCell::new(Node { label, ..Node::default() }))
}

/// Runs on a stack as small as that of a thread.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap().join().unwrap();
}

/// Objects that only the session held were dropped one inside the other.
#[test]
fn dropping_what_only_the_session_holds_needs_no_stack() {
    #[derive(Default, Serialize)]
    struct Old {
        weak: Vec<Weak<RefCell<dyn Thing>>>,
        head: Option<Rc<RefCell<dyn Thing>>>,
    }
    #[derive(Default, Serialize)]
    struct New {
        weak: Vec<Weak<RefCell<dyn Thing>>>,
    }
    on_a_small_stack(|| {
        let options = options();
        let mut old = Old::default();
        for label in 0..30_000 {
            let node = node(label);
            *node.borrow_mut().next() = old.head.take();
            old.weak.push(Rc::downgrade(&node));
            old.head = Some(node);
        }
        for format in formats() {
            let bytes = format.to_vec_with(&old, &options).unwrap();
            if forgives(format) {
                let new: New = format.from_slice_with(&bytes, &options).unwrap();
                assert!(new.weak.iter().all(|weak| weak.upgrade().is_none()), "{format}");
            }
            // The value is gone before the session notices that something follows it.
            let longer = [&bytes[..], b"x"].concat();
            assert!(format.from_slice_with::<Old>(&longer, &options).is_err(), "{format}");
        }
        let mut next = old.head.take();
        while let Some(node) = next {
            next = node.borrow_mut().next().take();
        }
    });
}

/// Each reference to a dynamic object not met yet was followed into that object.
#[test]
fn weak_pointers_from_each_dynamic_object_to_the_next() {
    let options = options();
    let nodes: Vec<Rc<RefCell<dyn Thing>>> = (0..1000)
        .rev()
        .scan(None, |after: &mut Option<Rc<RefCell<dyn Thing>>>, label| {
            let other = after.as_ref().map(Rc::downgrade);
            let node: Rc<RefCell<dyn Thing>> =
                Rc::new(RefCell::new(Node { label, other, next: None }));
            *after = Some(node.clone());
            Some(node)
        })
        .collect();
    let nodes: Vec<_> = nodes.into_iter().rev().collect();
    for format in formats() {
        let bytes = format.to_vec_with(&nodes, &options).unwrap();
        let loaded: Vec<Rc<RefCell<dyn Thing>>> = format
            .from_slice_with(&bytes, &options)
            .unwrap_or_else(|error| panic!("{format}: {error}"));
        for (i, node) in loaded.iter().enumerate() {
            assert_eq!(node.borrow().label() as usize, i, "{format}");
            if let Some(after) = loaded.get(i + 1) {
                assert!(Rc::ptr_eq(&node.borrow().other().unwrap(), after), "{format} {i}");
            }
        }
    }
}

#[test]
fn many_pending_weak_pointers_are_looked_at_once() {
    #[derive(Default, Serialize)]
    struct Plain {
        a: u32,
        p: Option<Rc<RefCell<Plain>>>,
    }
    #[derive(Default, Serialize)]
    struct Head {
        weak: Vec<Weak<RefCell<Plain>>>,
        head: Option<Rc<RefCell<Plain>>>,
    }
    on_a_small_stack(|| {
        let n = 20_000;
        let weak = vec![format!("{{\"$weak\":{}}}", n + 1); n].join(",");
        let object =
            |i| format!("{{\"$id\":{i},\"$value\":{{\"a\":{i},\"p\":{{\"$id\":{}}}}}}}", i + 1);
        let mut objects: Vec<String> = (1..n).map(object).collect();
        objects.push(format!("{{\"$id\":{n},\"$value\":{{\"a\":{n}}}}}"));
        let text = format!(
            "{{\"weak\":[{weak}],\"head\":{{\"$id\":1}},\"gone\":[{}]}}",
            objects.join(",")
        );
        let head: Head = json::from_str(&text).unwrap();
        let (mut next, mut count) = (head.head, 0);
        while let Some(node) = next {
            count += 1;
            assert_eq!(node.borrow().a as usize, count);
            next = node.borrow_mut().p.take();
        }
        assert_eq!((count, head.weak.len()), (n, n));
    });
}

/// It went on reading inside the root that had failed.
#[test]
fn a_reader_gives_nothing_after_a_failed_root() {
    #[derive(Default, Serialize)]
    struct Wrong {
        x: u32,
    }
    let mut reader = json::Reader::new(r#"{"a":{"b":5,"x":"oops"},"b":7}"#).unwrap();
    assert!(reader.serialize("a", &mut Wrong::default()).is_err());
    let mut b = 0;
    assert!(reader.serialize("b", &mut b).is_err());
    assert_eq!(b, 0);
    assert!(reader.finish().is_err());
}

#[test]
fn a_writer_refuses_a_root_twice() {
    let mut writer = json::Writer::new();
    writer.save("a", &1).unwrap();
    let error = writer.save("a", &2).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::DuplicateMember, "a"));
    let mut writer = binary::Writer::new();
    writer.save("a", &1).unwrap();
    assert_eq!(writer.save("a", &2).unwrap_err().kind(), ErrorKind::DuplicateMember);
}

/// Objects waited only below the outermost pointer, not near the limit.
#[test]
fn a_chain_that_begins_deep() {
    #[derive(Default, Serialize)]
    struct Deep {
        inner: Option<Box<Deep>>,
        chain: Option<Rc<RefCell<Link>>>,
    }
    #[derive(Default, Serialize)]
    struct Link {
        next: Option<Rc<RefCell<Link>>>,
    }
    let mut chain = None;
    for _ in 0..1000 {
        chain = Some(Rc::new(RefCell::new(Link { next: chain })));
    }
    let mut deep = Deep { chain, inner: None };
    for _ in 0..105 {
        deep = Deep { inner: Some(Box::new(deep)), chain: None };
    }
    for format in formats() {
        let bytes = format.to_vec(&deep).unwrap_or_else(|error| panic!("{format}: {error}"));
        format.from_slice::<Deep>(&bytes).unwrap_or_else(|error| panic!("{format}: {error}"));
    }
}

#[test]
fn keep_going_and_pointers() {
    #[derive(Default, Debug, Serialize)]
    struct Point {
        x: u8,
    }
    #[derive(Default, Debug, Serialize)]
    struct Two {
        one: Option<Rc<RefCell<Point>>>,
        bare: Vec<Rc<Point>>,
        x: u8,
    }
    let options = Options::new().keep_going(true);
    // A reference to nothing ended the load.
    let text = br#"{"one":{"$id":7},"x":9}"#;
    let (two, report) = json::from_slice_report::<Two>(text, &options).unwrap();
    assert_eq!((two.x, report.errors().len()), (9, 1), "{report}");
    // References to an object that failed were called cycles.
    let text = br#"{"bare":[{"$id":1,"$value":"no"},{"$id":1},{"$id":2,"$value":{"x":3}}],"x":9}"#;
    let (two, report) = json::from_slice_report::<Two>(text, &options).unwrap();
    assert_eq!((two.x, two.bare.len(), two.bare[0].x), (9, 1, 3));
    assert!(report.errors().iter().all(|e| e.kind() == ErrorKind::WrongType), "{report}");
    // Errors in objects that are looked for at the end are collected like any other.
    let refs: Vec<String> = (1..=200).map(|i| format!("{{\"$id\":{i}}}")).collect();
    let objects: Vec<String> =
        (1..=200).map(|i| format!("{{\"$id\":{i},\"$value\":[{i}]}}")).collect();
    let text = format!("{{\"cells\":[{}],\"gone\":[{}]}}", refs.join(","), objects.join(","));
    #[derive(Default, Serialize)]
    struct Cells {
        cells: Vec<Rc<RefCell<Point>>>,
    }
    let (cells, report) = json::from_slice_report::<Cells>(text.as_bytes(), &options).unwrap();
    let count: u64 = report.counted_errors().map(|(_, count)| count).sum();
    assert_eq!((cells.cells.len(), count), (200, 200));
    // However many errors there are, the work is bounded.
    let text = format!("[{}]", vec!["300"; 5000].join(",\n"));
    let (_, report) = json::from_slice_report::<Vec<u8>>(text.as_bytes(), &options).unwrap();
    assert_eq!((report.errors().len(), report.errors()[0].path()), (1, "[0]"));
}

#[test]
fn a_tree_reports_duplicate_members() {
    let (_, report) =
        json::from_slice_report::<Value>(br#"{"b":{"a":1,"a":2}}"#, &Options::new()).unwrap();
    assert_eq!(report.notes().len(), 1);
    assert_eq!((&*report.notes()[0].path, &report.notes()[0].kind), ("b.a", &NoteKind::Duplicate));
}

#[test]
fn number_keys_follow_the_grammar_of_numbers() {
    for key in ["+5", "007", "", "-", "1_0", " 1"] {
        let text = format!("{{{:?}:1}}", key);
        assert!(json::from_str::<BTreeMap<i32, u8>>(&text).is_err(), "{key}");
    }
    let map: BTreeMap<i32, u8> = json::from_str(r#"{"0":1,"-5":2}"#).unwrap();
    assert_eq!(map, [(0, 1), (-5, 2)].into());
}

/// A few bytes announced sixteen million elements that take none in the file, but room and time in
/// the program.
#[test]
fn elements_without_bytes_are_bounded_by_what_they_become() {
    #[derive(Default, Serialize)]
    struct Empty {}
    #[derive(Debug, Serialize)]
    struct Large {
        numbers: [u64; 64],
    }
    let most = Limits::default().empty_elements as usize;
    assert!(most * size_of::<Large>() <= 64 << 20, "{most} elements");
    let any = Options::new().max_empty_elements(u64::MAX);
    let empty =
        |len| binary::to_vec_with(&Vec::from_iter((0..len).map(|_| Empty {})), &any).unwrap();
    assert_eq!(binary::from_slice::<Vec<Large>>(&empty(most)).unwrap().len(), most);
    for error in [
        binary::from_slice::<Vec<Large>>(&empty(most + 1)).unwrap_err(),
        binary::from_slice::<Value>(&empty(most + 1)).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::SizeLimit, "{error}");
    }
    let mut limits = Limits::default();
    limits.empty_elements += 1;
    let options = Options::new().limits(limits);
    assert!(binary::from_slice_with::<Vec<Large>>(&empty(most + 1), &options).is_ok());
}

/// A flattened cell is flattened, instead of an object without a name among the members.
#[test]
fn flattened_cells() {
    #[derive(Clone, Copy, Default, Serialize)]
    struct Inner {
        x: u8,
    }
    #[derive(Default, Serialize)]
    struct Outer {
        #[archive(flatten)]
        inner: RefCell<Inner>,
        #[archive(flatten)]
        other: std::cell::Cell<Other>,
        y: u8,
    }
    #[derive(Clone, Copy, Default, Serialize)]
    struct Other {
        z: u8,
    }
    for format in forgiving() {
        let outer =
            Outer { inner: RefCell::new(Inner { x: 1 }), y: 2, other: Other { z: 3 }.into() };
        for bytes in [format.to_vec(&outer).unwrap(), format.to_vec(&mut { outer }).unwrap()] {
            let value: Value = format.from_slice(&bytes).unwrap();
            let names = value.as_object().unwrap().iter().map(|(name, _)| name.as_str());
            assert_eq!(names.collect::<Vec<_>>(), ["x", "z", "y"], "{format}");
            let loaded: Outer = format.from_slice(&bytes).unwrap();
            let found = (loaded.inner.borrow().x, loaded.y, loaded.other.get().z);
            assert_eq!(found, (1, 2, 3), "{format}");
        }
    }
}

/// A list of one in the place of an id made its object be another one, stored twice.
#[test]
fn a_list_of_one_is_no_id() {
    let text = r#"[{"$id":1,"$value":{"next":{"$id":2}}},{"$id":[1],"$value":7}]"#;
    let tree: Value = json::from_str(text).unwrap();
    for format in formats() {
        let bytes = format.to_vec(&tree).unwrap();
        let loaded: Value = format.from_slice(&bytes).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(json::to_string(&loaded).unwrap(), text, "{format}");
    }
}

/// An object is a pointer by its first member; one with an `$id` further on was taken for a pointer that stores its object.
#[test]
fn an_id_that_is_not_in_front_is_no_id() {
    let text = r#"[{"$id":1,"$value":{"next":{"$id":2}}},{"a":0,"$id":1,"$value":7}]"#;
    let tree: Value = json::from_str(text).unwrap();
    for format in formats() {
        let bytes = format.to_vec(&tree).unwrap();
        let loaded: Value = format.from_slice(&bytes).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(json::to_string(&loaded).unwrap(), text, "{format}");
    }
}

/// Objects inside of each other that a tree refers to from the innermost outwards: what a tree has
/// already was copied again with each object around it. The size of what comes back shows it.
#[test]
fn nested_objects_referred_to_from_the_inside() {
    #[derive(Default, Serialize)]
    struct Newer {
        references: Vec<Value>,
    }
    let levels = 60_u32;
    let mut pointer = Value::from(vec![Value::from(1); 1000]);
    for id in (1..=levels).rev() {
        let object = Value::Object(vec![("n".into(), pointer)]);
        pointer = Value::Object(vec![("$id".into(), id.into()), ("$value".into(), object)]);
    }
    let reference = |id: u32| Value::Object(vec![("$id".into(), id.into())]);
    let references: Vec<Value> = (1..=levels).rev().map(reference).collect();
    let file =
        Value::Object(vec![("removed".into(), pointer), ("references".into(), references.into())]);
    for format in forgiving() {
        let bytes = format.to_vec(&file).unwrap();
        let newer: Newer = format.from_slice(&bytes).unwrap();
        // Each object is stored at its first reference, and only there.
        let ids = (1..=levels).rev();
        for (value, id) in newer.references.iter().zip(ids) {
            assert_eq!(value.get("$id"), Some(&Value::from(id)), "{format}");
            let inner = value.pointer("/$value/n").unwrap_or_else(|| panic!("{format}: {id}"));
            if id == levels {
                assert_eq!(inner.as_array().map(<[Value]>::len), Some(1000), "{format}");
            } else {
                assert_eq!(inner, &reference(id + 1), "{format}: {id}");
            }
        }
    }
}

/// A trait with the name of something that `polymorphic!` refers to was not found.
mod names_of_traits {
    use archive::{Format, Options, Registry, polymorphic, register};

    trait Shape: archive::Polymorphic {
        fn area(&self) -> u32;
    }
    polymorphic!(dyn Shape);
    trait Boxed: archive::Polymorphic {}
    polymorphic!(dyn Boxed + Send + Sync);
    trait Result: archive::Polymorphic {}
    polymorphic!(dyn self::Result);

    #[derive(Default, archive::Serialize)]
    struct Square(u32);
    impl Shape for Square {
        fn area(&self) -> u32 {
            self.0 * self.0
        }
    }
    impl Boxed for Square {}
    impl Result for Square {}

    #[test]
    fn are_free() {
        let mut registry = Registry::new();
        register!(registry, dyn Shape { Square }).unwrap();
        register!(registry, dyn Boxed + Send + Sync { Square }).unwrap();
        register!(registry, dyn Result { Square }).unwrap();
        let options = Options::new().registry(&registry);
        let shapes: Vec<Box<dyn Shape>> = vec![Box::new(Square(3))];
        for format in Format::all() {
            let bytes = format.to_vec_with(&shapes, &options).unwrap();
            let loaded: Vec<Box<dyn Shape>> = format.from_slice_with(&bytes, &options).unwrap();
            assert_eq!(loaded[0].area(), 9);
        }
    }
}

/// Under `keep_going`, a number that did not fit left the note of its conversion to the next one.
#[test]
fn a_conversion_that_failed_is_none_of_the_next_value() {
    #[derive(Serialize)]
    struct Old {
        hp: u32,
        mana: u8,
    }
    #[derive(Default, Serialize)]
    struct New {
        hp: u8,
        mana: u8,
    }
    let options = Options::new().keep_going(true);
    for format in forgiving() {
        let bytes = format.to_vec(&Old { hp: 300, mana: 7 }).unwrap();
        let (new, report) = format.from_slice_report::<New>(&bytes, &options).unwrap();
        assert_eq!((new.hp, new.mana), (0, 7), "{format}");
        assert_eq!(
            (report.converted().count(), report.errors().len()),
            (0, 1),
            "{format}: {report}"
        );
    }
}

/// Under `keep_going`, an array in the place of a longer one was told twice, and once if it was one
/// item too long.
#[test]
fn a_wrong_length_is_one_error() {
    let options = Options::new().keep_going(true);
    for format in forgiving() {
        for len in [2, 4, 5, 6] {
            let bytes = format.to_vec(&((0..len).collect::<Vec<u8>>(), 7_u8)).unwrap();
            let (new, report) =
                format.from_slice_report::<([u8; 3], u8)>(&bytes, &options).unwrap();
            assert_eq!(new.1, 7, "{format}");
            let errors: Vec<_> = report.errors().iter().map(|e| (e.kind(), e.path())).collect();
            assert_eq!(errors, [(ErrorKind::WrongLength, "[0]")], "{format}: {len}");
        }
    }
}

/// What a variant carried was passed over without a word, even by a strict load.
#[test]
fn what_a_variant_carries_no_more_is_reported() {
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
    // Nothing is lost of a payload that is nothing, as other programs write unit variants.
    assert_eq!(json::from_str_with::<New>(r#"{"Walking":null}"#, &strict).unwrap(), New::Walking);
}

/// A tree did not tell that a float became an integer of 128 bits.
#[test]
fn a_float_in_a_tree_becomes_a_wide_integer_with_a_note() {
    use archive::Value;
    use archive::format::{Decoder, ValueDecoder};
    use archive::shape::Primitive;
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

/// Names and versions that a macro hands on as literals were refused by the derive.
mod attributes_from_macros {
    use archive::{Serialize, json};

    macro_rules! settings {
        ($Name:ident $version:literal { $($field:ident $name:literal was $was:literal),* }) => {
            #[derive(Debug, Default, PartialEq, Serialize)]
            #[archive(version = $version)]
            struct $Name { $(#[archive(rename = $name, alias = $was)] $field: u8),* }
        };
    }
    settings!(Sound 2 { music "Music" was "Songs", voice "Voice" was "Speech" });

    #[test]
    fn are_literals() {
        let sound = Sound { music: 1, voice: 2 };
        let text = r#"{"$version":2,"Music":1,"Voice":2}"#;
        assert_eq!(json::to_string(&sound).unwrap(), text);
        assert_eq!(json::from_str::<Sound>(r#"{"Speech":2,"Songs":1}"#).unwrap(), sound);
    }
}

/// A function of a member near the root took notes away that others counted, and panicked
/// where they were looked for.
mod functions_near_the_root {
    use std::cell::RefCell;
    use std::rc::{Rc, Weak};

    use archive::{Options, Serialize, Unknown, Value};

    use super::{ErrorKind, NoteKind, forgiving, json};

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
    fn report_what_they_met() {
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

    /// What refers to an object that was refused points to nothing.
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
}

/// Unknown objects, strictness, times and plain values, in one file.
mod where_parts_meet {
    use std::time::Duration;

    use archive::time::Clock;
    use archive::{Error, Report, Result, Unknown};

    use super::*;

    #[derive(Debug, Default, PartialEq, Serialize)]
    struct MoveTo {
        label: u32,
    }
    impl Thing for MoveTo {
        fn next(&mut self) -> &mut Option<Rc<RefCell<dyn Thing>>> {
            unreachable!()
        }
        fn other(&self) -> Option<Rc<RefCell<dyn Thing>>> {
            None
        }
        fn label(&self) -> u32 {
            self.label
        }
    }
    impl Thing for Unknown {
        fn next(&mut self) -> &mut Option<Rc<RefCell<dyn Thing>>> {
            unreachable!()
        }
        fn other(&self) -> Option<Rc<RefCell<dyn Thing>>> {
            None
        }
        fn label(&self) -> u32 {
            0
        }
    }

    /// Without the type `Node`.
    fn without_node() -> Options<'static> {
        let mut registry = Registry::new();
        register!(registry, dyn Thing { MoveTo, Unknown }).unwrap();
        Options::new().registry(&registry).keep_unknown(true)
    }

    #[derive(Default, Serialize)]
    struct Head {
        head: Option<Rc<RefCell<dyn Thing>>>,
    }
    #[derive(Default, Serialize)]
    struct NoHead {
        #[archive(unknown)]
        rest: Unknown,
    }

    #[test]
    fn objects_that_waited_in_members_that_are_kept_are_no_unknown_members() {
        let mut head = None;
        for label in 0..60 {
            let made = node(label);
            *made.borrow_mut().next() = head.replace(made.clone());
        }
        let old = Head { head };
        for format in forgiving() {
            let bytes = format.to_vec_with(&old, &options()).unwrap();
            for strict in [false, true] {
                let options = options().strict(strict);
                let (kept, report) = format
                    .from_slice_report::<NoHead>(&bytes, &options)
                    .unwrap_or_else(|error| panic!("{format}: {error}"));
                assert!(report.is_empty(), "{format}: {report}");
                let again = format.to_vec_with(&kept, &options).unwrap();
                let mut next = format.from_slice_with::<Head>(&again, &options).unwrap().head;
                for label in (0..60).rev() {
                    let node = next.unwrap();
                    assert_eq!(node.borrow().label(), label, "{format}");
                    next = node.borrow_mut().next().take();
                }
            }
        }
    }

    #[test]
    fn a_kept_object_whose_data_is_refused_keeps_its_type_id() {
        let text = br#"{"head":{"$id":1},"gone":{"$id":1,"$type":"Mod","$value":{"$id":0}}}"#;
        let options = without_node().keep_going(true);
        let (head, report) = json::from_slice_report::<Head>(text, &options).unwrap();
        assert_eq!(report.errors().len(), 1, "{report}");
        for format in formats() {
            let bytes = format.to_vec_with(&head, &options).unwrap();
            let again: Head = format
                .from_slice_with(&bytes, &options)
                .unwrap_or_else(|error| panic!("{format}: {error}"));
            let object = again.head.unwrap();
            let object = object.borrow();
            let kept = (&*object as &dyn std::any::Any).downcast_ref::<Unknown>().unwrap();
            assert_eq!((kept.id(), kept.value()), ("Mod", &Value::Null), "{format}");
        }
    }

    #[test]
    fn a_kept_object_that_refers_to_nothing_says_to_which() {
        let text = br#"{"head":{"$id":1,"$type":"Mod","$value":{"at":{"$id":9}}}}"#;
        let error = json::from_slice_with::<Head>(text, &without_node()).err().unwrap();
        assert_eq!((error.kind(), error.path()), (ErrorKind::BadPointer, "$9"));
    }

    #[test]
    fn bytes_are_read_through_a_pointer_and_not_from_an_item_that_is_one() {
        #[derive(Debug, Default, PartialEq, Serialize)]
        struct Lists {
            items: Vec<Rc<Vec<u8>>>,
            whole: Rc<Vec<u8>>,
            hp: u8,
        }
        #[derive(Debug, Default, PartialEq, Serialize)]
        struct Bytes {
            #[archive(bytes)]
            items: Vec<u8>,
            #[archive(bytes)]
            whole: Vec<u8>,
            hp: u8,
        }
        let whole = Rc::new(vec![4, 200]);
        let old = Lists { items: vec![Rc::new(vec![1, 2]), Rc::new(vec![3])], whole, hp: 9 };
        for format in forgiving() {
            let bytes = format.to_vec(&old).unwrap();
            let options = Options::new().keep_going(true);
            let (new, report) = format
                .from_slice_report::<Bytes>(&bytes, &options)
                .unwrap_or_else(|error| panic!("{format}: {error}"));
            assert_eq!(new, Bytes { items: vec![], whole: vec![4, 200], hp: 9 }, "{format}");
            let paths: Vec<_> = report.errors().iter().map(Error::path).collect();
            assert_eq!(paths, ["items"], "{format}: {report}");
        }
    }

    #[test]
    fn members_of_other_programs_that_begin_with_a_dollar_make_no_pointer() {
        #[derive(Debug, Default, PartialEq, Serialize)]
        struct Unit {
            hp: u8,
        }
        for text in [r#"{"$id":"http://example.org"}"#, r#"{"$type":"Game.Unit"}"#] {
            let (unit, report) =
                json::from_slice_report::<Unit>(text.as_bytes(), &Options::new()).unwrap();
            assert_eq!(unit, Unit::default());
            assert!(report.unknown().eq([&text[2..text.find(':').unwrap() - 1]]), "{report}");
        }
        let map: BTreeMap<String, Value> = json::from_str(r#"{"$value":{"hp":1}}"#).unwrap();
        assert!(map.contains_key("$value"), "{map:?}");
    }

    mod pair {
        use archive::{Options, Result, time};

        use super::Duration;

        pub fn save(pair: &(Duration, Duration), options: &Options<'_>) -> Result<(i64, i64)> {
            Ok((time::save(&pair.0, options)?, time::save(&pair.1, options)?))
        }
        pub fn load(pair: (i64, i64), options: &Options<'_>) -> Result<(Duration, Duration)> {
            Ok((time::load(pair.0, options)?, time::load(pair.1, options)?))
        }
    }

    #[test]
    fn each_of_several_times_is_noted_as_clamped_where_it_was() {
        #[derive(Default, Serialize)]
        #[archive(after_load = look)]
        struct Early {
            at: i64,
        }
        fn look(early: &mut Early, options: &Options<'_>) -> Result {
            archive::time::load::<Duration>(early.at, options).map(drop)
        }
        mod same {
            pub fn save(number: &u8) -> archive::Result<u8> {
                Ok(*number)
            }
            pub fn load(number: u8) -> archive::Result<u8> {
                Ok(number)
            }
        }
        #[derive(Default, Serialize)]
        struct Times {
            early: Early,
            #[archive(with = same)]
            number: u8,
            #[archive(with = pair)]
            pair: (Duration, Duration),
            #[archive(with = pair)]
            good: (Duration, Duration),
        }
        let options = Options::new().provide(Clock(Duration::from_nanos(1)));
        let text = br#"{"early":{"at":-9},"number":1,"pair":[-9,0],"good":[0,0]}"#;
        let (_, report): (Times, Report) = json::from_slice_report(text, &options).unwrap();
        assert!(report.clamped().eq(["pair"]), "{report}");
    }
}

mod limits_and_classes {
    use super::*;

    #[derive(Serialize, Clone, Debug, Default, PartialEq)]
    enum Kind {
        #[default]
        Calm,
        Angry,
    }

    #[derive(Serialize, Clone, Debug, Default, PartialEq)]
    struct Unit {
        name: String,
        kind: Kind,
    }

    #[derive(Serialize, Clone, Debug, Default, PartialEq)]
    struct Crew {
        ship: String,
        leader: Unit,
    }

    /// A variant without payload is no level, whichever way it is loaded.
    #[test]
    fn as_deep_as_it_was_saved() {
        let unit = Unit { name: "Ann".into(), kind: Kind::Angry };
        let shallow = Options::new().max_depth(1);
        for format in formats() {
            let bytes = format.to_vec_with(&unit, &shallow).unwrap();
            assert_eq!(format.from_slice_with::<Unit>(&bytes, &shallow).unwrap(), unit, "{format}");
            let (reported, _) = format.from_slice_report::<Unit>(&bytes, &shallow).unwrap();
            assert_eq!(reported, unit, "{format}");
        }
    }

    /// The class of an error is that of the innermost object that was opened.
    #[test]
    fn the_class_is_the_same_whichever_way_it_is_loaded() {
        let crew = Crew::default();
        let shallow = Options::new().max_depth(1);
        // A Bins file becomes a tree first, and there it is too deep without a class.
        for format in formats().into_iter().filter(|format| format.name() != "bins") {
            let bytes = format.to_vec(&crew).unwrap();
            let error = format.from_slice_with::<Crew>(&bytes, &shallow).unwrap_err();
            assert_eq!((error.path(), error.class()), ("leader", Some("Crew")), "{format}");
            let error = format.from_slice_report::<Crew>(&bytes, &shallow).unwrap_err();
            assert_eq!((error.path(), error.class()), ("leader", Some("Crew")), "{format}");
        }
        for options in [Options::new(), Options::new().strict(true)] {
            let error = json::from_str_with::<Crew>(r#"{"leader":5}"#, &options).unwrap_err();
            assert_eq!((error.path(), error.class()), ("leader", Some("Crew")));
            let error = json::from_str_with::<Crew>("5", &options).unwrap_err();
            assert_eq!((error.path(), error.class()), ("", None));
        }
    }

    /// A version that is none is an error in the class, whichever way it is loaded.
    #[test]
    fn the_class_of_a_version_that_is_none() {
        fn check<F: archive::format::Backend>(file: &[u8], name: &str) {
            for error in [
                F::from_slice::<Vec<Crew>>(file).unwrap_err(),
                F::from_slice_with::<Vec<Crew>>(file, &Options::new().strict(true)).unwrap_err(),
                F::from_slice_report::<Vec<Crew>>(file, &Options::new()).unwrap_err(),
                Format::of::<F>().from_slice::<Vec<Crew>>(file).unwrap_err(),
            ] {
                assert_eq!((error.path(), error.class()), ("[0]", Some("Crew")), "{name}: {error}");
            }
        }
        let json = br#"[{"$version":"id","ship":"x"}]"#;
        check::<json::Json>(json, "json");
        // With one member, and in a map that is too long for the short way.
        for members in [1, 17] {
            let mut file = vec![0x91, 0x80 | members];
            if members > 15 {
                file = vec![0x91, 0xde, 0, members];
            }
            file.extend(b"\xa8$version\xa2id");
            for n in 1..members {
                file.extend([0xa1, b'a' + n, 7]);
            }
            check::<archive::msgpack::MessagePack>(&file, "msgpack");
        }
    }
}

/// Lists and maps that say how long they are when they end.
mod unknown_lengths {
    use archive::format::encoder::UNCOUNTED;
    use archive::shape::Shape;
    use archive::tool::Body;
    use archive::{Result, Save};

    use super::*;

    #[derive(Clone, Debug, Default, PartialEq)]
    struct Unmeasured(Vec<u32>);

    impl Serialize for Unmeasured {
        const SHAPE: &'static Shape = <Vec<u32> as Serialize>::SHAPE;

        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            if ar.is_loading() { self.0.serialize(ar) } else { self.save(ar) }
        }
    }
    impl Save for Unmeasured {
        fn save<A: Archive>(&self, ar: &mut A) -> Result {
            struct Items<'a>(&'a [u32]);
            impl Body for Items<'_> {
                fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                    for (index, mut item) in self.0.iter().enumerate() {
                        ar.item(index, &mut item)?;
                    }
                    Ok(())
                }
            }
            ar.seq(Self::SHAPE, UNCOUNTED, &mut Items(&self.0))
        }
    }

    #[derive(Clone, Debug, Default, PartialEq)]
    struct UnmeasuredMap(BTreeMap<u32, String>);

    impl Serialize for UnmeasuredMap {
        const SHAPE: &'static Shape = <BTreeMap<u32, String> as Serialize>::SHAPE;

        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            if ar.is_loading() { self.0.serialize(ar) } else { self.save(ar) }
        }
    }
    impl Save for UnmeasuredMap {
        fn save<A: Archive>(&self, ar: &mut A) -> Result {
            struct Entries<'a>(&'a BTreeMap<u32, String>);
            impl Body for Entries<'_> {
                fn run<A: Archive>(&mut self, ar: &mut A) -> Result {
                    for (index, (mut key, mut value)) in self.0.iter().enumerate() {
                        ar.entry(index, &mut key, &mut value)?;
                    }
                    Ok(())
                }
            }
            ar.map(Self::SHAPE, UNCOUNTED, &mut Entries(&self.0))
        }
    }

    fn needs_lengths(format: crate::common::Format) -> bool {
        ["binary", "fingerprint", "bare"].contains(&format.name())
    }

    #[test]
    fn are_saved_as_those_of_known_length() {
        for len in [0, 1, 15, 16, 70_000] {
            let value: (Vec<u32>, u8) = ((0..len).collect(), 7);
            for format in formats() {
                let bytes = format.to_vec(&(Unmeasured(value.0.clone()), 7_u8)).unwrap();
                let loaded: (Vec<u32>, u8) = format.from_slice(&bytes).unwrap();
                assert!(loaded == value, "{format}, {len}");
                // Bins makes an array of numbers only if it knows how many there are.
                let same = bytes == format.to_vec(&value).unwrap();
                assert!(same || format.name() == "bins", "{format}, {len}");
            }
        }
        for len in [0, 1, 15, 16, 2000] {
            let value: (BTreeMap<u32, String>, u8) =
                ((0..len).map(|n| (n, n.to_string())).collect(), 7);
            for format in formats() {
                let saved = format.to_vec(&(UnmeasuredMap(value.0.clone()), 7_u8));
                if needs_lengths(format) {
                    let error = saved.unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::Unsupported, "{format}: {error}");
                    assert_eq!(error.path(), "[0]", "{format}: {error}");
                } else {
                    let saved = saved.unwrap_or_else(|error| panic!("{format}, {len}: {error}"));
                    assert!(saved == format.to_vec(&value).unwrap(), "{format}, {len}");
                    let loaded: (BTreeMap<u32, String>, u8) = format.from_slice(&saved).unwrap();
                    assert!(loaded == value, "{format}, {len}");
                }
            }
        }
    }
}
