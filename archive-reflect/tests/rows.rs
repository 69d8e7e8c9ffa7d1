//! Rows of property tables: each with its type and its member.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use archive::path::Path;
use archive::reflect::{Kind, Metas, children, list};
use archive::{Options, Registry, Serialize};

trait Part: archive::Polymorphic {}
archive::polymorphic!(dyn Part);

#[derive(Default, Serialize)]
struct Weapon {
    #[archive(unit = "hp", range = 0.0..=50.0)]
    damage: f32,
}
impl Part for Weapon {}

#[derive(Default, Serialize)]
struct Base {
    /// The number.
    id: u32,
}

#[derive(Serialize)]
enum State {
    Idle,
    Walking { to: (u8, f32) },
    Attacking(Weapon),
}

#[derive(Serialize)]
struct Unit {
    #[archive(flatten)]
    base: Base,
    position: [f32; 2],
    state: Vec<State>,
    named: BTreeMap<String, u16>,
    paired: BTreeMap<(u8, i8), String>,
    parts: Vec<Box<dyn Part>>,
    leader: Option<Rc<RefCell<Weapon>>>,
    by_hand: Hand,
}

#[derive(Clone, Default)]
struct Hand(u16);
impl Serialize for Hand {
    fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
        ar.serialize("fingers", &mut self.0)
    }
}
archive::save_by_clone!(Hand);
archive::blank!(Hand);

fn unit() -> Unit {
    Unit {
        base: Base { id: 7 },
        position: [0.0, 1.0],
        state: vec![
            State::Idle,
            State::Walking { to: (1, 2.0) },
            State::Attacking(Weapon::default()),
        ],
        named: [("a".to_owned(), 1)].into(),
        paired: [((1, 2), "b".to_owned())].into(),
        parts: vec![Box::new(Weapon { damage: 5.0 })],
        leader: Some(Rc::default()),
        by_hand: Hand(5),
    }
}

fn registry() -> Registry {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Part { Weapon }).unwrap();
    registry
}

#[test]
fn each_row_has_its_type_and_member() -> archive::Result {
    let registry = registry();
    let rows = list(&unit(), &Path::new(), &Options::new().registry(&registry))?;
    let shown = rows.iter().map(|row| {
        let member = row.member.as_ref().map_or("", |member| member.name());
        format!("{}: {}, {member:?}", row.path, row.meta.name())
    });
    let expected = [
        r#"id: u32, "id""#,
        r#"position[0]: f32, """#,
        r#"position[1]: f32, """#,
        r#"state[0]: State, """#,
        r#"state[1].Walking.to[0]: u8, """#,
        r#"state[1].Walking.to[1]: f32, """#,
        r#"state[2].Attacking.damage: f32, "damage""#,
        r#"named.a: u16, """#,
        r#"paired[0][0][0]: u8, """#,
        r#"paired[0][0][1]: i8, """#,
        r#"paired[0][1]: String, """#,
        r#"parts[0].damage: f32, "damage""#,
        r#"leader.damage: f32, "damage""#,
        r#"by_hand.fingers: u16, """#,
    ];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    assert_eq!(rows[0].facts().doc, "The number.");
    assert_eq!((rows[11].facts().unit, rows[11].facts().max), ("hp", Some(50.0)));
    Ok(())
}

#[test]
fn children_are_one_level() -> archive::Result {
    let (unit, registry) = (unit(), registry());
    let options = Options::new().registry(&registry);
    let names = |path: &str| {
        let rows = children(&unit, &Path::parse(path)?, &options)?;
        let shown = rows.iter().map(|row| format!("{}: {}", row.path, row.meta.name()));
        Ok::<_, archive::Error>(shown.collect::<Vec<_>>())
    };
    let members = names("")?;
    assert_eq!(members[..2], ["id: u32", "position: [f32; 2]"]);
    assert_eq!(members[5], "parts: Vec<Box<dyn Part>>");
    assert_eq!(names("state")?, ["state[0]: State", "state[1]: State", "state[2]: State"]);
    assert_eq!(names("state[2]")?, ["state[2].Attacking: Weapon"]);
    assert_eq!(names("parts[0]")?, ["parts[0].damage: f32"]);
    assert_eq!(names("leader.damage")?, ["leader.damage: f32"]);
    assert_eq!(names("named")?, ["named.a: u16"]);
    Ok(())
}

/// A row's member has the offset that the compiler gave the field.
#[test]
fn members_of_rows_have_offsets() -> archive::Result {
    let registry = registry();
    let rows = children(&unit(), &Path::new(), &Options::new().registry(&registry))?;
    let position = rows[1].member.as_ref().unwrap();
    assert_eq!(position.offset(), Some(std::mem::offset_of!(Unit, position)));
    assert_eq!(rows[1].meta.kind(), Kind::Sequence);
    assert_eq!(registry.meta_of(&unit()).member("position").unwrap().offset(), position.offset());
    Ok(())
}

#[test]
fn rows_say_whether_tools_show_them() {
    #[derive(Default, archive::Serialize)]
    struct Gun {
        loaded: bool,
        #[archive(show_if = Gun::is_loaded)]
        rounds: u8,
        #[archive(hidden)]
        seed: u8,
        mode: Mode,
    }
    #[derive(Default, archive::Serialize)]
    enum Mode {
        #[default]
        Safe,
        Burst {
            long: bool,
            #[archive(show_if = Mode::is_long)]
            pause: u8,
        },
    }
    impl Gun {
        fn is_loaded(&self) -> bool {
            self.loaded
        }
    }
    impl Mode {
        fn is_long(&self) -> bool {
            matches!(self, Mode::Burst { long: true, .. })
        }
    }
    let gun = |loaded, long| Gun { loaded, mode: Mode::Burst { long, pause: 1 }, ..Gun::default() };
    let guns = vec![gun(false, true), gun(true, false)];
    let options = archive::Options::new();
    let shown = |rows: Vec<archive::reflect::Row>| {
        let rows = rows.into_iter().filter(|row| row.is_shown);
        rows.map(|row| row.path.to_string()).collect::<Vec<_>>()
    };
    let path = |text| archive::path::Path::parse(text).unwrap();
    let children = |text| shown(archive::reflect::children(&guns, &path(text), &options).unwrap());
    assert_eq!(children("[0]"), ["[0].loaded", "[0].mode"]);
    assert_eq!(children("[1]"), ["[1].loaded", "[1].rounds", "[1].mode"]);
    assert_eq!(children("[0].mode.Burst"), ["[0].mode.Burst.long", "[0].mode.Burst.pause"]);
    assert_eq!(children("[1].mode.Burst"), ["[1].mode.Burst.long"]);
    let all = shown(archive::reflect::list(&guns, &path(""), &options).unwrap());
    let expected = [
        "[0].loaded",
        "[0].mode.Burst.long",
        "[0].mode.Burst.pause",
        "[1].loaded",
        "[1].rounds",
        "[1].mode.Burst.long",
    ];
    assert_eq!(all, expected);
    let safe = archive::reflect::children(&Mode::Safe, &path(""), &options).unwrap();
    assert!(safe[0].is_shown);
}
