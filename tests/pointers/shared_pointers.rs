//! Shared pointers: identity, cycles, weak pointers, objects that are stored elsewhere. Long chains of
//! them are in `chains/`.

#![allow(clippy::redundant_allocation, clippy::arc_with_non_send_sync)] // they must work all the same

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex, RwLock};

use crate::common::{Format, forgiving, formats};
use archive::{ErrorKind, Serialize, json};

#[derive(Default, Debug, Serialize)]
struct Node {
    name: String,
    parent: Weak<RefCell<Node>>,
    children: Vec<Rc<RefCell<Node>>>,
    other: Option<Rc<RefCell<Node>>>,
}

fn node(name: &str) -> Rc<RefCell<Node>> {
    Rc::new(RefCell::new(Node { name: name.into(), ..Node::default() }))
}

/// Saves and loads in every format.
fn everywhere<T: archive::Save + archive::Blank>(value: &T, check: impl Fn(Format, T)) {
    for format in formats() {
        let bytes = format.to_vec(value).unwrap_or_else(|e| panic!("{format}: {e}"));
        let loaded: T = format.from_slice(&bytes).unwrap_or_else(|e| panic!("{format}: {e}"));
        let again = format.to_vec(&loaded).unwrap();
        assert_eq!(crate::common::text(&again), crate::common::text(&bytes), "{format}");
        check(format, loaded);
    }
}

