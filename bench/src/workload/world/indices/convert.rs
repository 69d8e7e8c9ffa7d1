//! From pointers to indices.

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use skirmish::command as commands;
use skirmish::component as components;

use super::{
    Camp, Command, Component, Event, Failure, Item, Legs, Mood, Order, Point, Side, Squad, State,
    Tally, Task, Unit, World,
};

impl World {
    /// The same world with indices.
    pub fn of(world: &skirmish::World) -> Self {
        let mut tables = Tables::default();
        for unit in &world.units {
            let index = tables.units.len() as u32;
            tables.units.insert(address(unit), index);
        }
        for squad in &world.squads {
            tables.squad(squad);
        }
        let units: Vec<Unit> = world.units.iter().map(|unit| tables.unit(&unit.borrow())).collect();
        // Squads that only their units know have been added to the table.
        let mut squads = Vec::new();
        while let Some(squad) = tables.squad_list.get(squads.len()).cloned() {
            squads.push(tables.squad_body(&squad.borrow()));
        }
        let mut commands = Vec::new();
        while let Some(command) = tables.command_list.get(commands.len()).cloned() {
            commands.push(tables.command(&*command.borrow()));
        }
        World {
            level: world.level.clone(),
            tick: world.tick,
            random: u64::MAX / 3, // the state of the dice is not public; this is as long
            rows: world.map.rows(),
            items: world.items.iter().map(|(&at, there)| (point(at), inventory(there))).collect(),
            camps: world.camps.iter().map(camp).collect(),
            squads,
            units,
            commands,
            next_id: world.next_id,
            tally: tally(&world.tally),
            events: world.chronicle.events().map(|(at, what)| (*at, event(what))).collect(),
        }
    }
}

/// The numbers of objects.
#[derive(Default)]
struct Tables {
    units: HashMap<*const (), u32>,
    squads: HashMap<*const (), u32>,
    squad_list: Vec<Rc<RefCell<skirmish::Squad>>>,
    commands: HashMap<*const (), u32>,
    command_list: Vec<Rc<RefCell<dyn skirmish::Command>>>,
}

impl Tables {
    fn squad(&mut self, squad: &Rc<RefCell<skirmish::Squad>>) -> u32 {
        *self.squads.entry(address(squad)).or_insert_with(|| {
            self.squad_list.push(Rc::clone(squad));
            self.squad_list.len() as u32 - 1
        })
    }

    fn shared(&mut self, command: Rc<RefCell<dyn skirmish::Command>>) -> u32 {
        *self.commands.entry(Rc::as_ptr(&command).cast()).or_insert_with(|| {
            self.command_list.push(command);
            self.command_list.len() as u32 - 1
        })
    }

    fn weak_unit(&self, unit: &Weak<RefCell<skirmish::Unit>>) -> Option<u32> {
        self.units.get(&address(&unit.upgrade()?)).copied()
    }

    fn squad_body(&mut self, squad: &skirmish::Squad) -> Squad {
        use skirmish::Mood as Old;
        Squad {
            name: squad.name.clone(),
            side: side(squad.side),
            leader: self.weak_unit(&squad.leader),
            members: squad.members.iter().map(|member| self.weak_unit(member)).collect(),
            mood: match squad.mood {
                Old::Resting(until) => Mood::Resting(until.left(0)),
                Old::Patrolling => Mood::Patrolling,
                Old::Advancing { to } => Mood::Advancing { to: point(to) },
                Old::Rallying { at, until } => {
                    Mood::Rallying { at: point(at), until: until.left(0) }
                }
            },
            rally: squad.rally.as_ref().map(|rally| self.shared(Rc::clone(rally) as _)),
            strength: squad.strength,
            next_thought: squad.next_thought.left(0),
        }
    }

    fn unit(&mut self, unit: &skirmish::Unit) -> Unit {
        use skirmish::State as Old;
        Unit {
            id: unit.id,
            name: unit.name.clone(),
            kind: unit.kind.clone(),
            side: side(unit.side),
            position: point(unit.position),
            health: unit.health.health,
            most_health: unit.health.most_health,
            wounds: unit.health.wounds,
            pace: unit.pace,
            state: match &unit.state {
                Old::Idle => State::Idle,
                Old::Walking { to, since } => State::Walking { to: point(*to), since: *since },
                Old::Fighting { target, since } => {
                    State::Fighting { target: self.weak_unit(target), since: *since }
                }
                Old::Waiting => State::Waiting,
                Old::Pinned { until } => State::Pinned { until: until.left(0) },
            },
            legs: Legs {
                route: unit.legs.route.as_ref().map(|route| point(route.goal)),
                next_step: unit.legs.next_step.left(0),
                blocked: unit.legs.blocked,
            },
            inventory: inventory(&unit.inventory),
            components: unit.components.iter().map(|c| self.component(&**c)).collect(),
            orders: unit.orders.iter().map(|order| self.order(order)).collect(),
            succeeded: unit.orders.succeeded,
            last_failure: unit.orders.last_failure.map(failure),
            squad: unit.squad.as_ref().map(|squad| self.squad(squad)),
            attacker: self.weak_unit(&unit.attacker),
        }
    }

