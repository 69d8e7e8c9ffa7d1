//! `mesh`: triangles. Only floats.

use archive::Options;
use skirmish::Random;

use super::Workload;
use super::random::Draw;
use crate::data::data;
use crate::entry::{Entry, Subject};
use crate::memory;
use crate::peer::memcpy::Memcpy;
use crate::peer::{ours, rivals};
use crate::targets;

/// How many triangles there are.
const TRIANGLES: usize = 125_000;

/// How many bytes that is.
pub const PAYLOAD: usize = TRIANGLES * 48;

/// 125,000 triangles.
pub const WORKLOAD: Workload = Workload {
    name: "mesh",
    about: "125,000 triangles of three vertices and a normal, each three `f32`: 6,000,000 bytes.",
    entries,
    memory: |gauge| memory::usage(generate(), &Options::new(), gauge),
    targets: targets::block,
};

data! {
    /// A place, or a direction.
    #[derive(Copy)]
    pub struct Vector3 {
        /// To the right.
        pub x: f32,
        /// Up.
        pub y: f32,
        /// Away.
        pub z: f32,
    }

    /// Three corners, and the normal.
    #[derive(Copy)]
    pub struct Triangle {
        /// The first corner.
        pub v0: Vector3,
        /// The second.
        pub v1: Vector3,
        /// The third.
        pub v2: Vector3,
        /// The direction.
        pub normal: Vector3,
    }

    /// A surface.
    pub struct Mesh {
        /// Its triangles.
        pub triangles: Vec<Triangle>,
    }
}

/// The value.
pub fn generate() -> Mesh {
    let random = &mut Random::new(2);
    let vector =
        |random: &mut Random| Vector3 { x: random.unit(), y: random.unit(), z: random.unit() };
    let triangle = |_| Triangle {
        v0: vector(random),
        v1: vector(random),
        v2: vector(random),
        normal: vector(random),
    };
    Mesh { triangles: (0..TRIANGLES).map(triangle).collect() }
}

fn entries() -> Vec<Entry> {
    let subject = Subject::new(generate());
    let mut entries = ours::entries(&subject, &Options::new());
    entries.extend(rivals!(&subject));
    entries.push(Subject::new(vec![7_u8; PAYLOAD]).entry(Memcpy));
    entries.push(subject.clone_and_drop());
    entries
}
