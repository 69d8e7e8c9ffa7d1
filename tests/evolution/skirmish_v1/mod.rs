//! Games that the first version of Skirmish saved are still resumed.
//!
//! `tests/golden/<format>/v1/skirmish.*` were written once, by the types in `types_v1.rs`:
//! `UPDATE_GOLDEN=1 cargo test --test evolution skirmish_v1` writes those that are missing, one for each
//! format. A file that exists is never rewritten. What has changed since:
//!
//! | first version | now |
//! |---|---|
//! | `Unit::job`, `team`; `Squad::units` | `kind`, `side`; `members`: aliases |
//! | `Unit::hp`, `max_hp` (an `u8`) | in a struct of their own, `Health`, flattened, with aliases |
//! | `Team::North`, `South`; `State::Standing`; `Fighting::enemy` | aliases |
//! | `Unit::mood`, `World::weather` | gone: skipped |
//! | the type ids `walk`, `eyes`; `MoveTo::target` | `move`, `lookout`; `goal`: aliases of the registry, and of the member |
//! | `Weapon::reach` in cells | squared: version 1 of the type |
//! | `Map`, written by hand: the binary format stores with each object which members it has | derived |
//! | no `pace`, `legs`, `attacker`, `camps`, `chronicle`, ... | added, with defaults |

mod types_v1;

use std::fs;
use std::path::PathBuf;
use std::rc::Rc;

use archive::Format;
use skirmish::component::{Lookout, Weapon};
use skirmish::{Game, Side, State, World, digest};

/// The formats that have golden files.
fn stored() -> impl Iterator<Item = Format> {
    Format::all().chain([Format::of::<archive::bins::Bins>()])
}

fn golden(format: Format) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format.name());
    folder.join("v1").join(format!("skirmish.{}", format.extensions()[0]))
}

/// The file of a format. It is written if it is missing and this is requested.
fn saved(format: Format) -> Vec<u8> {
    let path = golden(format);
    if !path.exists() && std::env::var_os("UPDATE_GOLDEN").is_some() {
        let bytes = format.to_vec_with(&types_v1::world(), &types_v1::options()).unwrap();
        fs::write(&path, bytes).unwrap();
    }
    fs::read(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; see the top of this file", path.display()))
}

#[test]
fn the_types_of_the_first_version_write_these_files() {
    for format in stored() {
        let bytes = format.to_vec_with(&types_v1::world(), &types_v1::options()).unwrap();
        let golden = saved(format);
        // The layouts of the binary format and of Bins have changed since then: these files load as
        // the present ones do.
        let changed = [Format::Binary, Format::of::<archive::bins::Bins>()];
        assert!(bytes == golden || changed.contains(&format), "{format}: another file");
        let world: types_v1::World = format.from_slice_with(&golden, &types_v1::options()).unwrap();
        let again = format.to_vec_with(&world, &types_v1::options()).unwrap();
        assert!(bytes == again, "{format}: another value");
    }
}

#[test]
fn everything_is_where_it_belongs_now() {
    for format in stored() {
        let world = skirmish::load(&saved(format), format).unwrap();
        check(&world);
        let again = skirmish::save(&world, format).unwrap();
        let again = skirmish::load(&again, format).unwrap();
        assert_eq!(digest(&again), digest(&world), "{format}");
    }
}

fn check(world: &World) {
    assert_eq!((&*world.level, world.tick, world.units.len()), ("Old Arena", 100, 8));
    assert!(world.camps.is_empty() && world.chronicle.events().next().is_none());
    let unit = world.units[5].borrow();
    assert_eq!((&*unit.kind, unit.side, unit.pace), ("rifle", Side::Red, 3));
    assert_eq!((unit.health.health, unit.health.most_health, unit.health.wounds), (15, 22, 0));
    let State::Fighting { target, since: 98 } = &unit.state else { panic!("does not fight") };
    assert!(Rc::ptr_eq(&target.upgrade().unwrap(), &world.units[1]));
    assert_eq!(
        unit.component::<Weapon>().map(|weapon| (weapon.reach, weapon.rounds)),
        Some((36, 5))
    );
    let eyes = unit.component::<Lookout>().unwrap();
    assert_eq!((eyes.range, eyes.pause), (9, 5));
    assert_eq!((unit.orders.current(), unit.orders.len()), (Some("attack"), 2));

    let squad = world.squads[0].borrow();
    assert_eq!((squad.side, squad.members.len(), squad.strength), (Side::Blue, 4, 6));
    let rally = squad.rally.as_ref().unwrap();
    assert_eq!((Rc::strong_count(rally), rally.borrow().expected), (5, 4));
    assert!(rally.borrow().present.contains(&2));
    assert_eq!(world.units[0].borrow().orders.len(), 2);
}

#[test]
fn they_are_played_to_the_end() {
    let mut endings = Vec::new();
    for format in stored() {
        let mut game = Game::resume(skirmish::load(&saved(format), format).unwrap()).unwrap();
        game.play(120);
        let orders = &game.world().tally.orders;
        assert!(orders.contains_key("move") && orders["rally"][0] >= 3, "{format}: {orders:?}");
        assert!(game.world().tally.fallen.iter().sum::<u64>() > 0, "{format}: nobody fell");
        endings.push((format, digest(game.world())));
    }
    assert!(endings.windows(2).all(|pair| pair[0].1 == pair[1].1), "{endings:?}");
}

#[test]
fn only_removed_members_are_lost() {
    for format in stored() {
        let options = skirmish::options();
        let (_, report) = format.from_slice_report::<World>(&saved(format), &options).unwrap();
        let mut unknown: Vec<&str> =
            report.unknown().map(|path| path.rsplit('.').next().unwrap()).collect();
        unknown.sort_unstable();
        unknown.dedup();
        assert_eq!(unknown, ["mood", "weather"], "{format}");
        assert!(report.dangling().next().is_none(), "{format}");
        assert!(report.absent().any(|path| path == "camps"), "{format}");
    }
}
