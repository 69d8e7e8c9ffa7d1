//! Golden files pin each byte layout. A golden file that was changed in any way is a value or an
//! error.
//!
//! `UPDATE_GOLDEN=1 cargo test --test formats golden` writes files that are missing. A file that
//! exists is never rewritten: files of a released layout must always load.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::common::columns::AllColumns;
use crate::common::everything as std_types;
use crate::common::search::some_of;
use crate::common::serde_formats::{finds_names, serde_formats, toml};
use crate::common::text;
use archive::{Format, Options, Registry, Serialize, Value, json, polymorphic, register};
use glam::*;
use indexmap::{IndexMap, IndexSet};
use slotmap::{DenseSlotMap, SecondaryMap, SlotMap, SparseSecondaryMap};
use smallvec::SmallVec;
use smol_str::SmolStr;

/// Numbers of every width.
#[derive(Default, Debug, PartialEq, Serialize)]
struct Numbers {
    unsigned: (u8, u16, u32, u64, u128),
    signed: (i8, i16, i32, i64, i128),
    floats: (f32, f64),
    odd: Vec<f64>,
    other: (bool, char, ()),
}

/// Containers, options and enums.
#[derive(Default, Debug, PartialEq, Serialize)]
struct Containers {
    name: String,
    list: Vec<u16>,
    array: [f32; 3],
    nested: Option<Option<u8>>,
    map: BTreeMap<String, Vec<State>>,
    hash: HashMap<i32, Pair>,
    time: Duration,
}

#[derive(Default, Debug, PartialEq, Serialize)]
struct Pair(i64, String);

#[derive(Default, Debug, PartialEq, Serialize)]
enum State {
    #[default]
    Idle,
    Attacking {
        target: u32,
        since: f64,
    },
    Carrying(String),
    Trading(u8, i16),
}

/// Pointers of every kind.
#[derive(Default, Serialize)]
struct Pointers {
    squad: Option<Rc<RefCell<Squad>>>,
    units: Vec<Rc<RefCell<Unit>>>,
    counter: Arc<Mutex<u32>>,
    again: Arc<Mutex<u32>>,
    orders: Vec<Box<dyn Order>>,
    active: Option<Rc<RefCell<dyn Order>>>,
    chain: Option<Rc<RefCell<Link>>>,
}

#[derive(Default, Serialize)]
struct Squad {
    name: String,
    leader: Weak<RefCell<Unit>>,
}

#[derive(Default, Serialize)]
struct Unit {
    hp: u16,
    squad: Weak<RefCell<Squad>>,
    target: Option<Rc<RefCell<Unit>>>,
}

#[derive(Default, Serialize)]
struct Link {
    value: u8,
    next: Option<Rc<RefCell<Link>>>,
}

trait Order: archive::Polymorphic {}
polymorphic!(dyn Order);

#[derive(Default, Serialize)]
struct MoveTo {
    x: i32,
    y: i32,
}

/// Hand-written, with a branch.
#[derive(Default, Clone)]
struct Patrol {
    looped: bool,
    points: Vec<[i16; 2]>,
    pause: f32,
}

impl Serialize for Patrol {
    fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
        ar.serialize("looped", &mut self.looped)?;
        ar.serialize("points", &mut self.points)?;
        if self.looped {
            ar.serialize("pause", &mut self.pause)?;
        }
        Ok(())
    }
}
archive::save_by_clone!(Patrol);
archive::blank!(Patrol);

impl Order for MoveTo {}
impl Order for Patrol {}

/// The types of the standard library that could be saved when the first layout was written.
#[derive(Serialize)]
#[archive(name = "Everything")]
struct Standard {
    numbers: std_types::Numbers,
    texts: std_types::Texts,
    addresses: std_types::Addresses,
    containers: std_types::Containers,
    choices: std_types::Choices,
    ranges: std_types::Ranges,
    cells: std_types::Cells,
}

