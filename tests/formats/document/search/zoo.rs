//! A program with random values of many kinds.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::{Rc, Weak};

use archive::{
    Archive, Blank, Element, Polymorphic, Registry, Result, Serialize, Unknown, Value, polymorphic,
    register,
};

use super::choices::Tape;

pub trait Thing: Polymorphic {}
polymorphic!(dyn Thing);
pub trait Other: Polymorphic {}
polymorphic!(dyn Other);

#[derive(Default, Serialize)]
pub struct Zoo {
    pub plain: Vec<Plain>,
    pub hand: Vec<ByHand>,
    pub floats: Vec<Gen<f32>>,
    pub doubles: Vec<Gen<f64>>,
    pub versioned: Vec<Versioned>,
    pub kept: Vec<Kept>,
    pub units: Vec<Rc<RefCell<Unit>>>,
    pub maybe: Vec<Option<Rc<RefCell<Unit>>>>,
    pub squads: Vec<Rc<RefCell<Squad>>>,
    pub leaves: Vec<Rc<Leaf>>,
    pub weak: Vec<Weak<RefCell<Unit>>>,
    pub bare: Vec<Weak<Leaf>>,
    pub owned: Vec<Box<dyn Thing>>,
    pub other: Vec<Box<dyn Other>>,
    pub shared: Vec<Rc<RefCell<dyn Thing>>>,
    pub maps: Maps,
    pub any: Vec<Value>,
    pub links: (Vec<Link<Unit>>, Vec<Link<Squad>>),
    /// Sometimes so long that objects are deferred.
    pub chain: Option<Rc<RefCell<Unit>>>,
}

#[derive(Default, Serialize)]
pub struct Plain {
    pub small: u8,
    pub wide: i128,
    pub float: f32,
    pub text: String,
    pub letter: char,
    pub order: Order,
    pub spare: Option<Option<i16>>,
    pub at: [f32; 2],
    pub pair: (u16, Option<String>),
    pub nothing: (),
}

#[derive(Default, Serialize)]
pub enum Order {
    #[default]
    Wait,
    Walk {
        to: [f32; 2],
        steps: u8,
    },
    Guard(String, u16),
    Hand(ByHand),
}

/// The members that it saves depend on its value.
#[derive(Clone, Default)]
pub struct ByHand {
    kind: u8,
    small: u8,
    wide: u16,
    floats: Vec<f32>,
    doubles: Vec<f64>,
    inner: Vec<ByHand>,
}
archive::save_by_clone!(ByHand);
archive::blank!(ByHand);

impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("kind", &mut self.kind)?;
        match self.kind % 5 {
            0 => ar.serialize("x", &mut self.small),
            1 => ar.serialize("x", &mut self.wide),
            2 => ar.serialize("x", &mut self.floats),
            3 => ar.serialize("x", &mut self.doubles),
            _ => ar.serialize("inner", &mut self.inner),
        }
    }
}

/// A hand-written function for several types, which have one name.
#[derive(Clone, Default)]
pub struct Gen<T> {
    items: Vec<T>,
    last: T,
}

impl<T: Clone + Default + Element> Serialize for Gen<T> {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("items", &mut self.items)?;
        ar.serialize("last", &mut self.last)
    }
}
impl<T: Clone + Default + Element> archive::Save for Gen<T> {
    fn save<A: Archive>(&self, ar: &mut A) -> Result {
        self.clone().serialize(ar)
    }
}
impl<T: Default> Blank for Gen<T> {
    fn blank(_: &archive::Options<'_>) -> Self {
        Gen::default()
    }
}

#[derive(Clone, Default)]
pub struct Versioned {
    hp: u16,
    parts: Vec<f64>,
}
archive::save_by_clone!(Versioned);
archive::blank!(Versioned);

impl Serialize for Versioned {
    const VERSION: u32 = 3;

    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("hp", &mut self.hp)?;
        if self.hp.is_multiple_of(2) {
            ar.serialize("parts", &mut self.parts)?;
        }
        Ok(())
    }
}

#[derive(Default, Serialize)]
pub struct Kept {
    pub a: u8,
    #[archive(unknown)]
    pub rest: Unknown,
}

#[derive(Default, Serialize)]
#[archive(version = 2)]
pub struct Unit {
    pub id: u32,
    pub next: Option<Rc<RefCell<Unit>>>,
    pub squad: Option<Rc<RefCell<Squad>>>,
    pub back: Weak<RefCell<Unit>>,
    pub leaf: Option<Rc<Leaf>>,
    pub part: Option<Box<dyn Thing>>,
    pub hand: ByHand,
}

