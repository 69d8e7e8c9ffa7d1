//! The level that was written for this game.

use super::Level;
use crate::{Item, Map, Point};

/// Blue comes from the west, red from the east; in between are a river with two fords and a bridge,
/// a village and a wood. `B` and `R` are camps, `m` and `k` magazines and medkits. North and south,
/// west and east fit together, for large battles.
const ROWS: &str = include_str!("../../data/fords.txt");

/// The level.
pub fn level() -> Level {
    let mut camps = [Vec::new(), Vec::new()];
    let mut items = Vec::new();
    let rows: Vec<String> = ROWS
        .lines()
        .enumerate()
        .map(|(y, row)| {
            let mut cell = |(x, symbol)| {
                let at = Point::new(x as i32, y as i32);
                match symbol {
                    'B' => camps[0].push(at),
                    'R' => camps[1].push(at),
                    'm' => items.push((at, Item::Magazine)),
                    'k' => items.push((at, Item::Medkit)),
                    terrain => return terrain,
                }
                '.'
            };
            row.chars().enumerate().map(&mut cell).collect()
        })
        .collect();
    let map = Map::from_rows(&rows).unwrap_or_default();
    match Level::new("The Fords".to_owned(), map, camps, items) {
        Ok(level) => level,
        Err(error) => unreachable!("{error}"),
    }
}
