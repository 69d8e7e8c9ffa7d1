//! `assert_covers!`.

#![allow(dead_code)] // fields are printed, and forgotten on purpose

use std::collections::{BTreeMap, HashMap};
use std::marker::PhantomData;
use std::net::IpAddr;
use std::rc::{Rc, Weak};
use std::sync::atomic::{AtomicU32, Ordering};

use archive::testing::assert_covers;
use archive::{Archive, Error, Options, Result, Serialize, Value};
use skirmish::component::Weapon;
use skirmish::ldtk::{
    AutoRule, Definitions, EntityDef, EntityInstance, EnumDef, FieldDef, FieldInstance, Header,
    LayerDef, LayerInstance, Level, Project, Settings, TileInstance, TileRect, TilesetDef,
};
use skirmish::{Camp, Health, Mood, Point};

use super::{failure, says};

/// A hand-written type with the members after `=>`; the part in brackets is how each is visited.
macro_rules! by_hand {
    ($(#[$on:meta])* $T:ident { $($field:ident: $ty:ty),* $(,)? } => |$this:ident, $ar:ident| $body:expr) => {
        #[derive(Debug)]
        $(#[$on])*
        struct $T { $($field: $ty),* }
        impl Serialize for $T {
            fn serialize<A: Archive>(&mut self, $ar: &mut A) -> Result {
                let $this = self;
                $body
            }
        }
        archive::blank!($T);
    };
}

#[test]
fn every_field_is_visited() {
    by_hand!(#[derive(Default)] Unit {
        name: String, hp: i8, alive: bool, pack: Vec<u8>, grid: [[f32; 2]; 2], state: Option<u8>,
        map: HashMap<String, u8>, pair: (char, u128), home: Option<Point>, shared: Rc<u8>,
        nothing: (), kind: PhantomData<u8>, text: std::path::PathBuf, any: Value,
        count: std::cell::Cell<u16>,
    } => |this, ar| {
        ar.serialize("Name", &mut this.name)?;
        ar.serialize("HP", &mut this.hp)?;
        ar.serialize("Alive", &mut this.alive)?;
        ar.serialize("Items", &mut this.pack)?;
        ar.serialize("Grid", &mut this.grid)?;
        ar.serialize("State", &mut this.state)?;
        ar.serialize("Skills", &mut this.map)?;
        ar.serialize("Pair", &mut this.pair)?;
        ar.serialize("Home", &mut this.home)?;
        ar.serialize("Other", &mut this.shared)?;
        ar.serialize("nothing", &mut this.nothing)?;
        ar.serialize("Path", &mut this.text)?;
        ar.serialize("Extra", &mut this.any)?;
        ar.serialize("Count", &mut this.count)
    });
    assert_covers!(Unit);
}

#[test]
fn a_forgotten_field_is_named() {
    by_hand!(#[derive(Default)] Unit { hp: u32, mp: u32, cache: Vec<u8> } => |this, ar| {
        ar.serialize("hp", &mut this.hp)
    });
    let message = failure(|| assert_covers!(Unit));
    says(&message, &["`Unit`", "\n    cache\n    mp\n", "visits `hp`", "except: cache, mp"]);
    let message = failure(|| assert_covers!(Unit, except: cache));
    says(&message, &["visit:\n    mp\n", "except: cache, mp"]);
    assert_covers!(Unit, except: cache, mp);
    let message = failure(|| assert_covers!(Unit, except: cash, mp));
    says(&message, &["no field `cash`"]);
}

/// An unnecessary exception would later hide that the field is forgotten.
#[test]
fn an_exception_that_is_visited_is_named() {
    by_hand!(#[derive(Default)] Unit { hp: u32, leader: Weak<u8>, cache: u8 } => |this, ar| {
        ar.serialize("leader", &mut this.leader)?;
        ar.serialize("hp", &mut this.hp)
    });
    assert_covers!(Unit, except: cache);
    for message in [
        failure(|| assert_covers!(Unit, except: cache, hp)),
        failure(|| assert_covers!(Unit, except: hp)),
        failure(
            || assert_covers!(value: Unit { hp: 1, leader: Weak::new(), cache: 2 }, except: hp),
        ),
    ] {
        says(&message, &["`hp` is visited: remove it from `except`"]);
    }
    says(
        &failure(|| assert_covers!(Unit, except: cache, leader)),
        &["`leader` is visited: remove"],
    );

    // One list for all variants: the exception is needed if one of them needs it.
    #[derive(Debug, Serialize)]
    enum State {
        Walk {
            to: u8,
            since: u8,
        },
        Wait {
            #[archive(skip)]
            since: u8,
        },
    }
    assert_covers!(State, except: since);
    says(&failure(|| assert_covers!(State, except: since, to)), &["`to` is visited: remove"]);

    #[derive(Debug, Default, Serialize)]
    struct Open {
        hp: u8,
        #[archive(unknown)]
        rest: BTreeMap<String, Value>,
    }
    assert_covers!(Open);
    says(&failure(|| assert_covers!(Open, except: rest)), &["`rest` is visited: remove"]);
}

