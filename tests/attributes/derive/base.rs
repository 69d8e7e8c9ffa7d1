//! `base`: a member with the name of its type, whose variables are in the same object in Bins
//! files.

use super::*;

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
struct Entity {
    id: u32,
    tags: Vec<String>,
}

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
#[archive(version = 3)]
struct Unit {
    #[archive(base)]
    entity: Entity,
    id: i64,
    tags: Vec<String>,
}

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
struct Knight {
    horse: Option<String>,
    #[archive(base, alias = "Soldier")]
    unit: Unit,
    id: String,
    tags: Vec<u8>,
    friends: Vec<Unit>,
}

/// As `Knight`, whose members are named `Knight` but for the base.
#[derive(Serialize, Debug, Default, PartialEq, Clone)]
#[archive(rename_all = "UPPERCASE")]
struct Loud {
    #[archive(base)]
    unit: Unit,
    id: u8,
}

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
struct Stack<T> {
    #[archive(base)]
    top: Cell<T>,
    #[archive(base, skip_if_default)]
    entity: Entity,
    below: Vec<T>,
}

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
#[archive(name = "Top")]
struct Cell<T> {
    value: T,
}

/// Written by hand: its name is that of the type.
#[derive(Debug, Default, PartialEq, Clone)]
struct Hand(u8);

impl Serialize for Hand {
    fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("x", &mut self.0)
    }
}
archive::save_by_clone!(Hand);
archive::blank!(Hand);

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
struct OfHand {
    #[archive(base)]
    hand: Hand,
    x: u8,
}

fn unit(id: u32) -> Unit {
    let entity = Entity { id, tags: vec!["tall".into(), "é".into()] };
    Unit { entity, id: -1, tags: vec!["brave".into()] }
}

fn knight() -> Knight {
    Knight {
        horse: Some("Rex".into()),
        unit: unit(7),
        id: "Ann".into(),
        tags: vec![1, 2],
        friends: vec![unit(8), Unit::default()],
    }
}

#[test]
fn members_under_the_names_of_their_types() {
    check(
        &Knight { friends: vec![], ..knight() },
        concat!(
            r#"{"horse":"Rex","Unit":{"$version":3,"Entity":{"id":7,"tags":["tall","é"]},"id":-1,"#,
            r#""tags":["brave"]},"id":"Ann","tags":[1,2],"friends":[]}"#
        ),
    );
    round_trip(&knight());
    round_trip(&vec![knight(), Knight::default()]);
    round_trip(&Some(std::rc::Rc::new(knight())));
    check(&OfHand { hand: Hand(1), x: 2 }, r#"{"Hand":{"x":1},"x":2}"#);
    let loud = Loud { unit: unit(1), id: 2 };
    assert!(json::to_string(&loud).unwrap().starts_with(r#"{"Unit":{"#));
    round_trip(&loud);
    let value = Cell { value: "é".to_owned() };
    let stack = Stack { top: value, entity: Entity::default(), below: vec!["b".into()] };
    check(&stack, r#"{"Top":{"value":"é"},"below":["b"]}"#);
    round_trip(&Stack { entity: unit(1).entity, ..stack });
}

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
struct Soldier {
    id: i16,
}

/// As `Knight` before its base was called `Unit`, and before there were tags.
#[derive(Serialize, Debug, Default, PartialEq, Clone)]
struct Older {
    #[archive(base)]
    soldier: Soldier,
    extra: u8,
    id: String,
}

#[test]
fn bases_that_change() {
    let old = Older { soldier: Soldier { id: 5 }, extra: 1, id: "Bob".into() };
    let mut expected = Knight::default();
    (expected.unit.id, expected.id) = (5, "Bob".into());
    migrates(&old, Knight::default, &expected);
}

/// Absent and unknown members of a base have its path.
#[test]
fn reports() {
    let old = Older { soldier: Soldier { id: 5 }, extra: 1, id: "Bob".into() };
    for format in forgiving() {
        let bytes = format.to_vec(&old).unwrap();
        let (_, report) =
            format.from_slice_report::<Knight>(&bytes, &archive::Options::new()).unwrap();
        let absent = ["horse", "Unit.Entity", "Unit.tags", "tags", "friends"];
        // Serde formats name a member as the file does.
        let found = report.absent().map(|path| path.replace("Soldier.", "Unit."));
        assert!(found.eq(absent), "{format}: {report}");
        assert!(report.unknown().eq(["extra"]), "{format}: {report}");
        let strict = Options::new().strict(true);
        let error = format.from_slice_with::<Knight>(&bytes, &strict).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::UnknownMember, "extra"), "{format}");
        // A value that does not fit.
        let wrong = Older { soldier: Soldier { id: -5 }, ..old.clone() };
        let bytes = format.to_vec(&wrong).unwrap();
        let error = format.from_slice::<Unsigned>(&bytes).unwrap_err();
        assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "Soldier.id"), "{format}");
        assert!(has_position(format, &error), "{format}");
    }
}

#[derive(Serialize, Debug, Default, PartialEq, Clone)]
struct Unsigned {
    #[archive(base)]
    soldier: unsigned::Soldier,
}

mod unsigned {
    #[derive(archive::Serialize, Debug, Default, PartialEq, Clone)]
    pub struct Soldier {
        pub id: u16,
    }
}

#[test]
fn described_as_members() {
    let archive::shape::Shape::Class(class) = Knight::SHAPE else { panic!() };
    let base = &class.members.unwrap()[1];
    assert_eq!((base.name, base.base.unwrap().name()), ("Unit", "Unit"));
    assert!(archive::describe::<Knight>().to_string().contains("    Unit: Unit\n"));
}
