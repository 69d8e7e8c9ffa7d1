//! What the generators draw from [`Random`].

use skirmish::Random;

/// More things to draw.
pub trait Draw {
    /// A number from `start` up to, and without, `end`.
    fn range(&mut self, start: u32, end: u32) -> u32;

    /// One of some things.
    fn pick<T: Copy>(&mut self, from: &[T]) -> T;

    /// A number from 0 up to 1.
    fn unit(&mut self) -> f32;

    /// A number from `-most` up to `most`.
    fn around(&mut self, most: f32) -> f32;

    /// 64 bits.
    fn wide(&mut self) -> u64;

    /// Yes or no.
    fn toss(&mut self) -> bool;

    /// Something in half of all cases.
    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T>;

    /// A list whose length is drawn, too.
    fn list<T>(&mut self, start: u32, end: u32, make: impl FnMut(&mut Self) -> T) -> Vec<T>;
}

impl Draw for Random {
    fn range(&mut self, start: u32, end: u32) -> u32 {
        start + self.below(end - start)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    fn unit(&mut self) -> f32 {
        (self.draw() >> 8) as f32 / (1 << 24) as f32
    }

    fn around(&mut self, most: f32) -> f32 {
        (self.unit() * 2.0 - 1.0) * most
    }

    fn wide(&mut self) -> u64 {
        u64::from(self.draw()) << 32 | u64::from(self.draw())
    }

    fn toss(&mut self) -> bool {
        self.below(2) == 1
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.toss().then(|| make(self))
    }

    fn list<T>(&mut self, start: u32, end: u32, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.range(start, end)).map(|_| make(self)).collect()
    }
}
