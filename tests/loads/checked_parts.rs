//! A type whose parts are checked after loading, wherever they are; and its twin, which has the
//! same members and accepts everything.

use archive::{Error, Registry, Result, Value};

pub fn registry() -> Registry {
    let mut registry = Registry::new();
    archive::register!(registry, dyn checked::Thing {
        checked::Pair as "pair",
        checked::Named as "named",
    })
    .unwrap();
    registry
}

pub fn free_registry() -> Registry {
    let mut registry = Registry::new();
    archive::register!(registry, dyn free::Thing { free::Pair as "pair", free::Named as "named" })
        .unwrap();
    registry
}

/// The object in the tree that has a `lo` above its `hi`.
pub fn broken(tree: &Value) -> Option<&Value> {
    let bounds = |name| tree.get(name).and_then(Value::as_i64);
    if let (Some(lo), Some(hi)) = (bounds("lo"), bounds("hi"))
        && lo > hi
    {
        return Some(tree);
    }
    match tree {
        Value::Array(items) => items.iter().find_map(broken),
        tree => tree.as_object()?.iter().find_map(|(_, value)| broken(value)),
    }
}

fn in_order(lo: i32, hi: i32) -> Result {
    if lo <= hi { Ok(()) } else { Err(Error::custom("the bounds are not in order")) }
}

fn anything(_: i32, _: i32) -> Result {
    Ok(())
}

