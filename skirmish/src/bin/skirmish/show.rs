//! A game as text.

use std::io::{self, Write};

use skirmish::{Side, World, draw};

use crate::table::{count, number};

/// The maximum columns and rows of the map.
const SCREEN: (usize, usize) = (100, 40);

/// The meaning of the symbols on the map.
pub const LEGEND: &str = "\
The map: R rifle, S scout, G gunner, M medic of the BLUE side, in small letters of the red side;
* both sides in one place, + things to pick up; # wall, ~ water, , rough ground, . floor.";

/// Prints the game, and how to read its map.
pub fn opening(world: &World, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        "{}: {} × {} cells, {} in {}\n\n{LEGEND}\n",
        world.level,
        world.map.width(),
        world.map.height(),
        count(world.units.len(), "unit", "units"),
        count(world.squads.len(), "squad", "squads"),
    )
}

/// Draws the map, and prints the state of the battle.
pub fn battle(world: &World, out: &mut impl Write) -> io::Result<()> {
    for line in draw(world, SCREEN.0, SCREEN.1).lines() {
        writeln!(out, "  {line}")?;
    }
    let tally = &world.tally;
    writeln!(
        out,
        "\n  BLUE {} (fallen {}), red {} (fallen {}); {} steps, {} shots, {} hits, {} healed, {} picked up",
        number(world.strength(Side::Blue)),
        tally.fallen[0],
        number(world.strength(Side::Red)),
        tally.fallen[1],
        tally.steps,
        tally.shots,
        tally.hits,
        tally.healed,
        tally.picked_up,
    )?;
    let orders = tally.orders.iter().map(|(id, [done, failed])| format!("{id} {done}+{failed}"));
    writeln!(out, "  orders carried out + failed: {}\n", orders.collect::<Vec<_>>().join(", "))
}

/// The last events.
pub fn events(world: &World, out: &mut impl Write) -> io::Result<()> {
    let mut last: Vec<_> = world.chronicle.events().rev().take(5).collect();
    last.reverse();
    for (tick, event) in last {
        writeln!(out, "  {tick:>6}  {event}")?;
    }
    writeln!(out)
}