#[derive(Default, Serialize)]
pub struct Squad {
    pub id: u32,
    pub leader: Weak<RefCell<Unit>>,
    pub units: Vec<Rc<RefCell<Unit>>>,
}

/// An object without a cell.
#[derive(Default, Serialize)]
pub struct Leaf {
    pub id: u32,
    pub under: Option<Rc<Leaf>>,
    pub owner: Weak<RefCell<Unit>>,
}

/// Classes of one name that refer to different types.
#[derive(Serialize)]
pub struct Link<T: Element + archive::Save + 'static> {
    pub to: Weak<RefCell<T>>,
}

#[derive(Default, Serialize)]
pub struct Stone {
    pub id: u32,
    pub weight: Option<u16>,
}

#[derive(Default, Serialize)]
pub struct Bag {
    pub things: Vec<Box<dyn Thing>>,
    pub owner: Weak<RefCell<Unit>>,
}

#[derive(Default, Serialize)]
pub struct Maps {
    pub small: BTreeMap<u8, String>,
    pub text: BTreeMap<String, Rc<Leaf>>,
    pub pairs: BTreeMap<(bool, u8), Option<i8>>,
    pub set: BTreeSet<i16>,
    pub bytes: Vec<u8>,
}

impl Thing for Stone {}
impl Thing for Bag {}
impl Thing for ByHand {}
impl Thing for u64 {}
impl Other for Leaf {}
impl Other for Stone {}

pub fn registry() -> Registry {
    let mut registry = Registry::new();
    register!(registry, dyn Thing { Stone, Bag, ByHand as "by hand" }).unwrap();
    registry.register::<dyn Thing, u64>("number").unwrap();
    registry.register::<dyn Other, Leaf>("leaf").unwrap();
    registry.register::<dyn Other, Stone>("Stone").unwrap();
    registry
}

impl ByHand {
    pub fn of(tape: &mut Tape, depth: u32) -> Self {
        let kind = tape.below(5 - usize::from(depth > 1)) as u8;
        ByHand {
            kind,
            small: tape.byte(),
            wide: 200 + u16::from(tape.byte()),
            floats: tape.list(3, |tape| f32::from(tape.byte()) / 2.0),
            doubles: tape.list(3, |tape| f64::from(tape.byte()) / 10.0),
            inner: if kind == 4 {
                tape.list(3, |tape| ByHand::of(tape, depth + 1))
            } else {
                Vec::new()
            },
        }
    }
}

impl Zoo {
    pub fn of(tape: &mut Tape) -> Zoo {
        let units: Vec<_> = tape.list(4, |tape| {
            Rc::new(RefCell::new(Unit { id: tape.byte().into(), ..Unit::default() }))
        });
        let squads: Vec<_> = tape.list(3, |tape| {
            Rc::new(RefCell::new(Squad { id: tape.byte().into(), ..Squad::default() }))
        });
        let mut leaves: Vec<Rc<Leaf>> = Vec::new();
        for _ in 0..tape.below(4) {
            let under = tape.one_of(&leaves);
            let owner = weak(tape.one_of(&units));
            leaves.push(Rc::new(Leaf { id: tape.byte().into(), under, owner }));
        }
        for squad in &squads {
            squad.borrow_mut().leader = weak(tape.one_of(&units));
            squad.borrow_mut().units =
                tape.list(3, |tape| tape.one_of(&units)).into_iter().flatten().collect();
        }
        for unit in &units {
            let mut unit = unit.borrow_mut();
            unit.next = tape.one_of(&units);
            unit.squad = tape.one_of(&squads);
            unit.back = weak(tape.one_of(&units));
            unit.leaf = tape.one_of(&leaves);
            unit.hand = ByHand::of(tape, 0);
            unit.part = tape.list(1, |tape| thing(tape, &units, 0)).pop();
        }
        let mut shared: Vec<Rc<RefCell<dyn Thing>>> = Vec::new();
        for _ in 0..tape.below(4) {
            let known = tape.one_of(&shared);
            shared.push(match known {
                Some(known) => known,
                None if tape.below(2) == 0 => Rc::new(RefCell::new(Stone::default())),
                None => Rc::new(RefCell::new(Bag {
                    owner: weak(tape.one_of(&units)),
                    things: Vec::new(),
                })),
            });
        }
        Zoo {
            plain: tape.list(3, Plain::of),
            hand: tape.list(5, |tape| ByHand::of(tape, 0)),
            floats: tape
                .list(3, |tape| Gen { items: tape.list(2, |t| t.byte().into()), last: 0.5 }),
            doubles: tape
                .list(3, |tape| Gen { items: tape.list(2, |t| t.byte().into()), last: 0.1 }),
            versioned: tape.list(3, |tape| Versioned {
                hp: tape.byte().into(),
                parts: tape.list(2, |tape| tape.byte().into()),
            }),
            kept: tape.list(3, kept),
            maybe: tape.list(3, |tape| tape.one_of(&units)),
            weak: tape.list(3, |tape| weak(tape.one_of(&units))),
            bare: tape.list(2, |tape| {
                tape.one_of(&leaves).map_or_else(Weak::new, |one| Rc::downgrade(&one))
            }),
            owned: tape.list(4, |tape| thing(tape, &units, 0)),
            other: tape.list(3, |tape| -> Box<dyn Other> {
                match tape.below(2) {
                    0 => Box::new(Leaf { id: 1, under: tape.one_of(&leaves), owner: Weak::new() }),
                    _ => Box::new(Stone { id: 2, weight: None }),
                }
            }),
            maps: Maps {
                small: tape.list(3, |tape| (tape.byte(), "m".to_owned())).into_iter().collect(),
                text: leaves.iter().map(|leaf| (leaf.id.to_string(), leaf.clone())).collect(),
                pairs: tape
                    .list(3, |tape| ((tape.below(2) == 0, tape.byte()), None))
                    .into_iter()
                    .collect(),
                set: tape.list(3, |tape| i16::from(tape.byte())).into_iter().collect(),
                bytes: tape.list(3, Tape::byte),
            },
            any: tape.list(3, any),
            links: (
                tape.list(2, |tape| Link { to: weak(tape.one_of(&units)) }),
                tape.list(2, |tape| Link { to: weak(tape.one_of(&squads)) }),
            ),
            chain: chain(tape, &units),
            units,
            squads,
            leaves,
            shared,
        }
    }
}

