//! From indices to pointers.

use std::cell::RefCell;
use std::rc::Rc;

use fory::RcWeak;

use super::{
    Assault, Attack, Camp, Carried, Command, Component, Count, Event, Failure, Follow, Healer,
    Hold, Item, Legs, Lookout, Lying, Mood, MoveTo, Nerves, Patrol, Point, Rally, Side, Squad,
    State, Tally, Unit, Weapon, World, indices,
};

/// The objects that are created first, as targets of the others.
struct Made {
    units: Vec<Rc<RefCell<Unit>>>,
    squads: Vec<Rc<RefCell<Squad>>>,
}

/// The same world with pointers.
pub fn world(from: &indices::World) -> World {
    let made = Made {
        units: from.units.iter().map(|unit| Rc::new(RefCell::new(blank_unit(unit)))).collect(),
        squads: from.squads.iter().map(|squad| Rc::new(RefCell::new(blank_squad(squad)))).collect(),
    };
    let commands = from.commands.iter().map(|command| made.command(command)).collect();
    for (unit, from) in made.units.iter().zip(&from.units) {
        made.join_unit(&mut unit.borrow_mut(), from);
    }
    for (squad, from) in made.squads.iter().zip(&from.squads) {
        made.join_squad(&mut squad.borrow_mut(), from);
    }
    World {
        level: from.level.clone(),
        tick: from.tick,
        random: from.random,
        rows: from.rows.clone(),
        items: from.items.iter().map(|(at, things)| lying(at, things)).collect(),
        camps: from.camps.iter().map(camp).collect(),
        squads: made.squads,
        units: made.units,
        commands,
        next_id: from.next_id,
        tally: tally(&from.tally),
        events: from.events.iter().map(|(at, what)| event(*at, what)).collect(),
    }
}

impl Made {
    fn weak(&self, unit: Option<u32>) -> RcWeak<RefCell<Unit>> {
        unit.map_or_else(RcWeak::new, |unit| RcWeak::from(&self.units[unit as usize]))
    }

    fn weak_squad(&self, squad: Option<u32>) -> RcWeak<RefCell<Squad>> {
        squad.map_or_else(RcWeak::new, |squad| RcWeak::from(&self.squads[squad as usize]))
    }

    fn join_unit(&self, unit: &mut Unit, from: &indices::Unit) {
        unit.attacker = self.weak(from.attacker);
        unit.squad = self.weak_squad(from.squad);
        unit.components = from.components.iter().map(|it| self.component(it)).collect();
        unit.begun = from.orders.iter().map(|order| order.begun).collect();
        for order in &from.orders {
            match &order.task {
                indices::Task::Own(command) => unit.own.push(self.command(command)),
                indices::Task::Shared(number) => unit.shared.push(*number),
            }
        }
        if let indices::State::Fighting { target, since } = from.state {
            unit.state = State::Fighting { target: self.weak(target), since };
        }
    }

    fn join_squad(&self, squad: &mut Squad, from: &indices::Squad) {
        squad.leader = self.weak(from.leader);
        squad.members = from.members.iter().map(|&member| self.weak(member)).collect();
        squad.rally = from.rally;
    }

    fn component(&self, from: &indices::Component) -> Box<dyn Component> {
        use indices::Component as From;
        match *from {
            From::Weapon { damage, reach, rounds, magazine, pause, ready } => {
                Box::new(Weapon { damage, reach, rounds, magazine, pause, ready })
            }
            From::Lookout { range, pause, next } => Box::new(Lookout { range, pause, next }),
            From::Healer { strength, pause, ready, patient } => {
                Box::new(Healer { strength, pause, ready, patient: self.weak(patient) })
            }
            From::Nerves { stress, next } => Box::new(Nerves { stress, next }),
        }
    }

    fn command(&self, from: &indices::Command) -> Box<dyn Command> {
        use indices::Command as From;
        match *from {
            From::MoveTo { goal, near } => Box::new(MoveTo { goal: point(goal), near }),
            From::Hold { ticks, over } => Box::new(Hold { ticks, over }),
            From::Follow { leader, distance, goal, look } => {
                Box::new(Follow { leader: self.weak(leader), distance, goal: point(goal), look })
            }
            From::Attack { target, goal, look, give_up } => {
                Box::new(Attack { target: self.weak(target), goal: point(goal), look, give_up })
            }
            From::Patrol { ref points, next, rounds } => Box::new(Patrol {
                points: points.iter().copied().map(point).collect(),
                next,
                rounds,
            }),
            From::Rally { at, expected, ref present, until } => {
                Box::new(Rally { at: point(at), expected, present: present.clone(), until })
            }
            From::Assault { squad, victim, goal, look, give_up, taking_part } => {
                Box::new(Assault {
                    squad: self.weak_squad(squad),
                    victim: self.weak(victim),
                    goal: point(goal),
                    look,
                    give_up,
                    taking_part,
                })
            }
        }
    }
}

