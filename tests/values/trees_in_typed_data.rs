//! `Value` inside typed data: its pointers and those of the typed part do not mix.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use crate::common::{EachBackend, each_backend, forgiving, formats};
use archive::format::Backend;
use archive::{ErrorKind, Options, Serialize, Value, binary, json};

#[derive(Default, Serialize)]
struct Unit {
    hp: u32,
    next: Option<Rc<RefCell<Unit>>>,
    leader: Weak<RefCell<Unit>>,
}

type Shared = Rc<RefCell<Unit>>;

fn unit(hp: u32) -> Shared {
    Rc::new(RefCell::new(Unit { hp, ..Unit::default() }))
}

/// All members are known.
#[derive(Default, Serialize)]
struct Typed {
    a: Vec<Shared>,
    b: Vec<Shared>,
    c: Vec<Shared>,
    weak: Vec<Weak<RefCell<Unit>>>,
}

/// The same with members of any type.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Open {
    a: Value,
    b: Value,
    c: Value,
    weak: Value,
}

#[derive(Default, Serialize)]
struct Mixed {
    a: Vec<Shared>,
    b: Value,
    c: Value,
    weak: Vec<Weak<RefCell<Unit>>>,
}

fn open(text: &str) -> Open {
    json::from_str(text).unwrap()
}

/// Every value has objects of its own, next to typed ones.
#[test]
fn ids_do_not_collide() {
    let mixed: Mixed = json::from_str(
        r#"{"b":[{"$id":7,"$value":{"hp":1}},{"$id":7}],"c":[{"$id":1,"$value":{"hp":2}},{"$id":7}]}"#,
    )
    .unwrap();
    let first = unit(5);
    let mixed = Mixed { a: vec![first.clone(), unit(6), first], ..mixed };
    for format in forgiving() {
        let bytes = format.to_vec(&mixed).unwrap();
        let again: Mixed = format.from_slice(&bytes).unwrap();
        let bytes = format.to_vec(&again).unwrap();
        let typed: Typed = format.from_slice(&bytes).unwrap();
        let hp = |units: &[Shared]| units.iter().map(|u| u.borrow().hp).collect::<Vec<_>>();
        assert_eq!((hp(&typed.a), hp(&typed.b)), (vec![5, 6, 5], vec![1, 1]), "{format}");
        assert_eq!(hp(&typed.c), [2, 1], "{format}");
        assert!(Rc::ptr_eq(&typed.a[0], &typed.a[2]), "{format}");
        assert!(Rc::ptr_eq(&typed.b[0], &typed.b[1]), "{format}");
        assert!(Rc::ptr_eq(&typed.b[0], &typed.c[1]), "{format}");
    }
    let text = json::to_string(&mixed).unwrap();
    assert_eq!(
        text,
        r#"{"a":[{"$id":1,"$value":{"hp":5,"next":null,"leader":null}},{"$id":2,"$value":{"hp":6,"next":null,"leader":null}},{"$id":1}],"b":[{"$id":3,"$value":{"hp":1}},{"$id":3}],"c":[{"$id":4,"$value":{"hp":2}},{"$id":3}],"weak":[]}"#
    );
}

/// A reference to a known object becomes a copy of it; objects that values share remain shared.
#[test]
fn objects_elsewhere_are_copied() {
    let (x, y) = (unit(1), unit(2));
    x.borrow_mut().next = Some(y.clone());
    y.borrow_mut().leader = Rc::downgrade(&x);
    let typed = Typed {
        a: vec![x.clone()],
        b: vec![y.clone(), x.clone()],
        c: vec![x.clone(), y.clone()],
        weak: vec![Rc::downgrade(&x)],
    };
    for from in forgiving() {
        let mixed: Mixed = from.from_slice(&from.to_vec(&typed).unwrap()).unwrap();
        assert!(Rc::ptr_eq(&mixed.a[0], &mixed.weak[0].upgrade().unwrap()));
        for to in forgiving() {
            let loaded: Typed = to.from_slice(&to.to_vec(&mixed).unwrap()).unwrap();
            let (y, x) = (&loaded.b[0], &loaded.b[1]);
            assert_eq!((x.borrow().hp, y.borrow().hp), (1, 2), "{from} to {to}");
            assert!(Rc::ptr_eq(x.borrow().next.as_ref().unwrap(), y), "{from} to {to}");
            assert!(Rc::ptr_eq(&y.borrow().leader.upgrade().unwrap(), x), "{from} to {to}");
            assert!(Rc::ptr_eq(&loaded.c[0], x) && Rc::ptr_eq(&loaded.c[1], y), "{from} to {to}");
            // The known part has its own.
            assert!(!Rc::ptr_eq(&loaded.a[0], x) && loaded.a[0].borrow().hp == 1);
            assert!(Rc::ptr_eq(&loaded.weak[0].upgrade().unwrap(), &loaded.a[0]));
        }
    }
}

