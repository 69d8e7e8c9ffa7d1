//! Random choices, from bytes.

/// Bytes that are read one by one; zeros follow them.
pub struct Tape(Vec<u8>, usize);

impl Tape {
    pub fn new(bytes: Vec<u8>) -> Self {
        Tape(bytes, 0)
    }

    pub fn byte(&mut self) -> u8 {
        self.1 += 1;
        self.0.get(self.1 - 1).copied().unwrap_or(0)
    }

    /// A number below `end`, which is 0 after the last byte.
    pub fn below(&mut self, end: usize) -> usize {
        let number = usize::from(self.byte()) * 256 + usize::from(self.byte());
        number % end.max(1)
    }

    pub fn list<T>(&mut self, most: usize, mut item: impl FnMut(&mut Tape) -> T) -> Vec<T> {
        (0..self.below(most + 1)).map(|_| item(self)).collect()
    }

    /// One of them, or none.
    pub fn one_of<T: Clone>(&mut self, all: &[T]) -> Option<T> {
        let index = self.below(all.len() + 1);
        all.get(index).cloned()
    }
}
