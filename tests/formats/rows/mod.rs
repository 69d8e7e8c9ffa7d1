//! Rows of the binary format, whose types are stored once outside of them.

mod golden_rows;
mod random_rows;
mod reuse;

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use crate::common::report_of;
use archive::binary::rows::{self, Reader, RowTypes, Writer};
use archive::binary::{self, bare};
use archive::{Archive, ErrorKind, Options, Registry, Result, Serialize, Value};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
enum State {
    #[default]
    Idle,
    Attacking {
        target: u32,
    },
}

/// A type whose rows have no tables.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Unit {
    name: String,
    hp: u16,
    at: [f32; 2],
    state: State,
    orders: Vec<u32>,
}

/// The unit of the next version.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct NewUnit {
    #[archive(alias = "orders")]
    queue: Vec<u64>,
    state: State,
    hp: u32,
    #[archive(default = 3)]
    mood: u8,
    name: String,
}

fn unit(number: u16) -> Unit {
    Unit {
        name: format!("unit {number}"),
        hp: number,
        at: [0.5, f32::from(number)],
        state: match number % 2 {
            0 => State::Idle,
            _ => State::Attacking { target: number.into() },
        },
        orders: (0..u32::from(number % 4)).collect(),
    }
}

fn new_unit(number: u16) -> NewUnit {
    let Unit { name, hp, state, orders, .. } = unit(number);
    let queue = orders.into_iter().map(u64::from).collect();
    NewUnit { queue, state, hp: hp.into(), mood: 3, name }
}

trait Order: archive::Polymorphic {
    fn text(&self) -> String;
}
archive::polymorphic!(dyn Order);

#[derive(Default, Serialize)]
struct Follow {
    leader: u32,
}

impl Order for Follow {
    fn text(&self) -> String {
        format!("follow {}", self.leader)
    }
}

/// Written by hand, with a branch.
#[derive(Clone, Debug, Default, PartialEq)]
struct Patrol {
    looped: bool,
    points: Vec<i16>,
    pause: f32,
}

impl Serialize for Patrol {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
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

impl Order for Patrol {
    fn text(&self) -> String {
        format!("{self:?}")
    }
}

#[derive(Default, Serialize)]
struct Soldier {
    hp: u16,
    squad: Weak<RefCell<Soldier>>,
    next: Option<Rc<RefCell<Soldier>>>,
}

/// A type whose rows have tables: trait objects, hand-written types, and objects in a cycle.
#[derive(Default, Serialize)]
struct Squad {
    name: String,
    orders: Vec<Box<dyn Order>>,
    patrol: Patrol,
    leader: Rc<RefCell<Soldier>>,
    member: Rc<RefCell<Soldier>>,
    note: Value,
}

/// The squad of the next version.
#[derive(Default, Serialize)]
struct NewSquad {
    member: Rc<RefCell<Soldier>>,
    note: Value,
    size: u8,
    patrol: Patrol,
    orders: Vec<Box<dyn Order>>,
    leader: Rc<RefCell<Soldier>>,
}

fn squad(number: u16) -> Squad {
    let leader = Rc::new(RefCell::new(Soldier { hp: number, ..Soldier::default() }));
    let member = Rc::new(RefCell::new(Soldier {
        hp: 7,
        squad: Rc::downgrade(&leader),
        next: Some(leader.clone()),
    }));
    leader.borrow_mut().squad = Rc::downgrade(&member);
    let patrol = Patrol { looped: number % 2 == 1, points: vec![1, -2], pause: 0.0 };
    let mut orders: Vec<Box<dyn Order>> = vec![Box::new(Follow { leader: number.into() })];
    if number % 3 == 1 {
        orders.insert(0, Box::new(patrol.clone()));
    }
    Squad {
        name: "Red".into(),
        orders,
        patrol,
        leader,
        member,
        note: vec![Value::from(1), 2.into()].into(),
    }
}

fn options() -> Options<'static> {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Order { Follow as "follow", Patrol as "patrol" }).unwrap();
    Options::new().registry(&registry)
}

/// The stored types.
fn kept<T: Serialize>() -> RowTypes {
    let types = RowTypes::of::<T>().unwrap();
    let bytes = types.to_bytes();
    let read = RowTypes::from_bytes(&bytes).unwrap();
    assert_eq!(read.to_bytes(), bytes);
    assert!(types.matches::<T>() == read.matches::<T>());
    read
}

#[test]
fn rows_are_bare_bytes() {
    let options = options();
    let (mut writer, mut all) = (Writer::new(), vec![1, 2, 3]);
    for number in 0..5 {
        let expected = bare::to_vec(&unit(number)).unwrap();
        assert_eq!(rows::to_vec(&unit(number)).unwrap(), expected);
        let start = all.len();
        writer.append(&mut all, &unit(number), &options).unwrap();
        assert_eq!(all[start..], expected);

        let expected = bare::to_vec_with(&squad(number), &options).unwrap();
        let start = all.len();
        writer.append(&mut all, &squad(number), &options).unwrap();
        assert_eq!(all[start..], expected);
    }
    assert_eq!(all[..3], [1, 2, 3]);
}