/// A known object that refers to itself through unknown data.
#[test]
fn cycles_end() {
    #[derive(Default, Serialize)]
    struct Node {
        label: u8,
        all: Vec<Rc<RefCell<Node>>>,
        me: Option<Rc<RefCell<Node>>>,
    }
    #[derive(Default, Serialize)]
    struct Old {
        label: u8,
        #[archive(unknown)]
        rest: BTreeMap<String, Value>,
    }
    let nodes: Vec<_> =
        (0..5).map(|label| Rc::new(RefCell::new(Node { label, ..Node::default() }))).collect();
    for node in &nodes {
        node.borrow_mut().me = Some(node.clone());
        node.borrow_mut().all = nodes.clone();
    }
    for from in forgiving() {
        let old: Vec<Rc<RefCell<Old>>> = from.from_slice(&from.to_vec(&nodes).unwrap()).unwrap();
        for to in forgiving() {
            let bytes = to.to_vec(&old).unwrap();
            let new: Vec<Rc<RefCell<Node>>> = to.from_slice(&bytes).unwrap();
            for (node, label) in new.iter().zip(0..) {
                let node = node.borrow();
                assert_eq!(node.label, label, "{from} to {to}");
                let me = node.me.clone().unwrap();
                assert_eq!(me.try_borrow().map_or(label, |me| me.label), label, "{from} to {to}");
                assert_eq!(node.all.len(), 5);
                let copies = new[0].borrow().all.clone();
                for (a, b) in node.all.iter().zip(&copies) {
                    assert!(Rc::ptr_eq(a, b), "{from} to {to}: the unknown parts share");
                }
            }
            let copies = new[0].borrow().all.clone();
            for node in new.iter().chain(&copies) {
                node.take();
            }
        }
    }
    nodes.iter().for_each(|node| drop(node.take()));
}

/// A known pointer to an object that is stored in a value.
#[test]
fn objects_in_values_are_found() {
    let (x, y) = (unit(1), unit(2));
    x.borrow_mut().next = Some(y.clone());
    let typed = Typed { b: vec![x.clone()], c: vec![y.clone()], ..Typed::default() };
    #[derive(Default, Serialize)]
    struct Last {
        b: Value,
        c: Vec<Shared>,
    }
    for from in forgiving() {
        let last: Last = from.from_slice(&from.to_vec(&typed).unwrap()).unwrap();
        assert_eq!(last.c[0].borrow().hp, 2);
        for to in forgiving() {
            let loaded: Typed = to.from_slice(&to.to_vec(&last).unwrap()).unwrap();
            assert_eq!(loaded.c[0].borrow().hp, 2, "{from} to {to}");
            let next = loaded.b[0].borrow().next.clone().unwrap();
            assert_eq!(next.borrow().hp, 2, "{from} to {to}");
            assert!(!Rc::ptr_eq(&next, &loaded.c[0]));
        }
    }
}