/// The branch of a function for an older version.
#[test]
fn older_versions() {
    #[derive(Debug, Default)]
    struct Inner {
        now: u8,
    }
    impl Serialize for Inner {
        const VERSION: u32 = 5;
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            assert_eq!(ar.version(), 5, "the version is that of the type that is checked");
            ar.serialize("now", &mut self.now)
        }
    }
    archive::blank!(Inner);

    #[derive(Debug, Default)]
    struct Unit {
        hp: u32,
        mp: u32,
        lost: u8,
        inner: Inner,
    }
    impl Serialize for Unit {
        const VERSION: u32 = 2;
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("inner", &mut self.inner)?;
            match ar.version() {
                0 => return ar.serialize("tenths", &mut self.hp),
                1 => {}
                _ => ar.serialize("lost", &mut self.lost)?,
            }
            ar.serialize("hp", &mut self.hp)?;
            ar.serialize("mp", &mut self.mp)
        }
    }
    archive::blank!(Unit);
    assert_covers!(Unit);
    assert_covers!(Unit, version: 2);
    assert_covers!(Unit, version: 1, except: lost);
    assert_covers!(Unit, options: &Options::new(), version: 0, except: mp, lost);
    assert_covers!(value: Unit::default(), version: 0, except: mp, lost);
    let message = failure(|| assert_covers!(Unit, version: 0));
    says(
        &message,
        &["does not visit in version 0:\n    lost\n    mp\n", "visits `inner`, `tenths`"],
    );
    let message = failure(|| assert_covers!(Unit, version: 1, except: lost, mp));
    says(&message, &["`mp` is visited in version 1: remove"]);

    says(&failure(|| assert_covers!(Unit, version: 3)), &["no version 3: the newest is 2"]);
    says(&failure(|| assert_covers!(Option<Unit>, version: 1)), &["named members"]);
    says(&failure(|| assert_covers!(value: Some(1_u8), version: 0)), &["named members"]);
}

#[test]
fn a_field_under_another_ones_name_is_named() {
    by_hand!(#[derive(Default)] Unit { hp: u32, mp: u32 } => |this, ar| {
        ar.serialize("hp", &mut this.mp)
    });
    says(&failure(|| assert_covers!(Unit)), &["visit:\n    hp\n"]);
    by_hand!(#[derive(Default)] Twice { hp: u32, mp: u32 } => |this, ar| {
        ar.serialize("hp", &mut this.hp)?;
        ar.serialize("mp", &mut this.hp)
    });
    says(&failure(|| assert_covers!(Twice)), &["visit:\n    mp\n"]);
}

/// The value is visited only while saving, or only through a copy.
#[test]
fn fields_that_are_not_loaded_are_named() {
    by_hand!(#[derive(Default)] Unit { hp: u32, mp: u32, xp: u32 } => |this, ar| {
        let mut copy = this.mp;
        ar.serialize("mp", &mut copy)?;
        if ar.is_saving() {
            ar.serialize("xp", &mut this.xp)?;
        }
        ar.serialize("hp", &mut this.hp)
    });
    says(&failure(|| assert_covers!(Unit)), &["visit:\n    mp\n    xp\n"]);
}

trait Command: archive::Polymorphic + std::fmt::Debug {}
archive::polymorphic!(dyn Command);

/// Nothing in these can be changed: they are identified by their names.
#[test]
fn types_that_cannot_be_changed() {
    #[derive(Debug, Default)]
    struct Unit {
        peer_addr: Option<IpAddr>,
        leader: Weak<u8>,
        nothing: (),
        commands: Vec<Box<dyn Command>>,
    }
    impl Serialize for Unit {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("PeerAddr", &mut self.peer_addr)?;
            ar.serialize("leader", &mut self.leader)?;
            ar.serialize("nothing", &mut self.nothing)?;
            ar.serialize("Commands", &mut self.commands)
        }
    }
    archive::blank!(Unit);
    assert_covers!(Unit);

    #[derive(Debug, Default)]
    struct Forgetful {
        leader: Weak<u8>,
        follower: Weak<u8>,
    }
    impl Serialize for Forgetful {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("first", &mut self.leader)?;
            ar.serialize("follower", &mut self.follower)
        }
    }
    archive::blank!(Forgetful);
    let message = failure(|| assert_covers!(Forgetful));
    says(&message, &["visit:\n    leader\n", "`first` (nothing in it changed)"]);
}

