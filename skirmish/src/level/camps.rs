//! Where the sides gather.

use std::collections::VecDeque;

use crate::{DIRECTIONS, Map, Point};

/// Returns where the sides gather, all in one part of the map: the given cells that are in the
/// largest part, or else cells far from the other side. `None` if no two cells are connected.
pub fn choose(map: &Map, given: [Vec<Point>; 2]) -> Option<[Vec<Point>; 2]> {
    let region = largest(map)?;
    let inside = |places: Vec<Point>| -> Vec<Point> {
        places.into_iter().filter(|&place| map.region(place) == region).collect()
    };
    let [blue, red] = given.map(inside);
    Some(match (blue.is_empty(), red.is_empty()) {
        (false, false) => [blue, red],
        (false, true) => {
            let red = vec![farthest(map, &blue)?];
            [blue, red]
        }
        (true, false) => [vec![farthest(map, &red)?], red],
        (true, true) => {
            let any =
                (0..map.size()).map(|cell| map.point(cell)).find(|&at| map.region(at) == region)?;
            let blue = vec![farthest(map, &[any])?];
            let red = vec![farthest(map, &blue)?];
            [blue, red]
        }
    })
}

/// The part of the map with the most cells, if it has two.
fn largest(map: &Map) -> Option<u32> {
    let mut sizes: Vec<usize> = Vec::new();
    for cell in 0..map.size() {
        let region = map.region(map.point(cell)) as usize;
        if region >= sizes.len() {
            sizes.resize(region + 1, 0);
        }
        sizes[region] += 1;
    }
    let sizes = sizes.iter().enumerate().skip(1);
    let (region, &size) = sizes.max_by_key(|&(region, size)| (size, std::cmp::Reverse(region)))?;
    (size >= 2).then_some(region as u32)
}

/// The cell that is farthest from all those.
fn farthest(map: &Map, from: &[Point]) -> Option<Point> {
    let mut seen = vec![false; map.size()];
    let mut waiting = VecDeque::new();
    let mut last = None;
    let mut reach = |at: Point, waiting: &mut VecDeque<Point>| {
        if let Some(index) = map.index(at).filter(|_| map.is_open(at))
            && !std::mem::replace(&mut seen[index], true)
        {
            waiting.push_back(at);
        }
    };
    from.iter().for_each(|&at| reach(at, &mut waiting));
    while let Some(here) = waiting.pop_front() {
        last = Some(here);
        DIRECTIONS[..4].iter().for_each(|&way| reach(here.plus(way), &mut waiting));
    }
    last
}
