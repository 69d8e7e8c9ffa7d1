//! One case for each kind of error.

use std::cell::RefCell;
use std::rc::Rc;

use archive::ErrorKind::{self, *};
use archive::path::Path;
use archive::reflect::{self, Edit};
use archive::{Archive, Element, Error, Options, Registry, Result, Serialize, Value, json};
use archive::{binary, polymorphic, register};

/// An error, and its cause.
pub struct Case {
    pub what: &'static str,
    pub error: Error,
}

#[derive(Debug, Default, Serialize)]
struct Tree {
    kids: Vec<Tree>,
}

#[derive(Debug, Default, Serialize)]
struct World {
    units: Vec<Unit>,
}

#[derive(Debug, Default, Serialize)]
#[archive(version = 2)]
struct Unit {
    name: String,
    hp: u8,
    at: [f32; 2],
    state: State,
}

#[derive(Debug, Default, Serialize)]
enum State {
    #[default]
    Idle,
    Walking,
}

trait Command: archive::Polymorphic + std::fmt::Debug {}
polymorphic!(dyn Command);

#[derive(Debug, Default, Serialize)]
struct MoveTo {
    x: i32,
}
impl Command for MoveTo {}

#[derive(Debug, Default, Serialize)]
struct Attack {
    target: u32,
}
impl Command for Attack {}

#[derive(Debug, Serialize)]
struct Orders {
    next: Box<dyn Command>,
}

#[derive(Debug, Default, Serialize)]
struct Link {
    next: Option<Rc<Link>>,
}

#[derive(Debug, Serialize)]
struct Hen {
    egg: Rc<Egg>,
}

#[derive(Debug, Serialize)]
struct Egg {
    hen: Rc<Hen>,
}

#[derive(Debug, Default, Serialize)]
struct Level {
    exits: Vec<Percent>,
}

#[derive(Debug, Default, Serialize)]
struct Cooldown {
    #[archive(with = archive::time)]
    ready_at: f64,
}

#[derive(Debug, Default, Clone, PartialEq)]
struct Percent {
    value: u8,
}

impl Serialize for Percent {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("value", &mut self.value)?;
        if self.value > 100 {
            return Err(Error::custom(format_args!("{} percent", self.value)));
        }
        Ok(())
    }
}
archive::save_by_clone!(Percent);
archive::blank!(Percent);

/// A member with a reserved name.
#[derive(Default)]
struct Reserved;

impl Serialize for Reserved {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("$id", &mut 7_u8)
    }
}

/// A reader that fails.
struct Gone;

impl std::io::Read for Gone {
    fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
        Err(std::io::Error::other("the disk was removed"))
    }
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    register!(registry, dyn Command { MoveTo }).unwrap();
    registry
}

fn load<T: Element>(text: &str) -> Error {
    load_with::<T>(text, &Options::new())
}

fn load_with<T: Element>(text: &str, options: &Options<'_>) -> Error {
    match json::from_str_with::<T>(text, options) {
        Ok(_) => panic!("{text} is not an error"),
        Err(error) => error,
    }
}

