//! A save with objects of a newer version of a type, without a version of the game: this build
//! neither loads it nor saves over it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use archive::save::testing::PowerCuts;
use archive::save::{SaveFile, Saves, SlotState};
use archive::{Archive, ErrorKind, Format, Options, Registry, Result, Serialize};

use crate::proof::power_cuts;

/// The types of a build. `Unit` has this version, and so has `Root`.
macro_rules! build {
    ($name:ident, $version:literal) => {
        mod $name {
            use super::*;

            #[derive(Clone, Debug, Default, PartialEq, Serialize)]
            #[archive(version = $version)]
            pub struct Unit {
                pub hp: u8,
            }
            #[derive(Debug, Default, Serialize)]
            pub enum State {
                #[default]
                Idle,
                One(Unit),
                Two(u8, Unit),
                Named {
                    unit: Unit,
                },
            }
            #[derive(Debug, Default, Serialize)]
            #[archive(tag = "type")]
            pub enum Tagged {
                #[default]
                Idle,
                Named {
                    unit: Unit,
                },
            }
            #[derive(Debug, Default, Serialize)]
            #[archive(tag = "type", content = "data")]
            pub enum Content {
                #[default]
                Idle,
                One(Unit),
            }
            #[derive(Debug, Default, Serialize)]
            pub struct Flat {
                pub inside: Vec<Unit>,
            }
            #[derive(Default, Serialize)]
            pub struct Node {
                pub unit: Option<Unit>,
                pub next: Option<Rc<RefCell<Node>>>,
            }
            pub trait Order: archive::Polymorphic {}
            archive::polymorphic!(dyn Order);
            #[derive(Default, Serialize)]
            pub struct Move {
                pub unit: Unit,
            }
            impl Order for Move {}
            /// Only its function knows the members.
            #[derive(Clone, Default)]
            pub struct Hand {
                pub unit: Option<Unit>,
            }
            impl Serialize for Hand {
                fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
                    ar.serialize("unit", &mut self.unit)
                }
            }
            archive::save_by_clone!(Hand);
            archive::blank!(Hand);

            /// Its signature does not contain the types of orders.
            #[derive(Default, Serialize)]
            pub struct Orders {
                pub all: Vec<Box<dyn Order>>,
            }

            #[derive(Default, Serialize)]
            pub struct World {
                pub plain: Option<Unit>,
                pub twice: Option<Option<Unit>>,
                pub list: Vec<Unit>,
                pub array: [Vec<Unit>; 2],
                pub tuple: (u8, Vec<Unit>),
                pub named: BTreeMap<String, Unit>,
                pub by_number: BTreeMap<u32, Vec<Unit>>,
                #[archive(as_object)]
                pub object: BTreeMap<String, Unit>,
                pub state: State,
                pub tagged: Tagged,
                pub content: Content,
                #[archive(flatten)]
                pub flat: Flat,
                #[archive(rename = "other", alias = "old")]
                pub renamed: Vec<Unit>,
                pub shared: Option<Rc<RefCell<Unit>>>,
                pub bare: Option<Rc<Unit>>,
                pub chain: Option<Rc<RefCell<Node>>>,
                pub owned: Option<Box<dyn Order>>,
                pub hand: Hand,
            }

            /// A world with a unit in one place.
            pub fn world(place: usize) -> World {
                let (unit, mut world) = (Unit { hp: 7 }, World::default());
                match place {
                    0 => world.plain = Some(unit),
                    1 => world.twice = Some(Some(unit)),
                    2 => world.list = vec![unit],
                    3 => world.array[1] = vec![unit],
                    4 => world.tuple.1 = vec![unit],
                    5 => world.named = [("a".into(), unit)].into(),
                    6 => world.by_number = [(3, vec![unit])].into(),
                    7 => world.object = [("a".into(), unit)].into(),
                    8 => world.state = State::One(unit),
                    9 => world.state = State::Two(1, unit),
                    10 => world.state = State::Named { unit },
                    11 => world.tagged = Tagged::Named { unit },
                    12 => world.content = Content::One(unit),
                    13 => world.flat.inside = vec![unit],
                    14 => world.renamed = vec![unit],
                    15 => world.shared = Some(Rc::new(RefCell::new(unit))),
                    16 => world.bare = Some(Rc::new(unit)),
                    17 => {
                        // So long that most of it is stored after the first object.
                        let mut last = Node { unit: Some(unit), next: None };
                        for _ in 0..300 {
                            last = Node { unit: None, next: Some(Rc::new(RefCell::new(last))) };
                        }
                        world.chain = Some(Rc::new(RefCell::new(last)));
                    }
                    18 => world.owned = Some(Box::new(Move { unit })),
                    _ => world.hand.unit = Some(unit),
                }
                world
            }

            pub fn registry() -> Registry {
                let mut registry = Registry::new();
                archive::register!(registry, dyn Order { Move }).unwrap();
                registry
            }
        }
    };
}
build!(newer, 2);
build!(older, 1);

