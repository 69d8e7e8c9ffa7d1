//! `Options::target_version`: files for previous releases of a program.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use crate::common::{Format, forgiving, formats};
use archive::format::Session;
use archive::shape::Shape;
use archive::tool::{Begun, Saves, Scalar, Visitor, Walk};
use archive::{
    Archive, ErrorKind, Options, Registry, Result, Save, Serialize, Value, polymorphic, register,
};

/// The previous release, which reads exported files.
mod previous {
    use super::*;

    /// Tenths of hit points, and no name.
    #[derive(Default, Debug, PartialEq, Clone)]
    pub struct Unit {
        pub tenths: u32,
        pub seen: u32,
    }

    impl Serialize for Unit {
        const VERSION: u32 = 1;
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            self.seen = ar.version();
            ar.serialize("tenths", &mut self.tenths)
        }
    }
    archive::save_by_clone!(Unit);
    archive::blank!(Unit);

    #[derive(Default, Debug, PartialEq, Serialize)]
    #[archive(version = 2)]
    pub struct Squad {
        pub name: String,
    }

    pub trait Order: archive::Polymorphic {
        fn unit(&self) -> &Unit;
    }
    polymorphic!(dyn Order);

    #[derive(Default, Serialize)]
    pub struct Guard {
        pub unit: Unit,
    }

    impl Order for Guard {
        fn unit(&self) -> &Unit {
            &self.unit
        }
    }

    #[derive(Default, Debug, PartialEq, Serialize)]
    pub enum State {
        #[default]
        Idle,
        Carrying(Unit),
        Following {
            leader: Unit,
        },
    }

    #[derive(Default, Serialize)]
    pub struct World {
        pub units: Vec<Unit>,
        pub by_name: BTreeMap<String, Unit>,
        pub shared: Option<Rc<RefCell<Unit>>>,
        pub bare: Rc<Unit>,
        pub orders: Vec<Box<dyn Order>>,
        pub active: Option<Rc<RefCell<dyn Order>>>,
        pub states: Vec<State>,
        pub other: (u8, Option<Unit>),
        pub chain: Option<Rc<RefCell<Link>>>,
    }

    #[derive(Default, Serialize)]
    pub struct Link {
        pub unit: Unit,
        pub next: Option<Rc<RefCell<Link>>>,
    }

    pub fn options() -> Options<'static> {
        let mut registry = Registry::new();
        register!(registry, dyn Order { Guard }).unwrap();
        Options::new().registry(&registry)
    }
}

/// This release.
#[derive(Default, Debug, PartialEq, Clone)]
struct Unit {
    name: String,
    hp: u32,
    seen: u32,
}

impl Serialize for Unit {
    const VERSION: u32 = 2;
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        self.seen = ar.version();
        if ar.version() < 2 {
            let mut tenths = self.hp * 10;
            ar.serialize("tenths", &mut tenths)?;
            self.hp = tenths / 10;
            return Ok(());
        }
        ar.serialize("name", &mut self.name)?;
        ar.serialize("hp", &mut self.hp)
    }
}
archive::save_by_clone!(Unit);
archive::blank!(Unit);

fn unit(hp: u32) -> Unit {
    Unit { name: "Ann".into(), hp, seen: 0 }
}

#[derive(Default, Debug, PartialEq, Serialize)]
#[archive(version = 3)]
struct Squad {
    name: String,
    morale: u8,
}

trait Order: archive::Polymorphic {}
polymorphic!(dyn Order);

#[derive(Default, Serialize)]
struct Guard {
    unit: Unit,
}

impl Order for Guard {}

#[derive(Default, Debug, PartialEq, Serialize)]
enum State {
    #[default]
    Idle,
    Carrying(Unit),
    Following {
        leader: Unit,
    },
}

#[derive(Default, Serialize)]
struct World {
    units: Vec<Unit>,
    by_name: BTreeMap<String, Unit>,
    shared: Option<Rc<RefCell<Unit>>>,
    bare: Rc<Unit>,
    orders: Vec<Box<dyn Order>>,
    active: Option<Rc<RefCell<dyn Order>>>,
    states: Vec<State>,
    other: (u8, Option<Unit>),
    chain: Option<Rc<RefCell<Link>>>,
}

