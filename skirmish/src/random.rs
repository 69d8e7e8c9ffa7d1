//! Random numbers that are part of the state.

use archive::Serialize;

/// A source of random numbers: PCG-XSH-RR with 64 bits of state. The sequence is the same on every
/// machine, and continues after a load.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The source that starts from a seed.
    pub fn new(seed: u64) -> Self {
        let mut random = Random { state: seed.wrapping_add(0x9E37_79B9_7F4A_7C15) };
        random.draw();
        random
    }

    /// The next number, of all 32 bits.
    pub fn draw(&mut self) -> u32 {
        let old = self.state;
        self.state =
            old.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let shifted = (((old >> 18) ^ old) >> 27) as u32;
        shifted.rotate_right((old >> 59) as u32)
    }

    /// A number below `end`; 0 if there is none.
    pub fn below(&mut self, end: u32) -> u32 {
        ((u64::from(self.draw()) * u64::from(end)) >> 32) as u32
    }

    /// Returns `true` with a probability of `percent`.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }
}
