//! Choices: a list of numbers that determines everything random. A shorter list and smaller numbers
//! give simpler schemas, so proptest shrinks to them.

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
    pub fn keeps_going(&self) -> bool {
        self.rest.len() > 0
    }

    /// A number below `count`.
    pub fn below(&mut self, count: usize) -> usize {
        usize::from(self.next()) % count
    }

    /// `true` once in this many calls; never when no choices are left.
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
