//! Files that are not games.

use archive::{Format, Value, json};
use skirmish::{Game, Point, World};

use super::arena;

#[test]
fn cut_short() {
    for format in Format::all() {
        let bytes = skirmish::save(arena::game(6).world(), format).unwrap();
        for length in (0..bytes.len()).step_by(bytes.len() / 50) {
            assert!(skirmish::load(&bytes[..length], format).is_err(), "{format}: {length} bytes");
        }
    }
}

#[test]
fn units_in_cells_that_are_not_open() {
    let wall = Point::new(10, 1);
    for (at, says) in
        [(wall, "where no unit can be"), (Point::new(-1, 1 << 30), "where no unit can be")]
    {
        let world = arena::game(6).into_world();
        world.units[0].borrow_mut().position = at;
        for format in Format::all() {
            let bytes = skirmish::save(&world, format).unwrap();
            let error = skirmish::load(&bytes, format).err().unwrap().to_string();
            assert!(error.contains(says), "{format}: {error}");
            // Loading without the game's own function is an error, too.
            let options = skirmish::options();
            let error = format.from_slice_with::<World>(&bytes, &options).err().unwrap();
            assert!(error.to_string().contains(says), "{format}: {error}");
        }
    }
}

/// The description of a unit may be anywhere in a file. Such a unit is loaded last.
#[test]
fn a_unit_described_in_an_unknown_member() {
    let described_elsewhere = |at: Point| {
        let world = arena::game(6).into_world();
        world.units[0].borrow_mut().position = at;
        let bytes = skirmish::save(&world, Format::Json).unwrap();
        let mut file: Value = json::from_slice(&bytes).unwrap();
        let unit = file.pointer_mut("/units/0").unwrap();
        let id = unit.get("$id").unwrap().clone();
        let reference = Value::Object(vec![("$id".to_owned(), id)]);
        let described = std::mem::replace(unit, reference);
        file.as_object_mut().unwrap().push(("attic".to_owned(), described));
        json::to_string(&file).unwrap()
    };
    let unit = skirmish::load(described_elsewhere(Point::new(2, 2)).as_bytes(), Format::Json);
    assert_eq!(unit.unwrap().units[0].borrow().position, Point::new(2, 2));
    let inside_a_wall = described_elsewhere(Point::new(10, 1));
    let error = skirmish::load(inside_a_wall.as_bytes(), Format::Json).err().unwrap();
    assert!(error.to_string().contains("where no unit can be"), "{error}");
}

#[test]
fn two_units_in_one_place() {
    let world = arena::game(6).into_world();
    let there = world.units[1].borrow().position;
    world.units[0].borrow_mut().position = there;
    let bytes = skirmish::save(&world, Format::Json).unwrap();
    let error = Game::resume(skirmish::load(&bytes, Format::Json).unwrap()).err().unwrap();
    assert!(error.to_string().contains("is in the same place as another unit"), "{error}");
}

#[test]
fn two_units_with_one_number() {
    let world = arena::game(6).into_world();
    world.units[0].borrow_mut().id = 1;
    let bytes = skirmish::save(&world, Format::Json).unwrap();
    let error = skirmish::load(&bytes, Format::Json).err().unwrap().to_string();
    assert!(error.contains("two units have the number 1"), "{error}");
}

#[test]
fn a_map_with_holes() {
    let bytes = skirmish::save(arena::game(6).world(), Format::Json).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    for (from, to) in [("\"..........................\"", "\"...\""), ("....,,", "....?,")] {
        assert!(text.contains(from));
        let error = skirmish::load(text.replacen(from, to, 1).as_bytes(), Format::Json);
        let error = error.err().unwrap();
        assert_eq!(error.path(), "map.rows", "{error}");
    }
}

#[test]
fn a_component_that_nobody_knows() {
    let mut game = arena::game(12);
    game.play(30);
    let bytes = skirmish::save(game.world(), Format::Json).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let text = text.replacen("\"$type\":\"weapon\"", "\"$type\":\"laser\"", 1);
    let error = Format::Json.from_slice_with::<World>(text.as_bytes(), &skirmish::options());
    let error = error.err().unwrap().to_string();
    assert!(error.contains("laser") && error.contains("lookout"), "{error}");
    // A mod may have added it, so the game keeps it.
    let world = skirmish::load(text.as_bytes(), Format::Json).unwrap();
    let again = skirmish::save(&world, Format::Json).unwrap();
    assert_eq!(String::from_utf8(again).unwrap(), text);
    Game::resume(world).unwrap().play(30);
}

/// Numbers are changed, one at a time: the game is refused, or played without a panic.
#[test]
fn numbers_of_all_sizes() {
    const EXTREMES: [&str; 5] =
        ["-2147483648", "-1", "2147483647", "4294967295", "18446744073709551615"];
    let mut game = arena::game(8);
    game.play(35);
    let text = String::from_utf8(skirmish::save(game.world(), Format::Json).unwrap()).unwrap();
    let digit = |at: usize| text.as_bytes()[at].is_ascii_digit();
    let starts =
        (1..text.len()).filter(|&at| digit(at) && b":[,".contains(&text.as_bytes()[at - 1]));
    let (mut refused, mut played) = (0, 0);
    for (index, start) in starts.enumerate() {
        let end = (start..).find(|&at| !digit(at)).unwrap();
        let changed = [&text[..start], EXTREMES[index % EXTREMES.len()], &text[end..]].concat();
        let resumed = skirmish::load(changed.as_bytes(), Format::Json).ok().map(Game::resume);
        match resumed {
            Some(Ok(mut game)) => {
                game.play(8);
                played += 1;
            }
            _ => refused += 1,
        }
    }
    assert!(refused > 50 && played > 50, "{refused} refused, {played} played");
}