fn standard() -> Standard {
    let std_types::Everything {
        numbers,
        texts,
        addresses,
        containers,
        choices,
        ranges,
        cells,
        later: _,
    } = std_types::sample();
    Standard { numbers, texts, addresses, containers, choices, ranges, cells }
}

slotmap::new_key_type! {
    struct UnitKey;
}
archive::slotmap_keys!(UnitKey);

/// Types of other crates.
#[derive(Default, Serialize)]
struct Foreign {
    vectors: (Vec3, Vec3A, DVec2, IVec2, U8Vec4, BVec3),
    turned: (Quat, Affine3A, DMat2),
    id: uuid::Uuid,
    index: IndexMap<SmolStr, u8>,
    set: IndexSet<i16>,
    small: SmallVec<[u16; 2]>,
    units: SlotMap<UnitKey, String>,
    dense: DenseSlotMap<UnitKey, u8>,
    leader: UnitKey,
    health: SecondaryMap<UnitKey, f32>,
    names: SparseSecondaryMap<UnitKey, String>,
    utc: chrono::DateTime<chrono::Utc>,
    offset: chrono::DateTime<chrono::FixedOffset>,
    naive: chrono::NaiveDateTime,
    passed: chrono::TimeDelta,
    day: Option<chrono::Weekday>,
    zoned: jiff::ZonedDateTime,
    stamp: jiff::Timestamp,
    date: jiff::civil::Date,
    span: jiff::Span,
}

fn foreign() -> Foreign {
    let mut units = SlotMap::with_key();
    let mut dense = DenseSlotMap::with_key();
    let keys: Vec<UnitKey> = (0..4).map(|at| units.insert(format!("unit {at}"))).collect();
    for at in 0..4 {
        dense.insert(at);
    }
    units.remove(keys[2]);
    dense.remove(keys[0]);
    let leader = units.insert("leader".into());
    units.remove(keys[0]);
    Foreign {
        vectors: (
            vec3(1.0, 0.1, -2.5),
            vec3a(0.0, -0.0, 1e30),
            dvec2(0.1, 1e300),
            ivec2(-1, 70_000),
            u8vec4(0, 1, 2, 255),
            BVec3::new(true, false, true),
        ),
        turned: (
            Quat::from_xyzw(0.5, -0.5, 0.5, 0.5),
            Affine3A::from_translation(vec3(1.0, 2.0, 3.0)),
            DMat2::from_cols_array(&[1.0, 2.0, 3.0, 4.0]),
        ),
        id: uuid::Uuid::from_u128(0x67e5_5044_10b1_426f_9247_bb68_0e5f_e0c8),
        index: [("z".into(), 1), ("a".into(), 2)].into(),
        set: [5, -1, 3].into(),
        small: SmallVec::from_slice(&[1, 300, 65535]),
        health: [(leader, 0.5), (keys[1], 1.0)].into_iter().collect(),
        names: [(leader, "Ann".to_owned()), (keys[0], "Bob".to_owned())].into_iter().collect(),
        units,
        dense,
        leader,
        utc: chrono::DateTime::from_timestamp(1_700_000_000, 5).unwrap(),
        offset: chrono::DateTime::UNIX_EPOCH
            .with_timezone(&chrono::FixedOffset::east_opt(561).unwrap()),
        naive: chrono::NaiveDate::from_ymd_opt(2016, 12, 31)
            .unwrap()
            .and_hms_nano_opt(23, 59, 59, 1_500_000_000)
            .unwrap(),
        passed: chrono::TimeDelta::milliseconds(-1500),
        day: Some(chrono::Weekday::Fri),
        zoned: jiff::civil::date(2024, 3, 10).at(17, 5, 0, 7).in_tz("Europe/Paris").unwrap(),
        stamp: jiff::Timestamp::new(1_700_000_000, 5).unwrap(),
        date: jiff::civil::date(-1, 2, 3),
        span: jiff::Span::new().days(1).milliseconds(1500),
    }
}