#[test]
fn a_shared_object_is_stored_once_and_shared_again() {
    let shared = node("shared");
    let all = vec![shared.clone(), node("other"), shared.clone(), shared];
    let text = json::to_string(&all).unwrap();
    assert_eq!(text.matches("\"shared\"").count(), 1);
    assert!(text.starts_with(r#"[{"$id":1,"$value":{"name":"shared","parent":null,"#), "{text}");
    assert!(text.ends_with(r#"{"$id":1},{"$id":1}]"#), "{text}");
    everywhere(&all, |format, all| {
        assert!(Rc::ptr_eq(&all[0], &all[2]) && Rc::ptr_eq(&all[0], &all[3]), "{format}");
        assert!(!Rc::ptr_eq(&all[0], &all[1]));
        assert_eq!(Rc::strong_count(&all[0]), 3);
        assert_eq!(all[1].borrow().name, "other");
    });
}

#[test]
fn node_and_parent() {
    let parent = node("parent");
    let child = node("child");
    child.borrow_mut().parent = Rc::downgrade(&parent);
    parent.borrow_mut().children.push(child);
    everywhere(&parent, |_, parent| {
        let child = parent.borrow().children[0].clone();
        assert!(Rc::ptr_eq(&child.borrow().parent.upgrade().unwrap(), &parent));
        assert_eq!(Rc::strong_count(&parent), 1);
    });
}

/// Breaks the cycles of a graph, so that the test does not leak.
fn unlink(nodes: &[Rc<RefCell<Node>>]) {
    for node in nodes {
        let _ = node.borrow_mut().other.take();
    }
}

#[test]
fn a_ring_of_three() {
    let ring = vec![node("a"), node("b"), node("c")];
    for i in 0..3 {
        ring[i].borrow_mut().other = Some(ring[(i + 1) % 3].clone());
    }
    // From one node alone.
    everywhere(&ring[0], |_, a| {
        let b = a.borrow().other.clone().unwrap();
        let c = b.borrow().other.clone().unwrap();
        assert!(Rc::ptr_eq(&c.borrow().other.clone().unwrap(), &a));
        assert_eq!(c.borrow().name, "c");
        unlink(&[a, b, c]);
    });
    unlink(&ring);
}

#[test]
fn a_self_reference() {
    let me = node("me");
    me.borrow_mut().other = Some(me.clone());
    me.borrow_mut().parent = Rc::downgrade(&me);
    everywhere(&me, |_, me| {
        assert!(Rc::ptr_eq(me.borrow().other.as_ref().unwrap(), &me));
        assert!(Rc::ptr_eq(&me.borrow().parent.upgrade().unwrap(), &me));
        unlink(&[me]);
    });
    unlink(&[me]);
}

/// The tree of the Rust book: bare `Rc`, with cells inside.
#[derive(Default, Debug, Serialize)]
struct Leaf {
    value: i32,
    parent: RefCell<Weak<Leaf>>,
    children: RefCell<Vec<Rc<Leaf>>>,
}

#[test]
fn the_tree_of_the_book() {
    let leaf = Rc::new(Leaf { value: 3, ..Leaf::default() });
    let branch = Rc::new(Leaf { value: 5, ..Leaf::default() });
    branch.children.borrow_mut().push(leaf.clone());
    *leaf.parent.borrow_mut() = Rc::downgrade(&branch);
    everywhere(&branch, |_, branch| {
        let leaf = branch.children.borrow()[0].clone();
        assert_eq!((branch.value, leaf.value), (5, 3));
        assert!(Rc::ptr_eq(&leaf.parent.borrow().upgrade().unwrap(), &branch));
        assert!(branch.parent.borrow().upgrade().is_none());
        assert_eq!((Rc::strong_count(&branch), Rc::weak_count(&branch)), (1, 1));
    });
}

#[derive(Default, Serialize)]
struct Ring {
    next: RefCell<Option<Rc<Ring>>>,
}

#[test]
fn a_strong_cycle_of_bare_pointers_is_an_error() {
    let ring: [Rc<Ring>; 3] = Default::default();
    *ring[0].next.borrow_mut() = Some(ring[1].clone());
    *ring[1].next.borrow_mut() = Some(ring[2].clone());
    for format in formats() {
        format.to_vec(&ring).unwrap();
    }
    *ring[2].next.borrow_mut() = Some(ring[0].clone());
    for format in formats() {
        let error = format.to_vec(&ring).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StrongCycle, "{format}: {error}");
        assert_eq!(error.path(), "[0].next.next.next", "{format}");
    }
    ring[2].next.borrow_mut().take();
}

/// The same with a cell, in which it can be built.
#[derive(Default, Serialize)]
struct CellRing {
    next: Option<Rc<RefCell<CellRing>>>,
}

#[test]
fn a_strong_cycle_does_not_load_as_bare_pointers() {
    let a = Rc::new(RefCell::new(CellRing::default()));
    a.borrow_mut().next = Some(a.clone());
    for format in formats() {
        let bytes = format.to_vec(&a).unwrap();
        let error = format.from_slice::<Rc<Ring>>(&bytes).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::StrongCycle, "{format}: {error}");
        assert_eq!(error.path(), "next", "{format}");
    }
    a.borrow_mut().next.take();
}

/// A part of a bare owner has a weak pointer to it: the owner must come first.
#[test]
fn bare_owners_and_their_objects() {
    #[derive(Default, Serialize)]
    struct Squad {
        members: RefCell<Vec<Rc<Member>>>,
    }
    #[derive(Default, Serialize)]
    struct Member {
        squad: RefCell<Weak<Squad>>,
    }
    let squad = Rc::new(Squad::default());
    for _ in 0..3 {
        let member = Member { squad: RefCell::new(Rc::downgrade(&squad)) };
        squad.members.borrow_mut().push(Rc::new(member));
    }
    let member = squad.members.borrow()[1].clone();
    everywhere(&(squad.clone(), member.clone()), |_, (squad, member)| {
        assert!(Rc::ptr_eq(&squad.members.borrow()[1], &member));
        assert!(Rc::ptr_eq(&member.squad.borrow().upgrade().unwrap(), &squad));
    });
    for format in formats() {
        // A format that must write the owner at its first reference refuses to save it.
        let saved = format.to_vec(&(member.clone(), squad.clone()));
        let loaded = saved.and_then(|bytes| format.from_slice::<(Rc<Member>, Rc<Squad>)>(&bytes));
        let error = loaded.err().unwrap();
        assert_eq!(error.kind(), ErrorKind::StrongCycle, "{format}");
        assert!(error.message().contains("save its owner first"), "{error}");
    }
}

#[derive(Default, Debug, Serialize)]
struct Cells {
    rc: Rc<u32>,
    rc_again: Rc<u32>,
    cell: Rc<Cell<u32>>,
    refcell: Rc<RefCell<String>>,
    arc: Arc<String>,
    mutex: Arc<Mutex<Vec<u8>>>,
    mutex_weak: std::sync::Weak<Mutex<Vec<u8>>>,
    rwlock: Arc<RwLock<(u8, char)>>,
    rc_mutex: Rc<Mutex<bool>>,
    arc_refcell: Option<Arc<RefCell<i8>>>,
    nested: Rc<Rc<u32>>,
    boxed: Rc<Box<u32>>,
    tuple: Rc<(u32, String)>,
}

#[test]
fn every_cell() {
    let rc = Rc::new(7);
    let mutex = Arc::new(Mutex::new(vec![1, 2]));
    let cells = Cells {
        rc_again: rc.clone(),
        nested: Rc::new(rc.clone()),
        rc,
        cell: Rc::new(Cell::new(9)),
        refcell: Rc::new(RefCell::new("text".into())),
        arc: Arc::new("arc".into()),
        mutex_weak: Arc::downgrade(&mutex),
        mutex,
        rwlock: Arc::new(RwLock::new((1, 'x'))),
        rc_mutex: Rc::new(Mutex::new(true)),
        arc_refcell: Some(Arc::new(RefCell::new(-1))),
        boxed: Rc::new(Box::new(4)),
        tuple: Rc::new((5, "five".into())),
    };
    everywhere(&cells, |_, cells| {
        assert!(Rc::ptr_eq(&cells.rc, &cells.rc_again) && Rc::ptr_eq(&cells.rc, &cells.nested));
        assert_eq!(cells.cell.get(), 9);
        assert_eq!(*cells.refcell.borrow(), "text");
        assert_eq!(*cells.arc, "arc");
        assert!(Arc::ptr_eq(&cells.mutex, &cells.mutex_weak.upgrade().unwrap()));
        assert_eq!(*cells.rwlock.read().unwrap(), (1, 'x'));
        assert!(*cells.rc_mutex.lock().unwrap());
        assert_eq!(*cells.arc_refcell.unwrap().borrow(), -1);
        assert_eq!((**cells.boxed, cells.tuple.0), (4, 5));
    });
}

#[test]
fn saving_works_during_a_shared_borrow() {
    let shared = node("held");
    let list = Rc::new(RefCell::new(vec![shared.clone()]));
    let (_held, _list) = (shared.borrow(), list.borrow());
    for format in formats() {
        format.to_vec(&list).unwrap();
    }
    drop(_held);
    let _changing = shared.borrow_mut();
    for format in formats() {
        let error = format.to_vec(&list).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Borrowed, "{format}");
        assert_eq!(error.path(), "[0]", "{format}");
    }
}

#[test]
fn a_poisoned_lock_is_an_error() {
    let lock = Arc::new(Mutex::new(1_u8));
    let other = lock.clone();
    let _ = std::thread::spawn(move || {
        let _guard = other.lock();
        std::panic::resume_unwind(Box::new(()));
    })
    .join();
    let error = json::to_string(&lock).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Borrowed);
    assert!(error.message().contains("poisoned"), "{error}");
}

