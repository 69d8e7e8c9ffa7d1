//! One number for a whole state.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::rc::{Rc, Weak};

use crate::World;

/// One number for the whole state of a world, pointers included: two worlds that differ anywhere,
/// or share their objects in another way, have other numbers. It does not depend on addresses,
/// nor on the machine, and is not made with what saves the world: what is forgotten there is not
/// forgotten here.
pub fn digest(world: &World) -> u64 {
    let mut digest = Digest::default();
    world.digest(&mut digest);
    digest.finish()
}

/// A hasher (FNV-1a of 64 bits) that knows pointers. Objects are numbered in the order in which
/// they are met, and the numbers are hashed. The world must not change meanwhile.
#[derive(Default)]
pub struct Digest {
    state: Fnv,
    objects: HashMap<*const (), Object>,
}

/// What is known of an object.
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

    /// Which object a weak pointer is to, if it is still there.
    pub fn weak<T: ?Sized>(&mut self, pointer: &Weak<T>) {
        let number =
            pointer.upgrade().map_or(0, |there| self.object(Rc::as_ptr(&there).cast()).number);
        number.hash(self);
    }

    /// Which object a pointer is to, and what is in it, when it is met first.
    pub fn shared<T: ?Sized>(&mut self, pointer: &Rc<T>, body: impl FnOnce(&T, &mut Self)) {
        let object = self.object(Rc::as_ptr(pointer).cast());
        let (number, visited) = (object.number, std::mem::replace(&mut object.visited, true));
        number.hash(self);
        if !visited {
            body(pointer, self);
        }
    }

    /// Several things of one kind.
    pub fn list<'i, T: 'i>(
        &mut self,
        items: impl IntoIterator<Item = &'i T, IntoIter: ExactSizeIterator>,
        mut each: impl FnMut(&T, &mut Self),
    ) {
        let items = items.into_iter();
        items.len().hash(self);
        items.for_each(|item| each(item, self));
    }

    /// Something or nothing.
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
