//! Factories: ids, data files that extend each other, hooks, and refused files.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use archive::reflect::Factory;
use archive::{Blank, Error, ErrorKind, Options, Registry, Result, Serialize};
use archive_test_support::search;
use proptest::prelude::*;

trait Thing: archive::Polymorphic + std::fmt::Debug {}
archive::polymorphic!(dyn Thing);

#[derive(Debug, Default, Serialize)]
#[archive(default)]
struct Orc {
    hp: Option<u16>,
    armour: BTreeMap<String, u8>,
    tags: Vec<String>,
}
impl Thing for Orc {}

/// What a constructor needs.
#[derive(Debug)]
#[expect(dead_code, reason = "its text is looked at")]
struct Atlas(&'static str);

#[derive(Debug)]
#[expect(dead_code, reason = "its text is looked at")]
struct Sprite {
    frame: u8,
    atlas: Rc<Atlas>,
}
archive::members!(Sprite { frame });
impl Blank for Sprite {
    fn blank(options: &Options<'_>) -> Self {
        Sprite::try_blank(options).expect("the game provides the atlas")
    }
    fn try_blank(options: &Options<'_>) -> Result<Self> {
        Ok(Sprite { frame: 3, atlas: options.require::<Rc<Atlas>>()?.clone() })
    }
}
impl Thing for Sprite {}

fn options() -> Options<'static> {
    let mut registry = Registry::new();
    archive::register!(registry, dyn Thing { Orc, Sprite as "sprite" }).unwrap();
    Options::new().registry(&registry)
}

/// A factory over files in memory.
fn factory<'a>(files: &'a [(&'a str, &'a str)]) -> Factory<'a, dyn Thing> {
    Factory::new(&options()).source(move |name| {
        let file = files.iter().find(|file| file.0 == name);
        let missing = || Error::io(std::io::Error::from(std::io::ErrorKind::NotFound));
        file.map(|file| file.1.as_bytes().to_vec()).ok_or_else(missing)
    })
}

fn refused(files: &[(&str, &str)]) -> Error {
    factory(files).create_from(files[0].0).unwrap_err()
}