fn options() -> Options<'static> {
    let mut registry = Registry::new();
    register!(registry, dyn Order { MoveTo, Patrol as "patrol" }).unwrap();
    Options::new().registry(&registry)
}

fn numbers() -> Numbers {
    Numbers {
        unsigned: (255, 65535, 70000, u64::MAX, u128::MAX),
        signed: (-128, -32768, -70000, i64::MIN, i128::MIN),
        floats: (0.1, -1e300),
        odd: vec![f64::INFINITY, f64::NEG_INFINITY, -0.0, 5e-324],
        other: (true, '🦀', ()),
    }
}

fn containers() -> Containers {
    let states = vec![
        State::Idle,
        State::Attacking { target: 7, since: 1.5 },
        State::Carrying("wood".into()),
        State::Trading(1, -2),
    ];
    Containers {
        name: "a \"quoted\" naïve\0text".into(),
        list: vec![1, 300, 65535],
        array: [0.5, -1.0, 2.25],
        nested: Some(None),
        map: [("a".into(), states), (String::new(), vec![])].into(),
        hash: [(-5, Pair(1, "x".into())), (3, Pair(-2, "y".into()))].into(),
        time: Duration::new(3, 500),
    }
}

fn pointers() -> Pointers {
    let squad = Rc::new(RefCell::new(Squad { name: "Red".into(), leader: Weak::new() }));
    let unit = |hp| Rc::new(RefCell::new(Unit { hp, squad: Rc::downgrade(&squad), target: None }));
    let units = vec![unit(10), unit(300)];
    units[0].borrow_mut().target = Some(units[1].clone());
    squad.borrow_mut().leader = Rc::downgrade(&units[1]);
    let counter = Arc::new(Mutex::new(5));
    let patrol = Patrol { looped: true, points: vec![[1, 2], [-3, 4]], pause: 0.5 };
    let mut chain = None;
    for value in 0..40 {
        chain = Some(Rc::new(RefCell::new(Link { value, next: chain })));
    }
    Pointers {
        squad: Some(squad),
        units,
        again: counter.clone(),
        counter,
        orders: vec![
            Box::new(MoveTo { x: 1, y: -1 }),
            Box::new(Patrol { looped: false, ..patrol.clone() }),
        ],
        active: Some(Rc::new(RefCell::new(patrol))),
        chain,
    }
}

/// Values that every format can represent, TOML as well: no null in lists, and no wide integers.
#[derive(Default, Serialize)]
#[archive(version = 2)]
struct Settings {
    name: String,
    volume: f32,
    seed: i64,
    muted: bool,
    nothing: Option<u8>,
    keys: BTreeMap<String, Vec<State>>,
    pairs: BTreeMap<u8, char>,
    player: Rc<RefCell<Unit>>,
    again: Rc<RefCell<Unit>>,
}

fn settings() -> Settings {
    let player = Rc::new(RefCell::new(Unit { hp: 7, ..Unit::default() }));
    Settings {
        name: "a \"quoted\"\nname".into(),
        volume: 0.1,
        seed: i64::MIN,
        muted: true,
        nothing: None,
        keys: [("jump".into(), vec![State::Idle, State::Attacking { target: 1, since: 0.5 }])]
            .into(),
        pairs: [(1, 'x'), (2, 'é')].into(),
        again: player.clone(),
        player,
    }
}

