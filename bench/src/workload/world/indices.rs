//! The world as programs without pointers in their files have it: squads, units and shared commands
//! are in tables, and a pointer to one is its number.

mod convert;

use crate::data::{choices, data};

data! {
    /// A cell.
    #[derive(Copy)]
    pub struct Point {
        /// The column.
        pub x: i32,
        /// The row.
        pub y: i32,
    }

    /// One of two sides.
    #[derive(Copy)]
    pub enum Side {
        /// The first.
        Blue,
        /// The second.
        Red,
    }

    /// A kind of thing.
    #[derive(Copy)]
    pub enum Item {
        /// Ammunition.
        Magazine,
        /// A bandage.
        Medkit,
    }

    /// Where a side gathers.
    pub struct Camp {
        /// Whose it is.
        pub side: Side,
        /// Its cells.
        pub places: Vec<Point>,
        /// The planned strength of the side.
        pub strength: u32,
        /// When the next squad comes.
        pub next_squad: u64,
    }

    /// Several units.
    pub struct Squad {
        /// What it is called.
        pub name: String,
        /// Whose it is.
        pub side: Side,
        /// A unit.
        pub leader: Option<u32>,
        /// Units.
        pub members: Vec<Option<u32>>,
        /// Its mood.
        pub mood: Mood,
        /// A shared command.
        pub rally: Option<u32>,
        /// How many it was.
        pub strength: u32,
        /// When it thinks again.
        pub next_thought: u64,
    }

    /// A way.
    #[derive(Copy)]
    pub struct Legs {
        /// Where it leads.
        pub route: Option<Point>,
        /// When the next step can be taken.
        pub next_step: u64,
        /// How often its path was blocked.
        pub blocked: u32,
    }

    /// An order.
    pub struct Order {
        /// What is to be done.
        pub task: Task,
        /// Since when.
        pub begun: Option<u64>,
    }

    /// Why a command failed.
    #[derive(Copy)]
    pub enum Failure {
        /// There is no way.
        NoWay,
        /// Others are in the way.
        Blocked,
        /// The target is gone.
        Lost,
        /// It took too long.
        OutOfTime,
        /// There was something else to do.
        Cancelled,
    }

    /// A soldier.
    pub struct Unit {
        /// Its number.
        pub id: u32,
        /// What it is called.
        pub name: String,
        /// What it is.
        pub kind: String,
        /// Whose it is.
        pub side: Side,
        /// Its position.
        pub position: Point,
        /// Its hit points.
        pub health: i32,
        /// Its maximum of hit points.
        pub most_health: i32,
        /// Its armour.
        pub wounds: u32,
        /// Its time for a step.
        pub pace: u32,
        /// What it is doing.
        pub state: State,
        /// Its way.
        pub legs: Legs,
        /// Its inventory.
        pub inventory: Vec<(Item, u32)>,
        /// Its components.
        pub components: Vec<Component>,
        /// Its orders.
        pub orders: Vec<Order>,
        /// How many orders it has carried out.
        pub succeeded: u32,
        /// Why the last one failed.
        pub last_failure: Option<Failure>,
        /// A squad.
        pub squad: Option<u32>,
        /// A unit.
        pub attacker: Option<u32>,
    }

    /// What has been counted.
    pub struct Tally {
        /// Steps.
        pub steps: u64,
        /// Shots.
        pub shots: u64,
        /// Hits.
        pub hits: u64,
        /// Wounds dressed.
        pub healed: u64,
        /// Things picked up.
        pub picked_up: u64,
        /// Losses.
        pub fallen: [u64; 2],
        /// Gains.
        pub reinforced: [u64; 2],
        /// Orders by kind.
        pub orders: Vec<(String, [u64; 2])>,
    }

    /// Everything.
    pub struct World {
        /// Its name.
        pub level: String,
        /// Its age.
        pub tick: u64,
        /// Its random numbers.
        pub random: u64,
        /// The map.
        pub rows: Vec<String>,
        /// The items on it.
        pub items: Vec<(Point, Vec<(Item, u32)>)>,
        /// Where the sides gather.
        pub camps: Vec<Camp>,
        /// The table of squads.
        pub squads: Vec<Squad>,
        /// The table of units.
        pub units: Vec<Unit>,
        /// The table of shared commands.
        pub commands: Vec<Command>,
        /// The next number.
        pub next_id: u32,
        /// The counts.
        pub tally: Tally,
        /// The last events.
        pub events: Vec<(u64, Event)>,
    }
}

