//! The types of `mk48`; the names of the members describe them.

use skirmish::Random;

use crate::data::data;
use crate::workload::random::Draw;

/// An enum of units, and the list of them.
macro_rules! entity_types {
    ($($name:ident),* $(,)?) => {
        data! {
            #[derive(Copy)]
            pub enum EntityType {
                $($name),*
            }
        }

        impl EntityType {
            /// All of them.
            pub const ALL: [EntityType; [$(stringify!($name)),*].len()] =
                [$(EntityType::$name),*];
        }
    };
}

entity_types! {
    Arleigh, Barrel, Bismarck, Clemenceau, Coin, Coral, Crate, Dreadnought, Essex, Fairmile, Freccia, Hq,
    Iowa, Kirov, Komar, Lublin, Mark18, Mark48, Momi, Montana, Mq9, Olympias, Oilplatform, Osa, Pyramid,
    Raider, Skipjack, Spruance, Tanker, Town, Visby, Yasen, Yamato, Zubr,
}

data! {
    #[derive(Copy)]
    pub struct Transform {
        pub altitude: i8,
        pub position: (f32, f32),
        pub direction: u16,
        pub velocity: i16,
    }

    #[derive(Copy)]
    pub struct Guidance {
        pub direction_target: u16,
        pub velocity_target: i16,
    }

    pub struct Contact {
        pub transform: Transform,
        pub damage: u8,
        pub entity_id: u32,
        pub entity_type: Option<EntityType>,
        pub guidance: Guidance,
        pub player_id: Option<u16>,
        pub reloads: Vec<bool>,
        pub turret_angles: Vec<u16>,
    }

    #[derive(Copy)]
    pub struct ChunkId(pub i8, pub i8);

    pub struct SerializedChunk {
        pub bytes: Vec<u8>,
        pub is_root: bool,
    }

    pub struct Terrain {
        pub chunks: Vec<(ChunkId, SerializedChunk)>,
    }

    pub struct Update {
        pub contacts: Vec<Contact>,
        pub score: u32,
        pub world_radius: f32,
        pub terrain: Option<Terrain>,
    }

    pub struct Updates {
        pub updates: Vec<Update>,
    }
}

/// How many updates there are.
const UPDATES: usize = 1_000;

/// The value.
pub fn generate() -> Updates {
    let random = &mut Random::new(4);
    Updates { updates: (0..UPDATES).map(|_| update(random)).collect() }
}

fn velocity(random: &mut Random) -> i16 {
    random.below(2_000) as i16 - 1_000
}

fn transform(random: &mut Random) -> Transform {
    Transform {
        altitude: random.draw() as i8,
        position: (random.around(1_000.0), random.around(1_000.0)),
        direction: random.draw() as u16,
        velocity: velocity(random),
    }
}

fn contact(random: &mut Random) -> Contact {
    Contact {
        transform: transform(random),
        damage: random.draw() as u8,
        entity_id: 1 + random.below(1 << 20),
        entity_type: random.maybe(|random| random.pick(&EntityType::ALL)),
        guidance: Guidance {
            direction_target: random.draw() as u16,
            velocity_target: velocity(random),
        },
        player_id: random.maybe(|random| random.draw() as u16),
        reloads: random.list(0, 12, Draw::toss),
        turret_angles: random.list(0, 8, |random| random.draw() as u16),
    }
}

fn terrain(random: &mut Random) -> Terrain {
    let chunk = |random: &mut Random| {
        let id = ChunkId(random.draw() as i8, random.draw() as i8);
        let bytes = random.list(10, 40, |random| random.draw() as u8);
        (id, SerializedChunk { bytes, is_root: random.toss() })
    };
    Terrain { chunks: random.list(0, 4, chunk) }
}

fn update(random: &mut Random) -> Update {
    Update {
        contacts: random.list(20, 41, contact),
        score: random.draw(),
        world_radius: random.unit() * 1_000.0,
        terrain: random.maybe(terrain),
    }
}