#[derive(Default, Serialize)]
struct Link {
    unit: Unit,
    next: Option<Rc<RefCell<Link>>>,
}

fn world() -> World {
    let mut chain = None;
    for hp in 0..60 {
        chain = Some(Rc::new(RefCell::new(Link { unit: unit(hp), next: chain })));
    }
    World {
        units: vec![unit(1), unit(2)],
        by_name: [("a".into(), unit(3))].into(),
        shared: Some(Rc::new(RefCell::new(unit(4)))),
        bare: Rc::new(unit(5)),
        orders: vec![Box::new(Guard { unit: unit(6) })],
        active: Some(Rc::new(RefCell::new(Guard { unit: unit(7) }))),
        states: vec![State::Idle, State::Carrying(unit(8)), State::Following { leader: unit(9) }],
        other: (1, Some(unit(10))),
        chain,
    }
}

fn options() -> Options<'static> {
    let mut registry = Registry::new();
    register!(registry, dyn Order { Guard }).unwrap();
    Options::new().registry(&registry)
}

/// Saves in every way: through `&`, `&mut`, and `erased()`.
fn exports<T: Serialize + Save>(
    format: Format,
    mut value: T,
    options: &Options<'_>,
) -> Vec<Vec<u8>> {
    vec![
        format.to_vec_with(&value, options).unwrap(),
        format.to_vec_with(&mut value, options).unwrap(),
        format.to_vec_with(&mut crate::common::Erased(&mut value), options).unwrap(),
    ]
}

#[test]
fn the_release_before_reads_hand_written_types_everywhere() {
    let export = options().target_version::<Unit>(1);
    for format in formats() {
        for bytes in exports(format, world(), &export) {
            let strict = previous::options().strict(true);
            let world: previous::World =
                format.from_slice_with(&bytes, &strict).unwrap_or_else(|e| panic!("{format}: {e}"));
            let expect = |hp: u32| previous::Unit { tenths: hp * 10, seen: 1 };
            assert_eq!(world.units, [expect(1), expect(2)], "{format}");
            assert_eq!(world.by_name["a"], expect(3), "{format}");
            assert_eq!(*world.shared.unwrap().borrow(), expect(4), "{format}");
            assert_eq!(*world.bare, expect(5), "{format}");
            assert_eq!(*world.orders[0].unit(), expect(6), "{format}");
            assert_eq!(*world.active.unwrap().borrow().unit(), expect(7), "{format}");
            let following = previous::State::Following { leader: expect(9) };
            assert_eq!(
                world.states,
                [previous::State::Idle, previous::State::Carrying(expect(8)), following],
                "{format}"
            );
            assert_eq!(world.other.1, Some(expect(10)), "{format}");
            let (mut next, mut hp) = (world.chain, 60);
            while let Some(link) = next {
                hp -= 1;
                assert_eq!(link.borrow().unit, expect(hp), "{format}");
                next = link.borrow_mut().next.take();
            }
            assert_eq!(hp, 0, "{format}");

            // This release reads it, too, with the target and without.
            for options in [&export, &options()] {
                let world: World = format.from_slice_with(&bytes, options).unwrap();
                let expected = Unit { name: String::new(), hp: 1, seen: 1 };
                assert_eq!(world.units[0], expected, "{format}");
            }
        }
    }
}

