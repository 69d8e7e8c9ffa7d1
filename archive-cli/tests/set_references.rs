//! References that are set refer to the objects of the file, and no object gets another id.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use archive::{Format, Serialize};

use crate::run_command::{fails, folder, ok};

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    friend: Weak<RefCell<Unit>>,
}

#[derive(Default, Serialize)]
struct World {
    first: Rc<RefCell<Unit>>,
    units: Vec<Rc<RefCell<Unit>>>,
    leader: Rc<RefCell<Unit>>,
    guest: Weak<RefCell<Unit>>,
}

/// Units 1 to 3. The first one is the leader and the guest.
fn world() -> World {
    let unit = |name: &str| Rc::new(RefCell::new(Unit { name: name.into(), friend: Weak::new() }));
    let units: Vec<_> = ["Ann", "Bob", "Cy"].map(unit).into();
    units[1].borrow_mut().friend = Rc::downgrade(&units[2]);
    World {
        first: units[0].clone(),
        leader: units[0].clone(),
        guest: Rc::downgrade(&units[0]),
        units,
    }
}

fn names(world: &World) -> (String, String) {
    let guest = world.guest.upgrade().map(|guest| guest.borrow().name.clone());
    (world.leader.borrow().name.clone(), guest.unwrap_or_default())
}

