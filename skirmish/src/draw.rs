//! A world as text.

use crate::{Point, Side, Terrain, World};

/// How many cells are shown around the units.
const MARGIN: i32 = 6;

/// Draws a world with at most that many columns and rows: `#` walls, `~` water, `,` rough ground,
/// `+` things, letters for units, capitals for those of the blue side, `*` where both sides are. If
/// the world is larger, only the part with units is shown; if that is still too large, a character
/// shows a square of cells.
pub fn draw(world: &World, columns: usize, rows: usize) -> String {
    let fits = world.map.width() as usize <= columns && world.map.height() as usize <= rows;
    let (first, last) = if fits { (Point::new(0, 0), far_corner(world)) } else { part(world) };
    let (width, height) = ((last.x - first.x + 1) as usize, (last.y - first.y + 1) as usize);
    let scale = width.div_ceil(columns.max(1)).max(height.div_ceil(rows.max(1))).max(1);
    let (columns, rows) = (width.div_ceil(scale), height.div_ceil(scale));
    let square = |at: Point| {
        let inside = (first.x..=last.x).contains(&at.x) && (first.y..=last.y).contains(&at.y);
        inside.then(|| {
            let (x, y) = ((at.x - first.x) as usize / scale, (at.y - first.y) as usize / scale);
            y * columns + x
        })
    };

    let mut counts = vec![[0_usize; 4]; columns * rows];
    for index in 0..world.map.size() {
        let at = world.map.point(index);
        if let Some(square) = square(at) {
            counts[square][world.map.terrain(at) as usize] += 1;
        }
    }
    let terrains = [Terrain::Wall, Terrain::Water, Terrain::Rough, Terrain::Floor];
    let commonest = |counts: &[usize; 4]| {
        let most = terrains.into_iter().max_by_key(|&terrain| counts[terrain as usize]);
        most.unwrap_or_default().symbol()
    };
    let mut symbols: Vec<char> = counts.iter().map(commonest).collect();
    for &at in world.items.keys() {
        if let Some(square) = square(at) {
            symbols[square] = '+';
        }
    }
    for unit in &world.units {
        let unit = unit.borrow();
        let letter = unit.kind.chars().next().unwrap_or('?');
        let (own, letter) = match unit.side {
            Side::Blue => (char::is_uppercase as fn(char) -> bool, letter.to_ascii_uppercase()),
            Side::Red => (char::is_lowercase as fn(char) -> bool, letter.to_ascii_lowercase()),
        };
        let Some(square) = square(unit.position) else { continue };
        let there = &mut symbols[square];
        let mixed = *there == '*' || there.is_alphabetic() && !own(*there);
        *there = if mixed { '*' } else { letter };
    }
    let mut text = String::with_capacity((columns + 1) * rows);
    for row in symbols.chunks(columns.max(1)) {
        text.extend(row);
        text.push('\n');
    }
    text
}

fn far_corner(world: &World) -> Point {
    Point::new((world.map.width() - 1).max(0), (world.map.height() - 1).max(0))
}

/// The corners of the part of the map where units are.
fn part(world: &World) -> (Point, Point) {
    let end = far_corner(world);
    let places = || world.units.iter().map(|unit| unit.borrow().position);
    let (Some(left), Some(top), Some(right), Some(bottom)) = (
        places().map(|at| at.x).min(),
        places().map(|at| at.y).min(),
        places().map(|at| at.x).max(),
        places().map(|at| at.y).max(),
    ) else {
        return (Point::new(0, 0), end);
    };
    let first = Point::new((left - MARGIN).max(0), (top - MARGIN).max(0));
    (first, Point::new((right + MARGIN).min(end.x), (bottom + MARGIN).min(end.y)))
}
