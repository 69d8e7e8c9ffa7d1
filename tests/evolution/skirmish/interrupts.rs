//! Interrupted games compared with the uninterrupted one.

use std::collections::BTreeSet;

use archive::Format;
use skirmish::{Game, State, World, digest};

use super::arena;

/// Saves a game, and returns the loaded one. The game's own functions use formats as trait objects;
/// the others are compiled for each format if the feature `static-formats` is on.
fn reload(game: &Game, format: Format) -> Game {
    let bytes = skirmish::save(game.world(), format).unwrap();
    let world = skirmish::load(&bytes, format).unwrap_or_else(|error| panic!("{format}: {error}"));
    assert_eq!(digest(&world), digest(game.world()), "{format}: loaded at {}", world.tick);
    let again = skirmish::save(&world, format).unwrap();
    assert!(again == bytes, "{format}: other bytes when saved again at {}", world.tick);
    let options = skirmish::options();
    let world: World = format.from_slice_with(&bytes, &options).unwrap();
    let again = format.to_vec_with(&world, &options).unwrap();
    assert!(again == bytes, "{format}: other bytes from compiled functions at {}", world.tick);
    Game::resume(world).unwrap()
}

#[test]
fn saved_at_every_tick_in_every_format() {
    const END: u64 = 44;
    let mut game = arena::game(20);
    let mut resumed = Vec::new();
    for tick in 0..END {
        for format in Format::all() {
            let mut again = reload(&game, format);
            again.play_to(END);
            resumed.push((tick, format, digest(again.world())));
        }
        game.step();
    }
    assert!(game.world().tally.hits > 0, "nothing happened");
    let hash = digest(game.world());
    for (tick, format, ending) in resumed {
        assert_eq!(ending, hash, "saved as {format} after tick {tick}");
    }
}

#[test]
fn interrupted_ten_times_in_changing_formats() {
    const END: u64 = 330;
    let mut game = arena::game(30);
    let mut uninterrupted = arena::game(30);
    uninterrupted.play_to(END);
    let mut formats = Format::all().cycle();
    for interrupt in 1..=10 {
        game.play_to(interrupt * END / 11);
        game = reload(&game, formats.next().unwrap());
    }
    game.play_to(END);
    assert_eq!(digest(game.world()), digest(uninterrupted.world()));
}

#[test]
fn the_games_have_everything_in_them() {
    let mut game = arena::game(30);
    let (mut states, mut components, mut shared) = (BTreeSet::new(), BTreeSet::new(), false);
    for _ in 0..400 {
        game.step();
        for unit in &game.world().units {
            let unit = unit.borrow();
            states.insert(match unit.state {
                State::Idle => "idle",
                State::Walking { .. } => "walking",
                State::Fighting { .. } => "fighting",
                State::Waiting => "waiting",
                State::Pinned { .. } => "pinned",
            });
            components.extend(unit.components.iter().map(|component| component.id()));
        }
        shared |= game.world().squads.iter().any(|squad| squad.borrow().rally.is_some());
    }
    let tally = &game.world().tally;
    let commands: Vec<&str> = tally.orders.keys().map(String::as_str).collect();
    assert_eq!(commands, ["assault", "attack", "follow", "hold", "move", "patrol", "rally"]);
    assert_eq!(components, BTreeSet::from(["healer", "lookout", "nerves", "weapon"]));
    assert_eq!(states, BTreeSet::from(["fighting", "idle", "pinned", "waiting", "walking"]));
    assert!(shared, "no squad gathered");
    assert!(tally.healed > 0 && tally.picked_up > 0 && tally.reinforced.iter().sum::<u64>() > 0);
    // Orders fail, too.
    assert!(tally.orders.values().any(|[_, failed]| *failed > 0));
}

#[test]
fn the_seed_decides() {
    let settings = |seed| skirmish::Settings { seed, units: Some(12) };
    let ending = |seed| {
        let mut game = Game::new(&arena::level(), &settings(seed)).unwrap();
        game.play(60);
        digest(game.world())
    };
    assert_eq!(ending(5), ending(5));
    assert_ne!(ending(5), ending(6));
}
