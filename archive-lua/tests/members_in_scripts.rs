//! Members are read and written.

use std::rc::Rc;

use archive::ErrorKind;

use crate::on_a_unit::{ann, check, refused, run};

#[test]
fn scalars() {
    let unit = check(
        "assert(unit.name == 'Ann' and unit.hp == 50 and unit.speed == 1.5)
         assert(unit.alive == true and unit.letter == 'a' and unit.id == 7)
         unit.name = 'Bob'
         unit.hp = unit.hp - 20.0
         unit.speed = 2
         unit.alive = false
         unit.letter = 'z'",
    );
    assert_eq!((unit.name.as_str(), unit.hp, unit.speed), ("Bob", 30, 2.0));
    assert_eq!((unit.alive, unit.letter), (false, 'z'));
}

#[test]
fn nested_members() {
    let unit = check(
        "local at = unit.at
         at.x = at.x + unit.target.x
         unit.target.y = -1
         unit.at.y = unit.any.deep[2].x
         unit.any.deep[1] = 'changed'
         assert(unit.at == at and unit.at ~= unit.target)",
    );
    assert_eq!((unit.at.x, unit.at.y), (7, 2));
    assert_eq!(unit.target.unwrap().y, -1);
    assert_eq!(unit.any.to_string(), r#"{"deep":["changed",{"x":2}]}"#);
}

#[test]
fn options_are_nil_or_what_is_in_them() {
    let unit = check(
        "assert(unit.maybe == 3 and unit.other == nil)
         unit.maybe = nil
         unit.target = nil
         assert(unit.maybe == nil and unit.target == nil)
         unit.target = { x = 4 }
         assert(unit.target.x == 4 and unit.target.y == 0)",
    );
    assert_eq!((unit.maybe, unit.target.unwrap().x), (None, 4));
}

#[test]
fn a_part_of_the_same_object_keeps_its_pointers() {
    let unit = check(
        "unit.other = unit.squad
         unit.squad.size = 9
         assert(unit.other.size == 9)
         unit.at = unit.target
         unit.target.x = 0",
    );
    let (squad, other) = (unit.squad.unwrap(), unit.other.unwrap());
    assert!(Rc::ptr_eq(&squad, &other));
    assert_eq!(unit.at.x, 6);
}

#[test]
fn a_table_changes_the_members_that_it_names() {
    let unit = check(
        "unit.at = { x = 5, y = 6 }
         unit.trail = { { x = 1 }, { y = 2 } }
         unit.words = {}
         unit.bag = {}
         unit.target = {}
         unit.trail[3] = copy(unit.at)",
    );
    assert_eq!((unit.at.x, unit.at.y), (5, 6));
    assert_eq!(
        unit.trail.iter().map(|at| (at.x, at.y)).collect::<Vec<_>>(),
        [(1, 4), (0, 2), (5, 6)]
    );
    assert!(unit.words.is_empty() && unit.bag.is_empty());
}

#[test]
fn mistakes_name_the_member_and_the_line() {
    for (body, message) in [
        ("unit.hp = 101", "test.lua:1: hp: 101 is not in the range from 0 to 100"),
        ("unit.hp = -1", ""),
        ("unit.hp = 1.5", ""),
        ("unit.hp = 'many'", ""),
        ("unit.hp = 1 / 0", ""),
        ("unit.hp = nil", ""),
        ("unit.id = 8", ""),
        ("unit.nmae = 'x'", ""),
        ("return unit.nmae", ""),
        ("\n unit.at.z = 1", ""),
        ("return unit.at.z", ""),
        ("return unit[1]", ""),
        ("unit[1] = 3", ""),
        ("unit.at = 7", ""),
        ("unit.at = { z = tostring }", ""),
        ("unit.at = { 1, x = 2 }", ""),
        ("unit.at = { [{}] = 2 }", ""),
        ("unit.words[4] = 'x'", ""),
        ("unit.words[0] = 'x'", ""),
        ("unit.words.x = 'x'", ""),
        ("unit.words[1] = 5", ""),
        ("return #unit.at", ""),
        ("unit.letter = 'ab'", ""),
        ("return unit.at + 1", ""),
        ("error('my own')", "test.lua:1: my own"),
    ] {
        let shown = refused(body);
        println!("{body:?}: {shown}");
        if !message.is_empty() {
            assert_eq!(shown, message);
        }
    }
}

#[test]
fn errors_keep_their_kinds() {
    let kind = |body: &str| run(body, &mut ann()).unwrap_err().kind();
    assert_eq!(kind("unit.hp = 101"), ErrorKind::OutOfRange);
    assert_eq!(kind("unit.nmae = 1"), ErrorKind::NotFound);
    assert_eq!(kind("unit.id = 1"), ErrorKind::ReadOnly);
    assert_eq!(kind("unit.name = 1"), ErrorKind::WrongType);
    assert_eq!(kind("error('x')"), ErrorKind::Custom);
    assert_eq!(
        kind("local ok, e = pcall(function() unit.hp = 101 end) error(e)"),
        ErrorKind::OutOfRange
    );
    let syntax = crate::on_a_unit::sandbox().load("bad.lua", "function (").err().unwrap();
    assert_eq!(syntax.kind(), ErrorKind::Syntax);
    assert_eq!(syntax.to_string(), "bad.lua:1: <name> expected near '('");
}

#[test]
fn an_error_can_be_caught_and_read() {
    let mut unit = ann();
    let text =
        run("local _, e = pcall(function() unit.hp = 101 end) return tostring(e)", &mut unit);
    let text = text.unwrap();
    assert!(
        text.as_str().unwrap().starts_with("hp: 101 is not in the range from 0 to 100"),
        "{text}"
    );
}
