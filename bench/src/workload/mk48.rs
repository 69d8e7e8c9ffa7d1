//! `mk48`: what the server of a naval game tells its players. Small integers, options, short lists.

pub mod update;

use archive::Options;
use skirmish::Random;

use super::Workload;
use super::random::Draw;
use crate::entry::{Entry, Subject};
use crate::memory;
use crate::peer::{ours, rivals};
use crate::targets;
use update::{
    ChunkId, Contact, EntityType, Guidance, SerializedChunk, Terrain, Transform, Update, Updates,
};

/// How many updates there are.
const UPDATES: usize = 1_000;

/// 1,000 updates.
pub const WORKLOAD: Workload = Workload {
    name: "mk48",
    about: "1,000 updates of 20 to 40 contacts with `Vec<bool>`, `Vec<u16>`, options, enums, tuples, and terrain.",
    entries,
    memory: |gauge| memory::usage(generate(), &Options::new(), gauge),
    targets: |results| targets::general(results, 0.6),
};

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

fn entries() -> Vec<Entry> {
    let subject = Subject::new(generate());
    let mut entries = ours::entries(&subject, &Options::new());
    entries.extend(rivals!(&subject));
    entries.push(subject.clone_and_drop());
    entries
}