/// The content of a golden file.
type Case = (&'static str, fn(Format) -> Vec<u8>, fn(Format, &[u8]) -> archive::Result<Vec<u8>>);

/// Each case: its name, how it is saved, and how it is loaded and saved again.
const CASES: &[Case] = &[
    (
        "numbers",
        |format| format.to_vec(&numbers()).unwrap(),
        |format, bytes| format.to_vec(&format.from_slice::<Numbers>(bytes)?),
    ),
    (
        "containers",
        |format| format.to_vec(&containers()).unwrap(),
        |format, bytes| format.to_vec(&format.from_slice::<Containers>(bytes)?),
    ),
    (
        "pointers",
        |format| format.to_vec_with(&pointers(), &options()).unwrap(),
        |format, bytes| {
            let options = options();
            format.to_vec_with(&format.from_slice_with::<Pointers>(bytes, &options)?, &options)
        },
    ),
    (
        "std",
        |format| format.to_vec(&standard()).unwrap(),
        |format, bytes| format.to_vec(&format.from_slice::<Standard>(bytes)?),
    ),
    (
        "foreign",
        |format| format.to_vec(&foreign()).unwrap(),
        |format, bytes| format.to_vec(&format.from_slice::<Foreign>(bytes)?),
    ),
];

/// The values that TOML can represent.
const SETTINGS: &[Case] = &[(
    "settings",
    |format| format.to_vec(&settings()).unwrap(),
    |format, bytes| format.to_vec(&format.from_slice::<Settings>(bytes)?),
)];

/// Serde's formats, and their content.
fn serde() -> Vec<(Format, Vec<Case>)> {
    let cases = [CASES, SETTINGS].concat();
    let mut all: Vec<_> =
        serde_formats().into_iter().map(|format| (format, cases.clone())).collect();
    all.push((toml(), SETTINGS.to_vec()));
    all
}

/// The formats that have golden files.
fn stored() -> impl Iterator<Item = Format> {
    Format::all().chain([Format::of::<archive::bins::Bins>(), Format::of::<AllColumns>()])
}

/// The same, and those that load only the saved type.
fn all() -> impl Iterator<Item = Format> {
    stored().chain(crate::common::of_library(crate::common::exact()))
}

/// The versions of a format's layout in which files are written; the last one is the present one.
fn versions(format: Format) -> &'static [&'static str] {
    let twice = [Format::Binary, Format::of::<archive::bins::Bins>()];
    if twice.contains(&format) { &["v1", "v2"] } else { &["v1"] }
}

fn path_in(version: &str, format: Format, name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let folder = folder.join(format.name().replace(' ', "_"));
    folder.join(version).join(format!("{name}.{}", format.extensions()[0]))
}

fn path(format: Format, name: &str) -> PathBuf {
    path_in(versions(format)[versions(format).len() - 1], format, name)
}

fn golden(format: Format, name: &str) -> Vec<u8> {
    let path = path(format, name);
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn layouts_do_not_change() {
    for format in all() {
        CASES.iter().for_each(|case| layout_does_not_change(format, case));
    }
}

/// Files of serde's formats: the form of each kind of value is ours, the bytes are theirs.
#[test]
fn layouts_in_serde_formats_do_not_change() {
    for (format, cases) in serde() {
        cases.iter().for_each(|case| layout_does_not_change(format, case));
    }
}

fn layout_does_not_change(format: Format, (name, save, resave): &Case) {
    let saved = save(format);
    let path = path(format, name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() && !path.exists() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &saved).unwrap();
    }
    let golden = golden(format, name);
    assert_eq!(text(&saved), text(&golden), "{format} {name}");
    let again = resave(format, &golden).unwrap_or_else(|e| panic!("{format} {name}: {e}"));
    assert_eq!(text(&again), text(&golden), "{format} {name}");
}

/// Files of an older layout load, and are written in the present one.
#[test]
fn older_layouts_load() {
    for format in stored() {
        for version in versions(format) {
            for (name, _, resave) in CASES {
                let old = std::fs::read(path_in(version, format, name)).unwrap();
                let again = resave(format, &old).unwrap_or_else(|e| panic!("{format} {name}: {e}"));
                assert_eq!(text(&again), text(&golden(format, name)), "{version} {format} {name}");
            }
        }
    }
}

