//! A world of all kinds of pointers, and the same one in a later version of the program.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex};

use archive::{Archive, Error, Polymorphic, Registry, Result, Serialize, polymorphic, register};

thread_local! {
    static CALLS: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// The calls of `after_load` since the last time.
pub fn calls() -> Vec<String> {
    CALLS.take()
}

fn call(kind: &str, id: u32) -> Result {
    CALLS.with_borrow_mut(|calls| calls.push(format!("{kind} {id}")));
    if id % 64 == 63 { Err(Error::custom(format!("{kind} {id} is refused"))) } else { Ok(()) }
}

/// Writes the types into a module; the part in brackets is new in it.
macro_rules! world {
    ($module:ident, [$($unit:tt)*], [$($stone:tt)*], [$($squad:tt)*]) => {
        pub mod $module {
            use super::*;

            pub trait Thing: Polymorphic {}
            polymorphic!(dyn Thing);

            #[derive(Default, Serialize)]
            pub struct World {
                pub first: Weak<RefCell<Unit>>,
                pub units: Vec<Rc<RefCell<Unit>>>,
                pub leaves: BTreeMap<u16, Rc<Leaf>>,
                pub things: Vec<Box<dyn Thing>>,
                pub shared: Vec<Rc<RefCell<dyn Thing>>>,
                pub bare: Vec<Rc<dyn Thing>>,
                pub last: Option<Rc<RefCell<Unit>>>,
            }

            #[derive(Default, Serialize)]
            #[archive(after_load = Unit::loaded)]
            pub struct Unit {
                pub id: u32,
                pub name: String,
                $($unit)*
                pub at: [f32; 2],
                pub squad: Option<Rc<RefCell<Squad>>>,
                pub friends: Vec<Weak<RefCell<Unit>>>,
                pub next: Option<Rc<RefCell<Unit>>>,
                pub parts: Vec<Box<dyn Thing>>,
                pub leaf: Option<Rc<Leaf>>,
                pub shared: Option<Rc<RefCell<dyn Thing>>>,
                pub bytes: Vec<u16>,
            }

            #[derive(Default, Serialize)]
            #[archive(after_load = Squad::loaded)]
            pub struct Squad {
                $($squad)*
                pub id: u32,
                pub leader: Weak<RefCell<Unit>>,
                pub count: Arc<Mutex<u64>>,
            }

            #[derive(Default, Serialize)]
            #[archive(after_load = Leaf::loaded)]
            pub struct Leaf {
                pub id: u32,
                pub owner: Weak<RefCell<Unit>>,
                pub under: Option<Rc<Leaf>>,
            }

            #[derive(Default, Serialize)]
            #[archive(after_load = Stone::loaded)]
            pub struct Stone {
                $($stone)*
                pub id: u32,
                pub weight: Option<u16>,
            }

            #[derive(Default, Serialize)]
            pub struct Bag {
                pub things: Vec<Box<dyn Thing>>,
                pub owner: Weak<RefCell<Unit>>,
                pub other: Option<Weak<RefCell<dyn Thing>>>,
            }

            /// The members that it saves depend on its value.
            #[derive(Clone, Default)]
            pub struct ByHand {
                pub id: u32,
                pub unit: Option<Rc<RefCell<Unit>>>,
                pub leaf: Option<Rc<Leaf>>,
            }

            impl Serialize for ByHand {
                fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                    ar.serialize("id", &mut self.id)?;
                    if self.id % 2 == 0 {
                        ar.serialize("unit", &mut self.unit)?;
                    }
                    ar.serialize("leaf", &mut self.leaf)
                }
            }
            archive::save_by_clone!(ByHand);
            archive::blank!(ByHand);

            impl Thing for Stone {}
            impl Thing for Bag {}
            impl Thing for ByHand {}
            impl Thing for u64 {}

            impl Unit {
                fn loaded(&mut self) -> Result {
                    call("unit", self.id)
                }
            }
            impl Squad {
                fn loaded(&mut self) -> Result {
                    call("squad", self.id)
                }
            }
            impl Leaf {
                fn loaded(&mut self) -> Result {
                    call("leaf", self.id)
                }
            }
            impl Stone {
                fn loaded(&mut self) -> Result {
                    call("stone", self.id)
                }
            }

            /// With functions for the format, of all types but one; and without.
            pub fn registries() -> Result<[Registry; 2]> {
                let (mut compiled, mut plain) = (Registry::new(), Registry::new());
                register!(compiled, dyn Thing { Stone, Bag, ByHand as "by hand" })?;
                plain.register::<dyn Thing, Stone>("Stone")?;
                plain.register::<dyn Thing, Bag>("Bag")?;
                plain.register::<dyn Thing, ByHand>("by hand")?;
                compiled.register::<dyn Thing, u64>("number")?;
                plain.register::<dyn Thing, u64>("number")?;
                Ok([compiled, plain])
            }
        }
    };
}