/// As many members of a world as have units. The last one is loaded by hand.
const PLACES: usize = 20;
const HAND: usize = PLACES - 1;

fn formats() -> [(&'static str, Format); 5] {
    let sav = ["json", "binary", "blob", "msgpack"].map(|name| Format::from_name(name).unwrap());
    let [json, binary, blob, msgpack] = sav.map(|format| ("a.sav", format));
    [json, binary, blob, msgpack, ("a.json", Format::Json)]
}

/// Returns the file system of another process, which has this one's files.
fn copied(system: &PowerCuts) -> PowerCuts {
    let other = power_cuts();
    system.paths().iter().for_each(|path| other.put(path, system.get(path).unwrap()));
    other
}

/// Saves the world of the newer build under that path.
fn saved(path: &str, format: Format, place: usize) -> PowerCuts {
    let (system, registry) = (power_cuts(), newer::registry());
    let file = SaveFile::over(system.clone(), path);
    let options = Options::new().registry(&registry);
    file.save_with(&newer::world(place), format, &options).unwrap();
    copied(&system)
}

#[test]
fn an_older_build_does_not_save_over_it() {
    let (newer, older) = (newer::registry(), older::registry());
    let options = [Options::new().registry(&older), Options::new().registry(&newer)];
    for (path, format) in formats() {
        for place in 0..PLACES {
            let what = format!("{path}, {format:?}, place {place}");
            let system = saved(path, format, place);
            let (file, before) = (SaveFile::over(system.clone(), path), system.get(path).unwrap());
            // A hand-written function shows its members only when it runs.
            if place == HAND {
                let error = file.load_with::<older::World>(&options[0]).err().unwrap();
                assert_eq!(error.kind(), ErrorKind::NewerVersion, "{what}: {error}");
            }
            let saved = file.save_with(&older::World::default(), format, &options[0]);
            if path == "a.json" && place == HAND {
                // Plain text has no number by which it could be recognised.
                continue;
            }
            let error = saved.expect_err(&what);
            assert_eq!(error.kind(), ErrorKind::NewerVersion, "{what}: {error}");
            let words = "; a save would replace it: delete it, or save under another name";
            assert!(error.message().ends_with(words), "{what}: {error}");
            assert!(error.message().contains(path), "{what}: {error}");
            assert_eq!(system.get(path).unwrap(), before, "{what}");
            assert_eq!(system.paths().len(), 1, "{what}");
            // The load reports it.
            let error = file.load_with::<older::World>(&options[0]).err().unwrap();
            assert_eq!(error.kind(), ErrorKind::NewerVersion, "{what}: {error}");

            // The newer build continues.
            file.save_with(&newer::world(place), format, &options[1]).expect(&what);
            file.load_with::<newer::World>(&options[1]).expect(&what);
            // The older build continues, too, once the user has deleted the save.
            system.settle();
            for path in system.paths() {
                archive::save::FileSystem::remove(&system, &path).unwrap();
            }
            file.save_with(&older::World::default(), format, &options[0]).expect(&what);
        }
    }
}

#[test]
fn trait_objects_of_a_newer_version_are_found() {
    let (newer, older) = (newer::registry(), older::registry());
    for (path, format) in formats() {
        let system = power_cuts();
        let orders = newer::Orders { all: vec![Box::new(newer::Move::default())] };
        let options = Options::new().registry(&newer);
        SaveFile::over(system.clone(), path).save_with(&orders, format, &options).unwrap();
        let file = SaveFile::over(copied(&system), path);
        let options = Options::new().registry(&older);
        let error = file.save_with(&older::Orders::default(), format, &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NewerVersion, "{path}, {format:?}: {error}");
        // Without such an object, this build loads the save.
        let orders = newer::Orders::default();
        let options = Options::new().registry(&newer);
        SaveFile::over(system.clone(), path).save_with(&orders, format, &options).unwrap();
        let file = SaveFile::over(copied(&system), path);
        file.save_with(&older::Orders::default(), format, &Options::new()).unwrap();
    }
}

/// A build that loads a save replaces it, even if its types have changed.
#[test]
fn a_build_that_loads_it_saves_over_it() {
    let (newer, older) = (newer::registry(), older::registry());
    for (path, format) in formats() {
        for place in 0..PLACES {
            let system = power_cuts();
            let file = SaveFile::over(system.clone(), path);
            let options = Options::new().registry(&older);
            file.save_with(&older::world(place), format, &options).unwrap();
            let file = SaveFile::over(copied(&system), path);
            let options = Options::new().registry(&newer);
            file.save_with(&newer::World::default(), format, &options).unwrap();
        }
    }
}

/// The newer build saves in a format of its own.
#[test]
fn a_format_that_this_build_lacks_is_not_replaced() {
    let bare = Format::of::<archive::binary::bare::Bare>();
    let system = power_cuts();
    SaveFile::over(system.clone(), "a.sav").formats([bare]).save(&7_u8, bare).unwrap();
    let before = system.get("a.sav").unwrap();
    let file = SaveFile::over(copied(&system), "a.sav");
    let kind = file.load::<u8>().unwrap_err().kind();
    let error = file.save(&8_u8, Format::Json).unwrap_err();
    assert_eq!((error.kind(), kind), (ErrorKind::Unsupported, ErrorKind::Unsupported), "{error}");
    assert!(error.message().contains("a save would replace it"), "{error}");
    assert_eq!(system.get("a.sav").unwrap(), before);
    file.formats([bare]).save(&8_u8, Format::Json).unwrap();
}

#[test]
fn slots_and_jobs_refuse_it_too() {
    let system = saved("saves/a.sav", Format::Binary, 2);
    let saves = Saves::over(system.clone(), "saves").unwrap();
    let slot = saves.slot("a").unwrap();
    let before = system.get("saves/a.sav").unwrap();
    let world = older::World::default();
    let job = slot.save_in_background(&world, Format::Json).unwrap();
    for error in [slot.save(&world, Format::Json).unwrap_err(), job.wait().unwrap_err()] {
        assert_eq!(error.kind(), ErrorKind::NewerVersion, "{error}");
    }
    assert_eq!(system.get("saves/a.sav").unwrap(), before);
}

/// The file is damaged, and its backup would be removed next.
#[test]
fn a_backup_that_only_a_newer_build_loads_is_not_replaced() {
    let system = saved("a.sav", Format::Binary, 2);
    system.put("a.sav.1", system.get("a.sav").unwrap());
    system.put("a.sav", "no save");
    let file = SaveFile::over(system.clone(), "a.sav");
    let error = file.save(&older::World::default(), Format::Binary).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NewerVersion);
    assert!(error.message().starts_with("a.sav.1 has version 2 of `Unit`"), "{error}");
    assert_eq!(system.get("a.sav").unwrap(), b"no save");
}