#[test]
fn tuples_and_newtypes() {
    #[derive(Debug, Default)]
    struct Pair(u8, String);
    impl Serialize for Pair {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            ar.serialize("name", &mut self.1)
        }
    }
    archive::blank!(Pair);
    says(&failure(|| assert_covers!(Pair)), &["visit:\n    0\n"]);
    assert_covers!(Pair, except: 0);

    #[derive(Debug, Default, Serialize)]
    struct Derived(u8, String, #[archive(skip)] u8);
    says(&failure(|| assert_covers!(Derived)), &["visit:\n    2\n"]);
    assert_covers!(Derived, except: 2);

    #[derive(Debug, Default, Serialize)]
    struct Newtype(Vec<u8>);
    assert_covers!(Newtype);
    #[derive(Debug, Default, Serialize)]
    struct Unit;
    assert_covers!(Unit);
    #[derive(Debug, Serialize)]
    struct Address(#[archive(default = IpAddr::from([0, 0, 0, 0]))] IpAddr);
    assert_covers!(Address);

    #[derive(Debug, Default)]
    struct Nothing(u8);
    impl Serialize for Nothing {
        fn serialize<A: Archive>(&mut self, _: &mut A) -> Result {
            Ok(())
        }
    }
    archive::blank!(Nothing);
    says(&failure(|| assert_covers!(Nothing)), &["visit:\n    0\n", "It visits nothing."]);
}

#[test]
fn enums() {
    #[derive(Debug, Default, Serialize)]
    enum State {
        #[default]
        Idle,
        Wait(u32),
        Hit(u32, f32),
        Walk {
            to: (i32, i32),
            #[archive(skip)]
            since: u32,
        },
        #[archive(other)]
        Other(String),
    }
    let message = failure(|| assert_covers!(State));
    says(&message, &["visit:\n    Walk: since\nIt"]);
    assert_covers!(State, except: since);
    assert_covers!(value: State::Hit(1, 2.0));
    says(&failure(|| assert_covers!(value: State::Walk { to: (1, 2), since: 3 })), &["since"]);

    /// Hand-written, by a number.
    #[derive(Debug, Default)]
    enum Manual {
        #[default]
        Empty,
        Circle {
            radius: f32,
            forgotten: u8,
        },
        Square(u8),
    }
    impl Serialize for Manual {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            let mut kind = match self {
                Manual::Empty => 0_u8,
                Manual::Circle { .. } => 1,
                Manual::Square(_) => 2,
            };
            ar.serialize("kind", &mut kind)?;
            if ar.is_loading() {
                *self = match kind {
                    0 => Manual::Empty,
                    1 => Manual::Circle { radius: 0.0, forgotten: 0 },
                    2 => Manual::Square(0),
                    _ => return Err(Error::custom("no such kind")),
                };
            }
            match self {
                Manual::Empty => Ok(()),
                Manual::Circle { radius, .. } => ar.serialize("radius", radius),
                Manual::Square(size) => ar.serialize("size", size),
            }
        }
    }
    archive::blank!(Manual);
    let message = failure(|| assert_covers!(Manual));
    says(&message, &["visit:\n    Circle: forgotten\nIt", "no such kind"]);
    assert_covers!(Manual, except: forgotten);

    /// Hand-written, by a `bool`.
    #[derive(Debug)]
    enum Either {
        Left { a: u8, b: u8 },
        Right { c: bool, d: bool },
    }
    impl Serialize for Either {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            let mut left = matches!(self, Either::Left { .. });
            ar.serialize("left", &mut left)?;
            match self {
                Either::Left { a, .. } if left => ar.serialize("a", a),
                Either::Right { c, .. } if !left => ar.serialize("c", c),
                _ if left => {
                    *self = Either::Left { a: 0, b: 0 };
                    Ok(())
                }
                _ => {
                    *self = Either::Right { c: false, d: false };
                    Ok(())
                }
            }
        }
    }
    let message = failure(|| assert_covers!(value: Either::Left { a: 1, b: 2 }));
    says(&message, &["visit:\n    Left: b\n    Right: d\nIt"]);
}