#[test]
fn weak_pointers_never_carry_an_object() {
    let leader = node("leader");
    let weak = vec![Rc::downgrade(&leader), Weak::new(), Rc::downgrade(&leader)];
    assert_eq!(json::to_string(&weak).unwrap(), r#"[{"$weak":1},null,{"$weak":1}]"#);
    for format in formats() {
        let bytes = format.to_vec(&weak).unwrap();
        let (loaded, report) = format
            .from_slice_report::<Vec<Weak<RefCell<Node>>>>(&bytes, &archive::Options::new())
            .unwrap();
        assert!(loaded.iter().all(|weak| weak.upgrade().is_none()), "{format}");
        let text = report.to_string();
        assert!(
            text.starts_with("[0]: points to nothing, the first of 2 times\n"),
            "{format}: {text}"
        );
    }
}

#[test]
fn a_weak_pointer_may_come_before_its_object() {
    #[derive(Default, Serialize)]
    struct Team {
        leader: Weak<RefCell<Node>>,
        bare_leader: Weak<Leaf>,
        members: Vec<Rc<RefCell<Node>>>,
        bare: Vec<Rc<Leaf>>,
    }
    let members = vec![node("a"), node("b")];
    let bare = vec![Rc::new(Leaf { value: 1, ..Leaf::default() })];
    let team = Team {
        leader: Rc::downgrade(&members[1]),
        bare_leader: Rc::downgrade(&bare[0]),
        members,
        bare,
    };
    everywhere(&team, |format, team| {
        assert!(Rc::ptr_eq(&team.leader.upgrade().unwrap(), &team.members[1]), "{format}");
        assert!(Rc::ptr_eq(&team.bare_leader.upgrade().unwrap(), &team.bare[0]), "{format}");
        assert_eq!(team.members[1].borrow().name, "b");
    });
    for format in formats() {
        let bytes = format.to_vec(&team).unwrap();
        let (_, report) =
            format.from_slice_report::<Team>(&bytes, &archive::Options::new()).unwrap();
        assert_eq!(report.dangling().count(), 0, "{format}");
    }
}

#[test]
fn null_and_repeated_null() {
    let value: Vec<Option<Rc<RefCell<Node>>>> = vec![None, None, Some(node("a")), None];
    everywhere(&value, |_, value| {
        assert!(value[0].is_none() && value[1].is_none() && value[3].is_none());
        assert_eq!(value[2].as_ref().unwrap().borrow().name, "a");
    });
    let weak: Vec<Option<Weak<RefCell<Node>>>> = vec![None, Some(Weak::new()), None];
    assert_eq!(json::to_string(&weak).unwrap(), r#"[null,{"$some":null},null]"#);
    everywhere(&weak, |_, weak| assert!(weak[0].is_none() && weak[1].is_some()));
}

/// An object that is dropped while it is being saved gives its address to the next one.
#[test]
fn objects_are_kept_alive_until_the_archive_ends() {
    struct Fleeting(u32);
    impl Serialize for Fleeting {
        fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
            for i in 0..self.0 {
                ar.serialize(&format!("m{i}"), &mut Rc::new(i))?;
            }
            Ok(())
        }
    }
    let text = json::to_string(&mut Fleeting(3)).unwrap();
    let expected =
        r#"{"m0":{"$id":1,"$value":0},"m1":{"$id":2,"$value":1},"m2":{"$id":3,"$value":2}}"#;
    assert_eq!(text, expected);
}

/// Only the second half of the saved value.
#[derive(Default, Serialize)]
struct Second {
    second: Rc<RefCell<Node>>,
}

#[test]
fn the_object_may_be_in_a_member_that_is_gone() {
    #[derive(Default, Serialize)]
    struct Both {
        first: Vec<Rc<RefCell<Node>>>,
        second: Rc<RefCell<Node>>,
    }
    let shared = node("shared");
    shared.borrow_mut().other = Some(node("deeper"));
    let both = Both { first: vec![node("gone"), shared.clone()], second: shared };
    for format in forgiving() {
        let bytes = format.to_vec(&both).unwrap();
        let loaded: Second = format.from_slice(&bytes).unwrap_or_else(|e| panic!("{format}: {e}"));
        let node = loaded.second.borrow();
        assert_eq!(node.name, "shared", "{format}");
        assert_eq!(node.other.as_ref().unwrap().borrow().name, "deeper", "{format}");
    }
}

#[test]
fn the_object_may_come_later() {
    #[derive(Default, Serialize)]
    struct Bare {
        second: Rc<u32>,
        first: Rc<u32>,
    }
    #[derive(Default, Serialize)]
    struct Swapped {
        second: Rc<RefCell<Node>>,
        first: Rc<RefCell<Node>>,
    }
    let text = r#"{"first":{"$id":1,"$value":{"name":"x"}},"second":{"$id":1}}"#;
    let swapped: Swapped = json::from_str(text).unwrap();
    assert!(Rc::ptr_eq(&swapped.first, &swapped.second));
    assert_eq!(swapped.first.borrow().name, "x");
    let bare: Bare =
        json::from_str(r#"{"first":{"$id":1,"$value":5},"second":{"$id":1}}"#).unwrap();
    assert!(Rc::ptr_eq(&bare.first, &bare.second));
    // As people or other programs would write it.
    let bare: Bare =
        json::from_str(r#"{"second":{"$value":5,"$id":7},"first":{"$id":7}}"#).unwrap();
    assert!(Rc::ptr_eq(&bare.first, &bare.second));
    // In a later root.
    let text = r#"{"a":{"$id":1},"b":[{"$id":1,"$value":{"name":"late"}}]}"#;
    let mut reader = json::Reader::new(text).unwrap();
    let (mut a, mut b) = (Rc::default(), Vec::<Rc<RefCell<Node>>>::new());
    use archive::Archive;
    reader.serialize("a", &mut a).unwrap();
    reader.serialize("b", &mut b).unwrap();
    reader.finish().unwrap();
    assert!(Rc::ptr_eq(&a, &b[0]));
    assert_eq!(a.borrow().name, "late");
}

#[test]
fn a_value_that_was_not_shared_may_become_so() {
    #[derive(Default, Serialize)]
    struct Old {
        node: Box<Leaf>,
    }
    #[derive(Default, Serialize)]
    struct New {
        node: Rc<RefCell<Leaf>>,
    }
    for format in forgiving() {
        let mut old = Old::default();
        old.node.value = 8;
        let bytes = format.to_vec(&old).unwrap();
        let new: New = format.from_slice(&bytes).unwrap_or_else(|e| panic!("{format}: {e}"));
        assert_eq!(new.node.borrow().value, 8, "{format}");
    }
}

#[test]
fn forged_ids_are_refused() {
    #[derive(Default, Debug, Serialize)]
    struct Two {
        a: Option<Rc<RefCell<Node>>>,
        b: Option<Rc<RefCell<u32>>>,
        c: Option<Rc<RefCell<Node>>>,
    }
    let kind = |text: &str| {
        let error = json::from_str::<Two>(text).map(|_| ()).expect_err(text);
        (error.kind(), error.path().to_owned(), error.to_string())
    };
    // Unknown, of another type, stored twice, negative, zero, not a number, a fraction.
    let (k, p, m) = kind(r#"{"a":{"$id":3}}"#);
    assert_eq!((k, &*p), (ErrorKind::BadPointer, "$3"), "{m}");
    assert!(m.contains("object 3") && m.contains("line 1 column 6"), "{m}");
    let (k, p, m) = kind(r#"{"a":{"$id":1,"$value":{}},"b":{"$id":1}}"#);
    assert_eq!((k, &*p), (ErrorKind::BadPointer, "b"), "{m}");
    assert!(m.contains("Node") && m.contains("u32"), "{m}");
    let (k, p, _) = kind(r#"{"a":{"$id":1,"$value":{}},"c":{"$id":1,"$value":{}}}"#);
    assert_eq!((k, &*p), (ErrorKind::BadPointer, "c"));
    let nested = r#"{"a":{"$id":1,"$value":{"other":{"$id":1,"$value":{}}}}}"#;
    assert_eq!(kind(nested).0, ErrorKind::BadPointer);
    for id in ["-1", "0", "1.5", "\"x\"", "null", "1e300", "[]"] {
        let (k, _, m) = kind(&format!(r#"{{"a":{{"$id":{id},"$value":{{}}}}}}"#));
        assert!(matches!(k, ErrorKind::BadPointer | ErrorKind::WrongType), "{m}");
    }
    // A huge id is an id like any other.
    let huge = format!(r#"{{"a":{{"$id":{0},"$value":{{}}}},"c":{{"$id":{0}}}}}"#, u64::MAX);
    let two: Two = json::from_str(&huge).unwrap();
    assert!(Rc::ptr_eq(&two.a.unwrap(), &two.c.unwrap()));
}

/// Counts the objects of its kind that are alive.
#[derive(Serialize)]
struct Counted {
    next: Option<Rc<RefCell<Counted>>>,
    value: u32,
}

thread_local!(static ALIVE: Cell<i64> = const { Cell::new(0) });

impl Default for Counted {
    fn default() -> Self {
        ALIVE.set(ALIVE.get() + 1);
        Counted { next: None, value: 0 }
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.set(ALIVE.get() - 1);
    }
}

#[test]
fn a_failed_load_frees_what_it_built() {
    // A cycle that is complete when the load fails.
    let text = r#"[{"$id":1,"$value":{"next":{"$id":2,"$value":{"next":{"$id":1},"value":1}},"value":2}},
        {"$id":3,"$value":{"value":"wrong"}}]"#;
    let error = json::from_str::<Vec<Rc<RefCell<Counted>>>>(text).map(|_| ()).unwrap_err();
    assert_eq!(error.path(), "[1].value");
    assert_eq!(ALIVE.get(), 0);
}

/// A chain through `next`.
#[derive(Default, Serialize)]
struct Link {
    value: u32,
    next: Option<Rc<RefCell<Link>>>,
}

fn unlink_chain(mut link: Option<Rc<RefCell<Link>>>) -> u32 {
    let mut len = 0;
    while let Some(this) = link {
        link = this.borrow_mut().next.take();
        len += 1;
    }
    len
}

#[test]
fn objects_that_wait_are_at_the_end_of_the_outermost_pointer() {
    let mut chain = None;
    for value in 0..60 {
        chain = Some(Rc::new(RefCell::new(Link { value, next: chain })));
    }
    let text = json::to_string(&chain).unwrap();
    assert!(text.contains(r#","$later":true}"#), "{text}");
    assert!(text.contains(r#"}},"$deferred":[{"$id":"#), "{text}");
    let loaded: Option<Rc<RefCell<Link>>> = json::from_str(&text).unwrap();
    assert_eq!(json::to_string(&loaded).unwrap(), text);
    assert_eq!((unlink_chain(loaded), unlink_chain(chain)), (60, 60));
}
