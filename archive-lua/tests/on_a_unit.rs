//! A type with all that scripts may find, and ways to run a script on it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use archive::{Result, Serialize, Value};
use archive_lua::{Arguments, Limits, Sandbox};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct At {
    pub x: i32,
    pub y: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub enum Stance {
    #[default]
    Idle,
    Guard {
        at: At,
        radius: u8,
    },
    Follow(String),
    Between(At, At),
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Squad {
    pub name: String,
    pub size: u32,
}

#[derive(Clone, Debug, Default, Serialize)]
pub struct Unit {
    pub name: String,
    #[archive(range = 0..=100)]
    pub hp: u16,
    pub speed: f32,
    pub alive: bool,
    pub letter: char,
    #[archive(read_only)]
    pub id: u64,
    pub at: At,
    pub words: Vec<String>,
    pub trail: Vec<At>,
    pub grid: [[u8; 2]; 2],
    pub pair: (u8, String),
    pub stance: Stance,
    pub bag: BTreeMap<String, u32>,
    pub by_number: HashMap<u32, At>,
    pub tags: BTreeSet<String>,
    pub maybe: Option<i32>,
    pub target: Option<Box<At>>,
    pub squad: Option<Rc<RefCell<Squad>>>,
    pub other: Option<Rc<RefCell<Squad>>>,
    pub any: Value,
}

/// A unit with something everywhere.
pub fn ann() -> Unit {
    Unit {
        name: "Ann".into(),
        hp: 50,
        speed: 1.5,
        alive: true,
        letter: 'a',
        id: 7,
        at: At { x: 1, y: 2 },
        words: vec!["one".into(), "two".into()],
        trail: vec![At { x: 3, y: 4 }],
        grid: [[1, 2], [3, 4]],
        pair: (5, "five".into()),
        stance: Stance::Guard { at: At { x: 8, y: 9 }, radius: 2 },
        bag: [("rope".to_owned(), 1)].into(),
        by_number: [(7, At { x: 7, y: 0 })].into(),
        tags: ["fire".to_owned()].into(),
        maybe: Some(3),
        target: Some(Box::new(At { x: 6, y: 6 })),
        squad: Some(Rc::new(RefCell::new(Squad { name: "red".into(), size: 2 }))),
        other: None,
        any: archive::json::from_str(r#"{"deep":[1,{"x":2}]}"#).unwrap(),
    }
}

pub fn sandbox() -> Sandbox {
    Sandbox::new(Limits::default()).unwrap()
}

/// Runs the body of a function of one argument, `unit`.
pub fn run(body: &str, unit: &mut Unit) -> Result<Value> {
    let script = sandbox().load("test.lua", &format!("function run(unit) {body}\nend"))?;
    script.call("run", Arguments::new().edit(unit))
}

/// Runs a body that must succeed.
#[track_caller]
pub fn check(body: &str) -> Unit {
    let mut unit = ann();
    run(body, &mut unit).unwrap_or_else(|error| panic!("{error}"));
    unit
}

/// Returns the message of a body that must fail. The unit is unchanged.
#[track_caller]
pub fn refused(body: &str) -> String {
    let mut unit = ann();
    let error = run(body, &mut unit).unwrap_err();
    let (after, before) = (archive::json::to_string(&unit), archive::json::to_string(&ann()));
    assert_eq!(after.unwrap(), before.unwrap(), "{error}");
    error.to_string()
}