/// The case of a kind.
pub fn case(kind: ErrorKind) -> Case {
    let case = |what, error| Case { what, error };
    match kind {
        Syntax => case("JSON without a comma.", load::<World>("{\"units\": [{} {}]}")),
        UnexpectedEnd => case("A binary file that was cut short.", {
            let file = binary::to_vec(&World { units: vec![Unit::default()] }).unwrap();
            binary::from_slice::<World>(&file[..file.len() - 3]).unwrap_err()
        }),
        TrailingData => case("Two values in one text.", load::<World>("{\"units\": []}\n{}")),
        WrongType => case("A name that is a number.", load::<World>(r#"{"units":[{"name":7}]}"#)),
        OutOfRange => case("A binary file whose `hp` is an `i64`.", {
            let unit = Value::Object(vec![("hp".into(), 300.into())]);
            let units = Value::Object(vec![("units".into(), Value::Array(vec![unit]))]);
            binary::from_slice::<World>(&binary::to_vec(&units).unwrap()).unwrap_err()
        }),
        WrongLength => case(
            "Three coordinates where there are two.",
            load::<World>(r#"{"units":[{"at":[1,2,3]}]}"#),
        ),
        UnknownMember => case(
            "A misspelt member, under `Options::strict`.",
            load_with::<World>(r#"{"units":[{"nmae":"Ann"}]}"#, &Options::new().strict(true)),
        ),
        MissingMember => case(
            "A member that the file lacks, under `Options::complete`.",
            load_with::<World>(r#"{"units":[{"name":"Ann"}]}"#, &Options::new().complete(true)),
        ),
        DuplicateMember => case("A member twice.", load::<World>(r#"{"units":[{"hp":1,"hp":2}]}"#)),
        ReservedName => case(
            "A function that saves a member `$id`.",
            json::to_string(&mut Reserved).unwrap_err(),
        ),
        UnknownVariant => {
            case("A misspelt variant.", load::<World>(r#"{"units":[{"state":"Walkin"}]}"#))
        }
        UnknownType => case(
            "A type id that nobody registered.",
            load_with::<Vec<Box<dyn Command>>>(
                r#"[{"$type":"MoveTO","$value":{}}]"#,
                &Options::new().registry(&registry()),
            ),
        ),
        DuplicateType => case(
            "Two types with one id.",
            register!(registry(), dyn Command { Attack as "MoveTo" }).unwrap_err(),
        ),
        Unregistered => case("A trait object of a type that is not registered.", {
            let orders = Orders { next: Box::new(Attack::default()) };
            let options = Options::new().registry(&registry());
            json::to_string_with(&orders, &options).unwrap_err()
        }),
        NewerVersion => case(
            "A file of a program that is newer.",
            load::<World>(r#"{"units":[{"$version":3}]}"#),
        ),
        BadPointer => case(
            "A reference to an object that is not in the file.",
            load::<Vec<Rc<RefCell<Unit>>>>(r#"[{"$id":7}]"#),
        ),
        StrongCycle => case(
            "A bare `Rc` in itself.",
            load::<Rc<Link>>(r#"{"$id":1,"$value":{"next":{"$id":1}}}"#),
        ),
        Endless => case("Two structs that contain each other.", load::<Hen>("{}")),
        NotFound => case("A path to a member that is spelled wrong.", {
            let path = Path::parse("units[0].ph").unwrap();
            reflect::get(&World { units: vec![Unit::default()] }, &path, &Options::new())
                .unwrap_err()
        }),
        ReadOnly => case("An edit of an object in a bare `Rc`.", {
            let edit = Edit::new().set(Path::parse("[0].hp").unwrap(), 7);
            let mut units = vec![Rc::new(Unit::default())];
            reflect::apply(&mut units, &edit, &Options::new()).unwrap_err()
        }),
        Borrowed => case("Saving what somebody is changing.", {
            let cells = vec![Rc::new(RefCell::new(7_u8))];
            let _changing = cells[0].borrow_mut();
            json::to_string(&cells).unwrap_err()
        }),
        DepthLimit => case(
            "Deeper than `Options::max_depth(2)`.",
            load_with::<Tree>(r#"{"kids":[{"kids":[{"kids":[]}]}]}"#, &Options::new().max_depth(2)),
        ),
        SizeLimit => case(
            "More elements than `Options::max_elements(3)`.",
            load_with::<Vec<u8>>("[1,2,3,4]", &Options::new().max_elements(3)),
        ),
        Conflict => case(
            "A save of a store on a server, after another program has saved it.",
            Error::new(
                Conflict,
                "the save `ann` was changed by `server 2` since `server 1` read it: load it again, or \
                 save to another name",
            ),
        ),
        MissingContext => case(
            "A time relative to a clock, and no clock.",
            load::<Cooldown>(r#"{"ready_at":1.5}"#),
        ),
        Unsupported => {
            case("A format that is not there.", archive::Format::from_name("jsn").unwrap_err())
        }
        Io => case("A reader that fails.", json::from_reader::<World>(Gone).unwrap_err()),
        Custom => case(
            "A function that refuses what it has loaded.",
            load::<Level>(r#"{"exits":[{"value":50},{"value":200}]}"#),
        ),
        kind => panic!("{kind:?} has no case"),
    }
}