    fn order(&mut self, order: &skirmish::Order) -> Order {
        let task = match &order.task {
            skirmish::Task::Own(command) => Task::Own(self.command(&**command)),
            skirmish::Task::Shared(command) => Task::Shared(self.shared(Rc::clone(command))),
        };
        Order { task, begun: order.begun }
    }

    fn component(&self, component: &dyn skirmish::Component) -> Component {
        let any = component as &dyn Any;
        if let Some(it) = any.downcast_ref::<components::Weapon>() {
            Component::Weapon {
                damage: it.damage,
                reach: it.reach,
                rounds: it.rounds,
                magazine: it.magazine,
                pause: it.pause,
                ready: it.ready.left(0),
            }
        } else if let Some(it) = any.downcast_ref::<components::Lookout>() {
            Component::Lookout { range: it.range, pause: it.pause, next: it.next.left(0) }
        } else if let Some(it) = any.downcast_ref::<components::Healer>() {
            Component::Healer {
                strength: it.strength,
                pause: it.pause,
                ready: it.ready.left(0),
                patient: self.weak_unit(&it.patient),
            }
        } else if let Some(it) = any.downcast_ref::<components::Nerves>() {
            Component::Nerves { stress: it.stress, next: it.next.left(0) }
        } else {
            unreachable!("the game has no other component than these, and {:?}", component.id())
        }
    }

    fn command(&self, command: &dyn skirmish::Command) -> Command {
        let any = command as &dyn Any;
        if let Some(it) = any.downcast_ref::<commands::MoveTo>() {
            Command::MoveTo { goal: point(it.goal), near: it.near }
        } else if let Some(it) = any.downcast_ref::<commands::Hold>() {
            Command::Hold { ticks: it.ticks, over: it.over.left(0) }
        } else if let Some(it) = any.downcast_ref::<commands::Follow>() {
            Command::Follow {
                leader: self.weak_unit(&it.leader),
                distance: it.distance,
                goal: point(it.goal),
                look: it.look.left(0),
            }
        } else if let Some(it) = any.downcast_ref::<commands::Attack>() {
            Command::Attack {
                target: self.weak_unit(&it.target),
                goal: point(it.goal),
                look: it.look.left(0),
                give_up: it.give_up.left(0),
            }
        } else if let Some(it) = any.downcast_ref::<commands::Patrol>() {
            let points = it.points.iter().copied().map(point).collect();
            Command::Patrol { points, next: it.next as u64, rounds: it.rounds }
        } else if let Some(it) = any.downcast_ref::<commands::Rally>() {
            Command::Rally {
                at: point(it.at),
                expected: it.expected as u64,
                present: it.present.iter().copied().collect(),
                until: it.until.left(0),
            }
        } else if let Some(it) = any.downcast_ref::<commands::Assault>() {
            let squad = it.squad.upgrade();
            Command::Assault {
                squad: squad.and_then(|squad| self.squads.get(&address(&squad)).copied()),
                victim: self.weak_unit(&it.victim),
                goal: point(it.goal),
                look: it.look.left(0),
                give_up: it.give_up.left(0),
                taking_part: it.taking_part,
            }
        } else {
            unreachable!("the game has no other command than these, and {:?}", command.id())
        }
    }
}

fn address<T>(pointer: &Rc<T>) -> *const () {
    Rc::as_ptr(pointer).cast()
}

fn point(at: skirmish::Point) -> Point {
    Point { x: at.x, y: at.y }
}

fn side(side: skirmish::Side) -> Side {
    match side {
        skirmish::Side::Blue => Side::Blue,
        skirmish::Side::Red => Side::Red,
    }
}

fn inventory(inventory: &skirmish::Inventory) -> Vec<(Item, u32)> {
    let kinds =
        [(skirmish::Item::Magazine, Item::Magazine), (skirmish::Item::Medkit, Item::Medkit)];
    let counts = kinds.into_iter().map(|(old, new)| (new, inventory.count(old)));
    counts.filter(|&(_, count)| count > 0).collect()
}

fn camp(camp: &skirmish::Camp) -> Camp {
    Camp {
        side: side(camp.side),
        places: camp.places.iter().copied().map(point).collect(),
        strength: camp.strength,
        next_squad: camp.next_squad.left(0),
    }
}

fn failure(failure: commands::Failure) -> Failure {
    use commands::Failure as Old;
    match failure {
        Old::NoWay => Failure::NoWay,
        Old::Blocked => Failure::Blocked,
        Old::Lost => Failure::Lost,
        Old::OutOfTime => Failure::OutOfTime,
        Old::Cancelled => Failure::Cancelled,
    }
}

fn tally(tally: &skirmish::Tally) -> Tally {
    Tally {
        steps: tally.steps,
        shots: tally.shots,
        hits: tally.hits,
        healed: tally.healed,
        picked_up: tally.picked_up,
        fallen: tally.fallen,
        reinforced: tally.reinforced,
        orders: tally.orders.iter().map(|(id, counts)| (id.clone(), *counts)).collect(),
    }
}

fn event(event: &skirmish::Event) -> Event {
    use skirmish::Event as Old;
    match event.clone() {
        Old::Fell { unit, by } => Event::Fell { unit, by },
        Old::Promoted { unit, squad } => Event::Promoted { unit, squad },
        Old::Ordered { squad, order } => Event::Ordered { squad, order },
        Old::Reinforced(new, count) => Event::Reinforced(side(new), count),
    }
}