#[test]
fn every_truncation_is_an_error() {
    for format in all() {
        for (name, _, resave) in CASES {
            let golden = golden(format, name);
            for len in some_of(golden.len()) {
                assert!(resave(format, &golden[..len]).is_err(), "{format} {name} cut at {len}");
                assert!(
                    !crate::common::forgives(format)
                        || format.from_slice::<Value>(&golden[..len]).is_err(),
                    "{format} {name} {len}"
                );
            }
            let longer = [&golden[..], b"x"].concat();
            assert!(resave(format, &longer).is_err(), "{format} {name} with a byte more");
        }
    }
}

/// By one of five values in turn: the formats' own tests try them all.
#[test]
fn a_byte_replaced_gives_a_value_or_an_error() {
    std::thread::scope(|scope| {
        for format in all() {
            scope.spawn(move || CASES.iter().for_each(|case| replace_every_byte(format, case)));
        }
    });
}

fn replace_every_byte(format: Format, (name, _, resave): &Case) {
    let mut bytes = golden(format, name);
    for at in some_of(bytes.len()) {
        let old = bytes[at];
        bytes[at] = [0x00, 0x7f, 0x80, 0xff, old ^ 1][at % 5];
        let _ = resave(format, &bytes);
        let _ = format.from_slice::<Value>(&bytes);
        bytes[at] = old;
    }
    // Whole, as other types.
    assert!(format.from_slice::<(Numbers, Numbers)>(&bytes).is_err(), "{format} {name}");
    assert!(format.from_slice::<Vec<Pointers>>(&bytes).is_err(), "{format} {name}");
}

/// The tree of each golden file, as JSON, is the value, from every format.
#[test]
fn trees_are_equal() {
    for (name, _, resave) in CASES {
        for format in stored() {
            let tree: Value = format.from_slice(&golden(format, name)).unwrap();
            let tree = json::to_vec(&tree).unwrap();
            let value = resave(Format::Json, &tree).unwrap_or_else(|e| panic!("{format}: {e}"));
            assert_eq!(text(&value), text(&golden(Format::Json, name)), "{format} {name}");
        }
    }
}

/// The same in serde's formats, where members have names.
#[test]
fn trees_in_serde_formats_are_equal() {
    for (format, cases) in serde().into_iter().filter(|(format, _)| finds_names(*format)) {
        for (name, save, resave) in cases {
            let tree: Value = format.from_slice(&golden(format, name)).unwrap();
            let tree = json::to_vec(&tree).unwrap();
            let value = resave(Format::Json, &tree).unwrap_or_else(|e| panic!("{format}: {e}"));
            assert_eq!(text(&value), text(&save(Format::Json)), "{format} {name}");
        }
    }
}

/// Serde's formats read with code of their own: a truncated file is an error.
#[test]
fn truncations_in_serde_formats_are_errors() {
    for (format, cases) in serde().into_iter().filter(|(format, _)| *format != toml()) {
        for (name, _, resave) in cases {
            let golden = golden(format, name);
            for len in some_of(golden.len()) {
                assert!(resave(format, &golden[..len]).is_err(), "{format} {name} cut at {len}");
            }
        }
    }
}

/// The content of each binary file is described without these types.
#[test]
fn binary_files_can_be_inspected() {
    for (name, ..) in CASES {
        let file = golden(Format::Binary, name);
        let inspection = archive::binary::inspect(&file).unwrap();
        let tree: Value = Format::Binary.from_slice(&file).unwrap();
        assert_eq!(
            text(&json::to_vec(&inspection.value).unwrap()),
            text(&json::to_vec(&tree).unwrap())
        );
        let shown = inspection.to_string();
        assert!(shown.contains(&format!("root: {}\n", inspection.root)), "{name}: {shown}");
        assert!(shown.ends_with(&format!("\n\n{tree:#}\n")), "{name}");
    }
    let file = golden(Format::Binary, "numbers");
    let inspection = archive::binary::inspect(&file).unwrap();
    assert_eq!(inspection.types[0].signature, Some(archive::signature::<Numbers>()));
}