#[test]
fn equal_types_load_by_position_and_others_by_name() {
    let types = kept::<Unit>();
    assert!(types.matches::<Unit>() && !types.matches::<NewUnit>() && !types.matches::<Value>());
    let (mut reader, options) = (Reader::new(&types), Options::new());
    let given = Options::new().provide(types);
    for number in 0..20 {
        let row = rows::to_vec(&unit(number)).unwrap();
        assert_eq!(reader.load::<Unit>(&row, &options).unwrap(), unit(number));
        assert_eq!(reader.load::<NewUnit>(&row, &options).unwrap(), new_unit(number));
        assert_eq!(rows::from_slice_with::<Unit>(&row, &given).unwrap(), unit(number));
        assert_eq!(rows::from_slice_with::<NewUnit>(&row, &given).unwrap(), new_unit(number));
        let tree: Value = reader.load(&row, &options).unwrap();
        assert_eq!(tree, Value::of(&unit(number)).unwrap());
        assert_eq!(rows::from_slice_with::<Value>(&row, &given).unwrap(), tree);

        let mut place = new_unit(1);
        let report = reader.load_into_report(&mut place, &row, &options).unwrap();
        assert_eq!(place, new_unit(number));
        let expected =
            report_of(&given, |options| rows::load_into_with(&mut place, &row, options)).unwrap();
        assert_eq!(report.to_string(), expected.to_string());
        assert!(report.to_string().contains("mood"), "{report}");
    }
}

#[test]
fn data_that_types_do_not_determine_is_in_the_row() {
    let types = kept::<Squad>();
    let mut reader = Reader::new(&types);
    let options = options();
    for number in 0..12 {
        let row = rows::to_vec_with(&squad(number), &options).unwrap();
        let squad: Squad = reader.load(&row, &options).unwrap();
        assert_eq!(rows::to_vec_with(&squad, &options).unwrap(), row);
        let texts: Vec<_> = squad.orders.iter().map(|order| order.text()).collect();
        assert_eq!(texts.last().unwrap(), &format!("follow {number}"));
        // Only the squad owns the objects.
        assert_eq!(Rc::strong_count(&squad.member), 1);
        assert_eq!(Rc::strong_count(&squad.leader), 2);

        let new: NewSquad = reader.load(&row, &options).unwrap();
        assert_eq!(new.leader.borrow().hp, number);
        assert!(Rc::ptr_eq(new.member.borrow().next.as_ref().unwrap(), &new.leader));
        assert!(Weak::ptr_eq(&new.leader.borrow().squad, &Rc::downgrade(&new.member)));
        assert_eq!((&new.patrol, &new.note), (&squad.patrol, &squad.note));
        assert_eq!(new.orders.len(), squad.orders.len());
        let new: Vec<_> = new.orders.iter().map(|order| order.text()).collect();
        assert_eq!(new, texts);

        let tree: Value = reader.load(&row, &options).unwrap();
        assert_eq!(tree["leader"], Value::of_with(&squad, &options).unwrap()["leader"]);
    }
}

#[test]
fn a_file_of_all_loads_the_same() {
    let units: Vec<Unit> = (0..50).map(unit).collect();
    let file = binary::to_vec(&units).unwrap();
    let new: Vec<NewUnit> = binary::from_slice(&file).unwrap();
    let mut reader = Reader::new(&kept::<Unit>());
    for (unit, new) in units.iter().zip(new) {
        let row = rows::to_vec(unit).unwrap();
        assert_eq!(reader.load::<NewUnit>(&row, &Options::new()).unwrap(), new);
    }
}

/// An older version in the row, and rows that are saved in an older version.
#[test]
fn versions_are_those_of_the_types() {
    #[derive(Default, Serialize)]
    #[archive(version = 2)]
    struct Saved {
        hp: u8,
    }
    #[derive(Debug, Default, PartialEq)]
    struct Seen(u32, u8);
    impl Serialize for Seen {
        const VERSION: u32 = 2;
        const NAME: &'static str = "Saved";
        fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
            self.0 = ar.version();
            ar.serialize("hp", &mut self.1)
        }
    }
    archive::blank!(Seen);
    let old = Options::new().target_version::<Saved>(1);
    for (options, version) in [(Options::new(), 2), (old, 1)] {
        let types = RowTypes::of_with::<Saved>(&options).unwrap();
        assert_eq!(types.matches::<Saved>(), version == 2);
        let mut row = Vec::new();
        Writer::new().append(&mut row, &Saved { hp: 5 }, &options).unwrap();
        let seen = Reader::new(&types).load::<Seen>(&row, &Options::new()).unwrap();
        assert_eq!(seen, Seen(version, 5));
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let error = rows::from_slice::<Unit>(&[0]).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingContext);
    assert!(error.to_string().contains("RowTypes"), "{error}");
    let types = kept::<Unit>();
    let mut reader = Reader::new(&types);
    let row = rows::to_vec(&unit(1)).unwrap();
    let mut check = |row: &[u8], kind, text: &str| {
        let error = reader.load::<Unit>(row, &Options::new()).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (kind, text));
    };
    check(&[], ErrorKind::UnexpectedEnd, "the file is empty at byte 0");
    check(&[2], ErrorKind::Syntax, "there is no flag 2 at byte 0");
    check(
        &row[..9],
        ErrorKind::UnexpectedEnd,
        "at: the input ends in the middle of a value at byte 9 in `Unit`",
    );
    let long = [&row[..], &[0]].concat();
    let text = format!("trailing data after the value at byte {}", row.len());
    check(&long, ErrorKind::TrailingData, &text);
    for (bytes, kind) in [
        (&b""[..], ErrorKind::UnexpectedEnd),
        (&[0], ErrorKind::Syntax),
        (&[2, 0, 0, 0], ErrorKind::Unsupported),
        (&[1, 0, 0, 0, 0], ErrorKind::Syntax),
        (&[1, 0, 0, 32], ErrorKind::Syntax),
        (&[1, 1, 1, b'a', 1, 6, 0, 0, 2, 0, 0, 0, 0, 32], ErrorKind::DuplicateMember),
    ] {
        let error = RowTypes::from_bytes(bytes).unwrap_err();
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains("byte"), "{error}");
    }
}