#[test]
fn a_reference_means_the_object_of_the_file() {
    let folder = folder();
    for format in [Format::Json, Format::MessagePack, Format::Binary, Format::Blob] {
        let path = folder.path().join("world");
        let file = path.to_str().unwrap();
        std::fs::write(&path, format.to_vec(&world()).unwrap()).unwrap();
        let ids = |name: &str| {
            (1..=3).find(|id| ok(&["get", file, &format!("${id}.name"), "-r"]).trim() == name)
        };
        let bob = ids("Bob").unwrap();
        let cy = ids("Cy").unwrap();
        ok(&["set", file, "leader", &format!("{{\"$id\":{bob}}}")]);
        ok(&["set", file, "guest", &format!("{{\"$weak\":{cy}}}")]);
        let read = || format.from_slice::<World>(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(names(&read()), ("Bob".into(), "Cy".into()), "{format}");
        assert_eq!((ids("Bob"), ids("Cy")), (Some(bob), Some(cy)), "{format}: renumbered");
        // The object is stored there, and is referred to elsewhere.
        if format != Format::Binary {
            let message = fails(&["set", file, "first", "null"], 2);
            assert!(
                message.contains("object 1") || message.contains("null"),
                "{format}: {message}"
            );
        }
        // Another one is referred to before the others.
        ok(&["set", file, "units[0]", &format!("{{\"$id\":{cy}}}")]);
        assert_eq!((ids("Bob"), ids("Cy")), (Some(bob), Some(cy)), "{format}: renumbered");
        assert_eq!(read().units[0].borrow().name, "Cy");
        let before = std::fs::read(&path).unwrap();
        for (at, value, part) in [
            ("leader", "{\"$id\":77}", "77"),
            ("guest", "{\"$weak\":77}", "77"),
            (
                "units[0]",
                &*format!("{{\"$id\":{bob},\"$value\":{{\"name\":\"Dee\",\"friend\":null}}}}"),
                "id",
            ),
        ] {
            let message = fails(&["set", file, at, value], 2);
            assert!(message.contains(part), "{format} {at}: {message}");
            assert!(std::fs::read(&path).unwrap() == before, "{format} {at}");
        }
    }
}

/// The value of each place to itself, as `get` prints it, and to the place of another reference.
#[test]
fn pointers_that_are_set_to_themselves_change_no_byte() {
    let folder = folder();
    for format in Format::all().chain([Format::of::<archive::bins::Bins>()]) {
        let path = folder.path().join("world");
        let out = folder.path().join("out");
        let (file, out) = (path.to_str().unwrap(), out.to_str().unwrap());
        let Ok(bytes) = format.to_vec(&world()) else { continue };
        std::fs::write(&path, &bytes).unwrap();
        for at in [
            "",
            "first",
            "units",
            "units[0]",
            "units[1]",
            "units[2]",
            "leader",
            "guest",
            "units[1].friend",
        ] {
            let value = ok(&["get", file, at, "-c"]);
            ok(&["set", file, at, value.trim_end(), "-o", out]);
            assert!(std::fs::read(out).unwrap() == bytes, "{format} {at} {value}");
        }
    }
}

#[derive(Default, Serialize)]
struct Squad {
    name: String,
}

#[derive(Default, Serialize)]
struct Soldier {
    hp: u16,
    squad: Rc<RefCell<Squad>>,
    friend: Option<Rc<RefCell<Soldier>>>,
    target: Weak<RefCell<Soldier>>,
}

#[derive(Default, Serialize)]
struct Army {
    squads: Vec<Rc<RefCell<Squad>>>,
    soldiers: Vec<Rc<RefCell<Soldier>>>,
}

/// Squads 1 and 2, soldiers 3 to 5. Each is the friend of the next one, and has it as its target.
fn army() -> Army {
    let squads = vec![Rc::new(RefCell::new(Squad { name: "a".into() })), Rc::default()];
    let mut soldiers: Vec<Rc<RefCell<Soldier>>> = Vec::new();
    for at in 0..3 {
        let soldier = Rc::new(RefCell::new(Soldier {
            hp: at,
            squad: squads[0].clone(),
            friend: soldiers.last().cloned(),
            target: Weak::new(),
        }));
        if let Some(last) = soldiers.last() {
            last.borrow_mut().target = Rc::downgrade(&soldier);
        }
        soldiers.push(soldier);
    }
    Army { squads, soldiers }
}

/// Binary files say what a reference may refer to. The path in a message is the one that was typed.
#[test]
fn references_in_binary_files_are_those_of_their_types() {
    let folder = folder();
    let path = folder.path().join("army");
    let file = path.to_str().unwrap();
    let bytes = Format::Binary.to_vec(&army()).unwrap();
    for (at, value) in [
        ("soldiers[1].squad", "{\"$id\":2}"),
        ("soldiers[0].friend", "null"),
        ("soldiers[2].friend", "{\"$id\":3}"),
        ("soldiers[2].friend", "null"),
        ("soldiers[2].target", "{\"$weak\":3}"),
        ("soldiers[*].squad", "{\"$id\":2}"),
        ("soldiers[1]", "{\"$id\":3}"),
    ] {
        std::fs::write(&path, &bytes).unwrap();
        if at == "soldiers[1]" {
            // It is the friend of the next one.
            let message = fails(&["set", file, at, value], 2);
            let part = "soldiers[2].friend: no object has the id 4";
            assert!(message.contains(part), "{message}");
            ok(&["set", file, "soldiers[2].friend", "null"]);
        }
        ok(&["set", file, at, value]);
        let army: Army = Format::Binary.from_slice(&std::fs::read(&path).unwrap()).unwrap();
        assert_eq!(army.soldiers.len(), 3, "{at}");
        let found = ok(&["get", file, at, "-c"]);
        if !at.contains('*') && at != "soldiers[1]" {
            assert_eq!(found.trim_end(), value, "{at}");
        }
    }
    std::fs::write(&path, &bytes).unwrap();
    for (at, value, part) in [
        ("soldiers[1].squad", "{\"$id\":3}", "soldiers[1].squad: the file has no reference here"),
        ("soldiers[1].squad", "{\"$id\":9}", "soldiers[1].squad: no object has the id 9"),
        ("soldiers[1].squad", "null", "soldiers[1].squad: expected a pointer, found null"),
        ("soldiers[1].squad", "{\"$weak\":1}", "soldiers[1].squad: a reference here is strong"),
        ("soldiers[1].target", "{\"$weak\":9}", "soldiers[1].target: no object has the id 9"),
        ("soldiers[0].friend", "{\"$id\":5}", "soldiers[0].friend: this reference closes a cycle"),
        ("soldiers[0].friend", "{\"$id\":3}", "soldiers[0].friend: this reference closes a cycle"),
        ("soldiers[*].friend", "{\"$id\":5}", "closes a cycle"),
    ] {
        let message = fails(&["set", file, at, value], 2);
        assert!(message.contains(part), "{at} {value}: {message}");
        assert!(std::fs::read(&path).unwrap() == bytes, "{at}");
    }
}

/// A file without types has references, too.
#[test]
fn references_of_untyped_files_are_checked() {
    let folder = folder();
    let text = r#"{"units":[{"$id":1,"$value":{"name":"Ann"}},{"$id":2,"$value":{"name":"Bob"}}],"leader":{"$id":1},"w":{"$weak":1}}"#;
    let json = folder.path().join("a.json");
    std::fs::write(&json, text).unwrap();
    for ending in ["json", "msgpack", "bin", "blob"] {
        let path = folder.path().join(format!("b.{ending}"));
        let file = path.to_str().unwrap();
        ok(&["convert", json.to_str().unwrap(), file]);
        ok(&["set", file, "leader", "{\"$id\":2}"]);
        assert_eq!(
            ok(&["get", file, "-c"]).trim(),
            text.replace("er\":{\"$id\":1}", "er\":{\"$id\":2}")
        );
        for (at, value, part) in [
            ("leader", "{\"$id\":9}", "no object"),
            ("w", "{\"$weak\":9}", "no object"),
            ("units[0]", "{\"$id\":2,\"$value\":{\"name\":\"Dee\"}}", "the id 2"),
            ("units", "[{\"$id\":1,\"$value\":{\"name\":\"Dee\"}}]", "2"),
        ] {
            let message = fails(&["set", file, at, value], 2);
            assert!(message.contains(part), "{ending} {at}: {message}");
        }
    }
}
