//! Paths depend only on map, start and goal, so they need not be saved.

use skirmish::{Map, Pathfinder, Point};

#[test]
fn the_rest_of_a_path_equals_a_new_search() {
    let rows = ["........,.", "..##......", ".,.#.##.~~", "...#..#...", ".#....#...", "......,,.."];
    let map = Map::from_rows(&rows).unwrap();
    let mut paths = Pathfinder::default();
    let cells: Vec<Point> =
        (0..map.size()).map(|index| map.point(index)).filter(|&at| map.is_open(at)).collect();
    for &from in &cells {
        for &to in &cells {
            let mut steps = paths.find(&map, from, to).unwrap();
            while let Some(here) = steps.pop() {
                assert_eq!(paths.find(&map, here, to).unwrap(), steps, "{from:?} to {to:?}");
            }
        }
    }
}

#[test]
fn no_way_through_water() {
    let map = Map::from_rows(&["..~.."]).unwrap();
    assert!(Pathfinder::default().find(&map, Point::new(0, 0), Point::new(4, 0)).is_none());
}