impl Plain {
    fn of(tape: &mut Tape) -> Plain {
        Plain {
            small: tape.byte(),
            wide: i128::from(tape.byte()) << 100,
            float: 0.25,
            text: "t".repeat(tape.below(3)),
            letter: 'ä',
            order: match tape.below(4) {
                0 => Order::Wait,
                1 => Order::Walk { to: [1.0, 2.5], steps: tape.byte() },
                2 => Order::Guard("gate".to_owned(), 700),
                _ => Order::Hand(ByHand::of(tape, 1)),
            },
            spare: [None, Some(None), Some(Some(-3))][tape.below(3)],
            at: [0.5, -1.0],
            pair: (tape.byte().into(), Some("p".to_owned()).filter(|_| tape.below(2) == 0)),
            nothing: (),
        }
    }
}

fn chain(tape: &mut Tape, units: &[Rc<RefCell<Unit>>]) -> Option<Rc<RefCell<Unit>>> {
    let mut first = tape.one_of(units);
    let len = if tape.below(12) == 1 { 100 + tape.below(100) } else { tape.below(3) };
    for id in 0..len as u32 {
        let part = tape.list(1, |tape| thing(tape, units, 1)).pop();
        first = Some(Rc::new(RefCell::new(Unit { id, next: first, part, ..Unit::default() })));
    }
    first
}

fn weak<T>(strong: Option<Rc<RefCell<T>>>) -> Weak<RefCell<T>> {
    strong.map_or_else(Weak::new, |one| Rc::downgrade(&one))
}

fn thing(tape: &mut Tape, units: &[Rc<RefCell<Unit>>], depth: u32) -> Box<dyn Thing> {
    match tape.below(4) {
        0 => Box::new(Stone { id: tape.byte().into(), weight: Some(9) }),
        1 if depth < 2 => Box::new(Bag {
            things: tape.list(2, |tape| thing(tape, units, depth + 1)),
            owner: weak(tape.one_of(units)),
        }),
        2 => Box::new(ByHand::of(tape, 1)),
        _ => Box::new(u64::from(tape.byte())),
    }
}

fn kept(tape: &mut Tape) -> Kept {
    let text = [
        r#"{"a":1}"#,
        r#"{"a":2,"$$x":3,"y":{"z":[1,2.5,null]}}"#,
        r#"{"a":2,"y":4,"$$x":"text"}"#,
        r#"{"a":9,"list":[{"$$id":3}],"":1}"#,
    ];
    archive::json::from_str(text[tape.below(text.len())]).unwrap()
}

pub fn any(tape: &mut Tape) -> Value {
    let text = [
        "null",
        "[1,2,3]",
        r#"{"name":"Ann","hp":3,"":{"":null}}"#,
        r#"[{"$id":1,"$value":{"hp":3}},{"$id":1},{"$weak":1}]"#,
        r#"{"a":{"$id":"x","b":1},"b":{"x":0,"$id":5},"c":{"$some":null}}"#,
    ];
    archive::json::from_str(text[tape.below(text.len())]).unwrap()
}
