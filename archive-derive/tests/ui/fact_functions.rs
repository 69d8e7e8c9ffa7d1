//! Functions of other types than a property needs.

use std::marker::PhantomData;

use archive::Serialize;

struct NoSerialize;

#[derive(Default, Serialize)]
struct Door {
    #[archive(get = Door::degrees, set = Door::turn_to)]
    degrees: PhantomData<f32>,
    #[archive(get = Door::handle)]
    handle: PhantomData<u8>,
    #[archive(show_if = Door::degrees)]
    shown: u8,
    #[archive(get = Door::missing)]
    missing: PhantomData<u8>,
}

impl Door {
    fn degrees(&self) -> f32 {
        0.0
    }
    fn turn_to(&mut self, _: u8) {}
    fn handle(&self) -> NoSerialize {
        NoSerialize
    }
}

fn main() {}
