//! Pseudo-random numbers.

/// The numbers that determine one history.
pub(crate) struct Dice(pub u64);

impl Dice {
    pub(crate) fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) % count
    }
}