/// References that come before the object, in any order of members.
#[test]
fn objects_may_come_later() {
    let object = r#"{"$id":9,"$value":{"hp":3,"leader":{"$weak":9}}}"#;
    for text in [
        format!(r#"{{"a":[{{"$id":9}}],"b":[{{"$id":9}},{{"$weak":9}}],"c":[{object}]}}"#),
        format!(r#"{{"c":[{object}],"b":[{{"$id":9}},{{"$weak":9}}],"a":[{{"$id":9}}]}}"#),
        format!(
            r#"{{"gone":{{"deep":[{object}]}},"a":[{{"$id":9}}],"b":[{{"$id":9}},{{"$weak":9}}],"c":[{{"$id":9}}]}}"#
        ),
    ] {
        let value = open(&text);
        let (original, clone) = (value.clone(), value.clone());
        for format in forgiving() {
            let bytes =
                format.to_vec(&vec![value.clone(), original.clone(), clone.clone()]).unwrap();
            let loaded: Vec<Open> = format.from_slice(&bytes).unwrap();
            let bytes = format.to_vec(&loaded).unwrap();
            #[derive(Default, Serialize)]
            struct All {
                a: Vec<Shared>,
                b: (Shared, Weak<RefCell<Unit>>),
                c: Vec<Shared>,
            }
            let all: Vec<All> = format.from_slice(&bytes).unwrap();
            for one in &all {
                assert_eq!(one.a[0].borrow().hp, 3, "{format}: {text}");
                assert!(Rc::ptr_eq(&one.a[0], &one.b.0), "{format}: {text}");
                assert!(Rc::ptr_eq(&one.a[0], &one.b.1.upgrade().unwrap()), "{format}: {text}");
                assert!(Rc::ptr_eq(&one.a[0], &one.c[0]), "{format}: {text}");
                assert!(Rc::ptr_eq(&one.a[0], &one.a[0].borrow().leader.upgrade().unwrap()));
            }
            // Copies of a value are objects of their own.
            assert!(!Rc::ptr_eq(&all[0].a[0], &all[1].a[0]), "{format}: {text}");
            assert!(!Rc::ptr_eq(&all[1].a[0], &all[2].a[0]), "{format}: {text}");
        }
    }
}

/// In one value and its copies, references that come before their object.
#[test]
fn copies_of_a_value_are_objects_of_their_own() {
    let text = r#"{"b":[{"$weak":4},{"$id":4},{"$id":4,"$value":{"hp":1}},{"$id":4}]}"#;
    let other = r#"{"b":[{"$id":4,"$value":{"hp":2}},{"$id":4},{"$id":4},{"$weak":4}]}"#;
    let values = [open(text), open(other), open(text), open(other)];
    assert_eq!(
        json::to_string(&values.iter().map(|value| &value.b).cloned().collect::<Vec<_>>()).unwrap(),
        concat!(
            r#"[[{"$weak":1},{"$id":1},{"$id":1,"$value":{"hp":1}},{"$id":1}],"#,
            r#"[{"$id":2,"$value":{"hp":2}},{"$id":2},{"$id":2},{"$weak":2}],"#,
            r#"[{"$weak":3},{"$id":3},{"$id":3,"$value":{"hp":1}},{"$id":3}],"#,
            r#"[{"$id":4,"$value":{"hp":2}},{"$id":4},{"$id":4},{"$weak":4}]]"#,
        )
    );
    // One tree made of several.
    let both = Value::from(vec![values[1].b.clone(), values[3].b.clone()]);
    assert_eq!(
        json::to_string(&both).unwrap(),
        concat!(
            r#"[[{"$id":1,"$value":{"hp":2}},{"$id":1},{"$id":1},{"$weak":1}],"#,
            r#"[{"$id":2,"$value":{"hp":2}},{"$id":2},{"$id":2},{"$weak":2}]]"#,
        )
    );
}

/// A weak pointer to an object that no value owns remains one, and is dangling.
#[test]
fn weak_pointers_remain_weak() {
    let x = unit(1);
    #[derive(Default, Serialize)]
    struct New {
        x: Vec<Shared>,
        weak: Weak<RefCell<Unit>>,
        other: u8,
    }
    #[derive(Default, Serialize)]
    struct Old {
        x: Vec<Shared>,
        weak: Value,
    }
    let new = New { x: vec![x.clone()], weak: Rc::downgrade(&x), other: 1 };
    for from in forgiving() {
        let old: Old = from.from_slice(&from.to_vec(&new).unwrap()).unwrap();
        assert_eq!(old.weak.get("$weak"), Some(&Value::from(1)), "{from}");
        for to in forgiving() {
            let bytes = to.to_vec(&old).unwrap();
            let (loaded, report) = to.from_slice_report::<New>(&bytes, &Options::new()).unwrap();
            assert!(loaded.weak.upgrade().is_none(), "{from} to {to}");
            assert_eq!(report.dangling().collect::<Vec<_>>(), ["weak"], "{from} to {to}");
        }
    }
}

/// Data that would be an unloadable file is neither saved nor loaded.
#[test]
fn references_to_nothing() {
    let text = r#"{"a":1,"b":[{"$id":5}]}"#;
    let error = json::from_str::<Open>(text).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::BadPointer, "b"));
    assert!(error.to_string().contains("object 5"), "{error}");

    // A file that consists of a tree is loaded and saved unchanged.
    let value: Value = json::from_str(text).unwrap();
    for format in formats() {
        let bytes = format.to_vec(&value).unwrap();
        let same: Value = format.from_slice(&bytes).unwrap();
        assert_eq!(same.get("b").unwrap().item(0).unwrap().get("$id"), Some(&Value::from(1)));
    }
    // Here the value that owned the object is gone.
    let mut value = open(r#"{"a":{"$id":5,"$value":1},"b":[{"$id":5}]}"#);
    value.a = Value::Null;
    for format in formats() {
        let error = format.to_vec(&value).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadPointer);
        assert!(error.to_string().contains("object 5"), "{error}");
    }
    let mut weak_first = open(r#"{"a":{"$id":5,"$value":1},"b":[{"$weak":5},{"$id":5}]}"#);
    weak_first.a = Value::Null;
    assert_eq!(json::to_string(&weak_first).unwrap_err().kind(), ErrorKind::BadPointer);
    let mut writer = json::Writer::new();
    writer.save("first", &value).unwrap();
    assert_eq!(writer.finish().unwrap_err().kind(), ErrorKind::BadPointer);
    let mut writer = json::Writer::new();
    writer.save("first", &value).unwrap();
    writer.save("second", &open(r#"{"a":{"$id":5,"$value":1}}"#)).unwrap();
    writer.finish().unwrap();
}

/// One object that is stored twice is an error, in one value and in two.
#[test]
fn an_object_that_is_stored_twice() {
    for text in [
        r#"{"a":[{"$id":3,"$value":1},{"$id":3,"$value":2}]}"#,
        r#"{"a":{"$id":3,"$value":1},"c":[{"$id":3,"$value":1}]}"#,
    ] {
        let error = json::from_str::<Open>(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BadPointer, "{text}");
        assert!(error.to_string().contains("is stored twice"), "{error}");
        // A file that consists of a tree keeps both, as two objects.
        let value: Value = json::from_str(text).unwrap();
        let saved = json::to_string(&value).unwrap();
        assert_eq!(saved.matches("$value").count(), 2);
        assert!(saved.contains(r#""$id":1"#) && saved.contains(r#""$id":2"#), "{saved}");
    }
}

/// Data that only looks like a pointer is data.
#[test]
fn data_remains_data() {
    let text = r#"{"a":{"$id":"x","b":1},"b":{"x":0,"$id":5},"c":{"$$id":5},"weak":[{"$id":0},{"$id":-1},{"$id":1.5}]}"#;
    let value = open(text);
    assert_eq!(json::to_string(&value).unwrap(), text);
    let clones = vec![value.clone(), value];
    assert_eq!(json::to_string(&clones).unwrap(), format!("[{text},{text}]"));
    let bytes = binary::to_vec(&clones).unwrap();
    assert_eq!(binary::from_slice::<Vec<Open>>(&bytes).unwrap(), clones);
    let value = open(
        r#"{"a":{"$id":1,"$value":[{"$weak":1}]},"b":[{"$id":1}],"c":{"$type":"x","$value":1}}"#,
    );
    for format in formats() {
        assert_eq!(format.from_slice::<Open>(&format.to_vec(&value).unwrap()).unwrap(), value);
    }
}

/// Long chains in values: objects that were deferred outside of them are copied, too.
#[test]
fn long_chains() {
    let mut first = None;
    for hp in (0..1000).rev() {
        first = Some(Rc::new(RefCell::new(Unit { hp, next: first, ..Unit::default() })));
    }
    #[derive(Default, Serialize)]
    struct New {
        known: Option<Shared>,
        open: Option<Shared>,
        again: Option<Shared>,
    }
    #[derive(Default, Serialize)]
    struct Old {
        known: Option<Shared>,
        open: Value,
        again: Value,
    }
    fn unlink(mut next: Option<Shared>) -> u32 {
        let mut count = 0;
        while let Some(unit) = next {
            assert_eq!(unit.borrow().hp, count);
            next = unit.borrow_mut().next.take();
            count += 1;
        }
        count
    }
    let new = New { known: first.clone(), open: first.clone(), again: first.clone() };
    for from in forgiving() {
        let old: Old = from.from_slice(&from.to_vec(&new).unwrap()).unwrap();
        for to in forgiving() {
            let bytes = to.to_vec(&old).unwrap();
            let loaded: New =
                to.from_slice(&bytes).unwrap_or_else(|e| panic!("{from} to {to}: {e}"));
            assert!(Rc::ptr_eq(loaded.open.as_ref().unwrap(), loaded.again.as_ref().unwrap()));
            drop(loaded.again);
            assert_eq!(unlink(loaded.known), 1000, "{from} to {to}");
            assert_eq!(unlink(loaded.open), 1000, "{from} to {to}");
        }
        unlink(old.known);
    }
    unlink(new.known);
}

/// Named roots share as the members of one object do.
#[test]
fn named_roots() {
    let x = unit(1);
    fn check<F: Backend<Output: AsRef<[u8]>>>(x: &Shared) {
        let mut writer = archive::format::Writer::<F>::new();
        writer.save("first", &vec![x.clone()]).unwrap();
        writer.save("second", &vec![x.clone(), x.clone()]).unwrap();
        let file = writer.finish().unwrap();
        let mut reader = archive::format::Reader::<F>::new(file.as_ref()).unwrap();
        let second: Value = reader.load("second").unwrap();
        let first: Vec<Shared> = reader.load("first").unwrap();
        let units: Vec<Shared> = second.to().unwrap();
        assert!(Rc::ptr_eq(&units[0], &units[1]));
        let mut writer = archive::format::Writer::<F>::new();
        writer.save("second", &second).unwrap();
        writer.save("first", &first).unwrap();
        writer.save("third", &second).unwrap();
        let file = writer.finish().unwrap();
        let mut reader = archive::format::Reader::<F>::new(file.as_ref()).unwrap();
        let roots: [Vec<Shared>; 3] =
            ["first", "second", "third"].map(|name| reader.load(name).unwrap());
        let [first, second, third] = roots;
        assert!(Rc::ptr_eq(&second[0], &second[1]) && Rc::ptr_eq(&third[0], &third[1]));
        assert!(!Rc::ptr_eq(&first[0], &second[0]) && !Rc::ptr_eq(&second[0], &third[0]));
    }
    struct Check(Shared);
    impl EachBackend for Check {
        fn visit<F: Backend<Output: AsRef<[u8]>>>(&mut self) {
            check::<F>(&self.0);
        }
    }
    each_backend(&mut Check(x));
}

/// Nested objects, referred to from the innermost on: none is copied twice, and the work does not
/// multiply.
#[test]
fn nested_objects_are_copied_once() {
    let mut known = String::from("null");
    for id in (1..=50).rev() {
        known = format!(r#"{{"$id":{id},"$value":{{"next":{known},"hp":{id}}}}}"#);
    }
    let references: Vec<String> = (1..=50).rev().map(|id| format!(r#"{{"$id":{id}}}"#)).collect();
    let references = references.join(",");
    let text = format!(r#"{{"a":{known},"b":[{references}],"c":[{references}]}}"#);
    #[derive(Default, Serialize)]
    struct Part {
        b: Value,
        c: Value,
    }
    let part: Part = json::from_str(&text).unwrap();
    let saved = json::to_string(&part).unwrap();
    assert_eq!(saved.matches("$value").count(), 50);
    let typed: Typed = json::from_str(&saved).unwrap();
    for (b, c) in typed.b.iter().zip(&typed.c) {
        assert!(Rc::ptr_eq(b, c));
    }
    assert_eq!(typed.b[49].borrow().next.as_ref().unwrap().borrow().hp, 2);
}

/// Errors inside of objects that are searched for elsewhere can be kept like any other.
#[test]
fn errors_can_be_kept() {
    let text = r#"{"a":1,"b":[{"$id":5}],"c":[{"$id":6}],"weak":{"$id":6,"$value":3}}"#;
    let options = Options::new().keep_going(true);
    let (value, report) = json::from_slice_report::<Open>(text.as_bytes(), &options).unwrap();
    assert_eq!(report.errors().len(), 1, "{report}");
    assert_eq!(report.errors()[0].path(), "b");
    assert_eq!(value.a, Value::from(1));
    assert_eq!(json::to_string(&value.c).unwrap(), r#"[{"$id":1,"$value":3}]"#);
}