/// The model, with the function that checks the bounds.
macro_rules! model {
    ($module:ident, $check:path) => {
        pub mod $module {
            use archive::{Archive, Result, Serialize};
            use std::cell::{Cell, RefCell};
            use std::collections::{BTreeMap, BTreeSet, HashMap};
            use std::rc::{Rc, Weak};
            use std::sync::{Arc, Mutex};

            #[derive(
                Serialize, Clone, Copy, Default, Debug, PartialEq, Eq, PartialOrd, Ord, Hash,
            )]
            #[archive(after_load = Pair::check)]
            pub struct Pair {
                pub lo: i32,
                pub hi: i32,
            }
            impl Pair {
                fn check(&self) -> Result {
                    $check(self.lo, self.hi)
                }
            }

            /// Has no `Clone`, and a version.
            #[derive(Serialize, Default, Debug, PartialEq)]
            #[archive(version = 3, after_load = Named::check)]
            pub struct Named {
                pub name: String,
                pub lo: i32,
                pub inner: Vec<Pair>,
                pub hi: i32,
            }
            impl Named {
                fn check(&self) -> Result {
                    $check(self.lo, self.hi)
                }
            }

            pub trait Thing: archive::Polymorphic {}
            archive::polymorphic!(dyn Thing);
            impl Thing for Pair {}
            impl Thing for Named {}

            #[derive(Serialize, Default, Debug)]
            #[archive(after_load = Choice::check)]
            pub enum Choice {
                #[default]
                Nothing,
                One(Pair),
                Bounds {
                    lo: i32,
                    hi: i32,
                },
                Of(i32, i32),
                Several {
                    pairs: [Pair; 2],
                    n: i32,
                },
            }
            impl Choice {
                fn check(&self) -> Result {
                    match *self {
                        Choice::Bounds { lo, hi } | Choice::Of(lo, hi) => $check(lo, hi),
                        _ => Ok(()),
                    }
                }
            }

            #[derive(Serialize, Default, Debug)]
            #[archive(after_load = Two::check)]
            pub struct Two(pub i32, pub i32);
            impl Two {
                fn check(&self) -> Result {
                    $check(self.0, self.1)
                }
            }

            #[derive(Serialize, Default, Debug)]
            #[archive(after_load = Wrapped::check)]
            pub struct Wrapped(pub (i32, i32));
            impl Wrapped {
                fn check(&self) -> Result {
                    $check(self.0.0, self.0.1)
                }
            }

            #[derive(Serialize, Default, Debug)]
            pub struct Flat {
                pub before: u8,
                #[archive(flatten)]
                pub pair: Pair,
                pub after: u8,
            }

            #[derive(Serialize, Default, Debug)]
            pub struct Derived {
                pub pair: Pair,
                pub own: u8,
            }

            /// Checks itself in a hand-written function.
            #[derive(Clone, Default, Debug)]
            pub struct ByHand {
                pub lo: i32,
                pub hi: i32,
            }
            impl Serialize for ByHand {
                fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                    ar.serialize("lo", &mut self.lo)?;
                    ar.serialize("hi", &mut self.hi)?;
                    if ar.is_loading() { $check(self.lo, self.hi) } else { Ok(()) }
                }
            }
            archive::save_by_clone!(ByHand);
            archive::blank!(ByHand);

            #[derive(Serialize, Default, Debug)]
            pub struct Newtype(pub [ByHand; 2]);

            /// As another type in the file.
            pub mod with {
                use super::Pair;
                use archive::Result;

                pub fn save(value: &(i32, i32)) -> Result<Pair> {
                    Ok(Pair { lo: value.0, hi: value.1 })
                }
                pub fn load(pair: Pair) -> Result<(i32, i32)> {
                    Ok((pair.lo, pair.hi))
                }
            }

            #[derive(Serialize, Default, Debug)]
            pub struct Plain {
                pub n: i32,
                pub pair: Pair,
                pub more: Option<Named>,
            }

            #[derive(Serialize, Default)]
            pub struct All {
                pub pair: Pair,
                pub named: Named,
                pub option: Option<Pair>,
                pub vec: Vec<Named>,
                pub array: [Pair; 3],
                pub arrays: [[Named; 2]; 2],
                pub tuple: (Pair, u8, Named),
                pub boxed: Box<Named>,
                pub slice: Box<[Pair]>,
                pub rc: Rc<Pair>,
                pub rc_cell: Rc<RefCell<Named>>,
                pub again: Rc<RefCell<Named>>,
                pub weak: Weak<RefCell<Named>>,
                pub arc: Arc<Mutex<Pair>>,
                pub in_cell: Rc<Cell<Pair>>,
                pub cell: Cell<Pair>,
                pub refcell: RefCell<Named>,
                pub map: BTreeMap<u8, Pair>,
                pub hash: HashMap<Pair, Named>,
                pub set: BTreeSet<Pair>,
                pub choice: Choice,
                pub choices: Vec<Choice>,
                pub two: Two,
                pub twos: [Two; 2],
                pub wrapped: Wrapped,
                pub wraps: Vec<Wrapped>,
                pub flat: Flat,
                pub flats: Vec<Flat>,
                pub derived: Derived,
                #[archive(with = with)]
                pub with: (i32, i32),
                pub plain: Plain,
                pub plains: [Plain; 2],
                pub things: Vec<Box<dyn Thing>>,
                pub shared: Option<Rc<RefCell<dyn Thing>>>,
                pub by_hand: ByHand,
                pub by_hands: Vec<ByHand>,
                pub hand_array: [ByHand; 2],
                pub hand_cell: Rc<RefCell<ByHand>>,
                pub hand_box: Box<ByHand>,
                pub hand_tuple: (ByHand, ByHand),
                pub hand_refcell: RefCell<ByHand>,
                pub hand_newtype: Newtype,
                pub hands_cell: Rc<RefCell<[ByHand; 2]>>,
                pub hands_rc: Rc<[ByHand; 1]>,
                pub hands_refcell: RefCell<[[ByHand; 1]; 2]>,
            }

            #[allow(dead_code)] // of the twin
            impl All {
                /// The bounds without names.
                pub fn unnamed(&self) -> impl Iterator<Item = (i32, i32)> {
                    let choices = self.choices.iter().chain([&self.choice]);
                    let choices = choices.filter_map(|choice| match choice {
                        Choice::Of(lo, hi) => Some((*lo, *hi)),
                        _ => None,
                    });
                    let twos = self.twos.iter().chain([&self.two]).map(|two| (two.0, two.1));
                    let wrapped = self.wraps.iter().chain([&self.wrapped]).map(|one| one.0);
                    choices.chain(twos).chain(wrapped)
                }
            }

            /// A value with these bounds, in order.
            pub fn all(mut bounds: impl Iterator<Item = (i32, i32)>) -> All {
                let mut next = || bounds.next().unwrap_or((0, 1));
                macro_rules! pair {
                    () => {{
                        let (lo, hi) = next();
                        Pair { lo, hi }
                    }};
                }
                macro_rules! named {
                    () => {{
                        let (lo, hi) = next();
                        Named { name: format!("n{hi}"), lo, inner: vec![pair!(); 2], hi }
                    }};
                }
                macro_rules! hand {
                    () => {{
                        let (lo, hi) = next();
                        ByHand { lo, hi }
                    }};
                }
                macro_rules! choice {
                    () => {{
                        let (lo, hi) = next();
                        match hi.rem_euclid(5) {
                            0 => Choice::Nothing,
                            1 => Choice::One(Pair { lo, hi }),
                            2 => Choice::Bounds { lo, hi },
                            3 => Choice::Of(lo, hi),
                            _ => Choice::Several { pairs: [Pair { lo, hi }, pair!()], n: lo },
                        }
                    }};
                }
                macro_rules! flat {
                    () => {
                        Flat { before: 1, pair: pair!(), after: 2 }
                    };
                }
                macro_rules! plain {
                    () => {
                        Plain { n: next().0, pair: pair!(), more: Some(named!()) }
                    };
                }
                let rc_cell = Rc::new(RefCell::new(named!()));
                let (two, wrapped, with) = (next(), next(), next());
                All {
                    pair: pair!(),
                    named: named!(),
                    option: Some(pair!()),
                    vec: vec![named!(), named!()],
                    array: [pair!(), pair!(), pair!()],
                    arrays: [[named!(), named!()], [named!(), named!()]],
                    tuple: (pair!(), 7, named!()),
                    boxed: Box::new(named!()),
                    slice: Box::new([pair!(), pair!()]),
                    rc: Rc::new(pair!()),
                    again: rc_cell.clone(),
                    weak: Rc::downgrade(&rc_cell),
                    rc_cell,
                    arc: Arc::new(Mutex::new(pair!())),
                    in_cell: Rc::new(Cell::new(pair!())),
                    cell: Cell::new(pair!()),
                    refcell: RefCell::new(named!()),
                    map: [(1, pair!()), (2, pair!())].into(),
                    hash: [(pair!(), named!())].into(),
                    set: [pair!(), pair!()].into(),
                    choice: choice!(),
                    choices: vec![choice!(), choice!(), choice!()],
                    two: Two(two.0, two.1),
                    twos: [Two(two.0, two.1), Two(1, 2)],
                    wrapped: Wrapped(wrapped),
                    wraps: vec![Wrapped(wrapped), Wrapped((3, 4))],
                    flat: flat!(),
                    flats: vec![flat!(), flat!()],
                    derived: Derived { pair: pair!(), own: 9 },
                    with,
                    plain: plain!(),
                    plains: [plain!(), plain!()],
                    things: vec![Box::new(pair!()), Box::new(named!())],
                    shared: Some(Rc::new(RefCell::new(named!()))),
                    by_hand: hand!(),
                    by_hands: vec![hand!(), hand!()],
                    hand_array: [hand!(), hand!()],
                    hand_cell: Rc::new(RefCell::new(hand!())),
                    hand_box: Box::new(hand!()),
                    hand_tuple: (hand!(), hand!()),
                    hand_refcell: RefCell::new(hand!()),
                    hand_newtype: Newtype([hand!(), hand!()]),
                    hands_cell: Rc::new(RefCell::new([hand!(), hand!()])),
                    hands_rc: Rc::new([hand!()]),
                    hands_refcell: RefCell::new([[hand!()], [hand!()]]),
                }
            }
        }
    };
}
model!(checked, super::in_order);
model!(free, super::anything);