#[test]
fn a_file_changes_its_base() -> Result {
    let files = [
        (
            "orc.json",
            r#"{"$type":"Orc","$value":{"hp":4,"armour":{"head":1,"feet":2},"tags":["a","b"]}}"#,
        ),
        ("elite.json", r#"{"$extends":"orc.json","$value":{"armour":{"head":5},"tags":["c"]}}"#),
        (
            "boss.json",
            r#"{
            // The last one.
            "$value": {"hp": null},
            "$extends": "elite.json",
        }"#,
        ),
    ];
    let boss = factory(&files).create_from("boss.json")?;
    let armour = r#"{"feet": 2, "head": 5}"#;
    assert_eq!(
        format!("{boss:?}"),
        format!(r#"Orc {{ hp: None, armour: {armour}, tags: ["c"] }}"#)
    );
    Ok(())
}

#[test]
fn constructors_take_parameters_from_the_context() -> Result {
    let files = [
        ("sprite.json", r#"{"$type":"sprite"}"#),
        ("big.json", r#"{"$type":"sprite","$value":{"frame":9}}"#),
    ];
    let error = factory(&files).create("sprite").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingContext);

    let options = options().provide(Rc::new(Atlas("units.png")));
    let sprite = Factory::<dyn Thing>::new(&options).create("sprite")?;
    assert_eq!(format!("{sprite:?}"), r#"Sprite { frame: 3, atlas: Atlas("units.png") }"#);
    Ok(())
}

#[test]
fn hooks_see_each_object_with_its_members() -> Result {
    let (seen, count) = (RefCell::new(Vec::new()), Cell::new(0));
    let files = [("orc.json", r#"{"$type":"Orc","$value":{"hp":4}}"#)];
    let factory = factory(&files)
        .on_create(|object| {
            seen.borrow_mut().push(format!("{object:?}"));
            Ok(())
        })
        .on_create(|_| {
            count.set(count.get() + 1);
            if count.get() == 3 { Err(Error::custom("there are too many")) } else { Ok(()) }
        });
    factory.create("Orc")?;
    factory.create_from("orc.json")?;
    assert_eq!(factory.create("Orc").unwrap_err().message(), "there are too many");
    let seen = seen.borrow();
    assert!(seen[0].contains("hp: None") && seen[1].contains("hp: Some(4)"), "{seen:?}");
    Ok(())
}

#[test]
fn circles_of_files_are_refused() {
    let files = [
        ("a.json", r#"{"$extends":"b.json"}"#),
        ("b.json", r#"{"$extends":"c.json"}"#),
        ("c.json", r#"{"$extends":"b.json"}"#),
    ];
    let error = refused(&files);
    let message = "files extend each other in a cycle: a.json → b.json → c.json → b.json";
    assert_eq!(error.message(), message);
    assert_eq!(error.file(), Some("b.json"));
}

#[test]
fn a_chain_without_end_is_refused() {
    let factory = Factory::<dyn Thing>::new(&options())
        .source(|name| Ok(format!(r#"{{"$extends":"./{name}"}}"#).into_bytes()));
    assert_eq!(factory.create_from("a").unwrap_err().kind(), ErrorKind::DepthLimit);
}

/// Each file adds a piece of armour to that of the previous one.
#[test]
fn a_thousand_files_extend_each_other() {
    let read = |name: &str| {
        let number: u32 = name.parse().map_err(Error::custom)?;
        Ok(match number {
            0 => r#"{"$type":"Orc","$value":{"hp":1}}"#.to_owned(),
            _ => format!(
                r#"{{"$extends":"{}","$value":{{"hp":{number},"armour":{{"{number}":1}}}}}}"#,
                number - 1
            ),
        }
        .into_bytes())
    };
    let error = Factory::<dyn Thing>::new(&options()).source(read).create_from("1000").unwrap_err();
    assert_eq!((error.kind(), error.file()), (ErrorKind::DepthLimit, Some("872")));
    let factory = Factory::<dyn Thing>::new(&options().max_depth(1_001)).source(read);
    let orc = format!("{:?}", factory.create_from("1000").unwrap());
    assert!(orc.contains("hp: Some(1000)") && orc.contains("\"999\": 1"), "{orc}");
}

#[test]
fn errors_name_the_file_and_the_place() {
    let missing = refused(&[("a.json", r#"{"$extends":"b.json"}"#)]);
    assert_eq!((missing.kind(), missing.file()), (ErrorKind::Io, Some("b.json")));

    let unknown = refused(&[("a.json", r#"{"$type":"Ork"}"#)]);
    assert_eq!((unknown.kind(), unknown.file()), (ErrorKind::UnknownType, Some("a.json")));
    assert!(unknown.to_string().contains("did you mean `Orc`?"), "{unknown}");

    let wrong = refused(&[("a.json", r#"{"$type":"Orc","$value":{"hp":"many"}}"#)]);
    assert_eq!((wrong.path(), wrong.file()), ("hp", Some("a.json")));

    let outside = refused(&[("a.json", r#"{"$type":"Orc","hp":4}"#)]);
    assert_eq!(outside.path(), "hp");
    assert_eq!(outside.message(), "put the members of the object into `$value`");

    let list = refused(&[("a.json", "[1]")]);
    assert_eq!(list.message(), "expected an object with `$type` and `$value`, found a sequence");
    let number = refused(&[("a.json", r#"{"$extends":7}"#)]);
    assert_eq!(
        (number.path(), number.message()),
        ("$extends", "expected the name of a file, found 7")
    );
    let syntax = refused(&[("a.json", "{\n  oops\n}")]);
    assert_eq!(syntax.file(), Some("a.json"));
    assert!(syntax.position().is_some());
}

#[test]
fn names_cannot_point_outside_the_folder() {
    let dir = tempfile::tempdir().unwrap();
    let factory = Factory::<dyn Thing>::new(&options()).folder(dir.path());
    for name in ["../secret.json", "/etc/passwd", "a/../../secret.json"] {
        let error = factory.create_from(name).unwrap_err();
        assert_eq!(error.message(), "the name of the file points outside the folder");
    }
    assert_eq!(factory.create_from("orcs/none.json").unwrap_err().kind(), ErrorKind::Io);
}

type Tree = HashMap<String, Option<u8>>;

proptest! {
    #![proptest_config(search::config(500))]

    /// A chain of files is as one map that is extended by the next.
    #[test]
    fn chains_add_up(parts in prop::collection::vec(prop::collection::hash_map("[a-d]", prop::option::of(any::<u8>()), 0..4), 1..6)) {
        #[derive(Debug, Default, Serialize)]
        struct Bag {
            #[archive(as_object)]
            parts: Tree,
        }
        impl Thing for Bag {}
        let mut registry = Registry::new();
        archive::register!(registry, dyn Thing { Bag })?;

        let files: HashMap<String, String> = parts.iter().enumerate().map(|(index, part)| {
            let head = match index {
                0 => r#""$type":"Bag""#.to_owned(),
                index => format!(r#""$extends":"{}""#, index - 1),
            };
            let part = archive::json::to_string_with(part, &Options::new().maps_as_objects(true)).unwrap();
            (index.to_string(), format!(r#"{{{head},"$value":{{"parts":{part}}}}}"#))
        }).collect();
        let factory = Factory::<dyn Thing>::new(&Options::new().registry(&registry))
            .source(|name| Ok(files[name].clone().into_bytes()));
        let last = (parts.len() - 1).to_string();
        let made: Box<dyn std::any::Any> = factory.create_from(&last)?;
        let model: Tree = parts.into_iter().flatten().collect();
        prop_assert_eq!(&made.downcast_ref::<Bag>().unwrap().parts, &model);
    }
}
