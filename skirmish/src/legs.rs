//! Walking: along a way, around units in it.

use std::hash::Hash;

use archive::Serialize;

use crate::command::Failure;
use crate::{DIRECTIONS, Digest, Point, Scene, State, Timer, Unit};

/// After so many attempts a unit tries to step aside.
const STEP_ASIDE: u32 = 2;

/// After so many attempts it gives up.
const GIVE_UP: u32 = 40;

/// The way a unit is on.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Legs {
    /// The way, once it is planned.
    pub route: Option<Route>,
    /// When the next step can be taken.
    pub next_step: Timer,
    /// How often in a row somebody was in the way.
    pub blocked: u32,
}

/// A way that is planned. A tick has a budget for planning, so it is part of the state whether
/// there is a way. The steps are not: they are found again when they are needed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Route {
    /// Where it leads.
    pub goal: Point,
    /// The steps, the next one last.
    #[archive(skip)]
    steps: Vec<Point>,
}

/// The result of walking for one tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Walk {
    /// The unit is there.
    Arrived,
    /// It is on the way.
    Going,
    /// It does not get there.
    Stuck(Failure),
}

/// What to do about the next step.
enum Next {
    /// To go there.
    Step(Point),
    /// To wait for a tick in which a way can be planned.
    Later,
    /// To give up.
    Never,
}

impl Legs {
    /// Feeds everything but the steps into a digest.
    pub fn digest(&self, to: &mut Digest) {
        (self.route.as_ref().map(|route| route.goal), self.next_step, self.blocked).hash(to);
    }

    /// Forgets the way.
    pub fn stop(&mut self) {
        self.route = None;
        self.blocked = 0;
    }
}

impl Unit {
    /// Walks towards a cell, and stops `near` steps before it.
    pub fn walk(&mut self, goal: Point, near: i32, scene: &mut Scene<'_>) -> Walk {
        if self.position.steps_to(goal) <= near {
            self.legs.stop();
            return Walk::Arrived;
        }
        if !self.legs.next_step.is_due(scene.now) {
            return Walk::Going;
        }
        let next = match self.next_step(goal, scene) {
            Next::Step(next) => next,
            Next::Later => return Walk::Going,
            Next::Never => return self.stuck(Failure::NoWay),
        };
        if !matches!(self.state, State::Walking { to, .. } if to == goal) {
            self.state = State::Walking { to: goal, since: scene.now };
        }
        if scene.grid.is_free(next) {
            self.step_to(next, scene);
            if let Some(route) = &mut self.legs.route {
                route.steps.pop();
            }
            self.legs.blocked = 0;
            return Walk::Going;
        }
        self.legs.blocked = self.legs.blocked.saturating_add(1);
        if self.legs.blocked > GIVE_UP {
            return self.stuck(Failure::Blocked);
        }
        if self.legs.blocked >= STEP_ASIDE
            && let Some(aside) = self.way_round(goal, scene)
        {
            self.step_to(aside, scene);
            self.legs.route = None;
        }
        Walk::Going
    }

    fn stuck(&mut self, why: Failure) -> Walk {
        self.legs.stop();
        Walk::Stuck(why)
    }

    /// The next step on the way to the goal, which is planned if it must be.
    fn next_step(&mut self, goal: Point, scene: &mut Scene<'_>) -> Next {
        let planned = self.legs.route.take().filter(|route| route.goal == goal);
        // A unit that had a way gets it without using the budget: it is saved that there was one,
        // but not its steps.
        if planned.is_none() && !scene.paths.spend() {
            return Next::Later;
        }
        let mut route = planned.unwrap_or(Route { goal, steps: Vec::new() });
        if route.steps.is_empty() {
            match scene.paths.find(scene.map, self.position, goal) {
                Some(steps) => route.steps = steps,
                None => return Next::Never,
            }
        }
        let next = route.steps.last().copied();
        self.legs.route = Some(route);
        next.map_or(Next::Never, Next::Step)
    }

    /// A free neighbouring cell that is not farther from the goal. The first candidate depends on
    /// the unit and on the time, so that two units do not dodge each other forever.
    fn way_round(&self, goal: Point, scene: &Scene<'_>) -> Option<Point> {
        let first = (u64::from(self.id) + scene.now) as usize;
        let far = self.position.least_cost(goal).saturating_add(4);
        (0..DIRECTIONS.len())
            .map(|turn| DIRECTIONS[(first + turn) % DIRECTIONS.len()])
            .filter(|&direction| scene.map.step(self.position, direction).is_some())
            .map(|direction| self.position.plus(direction))
            .filter(|&cell| scene.grid.is_free(cell))
            .find(|&cell| cell.least_cost(goal) <= far)
    }

    /// Takes one step, and picks up the items there.
    fn step_to(&mut self, next: Point, scene: &mut Scene<'_>) {
        let diagonal = next.x != self.position.x && next.y != self.position.y;
        let slowness = scene.map.terrain(next).slowness().unwrap_or(1);
        let length = if diagonal { 14 } else { 10 };
        let ticks = u64::from(self.pace) * u64::from(slowness) * length / 10;
        self.legs.next_step = Timer::after(scene.now, ticks.max(1));
        scene.grid.remove(self.position);
        scene.grid.put(next, scene.index, self.side);
        self.position = next;
        scene.tally.steps += 1;
        scene.pick_up(self);
    }
}
