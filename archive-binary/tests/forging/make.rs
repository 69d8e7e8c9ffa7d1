//! Files of random tables, with data that mostly matches them.

use crate::common::forged::{Entry, FIRST, Forged, put};

/// Numbers that look random and are the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// Returns `true` in one of so many cases.
    pub fn one_in(&mut self, cases: usize) -> bool {
        self.below(cases) == 0
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// Simple types; those without bytes are chosen more often.
const SIMPLE: [u64; 28] = [
    0, 0, 0, 0, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 17, 18, 19, 20, 20, 21, 22, 24,
    27,
];

/// Makes one file.
pub struct Maker {
    pub random: Random,
    pub file: Forged,
    /// The maximum number of bytes of data.
    room: usize,
    /// Whether the file contains other faults than types that do not match.
    wild: bool,
}

impl Maker {
    /// With these types first and others after them. The first type is the root's.
    pub fn new(seed: u64, names: &[&str], types: &[Entry], room: usize, wild: bool) -> Self {
        let random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let file = Forged::new(&[], types, FIRST).names(names);
        Maker { random, file, room, wild }
    }

    /// The number of some type.
    fn kind(&mut self) -> u64 {
        let types = self.file.types.len();
        if self.random.one_in(2) {
            self.random.of(&SIMPLE)
        } else {
            FIRST + self.random.below(types) as u64
        }
    }

    /// Adds types that refer to any, mostly to the one before.
    pub fn add_types(&mut self, count: usize) {
        if self.wild && self.random.one_in(4) {
            self.add_doubling();
        }
        for _ in 0..count {
            let last = FIRST + self.file.types.len() as u64 - 1;
            let part = |this: &mut Self| if this.random.one_in(2) { last } else { this.kind() };
            let entry = match self.random.below(11) {
                0 => Entry::Seq(part(self)),
                1 => Entry::Array(part(self), self.random.of(&[0, 1, 2, 2, 3, 1 << 40])),
                2 => Entry::Map(part(self)),
                3 => Entry::Option(part(self)),
                4 => Entry::Pointer(part(self)),
                5 => Entry::Enum(0, vec![(1, None), (2, Some(part(self))), (3, Some(part(self)))]),
                6 | 7 => {
                    let count = self.random.below(4);
                    Entry::Tuple((0..count).map(|_| part(self)).collect())
                }
                _ => {
                    let names = self.file.names.len();
                    let count = self.random.below(names.min(4) + 1);
                    let first = self.random.below(names);
                    let name = |i: usize| ((first + i) % names) as u64;
                    Entry::Class(0, (0..count).map(|i| (name(i), part(self))).collect())
                }
            };
            self.file.types.push(entry);
        }
        for _ in 0..self.random.below(4) {
            let kind = FIRST + self.random.below(self.file.types.len()) as u64;
            if matches!(self.entry(kind), Some(Entry::Class(..))) {
                self.file.layouts.push(kind);
            }
        }
    }

    /// Adds types that each contain the previous type twice, starting with one without bytes.
    fn add_doubling(&mut self) {
        self.file.types.push(Entry::Tuple(Vec::new()));
        for _ in 0..18 {
            let last = FIRST + self.file.types.len() as u64 - 1;
            self.file.types.push(match self.random.below(3) {
                0 => Entry::Tuple(vec![last; 2]),
                1 => Entry::Array(last, 2),
                _ => Entry::Class(0, vec![(0, last), (1, last)]),
            });
        }
    }

    /// Gives a member of the root, or a part of another type, another type.
    pub fn change_types(&mut self) {
        let kind = self.kind();
        let changed = self.random.below(self.file.types.len());
        let place = self.random.next() as usize;
        match &mut self.file.types[changed] {
            Entry::Class(_, members) if !members.is_empty() => {
                let count = members.len();
                members[place % count].1 = kind;
            }
            Entry::Tuple(parts) if !parts.is_empty() => {
                let count = parts.len();
                parts[place % count] = kind;
            }
            Entry::Seq(part) | Entry::Option(part) | Entry::Pointer(part) => *part = kind,
            _ => {}
        }
    }

    /// Writes the root and the data after it.
    pub fn fill(&mut self, root: u64) {
        self.value(root, 0);
        self.file.root_len = self.file.data.len() as u64;
        if self.wild && self.random.one_in(4) {
            for _ in 0..self.random.below(3) {
                self.pointee(2);
            }
        }
        for _ in 0..if self.wild { self.random.of(&[0, 0, 0, 1, 5]) } else { 0 } {
            if !self.file.data.is_empty() {
                let at = self.random.below(self.file.data.len());
                self.file.data[at] = self.random.of(&[0, 1, 2, 0x7f, 0x80, 0xff]);
            }
        }
        if self.wild && self.random.one_in(16) {
            self.file.root_len = self.random.below(self.file.data.len() + 1) as u64;
        }
    }

    fn entry(&self, kind: u64) -> Option<Entry> {
        self.file.types.get(kind.checked_sub(FIRST)? as usize).cloned()
    }

    fn put(&mut self, number: u64) {
        put(&mut self.file.data, number);
    }

    fn bytes(&mut self, count: usize) {
        if self.wild && count > 64 && self.random.one_in(2) {
            return self.overlapping(count);
        }
        // Small numbers. Other types read them as ids and lengths.
        let first = self.random.below(100);
        self.file.data.extend((0..count).map(|i| ((first + i) % 127) as u8));
    }

    /// Numbers of two bytes, each one higher than the previous one. Each is the id of an object,
    /// the length of the object before, and part of all objects before.
    fn overlapping(&mut self, count: usize) {
        let end = self.file.data.len() + count;
        let first = (self.file.objects.len() + 2).max(128);
        self.file.objects.resize(first - 1, None);
        let pointee = self.random.of(&[FIRST + 3, FIRST + 3, 15, 16]);
        let concrete = self.concrete(pointee);
        for id in (first..).take(count / 2).take_while(|id| *id < 1 << 14) {
            self.put(id as u64);
            let at = self.file.data.len() as i64;
            self.file.objects.push(Some((concrete, at)));
        }
        self.file.data.resize(end, b'x');
    }

    fn count(&mut self) -> usize {
        let left = self.room.saturating_sub(self.file.data.len());
        let most = if self.random.one_in(3) { left / 8 } else { 4 };
        self.random.below(most.min(left) + 1)
    }

    fn value(&mut self, kind: u64, depth: usize) {
        if depth > 20 {
            return;
        }
        let depth = depth + 1;
        match self.entry(kind) {
            None => self.simple(kind, depth),
            Some(Entry::Seq(item) | Entry::Map(item)) => {
                let count = self.count();
                self.put(count as u64);
                (0..count).for_each(|_| self.value(item, depth));
            }
            Some(Entry::Array(item, len)) => {
                (0..len.min(4)).for_each(|_| self.value(item, depth));
            }
            Some(Entry::Tuple(parts)) => parts.iter().for_each(|part| self.value(*part, depth)),
            Some(Entry::Class(_, members)) => {
                members.iter().for_each(|(_, kind)| self.value(*kind, depth));
            }
            Some(Entry::Option(value)) => {
                let some = self.random.one_in(2);
                self.put(some.into());
                if some {
                    self.value(value, depth);
                }
            }
            Some(Entry::Enum(_, variants)) => {
                let index = self.random.below(variants.len());
                self.put(index as u64);
                if let Some(payload) = variants[index].1 {
                    self.value(payload, depth);
                }
            }
            Some(Entry::Pointer(pointee)) => self.pointer(pointee, depth),
        }
    }

    fn simple(&mut self, kind: u64, depth: usize) {
        match kind {
            0 => {}
            1 => self.bytes_of(&[0, 1]),
            2 | 7 => self.bytes(1),
            12 => self.bytes(4),
            13 => self.bytes(8),
            15 | 16 => {
                let count = self.count();
                self.put(count as u64);
                self.bytes(count);
            }
            17 => {
                let pointee = self.kind();
                self.pointer(pointee, depth);
            }
            18 => {
                let most = if self.wild { self.file.objects.len() + 2 } else { 1 };
                let id = self.random.below(most);
                self.put(id as u64);
            }
            19 => {
                let kind = self.kind();
                let concrete = self.concrete(kind);
                self.put(concrete + 1);
                self.value(kind, depth);
            }
            20 => self.tagged(depth),
            21 => {
                let layouts = self.file.layouts.clone();
                let layout = self.random.below(layouts.len() + 1);
                self.put(layout as u64);
                if let Some(class) = layouts.get(layout) {
                    self.value(*class, depth);
                }
            }
            22..30 => self.bytes([2, 4, 8, 16][(kind as usize - 22) % 4]),
            _ => {
                let number = self.random.below(300) as u64;
                self.put(number);
            }
        }
    }

    fn bytes_of(&mut self, list: &[u8]) {
        let byte = self.random.of(list);
        self.file.data.push(byte);
    }

    fn tagged(&mut self, depth: usize) {
        let tag = self.random.of(&[1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 12, 13, 14]);
        self.file.data.push(tag);
        match tag {
            4 | 5 => self.simple(5, depth),
            6 => self.bytes(4),
            8 | 9 => self.simple(15, depth),
            10 | 11 => {
                for i in 0..self.random.below(4) {
                    if tag == 11 {
                        let name = match (i, self.random.below(4)) {
                            (0, 0 | 1) => "$id",
                            (1, 0 | 1) => "$value",
                            (_, 2) => "a",
                            _ => "b",
                        };
                        self.put(name.len() as u64 + 1);
                        self.file.data.extend(name.as_bytes());
                    }
                    self.value(20, depth);
                }
                self.file.data.push(0);
            }
            12 => self.simple(17, depth),
            13 => self.simple(18, depth),
            14 => self.simple(19, depth),
            _ => {}
        }
    }

    /// The number of an object's type.
    fn concrete(&mut self, kind: u64) -> u64 {
        let pointees = &mut self.file.pointees;
        let known = pointees.iter().position(|(_, known)| *known == kind);
        known.unwrap_or_else(|| {
            pointees.push((None, kind));
            pointees.len() - 1
        }) as u64
    }

    fn pointer(&mut self, pointee: u64, depth: usize) {
        let known = self.file.objects.len();
        match self.random.below(6) {
            0 if self.wild => self.put(0),
            1 | 2 if !self.wild => {
                let concrete = self.concrete(pointee);
                let mut objects = self.file.objects.iter();
                let alike =
                    objects.position(|object| object.is_some_and(|(kind, _)| kind == concrete));
                match alike {
                    Some(index) => self.put(index as u64 + 1),
                    None => self.object(pointee, depth),
                }
            }
            1 | 2 if known > 0 => {
                // Later ids, too, which may get an object in a place that looks like theirs.
                let id = 1 + self.random.below(known + 3);
                self.put(id as u64);
                if id > known && self.random.one_in(2) {
                    let concrete = self.concrete(pointee);
                    let data = self.file.data.len();
                    self.file.objects.resize(id - 1, None);
                    let at = self.random.below(data + 1) as i64;
                    self.file.objects.push(Some((concrete, at)));
                }
            }
            3 if self.wild && self.random.one_in(4) => {
                let other = self.kind();
                self.object(other, depth);
            }
            _ => self.object(pointee, depth),
        }
    }

    /// An object of that type, mostly with its value after its id.
    fn object(&mut self, pointee: u64, depth: usize) {
        let concrete = self.concrete(pointee);
        let id = self.file.objects.len() as u64 + 1;
        self.put(id);
        let here = self.file.data.len() as i64;
        let elsewhere = self.wild && self.random.one_in(12);
        let at = if elsewhere { self.random.below(here as usize + 2) as i64 } else { here };
        self.file.objects.push(Some((concrete, at)));
        if !elsewhere || self.random.one_in(2) {
            self.value(pointee, depth);
        }
    }

    fn pointee(&mut self, depth: usize) {
        let kind = self.kind();
        self.object(kind, depth);
    }
}
