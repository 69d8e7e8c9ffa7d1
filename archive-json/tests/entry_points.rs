//! Whole values through the entry points.

use std::cell::RefCell;
use std::rc::Rc;

use archive_core::{Archive, ErrorKind, Result, Serialize};
use archive_json::{from_str, to_string};

#[derive(Clone, Debug, Default, PartialEq)]
struct Unit {
    name: String,
    hp: u8,
    path: Vec<[f32; 2]>,
    squad: Option<i128>,
    morale: f64,
}

impl Serialize for Unit {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("name", &mut self.name)?;
        ar.serialize("hp", &mut self.hp)?;
        ar.serialize("path", &mut self.path)?;
        ar.serialize("squad", &mut self.squad)?;
        ar.serialize("morale", &mut self.morale)
    }
}
archive_core::blank!(Unit);
archive_core::save_by_clone!(Unit);

fn unit() -> Unit {
    Unit {
        name: "Ann \"the ü\"".into(),
        hp: 7,
        path: vec![[0.1, -0.0], [1e30, 3.0]],
        squad: Some(i128::MIN),
        morale: f64::INFINITY,
    }
}

#[test]
fn round_trip() {
    let text = to_string(&unit()).unwrap();
    assert_eq!(
        text,
        r#"{"name":"Ann \"the ü\"","hp":7,"path":[[0.1,-0.0],[1e+30,3.0]],"squad":-170141183460469231731687303715884105728,"morale":"inf"}"#
    );
    assert_eq!(from_str::<Unit>(&text).unwrap(), unit());
}

#[test]
fn any_order_with_more_and_less() {
    let text = r#"{"squad":null,"hp":3.0,"extra":[{"hp":1}],"path":[],"name":"Bo"}"#;
    let bo = Unit { name: "Bo".into(), hp: 3, ..Unit::default() };
    assert_eq!(from_str::<Unit>(text).unwrap(), bo);
}

#[test]
fn errors_have_path_and_position() {
    let error = from_str::<Vec<Unit>>("[{},\n {\"hp\":300}]").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfRange);
    assert_eq!(error.to_string(), "[1].hp: 300 does not fit u8 at line 2 column 8");
    let error = from_str::<Unit>(r#"{"hp":1,"hp":2}"#).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DuplicateMember);
}

#[derive(Default)]
struct Node {
    value: u32,
    next: Option<Rc<RefCell<Node>>>,
}

archive_core::members!(Node { value, next });
archive_core::blank!(Node);

#[test]
fn a_long_chain_and_a_cycle() {
    const COUNT: u32 = 20_000;
    let mut head: Option<Rc<RefCell<Node>>> = None;
    for value in (0..COUNT).rev() {
        head = Some(Rc::new(RefCell::new(Node { value, next: head })));
    }
    let text = to_string(&mut head).unwrap();
    let loaded: Option<Rc<RefCell<Node>>> = from_str(&text).unwrap();
    for mut chain in [head, loaded] {
        let mut values = Vec::new();
        while let Some(node) = chain {
            values.push(node.borrow().value);
            chain = node.borrow_mut().next.take();
        }
        assert!(values.into_iter().eq(0..COUNT));
    }

    let text = r#"{"$id":1,"$value":{"next":{"$id":1},"value":5}}"#;
    let node: Rc<RefCell<Node>> = from_str(text).unwrap();
    assert!(Rc::ptr_eq(&node, node.borrow().next.as_ref().unwrap()));
    node.borrow_mut().next = None;
}