fn point(from: indices::Point) -> Point {
    Point { x: from.x, y: from.y }
}

fn side(from: indices::Side) -> Side {
    match from {
        indices::Side::Blue => Side::Blue,
        indices::Side::Red => Side::Red,
    }
}

fn carried(from: &[(indices::Item, u32)]) -> Vec<Carried> {
    let item = |item| match item {
        indices::Item::Magazine => Item::Magazine,
        indices::Item::Medkit => Item::Medkit,
    };
    from.iter().map(|&(it, count)| Carried { item: item(it), count }).collect()
}

fn lying(at: &indices::Point, things: &[(indices::Item, u32)]) -> Lying {
    Lying { at: point(*at), things: carried(things) }
}

fn camp(from: &indices::Camp) -> Camp {
    Camp {
        side: side(from.side),
        places: from.places.iter().copied().map(point).collect(),
        strength: from.strength,
        next_squad: from.next_squad,
    }
}

fn blank_squad(from: &indices::Squad) -> Squad {
    use indices::Mood as From;
    Squad {
        name: from.name.clone(),
        side: side(from.side),
        leader: RcWeak::new(),
        members: Vec::new(),
        mood: match from.mood {
            From::Resting(until) => Mood::Resting(until),
            From::Patrolling => Mood::Patrolling,
            From::Advancing { to } => Mood::Advancing { to: point(to) },
            From::Rallying { at, until } => Mood::Rallying { at: point(at), until },
        },
        rally: None,
        strength: from.strength,
        next_thought: from.next_thought,
    }
}

fn blank_unit(from: &indices::Unit) -> Unit {
    use indices::{Failure as Why, State as From};
    Unit {
        id: from.id,
        name: from.name.clone(),
        kind: from.kind.clone(),
        side: side(from.side),
        position: point(from.position),
        health: from.health,
        most_health: from.most_health,
        wounds: from.wounds,
        pace: from.pace,
        state: match from.state {
            From::Idle => State::Idle,
            From::Walking { to, since } => State::Walking { to: point(to), since },
            From::Fighting { since, .. } => State::Fighting { target: RcWeak::new(), since },
            From::Waiting => State::Waiting,
            From::Pinned { until } => State::Pinned { until },
        },
        legs: Legs {
            route: from.legs.route.map(point),
            next_step: from.legs.next_step,
            blocked: from.legs.blocked,
        },
        inventory: carried(&from.inventory),
        components: Vec::new(),
        own: Vec::new(),
        shared: Vec::new(),
        begun: Vec::new(),
        succeeded: from.succeeded,
        last_failure: from.last_failure.map(|why| match why {
            Why::NoWay => Failure::NoWay,
            Why::Blocked => Failure::Blocked,
            Why::Lost => Failure::Lost,
            Why::OutOfTime => Failure::OutOfTime,
            Why::Cancelled => Failure::Cancelled,
        }),
        squad: RcWeak::new(),
        attacker: RcWeak::new(),
    }
}

fn tally(from: &indices::Tally) -> Tally {
    let mut numbers = vec![from.steps, from.shots, from.hits, from.healed, from.picked_up];
    numbers.extend(from.fallen.iter().chain(&from.reinforced));
    let count = |(id, counts): &(String, [u64; 2])| Count {
        id: id.clone(),
        succeeded: counts[0],
        failed: counts[1],
    };
    Tally { numbers, orders: from.orders.iter().map(count).collect() }
}

fn event(at: u64, from: &indices::Event) -> Event {
    use indices::Event as From;
    let (kind, texts) = match from {
        From::Fell { unit, by } => (0, vec![unit.clone(), by.clone()]),
        From::Promoted { unit, squad } => (1, vec![unit.clone(), squad.clone()]),
        From::Ordered { squad, order } => (2, vec![squad.clone(), order.clone()]),
        From::Reinforced(_, count) => (3, vec![count.to_string()]),
    };
    Event { at, kind, texts }
}