#[test]
fn derived_types_write_all_members() {
    let export = Options::new().target_version::<Squad>(2);
    for format in forgiving() {
        let squad = Squad { name: "Red".into(), morale: 7 };
        for bytes in exports(format, squad, &export) {
            let (squad, report) =
                format.from_slice_report::<previous::Squad>(&bytes, &Options::new()).unwrap();
            assert_eq!(squad.name, "Red", "{format}");
            assert_eq!(report.unknown().collect::<Vec<_>>(), ["morale"], "{format}");
            let strict = Options::new().strict(true);
            let error = format.from_slice_with::<previous::Squad>(&bytes, &strict).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::UnknownMember, "{format}: {error}");
            // Without the target the previous release refuses it.
            let squad = Squad { name: "Red".into(), morale: 7 };
            let error =
                format.from_slice::<previous::Squad>(&format.to_vec(&squad).unwrap()).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::NewerVersion, "{format}");
            assert_eq!(format.from_slice::<Squad>(&bytes).unwrap(), squad, "{format}");
        }
    }
}

fn versions(format: Format, value: &impl Save, options: &Options<'_>) -> Vec<Option<u64>> {
    let bytes = format.to_vec_with(value, options).unwrap();
    let Value::Array(items) = format.from_slice::<Value>(&bytes).unwrap() else {
        panic!("{format}: no sequence")
    };
    items.iter().map(|item| item.get("$version").and_then(Value::as_u64)).collect()
}

#[test]
fn other_types_are_left_alone_and_zero_is_not_written() {
    let both = (unit(1), Squad { name: "Red".into(), morale: 7 });
    for format in forgiving() {
        let of = |options: Options<'_>| versions(format, &both, &options);
        let new = Options::new;
        assert_eq!(of(new()), [Some(2), Some(3)], "{format}");
        assert_eq!(of(new().target_version::<Unit>(1)), [Some(1), Some(3)], "{format}");
        assert_eq!(of(new().target_version::<Squad>(1)), [Some(2), Some(1)], "{format}");
        let two = new().target_version::<Unit>(0).target_version::<Squad>(0);
        assert_eq!(of(two), [None, None], "{format}");
        // The last one counts.
        let twice = new().target_version::<Unit>(0).target_version::<Unit>(1);
        assert_eq!(of(twice), [Some(1), Some(3)], "{format}");
        // Its own version has no effect.
        let own = new().target_version::<Unit>(2).target_version::<Squad>(3);
        assert_eq!(
            format.to_vec_with(&both, &own).unwrap(),
            format.to_vec(&both).unwrap(),
            "{format}"
        );
    }
}

#[derive(Default, Serialize)]
#[archive(version = 1)]
struct Spawn<T> {
    of: T,
}

#[test]
fn generic_types_have_versions_of_their_own() {
    let both = (Spawn { of: 1_u8 }, Spawn { of: 2_u16 });
    let export = Options::new().target_version::<Spawn<u16>>(0);
    for format in forgiving() {
        assert_eq!(versions(format, &both, &export), [Some(1), None], "{format}");
    }
}

/// Types with the same description are one type in the tables of the binary format, unless they are
/// written in different versions.
#[test]
fn types_with_equal_descriptions_are_distinguished() {
    mod other {
        #[derive(Default, archive::Serialize)]
        #[archive(version = 3)]
        pub struct Squad {
            pub name: String,
            pub morale: u8,
        }
    }
    type Both = (Vec<Squad>, Vec<other::Squad>, Option<Squad>, Option<other::Squad>);
    let both: Both = (
        vec![Squad::default()],
        vec![other::Squad::default()],
        Some(Squad::default()),
        Some(other::Squad::default()),
    );
    for (export, expected) in [
        (Options::new().target_version::<other::Squad>(1), [3, 1, 3, 1]),
        (Options::new().target_version::<Squad>(1), [1, 3, 1, 3]),
    ] {
        for format in forgiving() {
            let bytes = format.to_vec_with(&both, &export).unwrap();
            let tree: Value = format.from_slice(&bytes).unwrap();
            let text = String::from_utf8(archive::json::to_vec(&tree).unwrap()).unwrap();
            let found: Vec<u32> = text
                .split("\"$version\":")
                .skip(1)
                .map(|rest| rest[..1].parse().unwrap())
                .collect();
            assert_eq!(found, expected, "{format}: {text}");
        }
    }
}