world!(now, [], [], []);
world!(
    later,
    [pub mana: u8,],
    [pub hardness: Option<Rc<Leaf>>,],
    [#[archive(default = 3)] pub size: u32,]
);

impl now::World {
    /// A world of the parts that the recipe says, one after the other.
    pub fn of(recipe: &[u8]) -> now::World {
        use now::*;
        let mut recipe = recipe.iter().copied();
        let mut next = move || recipe.next().map(usize::from);
        let count = next().unwrap_or(0) % 12;
        let units: Vec<_> = (0..count as u32)
            .map(|id| {
                Rc::new(RefCell::new(Unit { id, name: "u".repeat(id as usize), ..Unit::default() }))
            })
            .collect();
        let mut world = World::default();
        let mut squads: Vec<Rc<RefCell<Squad>>> = Vec::new();
        let mut leaves: Vec<Rc<Leaf>> = vec![Rc::default()];
        let mut shared: Vec<Rc<RefCell<dyn Thing>>> = vec![Rc::new(RefCell::new(Stone::default()))];
        let mut id = 100_u32;
        while let (Some(what), Some(who), Some(whom)) = (next(), next(), next()) {
            id += 1;
            if id % 64 == 63 {
                id += usize::is_power_of_two(whom) as u32 ^ 1;
            }
            let Some(other) = units.get(whom % count.max(1)) else { break };
            let unit = &units[who % count];
            let weak = Rc::downgrade(other);
            let leaf = leaves[whom % leaves.len()].clone();
            let thing = shared[whom % shared.len()].clone();
            let part = || -> Box<dyn Thing> {
                match whom % 4 {
                    0 => Box::new(Stone { id, weight: Some(id as u16) }),
                    1 => Box::new(Bag {
                        things: vec![Box::new(7_u64), Box::new(ByHand { id, ..ByHand::default() })],
                        owner: weak.clone(),
                        other: Some(Rc::downgrade(&thing)),
                    }),
                    2 => {
                        Box::new(ByHand { id, unit: Some(other.clone()), leaf: Some(leaf.clone()) })
                    }
                    _ => Box::new(u64::from(id)),
                }
            };
            match what % 15 {
                0 => unit.borrow_mut().friends.push(weak),
                1 => unit.borrow_mut().next = Some(other.clone()),
                2 => {
                    squads.push(Rc::new(RefCell::new(Squad {
                        id,
                        leader: weak,
                        ..Squad::default()
                    })));
                    unit.borrow_mut().squad = squads.last().cloned();
                }
                3 => unit.borrow_mut().squad = squads.get(whom % squads.len().max(1)).cloned(),
                4 => unit.borrow_mut().parts.push(part()),
                5 => {
                    leaves.push(Rc::new(Leaf { id, owner: weak, under: Some(leaf) }));
                    unit.borrow_mut().leaf = leaves.last().cloned();
                }
                6 => unit.borrow_mut().shared = Some(thing),
                7 => {
                    shared.push(match whom % 2 {
                        0 => Rc::new(RefCell::new(Stone { id, ..Stone::default() })),
                        _ => Rc::new(RefCell::new(Bag { owner: weak, ..Bag::default() })),
                    });
                    unit.borrow_mut().shared = shared.last().cloned();
                }
                8 => world.units.push(unit.clone()),
                9 => world.first = weak,
                10 => world.things.push(part()),
                11 => world.bare.push(match whom % 3 {
                    0 => Rc::new(id as u64),
                    1 => Rc::new(Stone { id, ..Stone::default() }),
                    _ => Rc::new(ByHand { id, leaf: Some(leaf), ..ByHand::default() }),
                }),
                12 => unit.borrow_mut().bytes.extend([id as u16, 7, 9]),
                13 => {
                    // So long that objects are deferred to the end of the outermost pointer.
                    let mut end = unit.clone();
                    for id in id..id + whom as u32 {
                        let next = Rc::new(RefCell::new(Unit { id: id % 63, ..Unit::default() }));
                        if id % 7 == 0 {
                            next.borrow_mut().parts.push(part());
                        }
                        end.borrow_mut().next = Some(next.clone());
                        end = next;
                    }
                }
                _ => {
                    world.leaves.insert(id as u16, leaf);
                    world.shared.push(thing);
                    world.last = Some(unit.clone());
                }
            }
        }
        world
    }
}
