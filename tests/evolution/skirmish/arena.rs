//! A small level in which everything happens soon.

use skirmish::{Game, Inventory, Item, Level, Map, Point, Settings};

/// Two camps that see each other past a wall, some water, and things to pick up.
pub fn level() -> Level {
    let rows = [
        "..........................",
        "..........#...............",
        "..........#....~~.........",
        "....,,....#....~~....,,...",
        "..........................",
        "....,,....#....#.....,,...",
        "...............#..........",
        "..........~~~..#..........",
        "..........................",
    ];
    let mut medkits = Inventory::default();
    medkits.add(Item::Medkit, 2);
    Level {
        name: "Arena".to_owned(),
        map: Map::from_rows(&rows).unwrap(),
        camps: [vec![Point::new(4, 4)], vec![Point::new(19, 4)]],
        items: vec![(Point::new(12, 4), medkits.clone()), (Point::new(12, 1), medkits)],
    }
}

/// A game in it.
pub fn game(units: usize) -> Game {
    Game::new(&level(), &Settings { seed: 3, units: Some(units) }).unwrap()
}
