use std::time::Instant;

use archive::{Archive, Result, Serialize};

#[derive(Serialize)]
struct Unit {
    #[archive(with = archive::time)]
    name: String,
    #[archive(with = archive::time)]
    spawned: Instant,
}

#[derive(Serialize)]
struct Ticks {
    #[archive(with = ::archive::time)]
    at: Option<u64>,
}

struct ByHand {
    name: String,
}

impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.time("name", &mut self.name)
    }
}

#[derive(Default, Serialize)]
#[archive(default = |options, other| Whole { n: 1 })]
struct Whole {
    #[archive(default = |options| "text")]
    n: u32,
}

fn main() {}