#[test]
fn versions_that_the_program_does_not_know_are_refused() {
    let newer = Options::new().target_version::<Squad>(4);
    for format in formats() {
        // Whether the type is in the value or not.
        for error in [
            format.to_vec_with(&Squad::default(), &newer).unwrap_err(),
            format.to_vec_with(&7_u8, &newer).unwrap_err(),
            format.to_writer_with(Vec::new(), &7_u8, &newer).unwrap_err(),
            Value::of_with(&Squad::default(), &newer).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::NewerVersion, "{format}");
            assert_eq!(
                error.to_string(),
                "`Squad` cannot be saved as version 4 (`Options::target_version`): the program \
                 knows it up to version 3",
                "{format}"
            );
        }
        // Loading ignores it.
        let bytes = format.to_vec(&Squad::default()).unwrap();
        assert_eq!(format.from_slice_with::<Squad>(&bytes, &newer).unwrap(), Squad::default());
    }
    let mut writer = archive::json::Writer::with(&newer);
    let error = writer.save("squad", &Squad::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NewerVersion);
    // A type without versions has version 0 alone.
    let options = Options::new().target_version::<Guard>(1);
    let error = archive::json::to_string_with(&7_u8, &options).unwrap_err();
    assert!(error.message().contains("`Guard` cannot be saved as version 1"), "{error}");
    let options = Options::new().target_version::<Guard>(0);
    assert_eq!(archive::json::to_string_with(&7_u8, &options).unwrap(), "7");
}

/// A type that is saved as its only field is that type.
#[test]
fn newtypes_are_saved_as_their_content() {
    #[derive(Default, Serialize)]
    struct Wrapped(Squad);
    let export = Options::new().target_version::<Wrapped>(1);
    let text = archive::json::to_string_with(&Wrapped::default(), &export).unwrap();
    assert_eq!(text, r#"{"$version":1,"name":"","morale":0}"#);
}

#[test]
fn named_roots_and_trees() {
    let export = Options::new().target_version::<Unit>(1);
    let mut writer = archive::binary::Writer::with(&export);
    writer.save("a", &unit(3)).unwrap();
    writer.save("b", &vec![unit(4)]).unwrap();
    let file = writer.finish().unwrap();
    let mut reader = archive::binary::Reader::new(&file).unwrap();
    let units: Vec<previous::Unit> = reader.load("b").unwrap();
    assert_eq!(units, [previous::Unit { tenths: 40, seen: 1 }]);

    let tree = Value::of_with(&unit(3), &export).unwrap();
    assert_eq!(archive::json::to_string(&tree).unwrap(), r#"{"$version":1,"tenths":30}"#);
    for format in forgiving() {
        let bytes = format.to_vec(&tree).unwrap();
        let unit: previous::Unit = format.from_slice(&bytes).unwrap();
        assert_eq!(unit, previous::Unit { tenths: 30, seen: 1 }, "{format}");
    }
}

/// A tool that visits values in memory finds them as they would be saved.
#[test]
fn tools_see_the_version_that_would_be_saved() {
    #[derive(Default)]
    struct Names<'o>(Vec<String>, Session, Options<'o>);

    impl Visitor for Names<'_> {
        fn parts(&self) -> (&Session, &Options<'_>) {
            (&self.1, &self.2)
        }
        fn parts_mut(&mut self) -> (&mut Session, &Options<'_>) {
            (&mut self.1, &self.2)
        }
        fn begin_member(&mut self, name: &str, _: &'static Shape) -> Result<Begun> {
            self.0.push(name.to_owned());
            Ok(Begun::Here)
        }
        fn scalar(&mut self, _: Scalar<'_>) -> Result {
            Ok(())
        }
    }
    impl Walk for Names<'_> {
        type Way = Saves;
    }
    let names = |options| {
        let mut tool = Names(Vec::new(), Session::new(), options);
        tool.serialize("unit", &mut unit(1)).unwrap();
        tool.0
    };
    assert_eq!(names(Options::new()), ["unit", "name", "hp"]);
    assert_eq!(names(Options::new().target_version::<Unit>(1)), ["unit", "tenths"]);
}
