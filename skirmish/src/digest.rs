//! One number for a whole state.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::{Rc, Weak};

use crate::World;

/// One number for the whole state of a world, pointers included: two worlds that differ anywhere,
/// or share their objects differently, have different numbers. It depends neither on addresses nor
/// on the machine. It does not use the code that saves the world, so it also covers state that a
/// save forgets.
pub fn digest(world: &World) -> u64 {
    let mut digest = Digest::default();
    world.digest(&mut digest);
    digest.finish()
}

/// A hasher (FNV-1a of 64 bits) that knows pointers. Objects are numbered in the order of the
/// visit, and the numbers are hashed. The world must not change meanwhile.
#[derive(Default)]
pub struct Digest {
    state: Fnv,
    objects: HashMap<*const (), Object>,
}

/// An object that was visited.
struct Object {
    number: u64,
    visited: bool,
}

struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xCBF2_9CE4_8422_2325)
    }
}

impl Digest {
    fn object(&mut self, address: *const ()) -> &mut Object {
        let number = self.objects.len() as u64 + 1;
        self.objects.entry(address).or_insert(Object { number, visited: false })
    }

    /// Adds the object of a weak pointer, if it still exists.
    pub fn weak<T: ?Sized>(&mut self, pointer: &Weak<T>) {
        let number =
            pointer.upgrade().map_or(0, |there| self.object(Rc::as_ptr(&there).cast()).number);
        number.hash(self);
    }

    /// Adds the object of a pointer, with its content on the first visit.
    pub fn shared<T: ?Sized>(&mut self, pointer: &Rc<T>, body: impl FnOnce(&T, &mut Self)) {
        let object = self.object(Rc::as_ptr(pointer).cast());
        let (number, visited) = (object.number, std::mem::replace(&mut object.visited, true));
        number.hash(self);
        if !visited {
            body(pointer, self);
        }
    }

    /// Adds a list.
    pub fn list<'i, T: 'i>(
        &mut self,
        items: impl IntoIterator<Item = &'i T, IntoIter: ExactSizeIterator>,
        mut each: impl FnMut(&T, &mut Self),
    ) {
        let items = items.into_iter();
        items.len().hash(self);
        items.for_each(|item| each(item, self));
    }

    /// Adds an option.
    pub fn option<T>(&mut self, item: Option<T>, then: impl FnOnce(T, &mut Self)) {
        item.is_some().hash(self);
        if let Some(item) = item {
            then(item, self);
        }
    }
}

/// Numbers are hashed in one width and byte order on every machine.
impl Hasher for Digest {
    fn finish(&self) -> u64 {
        self.state.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.state.0 = (self.state.0 ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write(&[number]);
    }

    fn write_u16(&mut self, number: u16) {
        self.write(&number.to_le_bytes());
    }

    fn write_u32(&mut self, number: u32) {
        self.write(&number.to_le_bytes());
    }

    fn write_u64(&mut self, number: u64) {
        self.write(&number.to_le_bytes());
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_i32(&mut self, number: i32) {
        self.write(&number.to_le_bytes());
    }

    fn write_i64(&mut self, number: i64) {
        self.write(&number.to_le_bytes());
    }

    fn write_isize(&mut self, number: isize) {
        self.write_i64(number as i64);
    }
}
