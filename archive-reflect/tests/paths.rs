//! The values to which paths resolve.

use archive::path::Path;
use archive::reflect::{self, Leaf};
use archive::{ErrorKind, Options, Serialize, Value};

use crate::world_of_paths::{registry, world};

fn path(text: &str) -> Path {
    Path::parse(text).unwrap()
}

#[test]
fn a_path_passes_through_every_kind_of_value() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let world = world();
    for (place, wanted) in [
        ("title", r#""w""#),
        ("units[3].Base.id", "103"),
        ("units[3].pos[0]", "3.0"),
        ("units[3].pos", "[3.0,0.5,2.0]"),
        ("units[1].state.Attacking.target", "7"),
        ("units[1].state.target", "7"),
        ("units[1].state.Attacking", r#"{"target":7,"since":1.5}"#),
        ("units[1].state", r#"{"Attacking":{"target":7,"since":1.5}}"#),
        ("units[0].state", r#""Idle""#),
        ("units[2].state.Carrying.weight", "3.5"),
        ("units[3].state.Pair[1]", "2"),
        ("units[1].tagged.speed", "5"),
        ("units[1].tagged.Go.speed", "5"),
        ("units[1].inner", "11"),
        ("units[1].other", "12"),
        ("units[2].orders[0].x", "1.0"),
        ("units[2].shared[0].y", "4.0"),
        ("units[2].squad.name", r#""red""#),
        ("units[2].squad.members[0].name", r#""unit 0""#),
        ("units[2].leader.hp", "0"),
        ("units[2].inventory.potion", "3"),
        (r#"units[2].inventory["health elixir"]"#, "1"),
        ("units[2].by_number.5.weight", "0.25"),
        ("units[2].by_number[0][1].weight", "0.25"),
        ("units[2].by_pair[0][1].weight", "0.75"),
        ("units[2].by_pair[0][0][1]", "2"),
        ("units[2].by_pair[0][0]", "[1,2]"),
        ("units[2].by_pair[0]", r#"[[1,2],{"weight":0.75}]"#),
        ("units[2].tuple[1]", r#""t""#),
        ("units[2].quiet", "0"),
        ("units[2].level", "9"),
        ("units[2].color", r#""ff""#),
        ("plain[1].weight", "2.0"),
        ("plain", r#"[{"weight":1.0},{"weight":2.0}]"#),
        ("tank.fuel", "1.0"),
        ("rect.Y", "2"),
        ("rects[0].X", "3"),
        ("two[1].Y", "8"),
        ("boxed.weight", "4.5"),
        ("lock.weight", "5.5"),
        ("bare.other", "2"),
        ("any.list[1].x", "2"),
        ("any.text", r#""t""#),
        ("nested", "6"),
        ("set[1]", r#""b""#),
    ] {
        // Twice, because the path caches its members the first time.
        let parsed = path(place);
        for _ in 0..2 {
            let got = reflect::get(&world, &parsed, &options);
            assert_eq!(
                got.map_err(|error| error.to_string()).map(|v| v.to_string()),
                Ok(wanted.into()),
                "{place}"
            );
        }
        let tree: Value = reflect::get_as(&world, &parsed, &options).unwrap();
        assert_eq!(tree.to_string(), wanted, "{place}");
    }
}

#[test]
fn an_unresolved_path_lists_the_existing_names() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let world = world();
    for (place, wanted) in [
        ("titel", "there is no `titel`, did you mean `title`? There are: `title`, "),
        ("units[9].hp", "units: there is no item 9: there are 4"),
        ("units[0].hq", "units[0]: there is no `hq`"),
        ("units[0].squad.name", "units[0].squad: the value here is null"),
        ("units[0].leader.name", "units[0].leader: the value here is null"),
        ("units[0].state.Attacking.target", "units[0].state: there is no `Attacking`"),
        (
            "units[1].state.Carrying",
            "units[1].state: there is no `Carrying`; there are: `Attacking`",
        ),
        ("title.x", "title: there is no `x`"),
        ("title[0]", "title: there is no item 0: there are 0"),
        (
            "units[0].inventory.potoin",
            "units[0].inventory: there is no `potoin`, did you mean `potion`?",
        ),
        ("units[0].by_number.x", "units[0].by_number: there is no `x`"),
        ("any.list[7]", "any.list: there is no item 7: there are 2"),
        ("$7.hp", "`$7` is an object of a file, not of a value"),
    ] {
        let error = reflect::get(&world, &path(place), &options).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{place}: {error}");
        assert!(error.to_string().starts_with(wanted), "{place}: {error}");
        let error = reflect::get_as::<f32>(&world, &path(place), &options).unwrap_err();
        assert!(error.to_string().starts_with(wanted), "{place}: {error}");
    }
}

#[test]
fn numbers_are_converted_and_checked() {
    let (world, options) = (world(), Options::new());
    let hp = path("units[3].hp");
    assert_eq!(reflect::get_as::<u8>(&world, &hp, &options).unwrap(), 30);
    assert_eq!(reflect::get_as::<f64>(&world, &hp, &options).unwrap(), 30.0);
    assert_eq!(reflect::get_as::<Option<u16>>(&world, &hp, &options).unwrap(), Some(30));
    let id = path("units[3].Base.id");
    assert_eq!(reflect::get_as::<i128>(&world, &id, &options).unwrap(), 103);
    let error = reflect::get_as::<i8>(&[300_u16], &path("[0]"), &options).unwrap_err();
    assert_eq!((error.kind(), error.path()), (ErrorKind::OutOfRange, "[0]"));
    let pos: [f32; 3] = reflect::get_as(&world, &path("units[3].pos"), &options).unwrap();
    assert_eq!(pos, [3.0, 0.5, 2.0]);
    assert_eq!(reflect::get_as::<u8>(&7_u8, &Path::new(), &options).unwrap(), 7);
}

/// Types with members of the same names at other offsets.
#[test]
fn a_path_is_used_for_values_of_several_types() {
    #[derive(Default, Serialize)]
    struct One {
        a: u8,
        b: u8,
    }
    #[derive(Default, Serialize)]
    struct Two {
        b: u16,
        a: u16,
    }
    let (b, options) = (path("b"), Options::new());
    let (one, two) = (One { a: 1, b: 2 }, Two { b: 3, a: 4 });
    for _ in 0..3 {
        assert_eq!(reflect::get_as::<u32>(&one, &b, &options).unwrap(), 2);
        assert_eq!(reflect::get_as::<u32>(&two, &b, &options).unwrap(), 3);
        assert!(reflect::get_as::<u32>(&7_u8, &b, &options).is_err());
    }
}

/// What `list` shows, `get` finds.
#[test]
fn every_row_is_found_by_its_path() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let world = world();
    let rows = reflect::list(&world, &Path::new(), &options).unwrap();
    assert!(rows.len() > 130, "{}", rows.len());
    let mut same = 0;
    for row in &rows {
        let text = row.path.to_string();
        assert_eq!(path(&text), row.path.to_path());
        match &row.same_as {
            Some(place) => {
                same += 1;
                assert!(reflect::get(&world, &place.to_path(), &options).is_ok(), "{text}");
            }
            None if text.ends_with("leader") || text.contains(".members[") => {}
            None => {
                let got = reflect::get(&world, &row.path.to_path(), &options).unwrap();
                assert_eq!(got, row.value, "{text}");
            }
        }
    }
    assert_eq!(same, 2 + 3 + 1, "two squads, three leaders, a member");
    let below = reflect::list(&world, &path("units[1].pos"), &options).unwrap();
    let below: Vec<_> = below.iter().map(|row| row.path.to_string()).collect();
    assert_eq!(below, ["units[1].pos[0]", "units[1].pos[1]", "units[1].pos[2]"]);
}

#[test]
fn empty_values_are_leaves() {
    let (value, options) = ((Vec::<u8>::new(), None::<u8>, [(); 0], ()), Options::new());
    let mut leaves = Vec::new();
    reflect::visit(&value, &Path::new(), &options, &mut |path, leaf| {
        let Leaf::Value(value) = leaf else { panic!("{leaf:?}") };
        leaves.push(format!("{path} {value}"));
        Ok(())
    })
    .unwrap();
    assert_eq!(leaves, ["[0] []", "[1] null", "[2] []", "[3] null"]);
}

#[test]
fn the_beginning_of_a_path_is_completed() {
    let registry = registry();
    let options = Options::new().registry(&registry);
    let world = world();
    let complete = |text: &str| reflect::complete(&world, text, &options).unwrap();
    assert_eq!(complete("units[3].st"), ["units[3].state"]);
    assert_eq!(complete("units[1].state."), ["units[1].state.Attacking"]);
    assert_eq!(complete("units[1].state.Attacking.s"), ["units[1].state.Attacking.since"]);
    assert_eq!(complete("units[3].inventory"), ["units[3].inventory"],);
    assert_eq!(complete("units[3].inventory["), [r#"units[3].inventory["health elixir"]"#],);
    assert_eq!(complete("units[3].inventory.p"), ["units[3].inventory.potion"]);
    assert_eq!(complete("units["), ["units[0]", "units[1]", "units[2]", "units[3]"]);
    assert_eq!(complete("t"), ["title", "tanks", "tank", "two"]);
    assert_eq!(complete("nothing"), [""; 0]);
    assert!(reflect::complete(&world, "nothing.x", &options).is_err());
    assert!(reflect::complete(&world, "a b.x", &options).is_err());
}

/// An object without a registered type can be looked into.
#[test]
fn a_path_needs_no_registry() {
    let world = world();
    let x = reflect::get_as::<f32>(&world, &path("units[2].orders[0].x"), &Options::new());
    assert_eq!(x.unwrap(), 1.0);
}

#[test]
fn a_path_in_a_circle_is_bounded() {
    use std::cell::RefCell;
    use std::rc::Rc;

    #[derive(Default, Serialize)]
    struct Node {
        next: Option<Rc<RefCell<Node>>>,
    }
    let node = Rc::new(RefCell::new(Node::default()));
    node.borrow_mut().next = Some(node.clone());
    let options = Options::new();
    let long: Path = (0..100_000).map(|_| "next".into()).collect();
    let mut slot = vec![node.clone()];
    let long: Path = std::iter::once(0.into()).chain(long.steps().iter().cloned()).collect();
    let error = reflect::get(&slot, &long, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
    let edit = reflect::Edit::new().set(long, Value::Null);
    let error = reflect::apply(&mut slot, &edit, &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::DepthLimit);
    let short = path("[0].next.next.next");
    assert_eq!(
        reflect::get(&slot, &short, &options).unwrap().to_string(),
        r#"{"$id":1,"$value":{"next":{"$id":1}}}"#
    );
    node.borrow_mut().next = None;
}

/// A member outside of the path has the name of a step that does not resolve further inside.
#[test]
fn a_path_does_not_leave_its_branch() {
    #[derive(Default, Serialize)]
    struct Tree {
        left: Option<Box<Tree>>,
        hp: u8,
    }
    #[derive(Default)]
    struct ByHand {
        left: Option<Box<ByHand>>,
        hp: u8,
    }
    impl Serialize for ByHand {
        fn serialize<A: archive::Archive>(&mut self, ar: &mut A) -> archive::Result {
            ar.serialize("left", &mut self.left)?;
            ar.serialize("hp", &mut self.hp)
        }
    }
    impl archive::Save for ByHand {
        fn save<A: archive::Archive>(&self, ar: &mut A) -> archive::Result {
            ar.save("left", &self.left)?;
            ar.save("hp", &self.hp)
        }
    }
    archive::blank!(ByHand);

    let options = Options::new();
    let mut tree = Tree { left: Some(Box::new(Tree { left: None, hp: 2 })), hp: 1 };
    let mut by_hand = ByHand { left: Some(Box::new(ByHand { left: None, hp: 2 })), hp: 1 };
    let there = path("left.hp");
    let nowhere = path("left.left.hp");
    for _ in 0..2 {
        for value in [&mut tree as &mut dyn archive::Polymorphic, &mut by_hand] {
            assert_eq!(reflect::get_as::<u8>(value, &there, &options).unwrap(), 2);
            let errors = [
                reflect::get_as::<u8>(value, &nowhere, &options).unwrap_err(),
                reflect::get(value, &nowhere, &options).unwrap_err(),
                reflect::apply(value, &reflect::Edit::new().set(nowhere.clone(), 3), &options)
                    .unwrap_err(),
            ];
            for error in errors {
                assert_eq!(error.kind(), ErrorKind::NotFound);
                assert_eq!(error.to_string(), "left.left: the value here is null");
            }
        }
    }
    assert_eq!((tree.hp, by_hand.hp), (1, 1));
}

#[test]
fn no_item_after_a_null_is_on_the_path() {
    let tuple = (None::<[u8; 2]>, [1_u8, 2], 3_u8);
    let list = vec![None, Some([1_u8, 2])];
    let options = Options::new();
    for value in [&tuple as &dyn archive::Polymorphic, &list] {
        assert_eq!(reflect::get_as::<u8>(value, &path("[1][1]"), &options).unwrap(), 2);
        for nowhere in ["[0][1]", "[0][2]", "[0][1][1]"] {
            let nowhere = path(nowhere);
            let errors = [
                reflect::get_as::<u8>(value, &nowhere, &options).unwrap_err(),
                reflect::get(value, &nowhere, &options).unwrap_err(),
            ];
            for error in errors {
                assert_eq!(error.kind(), ErrorKind::NotFound);
                assert_eq!(error.to_string(), "[0]: the value here is null");
            }
        }
    }
}
