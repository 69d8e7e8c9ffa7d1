//! Objects that are taken out and put back, undone, replaced, and saved after a save that failed:
//! what a mark says counts only for the row that it was written to.

use archive::store::{Persistent, Pool};
use archive::{Result, Serialize};

use super::support::{load, watched};

#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Town {
    name: String,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Nation {
    towns: Vec<Persistent<Town>>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Land {
    tick: u64,
    capital: Option<Persistent<Town>>,
    nation: Persistent<Nation>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Part {
    heat: u32,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct Unit {
    hp: u16,
    parts: Vec<Persistent<Part>>,
}
#[derive(Debug, Default, Clone, PartialEq, Serialize)]
struct World {
    tick: u64,
    units: Pool<Unit>,
}
archive::persistent!(
    Town = "town",
    Nation = "nation",
    Land = "land",
    Part = "part",
    Unit = "unit",
    World = "world"
);

fn town(name: &str) -> Persistent<Town> {
    Persistent::new(Town { name: name.into() })
}

/// The row of the owner is as before, and the owner was written to. The save that failed must not
/// forget that.
#[test]
fn a_change_in_an_owner_that_is_as_its_row_is_saved_after_a_save_that_failed() -> Result {
    let (memory, disk, store) = watched()?;
    let mut land = Land::default();
    land.nation.towns.push(town("Ash"));
    store.save(&land)?;
    land.nation.towns[0].name = "Bree".into();
    disk.full(|| store.save(&land)).unwrap_err();
    store.save(&land)?;
    assert_eq!(load::<Land>(memory)?.0, land);
    Ok(())
}

/// As above, in a pool.
#[test]
fn a_change_in_a_unit_that_is_as_its_row_is_saved_after_a_save_that_failed() -> Result {
    let (memory, disk, store) = watched()?;
    let mut world = World::default();
    let part = Persistent::new(Part { heat: 1 });
    let unit = world.units.insert(Unit { hp: 9, parts: vec![part] });
    store.save(&world)?;
    world.units[unit].parts[0].heat = 2;
    disk.full(|| store.save(&world)).unwrap_err();
    store.save(&world)?;
    assert_eq!(load::<World>(memory)?.0, world);
    Ok(())
}
