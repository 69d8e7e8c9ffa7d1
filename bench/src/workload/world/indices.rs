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
        /// How strong the side is meant to be.
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
        /// What it has in mind.
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
        /// How often somebody was in the way.
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
        /// Who it was about is gone.
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
        /// Where it is.
        pub position: Point,
        /// What is left of it.
        pub health: i32,
        /// What there was.
        pub most_health: i32,
        /// What it loses.
        pub wounds: u32,
        /// How slow it is.
        pub pace: u32,
        /// What it is doing.
        pub state: State,
        /// Its way.
        pub legs: Legs,
        /// What it carries.
        pub inventory: Vec<(Item, u32)>,
        /// What it is made of.
        pub components: Vec<Component>,
        /// What it is to do.
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
        /// Its dice.
        pub random: u64,
        /// The map.
        pub rows: Vec<String>,
        /// What lies on it.
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
        /// What has been counted.
        pub tally: Tally,
        /// What happened last.
        pub events: Vec<(u64, Event)>,
    }
}

choices! {
    /// What a squad has in mind.
    #[derive(Copy)]
    #[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
    pub enum Mood {
        /// To rest.
        Resting(u64),
        /// To look around.
        Patrolling,
        /// To go there.
        Advancing {
            /// Where.
            to: Point,
        },
        /// To gather.
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

    /// What a unit is made of.
    #[derive(Copy)]
    #[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
    pub enum Component {
        /// A weapon.
        Weapon {
            /// What a hit costs.
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
            /// When they look.
            next: u64,
        },
        /// Bandages.
        Healer {
            /// What one gives back.
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
            /// How shaken it is.
            stress: u32,
            /// When it calms down.
            next: u64,
        },
    }

    /// What is to be done.
    #[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
    pub enum Command {
        /// To go there.
        MoveTo {
            /// Where.
            goal: Point,
            /// How near.
            near: i32,
        },
        /// To stay.
        Hold {
            /// How long.
            ticks: u64,
            /// Until when.
            over: u64,
        },
        /// To stay near somebody.
        Follow {
            /// A unit.
            leader: Option<u32>,
            /// How near.
            distance: i32,
            /// Where it was.
            goal: Point,
            /// When to look again.
            look: u64,
        },
        /// To fight.
        Attack {
            /// A unit.
            target: Option<u32>,
            /// Where it was.
            goal: Point,
            /// When to look again.
            look: u64,
            /// When to give up.
            give_up: u64,
        },
        /// To go round.
        Patrol {
            /// The places.
            points: Vec<Point>,
            /// The next one.
            next: u64,
            /// How often.
            rounds: u32,
        },
        /// To gather.
        Rally {
            /// Where.
            at: Point,
            /// How many.
            expected: u64,
            /// Who is there.
            present: Vec<u32>,
            /// Until when.
            until: u64,
        },
        /// To attack together.
        Assault {
            /// A squad.
            squad: Option<u32>,
            /// A unit.
            victim: Option<u32>,
            /// Where that one was.
            goal: Point,
            /// When to look again.
            look: u64,
            /// When to give up.
            give_up: u64,
            /// How many take part.
            taking_part: u32,
        },
    }

    /// Whose command it is.
    #[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
    pub enum Task {
        /// The unit's own.
        Own(Command),
        /// A shared command.
        Shared(u32),
    }

    /// What happened.
    #[cfg_attr(feature = "bincode", derive(bincode::Encode, bincode::Decode))]
    pub enum Event {
        /// A unit fell.
        Fell {
            /// Which.
            unit: String,
            /// What killed it.
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