choices! {
    /// The mood of a squad.
    #[derive(Copy)]
    #[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
    pub enum Mood {
        /// Resting.
        Resting(u64),
        /// Looking around.
        Patrolling,
        /// Going to a place.
        Advancing {
            /// Where.
            to: Point,
        },
        /// Gathering.
        Rallying {
            /// Where.
            at: Point,
            /// For so long.
            until: u64,
        },
    }

    /// What a unit is doing.
    #[derive(Copy)]
    #[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
    pub enum State {
        /// Nothing.
        Idle,
        /// Walking.
        Walking {
            /// Where to.
            to: Point,
            /// Since when.
            since: u64,
        },
        /// Fighting.
        Fighting {
            /// A unit.
            target: Option<u32>,
            /// Since when.
            since: u64,
        },
        /// Waiting.
        Waiting,
        /// Keeping its head down.
        Pinned {
            /// Until then.
            until: u64,
        },
    }

    /// A component of a unit.
    #[derive(Copy)]
    #[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
    pub enum Component {
        /// A weapon.
        Weapon {
            /// The damage of a hit.
            damage: i32,
            /// How far it reaches.
            reach: i32,
            /// How many shots are left.
            rounds: u32,
            /// How many there are at most.
            magazine: u32,
            /// The time between two shots.
            pause: u32,
            /// When it can be fired.
            ready: u64,
        },
        /// Eyes.
        Lookout {
            /// How far they see.
            range: i32,
            /// The time between two looks.
            pause: u32,
            /// The time of the next look.
            next: u64,
        },
        /// Bandages.
        Healer {
            /// The healing of one.
            strength: i32,
            /// The time between two.
            pause: u32,
            /// When it can help.
            ready: u64,
            /// A unit.
            patient: Option<u32>,
        },
        /// Nerves.
        Nerves {
            /// The stress.
            stress: u32,
            /// When it calms down.
            next: u64,
        },
    }

    /// A command.
    #[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
    pub enum Command {
        /// Go to a place.
        MoveTo {
            /// Where.
            goal: Point,
            /// The distance at which it is reached.
            near: i32,
        },
        /// Stay.
        Hold {
            /// How long.
            ticks: u64,
            /// Until when.
            over: u64,
        },
        /// Stay near a unit.
        Follow {
            /// A unit.
            leader: Option<u32>,
            /// The distance.
            distance: i32,
            /// Its last position.
            goal: Point,
            /// The time of the next look.
            look: u64,
        },
        /// To fight.
        Attack {
            /// A unit.
            target: Option<u32>,
            /// Its last position.
            goal: Point,
            /// The time of the next look.
            look: u64,
            /// The time at which it gives up.
            give_up: u64,
        },
        /// Patrol.
        Patrol {
            /// The places.
            points: Vec<Point>,
            /// The next one.
            next: u64,
            /// How often.
            rounds: u32,
        },
        /// Gather.
        Rally {
            /// Where.
            at: Point,
            /// How many.
            expected: u64,
            /// The units there.
            present: Vec<u32>,
            /// Until when.
            until: u64,
        },
        /// Attack together.
        Assault {
            /// A squad.
            squad: Option<u32>,
            /// A unit.
            victim: Option<u32>,
            /// Its last position.
            goal: Point,
            /// The time of the next look.
            look: u64,
            /// The time at which it gives up.
            give_up: u64,
            /// How many take part.
            taking_part: u32,
        },
    }

    /// The owner of a command.
    #[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
    pub enum Task {
        /// The unit's own.
        Own(Command),
        /// A shared command.
        Shared(u32),
    }

    /// An event.
    #[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
    pub enum Event {
        /// A unit fell.
        Fell {
            /// Which.
            unit: String,
            /// The weapon.
            by: String,
        },
        /// A new leader.
        Promoted {
            /// Who.
            unit: String,
            /// The squad.
            squad: String,
        },
        /// An order.
        Ordered {
            /// To which squad.
            squad: String,
            /// To do what.
            order: String,
        },
        /// New units.
        Reinforced(Side, u32),
    }
}
