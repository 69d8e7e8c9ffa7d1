//! A level from an LDtk project.

use std::collections::BTreeMap;

use super::join::{Placed, lay_out};
use super::{Level, LevelError, ground};
use crate::ldtk::{self, EntityInstance, Project};
use crate::{Item, Map, Point, Terrain};

/// Words in the name or the tags of an entity that marks a camp or items.
const BLUE: &[&str] = &["player", "start", "hero", "keeper", "spawn"];
const RED: &[&str] = &["enemy", "enemies", "monster", "mob", "boss", "guard", "exit"];
const MEDKIT: &[&str] = &["heal", "potion", "medkit", "lamp", "save"];
const MAGAZINE: &[&str] = &["item", "chest", "loot", "container", "ammo", "interactive"];

/// Makes one level of all levels of a project.
pub fn build(project: &Project, name: &str) -> Result<Level, LevelError> {
    let worlds = project.worlds.iter().map(|world| &world.levels);
    let floors: Vec<Vec<&ldtk::Level>> =
        [&project.levels].into_iter().chain(worlds).flat_map(|levels| by_depth(levels)).collect();
    let layers =
        || floors.iter().flatten().flat_map(|level| level.layer_instances.iter().flatten());
    let grid = layers().map(|layer| layer.grid_size).filter(|&grid| grid > 0).min();
    let grid = grid.ok_or_else(|| LevelError::Empty(name.to_owned()))?;
    let too_large = || LevelError::TooLarge(name.to_owned());
    let (placed, [width, height]) = lay_out(&floors, grid).ok_or_else(too_large)?;
    if width == 0 || height == 0 {
        return Err(LevelError::Empty(name.to_owned()));
    }

    let mut cells = Cells::new(width, height);
    let mut camps = [Vec::new(), Vec::new()];
    let mut items = Vec::new();
    for level in &placed {
        cells.fill(level, grid, &project.defs)?;
        for layer in level.level.layer_instances.iter().flatten() {
            for entity in &layer.entity_instances {
                let [x, y] = [0, 1].map(|axis| entity.px[axis].div_euclid(grid));
                let inside = (0..level.size[0]).contains(&x) && (0..level.size[1]).contains(&y);
                if inside {
                    place(entity, level.at.plus((x, y)), &mut camps, &mut items);
                }
            }
        }
    }
    // An entity is on an open cell, or just above one: its pivot may be at its feet.
    let map = cells.into_map();
    let open = |at: Point| [at, at.plus((0, -1))].into_iter().find(|&at| map.is_open(at));
    let camps = camps.map(|places: Vec<Point>| places.into_iter().filter_map(open).collect());
    let items = items.into_iter().filter_map(|(at, item)| Some((open(at)?, item))).collect();
    Level::new(name.to_owned(), map, camps, items)
}

/// The levels of a world, apart by their depth.
fn by_depth(levels: &[ldtk::Level]) -> Vec<Vec<&ldtk::Level>> {
    let mut floors: BTreeMap<i32, Vec<&ldtk::Level>> = BTreeMap::new();
    for level in levels {
        floors.entry(level.world_depth).or_default().push(level);
    }
    floors.into_values().collect()
}

/// The cells of the map that is being made.
struct Cells {
    width: i32,
    terrains: Vec<Terrain>,
}

impl Cells {
    /// Nothing but walls.
    fn new(width: i32, height: i32) -> Self {
        Cells { width, terrains: vec![Terrain::Wall; width as usize * height as usize] }
    }

    /// Fills in a level: floor, but for what its layers say.
    fn fill(
        &mut self,
        placed: &Placed<'_>,
        grid: i32,
        definitions: &ldtk::Definitions,
    ) -> Result<(), LevelError> {
        let grounds = ground::layers(placed.level, definitions)?;
        for y in 0..placed.size[1] {
            for x in 0..placed.size[0] {
                let said = grounds.iter().find_map(|ground| {
                    let column = (x * grid - ground.offset[0]).div_euclid(ground.grid);
                    let row = (y * grid - ground.offset[1]).div_euclid(ground.grid);
                    let inside = (0..ground.width).contains(&column) && row >= 0;
                    let index = i64::from(row) * i64::from(ground.width) + i64::from(column);
                    *ground.cells.get(usize::try_from(index).ok().filter(|_| inside)?)?
                });
                let at = placed.at.plus((x, y));
                let index = at.y as usize * self.width as usize + at.x as usize;
                self.terrains[index] = said.unwrap_or(Terrain::Floor);
            }
        }
        Ok(())
    }

    fn into_map(self) -> Map {
        let height = self.terrains.len() / self.width as usize;
        let mut map = Map::new(self.width as usize, height, Terrain::Wall);
        let mut cells = self.terrains.into_iter();
        map.edit(|_, old| cells.next().unwrap_or(old));
        map
    }
}

/// Notes the camp or the items that an entity marks, if it does.
fn place(
    entity: &EntityInstance,
    at: Point,
    camps: &mut [Vec<Point>; 2],
    items: &mut Vec<(Point, Item)>,
) {
    let names = || entity.tags.iter().chain([&entity.identifier]).map(|name| name.to_lowercase());
    let is = |words: &[&str]| names().any(|name| words.iter().any(|word| name.contains(word)));
    if is(RED) {
        camps[1].push(at);
    } else if is(BLUE) {
        camps[0].push(at);
    } else if is(MEDKIT) {
        items.push((at, Item::Medkit));
    } else if is(MAGAZINE) {
        items.push((at, Item::Magazine));
    }
}
