//! The way from here to there.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::{DIRECTIONS, Map, Point};

/// How many cells one search looks at before it gives up.
const MAX_CELLS: u32 = 20_000;

/// A* on the map. Units in the way do not count: they move.
///
/// The result depends only on the map, the start and the goal. Of all shortest ways it takes the
/// one whose every step is the first possible in the order of [`DIRECTIONS`]. So a new search from
/// any cell of a way finds the rest of the same way, and ways need not be saved.
#[derive(Default)]
pub struct Pathfinder {
    /// The cost of the way from each cell to the goal, as far as it is known.
    costs: Vec<u32>,
    /// The search that found the cost.
    searches: Vec<u32>,
    search: u32,
    open: BinaryHeap<Reverse<(u32, u32, u32)>>,
    /// How many new ways may still be planned in this tick.
    budget: usize,
}

impl Pathfinder {
    /// How many new ways may be planned until this is called again.
    pub fn refill(&mut self, budget: usize) {
        self.budget = budget;
    }

    /// Takes one way from the budget, if there is one left.
    pub fn spend(&mut self) -> bool {
        let left = self.budget > 0;
        self.budget = self.budget.saturating_sub(1);
        left
    }

    /// The steps from one cell to another, the first one last, or `None` if there is no way or it
    /// is too long to be found.
    pub fn find(&mut self, map: &Map, from: Point, to: Point) -> Option<Vec<Point>> {
        let (start, goal) = (map.index(from)?, map.index(to)?);
        if map.region(from) == 0 || map.region(from) != map.region(to) {
            return None;
        }
        self.begin(map.size());
        self.reach(goal, 0, from.least_cost(to));
        // The search runs from the goal, because it needs the cost from each cell to the goal. It
        // continues until all cells on shortest ways have their cost.
        let mut best = u32::MAX;
        let mut looked_at = 0;
        while let Some(Reverse((estimate, cost, cell))) = self.open.pop() {
            if estimate > best {
                break;
            }
            let cell = cell as usize;
            if cost > self.costs[cell] {
                continue;
            }
            looked_at += 1;
            if looked_at > MAX_CELLS {
                return None;
            }
            if cell == start {
                best = estimate;
            }
            let here = map.point(cell);
            for (x, y) in DIRECTIONS {
                let before = here.plus((-x, -y));
                if let (Some(index), Some(step)) = (map.index(before), map.step(before, (x, y)))
                    && map.is_open(before)
                {
                    self.reach(index, cost + step, from.least_cost(before));
                }
            }
        }
        (best != u32::MAX).then(|| self.follow(map, from, to))
    }

    fn begin(&mut self, cells: usize) {
        if self.costs.len() != cells || self.search == u32::MAX {
            self.costs = vec![0; cells];
            self.searches = vec![0; cells];
            self.search = 0;
        }
        self.search += 1;
        self.open.clear();
    }

    /// Notes that there is a way of that cost from a cell to the goal.
    fn reach(&mut self, cell: usize, cost: u32, rest: u32) {
        if self.searches[cell] != self.search || cost < self.costs[cell] {
            self.searches[cell] = self.search;
            self.costs[cell] = cost;
            self.open.push(Reverse((cost + rest, cost, cell as u32)));
        }
    }

    /// Collects the steps.
    fn follow(&self, map: &Map, from: Point, to: Point) -> Vec<Point> {
        let known = |at: Point| {
            let index = map.index(at)?;
            (self.searches[index] == self.search).then(|| self.costs[index])
        };
        let mut steps = Vec::new();
        let mut here = from;
        while here != to {
            let next = DIRECTIONS.into_iter().find(|&direction| {
                let step = map.step(here, direction);
                let rest = known(here.plus(direction));
                step.zip(rest).is_some_and(|(step, rest)| Some(step + rest) == known(here))
            });
            let Some(direction) = next else { break };
            here = here.plus(direction);
            steps.push(here);
        }
        steps.reverse();
        steps
    }
}
