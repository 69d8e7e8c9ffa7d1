//! Choices: a list of numbers that says how everything random comes out. A shorter list, and smaller
//! numbers, give simpler schemas, which is what proptest shrinks to.

pub struct Tape<'a> {
    rest: std::slice::Iter<'a, u16>,
}

impl<'a> Tape<'a> {
    pub fn new(choices: &'a [u16]) -> Self {
        Tape { rest: choices.iter() }
    }

    fn next(&mut self) -> u16 {
        self.rest.next().copied().unwrap_or(0)
    }

    /// Whether there are choices left.
    pub fn goes_on(&self) -> bool {
        self.rest.len() > 0
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.next()) % count
    }

    /// `true` once in so many times; never when there is nothing left to choose.
    pub fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    pub fn pick<'b, T>(&mut self, from: &'b [T]) -> &'b T {
        &from[self.below(from.len())]
    }

    pub fn bits(&mut self) -> u128 {
        (0..8).fold(0, |bits, _| bits << 16 | u128::from(self.next()))
    }
}