#[test]
fn autosaves_of_a_newer_build_are_not_removed() {
    let system = power_cuts();
    let newer = Saves::over(system.clone(), "saves").unwrap().autosaves(3);
    for _ in 0..3 {
        newer.autosave().unwrap().save(&newer::world(2), Format::Binary).unwrap();
    }
    let older = Saves::over(copied(&system), "saves").unwrap().autosaves(2);
    for _ in 0..6 {
        older.autosave().unwrap().save(&older::world(2), Format::Binary).unwrap();
    }
    let listed = older.list().unwrap();
    let names: Vec<_> = listed.iter().map(|slot| slot.name()).collect();
    let expected = ["autosave 9", "autosave 8", "autosave 3", "autosave 2", "autosave 1"];
    assert_eq!(names, expected);
}

/// The button "Continue" loads the newest save that this build can load, and reports the others.
#[test]
fn the_newest_save_that_this_build_loads_is_loaded() {
    let system = power_cuts();
    let saves = |system: &PowerCuts| Saves::over(system.clone(), "saves").unwrap();
    saves(&system).slot("mine").unwrap().save(&older::world(3), Format::Binary).unwrap();
    saves(&system).slot("newer").unwrap().save(&newer::world(3), Format::Binary).unwrap();
    let saves = saves(&copied(&system));
    let loaded = saves.load_newest::<older::World>().unwrap().unwrap();
    assert_eq!(loaded.slot.as_deref(), Some("mine"));
    let [skipped] = &loaded.skipped[..] else { panic!("{:?}", loaded.skipped) };
    assert_eq!((skipped.name(), skipped.state()), ("newer", SlotState::NewerGame));
    assert_eq!(skipped.error().unwrap().kind(), ErrorKind::NewerVersion);
    saves.delete("mine").unwrap();
    let error = saves.load_newest::<older::World>().err().unwrap();
    assert_eq!(error.kind(), ErrorKind::NewerVersion, "{error}");
}