/// Functions that refuse values, and functions that panic on them.
#[test]
fn functions_that_are_particular() {
    by_hand!(#[derive(Default)] Grid { width: u8, height: u8, cells: Vec<u8>, lost: u8 } => |this, ar| {
        ar.serialize("width", &mut this.width)?;
        ar.serialize("height", &mut this.height)?;
        ar.serialize("cells", &mut this.cells)?;
        if usize::from(this.width) * usize::from(this.height) != this.cells.len() {
            return Err(Error::custom("cells are missing"));
        }
        Ok(())
    });
    let message = failure(|| assert_covers!(Grid));
    says(&message, &["visit:\n    lost\nIt", "cells are missing"]);

    by_hand!(#[derive(Default)] Panics { at: u8, list: [u8; 3], name: String } => |this, ar| {
        ar.serialize("at", &mut this.at)?;
        ar.serialize("name", &mut this.name)?;
        this.list[usize::from(this.at)] = 1;
        ar.serialize("list", &mut this.list)
    });
    assert_covers!(Panics);
}

/// A number that is valid in a small range, and an object that is only valid as a whole.
#[test]
fn proxies() {
    mod percent {
        use super::{Error, Result};
        #[derive(Debug, Clone, Copy, Default)]
        pub struct Percent(u8);
        pub fn save(percent: &Percent) -> Result<u8> {
            Ok(percent.0)
        }
        pub fn load(percent: u8) -> Result<Percent> {
            if percent <= 5 { Ok(Percent(percent)) } else { Err(Error::custom("too much")) }
        }
    }
    #[derive(Debug, Default, Serialize)]
    struct Unit {
        #[archive(with = percent)]
        luck: percent::Percent,
        time: std::time::Duration,
        id: Option<std::num::NonZero<u32>>,
        #[archive(bytes)]
        mask: Vec<u8>,
        #[archive(flatten)]
        health: Health,
        #[archive(unknown)]
        rest: BTreeMap<String, Value>,
    }
    assert_covers!(Unit);
}

#[test]
fn types_that_contain_themselves() {
    #[derive(Debug, Default, Serialize)]
    struct Tree {
        left: Option<Box<Tree>>,
        children: Vec<Tree>,
        sum: Option<Sum>,
    }
    #[derive(Debug, Serialize)]
    enum Sum {
        Number(i64),
        Add { left: Box<Sum>, right: Box<Sum> },
    }
    assert_covers!(Tree);
    assert_covers!(Sum);
    assert_covers!(Camp);
}

#[test]
fn types_that_need_more_than_a_blank() {
    #[derive(Debug, Serialize)]
    struct Boxed {
        command: Box<dyn Command>,
    }
    says(&failure(|| assert_covers!(Boxed)), &["`Boxed` cannot be checked", "value: "]);

    #[derive(Default, Serialize)]
    struct Opaque {
        a: u8,
    }
    impl std::fmt::Debug for Opaque {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "<{}>", self.a)
        }
    }
    says(&failure(|| assert_covers!(Opaque)), &["derive(Debug)"]);

    struct Names(String);
    #[derive(Debug, Default)]
    struct Needy {
        id: u32,
    }
    impl Serialize for Needy {
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            let name = &ar.context::<Names>().ok_or_else(|| Error::custom("no names"))?.0.clone();
            ar.serialize(name, &mut self.id)
        }
    }
    archive::blank!(Needy);
    says(&failure(|| assert_covers!(Needy)), &["visit:\n    id\n", "no names"]);
    let options = Options::new().provide(Names("number".into()));
    assert_covers!(Needy, options: &options);
    assert_covers!(value: Needy { id: 3 }, options: &options);
    assert_covers!(value: Needy { id: 3 }, except: id);
}

/// Types of a real program, derived and by hand.
#[test]
fn types_of_skirmish() {
    assert_covers!(Mood);
    assert_covers!(Point);
    assert_covers!(AutoRule);
    assert_covers!(Definitions);
    assert_covers!(EntityDef);
    assert_covers!(EntityInstance);
    assert_covers!(EnumDef);
    assert_covers!(FieldDef);
    assert_covers!(FieldInstance);
    assert_covers!(Header);
    assert_covers!(LayerDef);
    assert_covers!(LayerInstance);
    assert_covers!(Level);
    assert_covers!(Settings);
    assert_covers!(TileInstance);
    assert_covers!(TileRect);
    assert_covers!(TilesetDef);
    assert_covers!(Weapon);
    assert_covers!(Project);
}

/// Values that differ each time one is created are not a sign of a visit.
#[test]
fn values_that_are_never_the_same() {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    #[derive(Debug, Serialize)]
    struct Unit {
        #[archive(skip)]
        id: u32,
        #[archive(skip)]
        map: HashMap<u32, u32>,
        hp: u32,
    }
    impl Default for Unit {
        fn default() -> Self {
            let id = NEXT.fetch_add(1, Ordering::Relaxed);
            Unit { id, map: (0..20).map(|n| (n, n)).collect(), hp: 0 }
        }
    }
    says(&failure(|| assert_covers!(Unit)), &["visit:\n    id\n    map\nIt"]);
    assert_covers!(Unit, except: id, map);
}
