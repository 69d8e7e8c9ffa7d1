//! Forged files.

/// The same file with other data as its root.
pub fn with_data(file: &[u8], data: &[u8]) -> Vec<u8> {
    let footer = &file[file.len() - 16..];
    let length = u64::from_le_bytes(footer[..8].try_into().unwrap()) as usize;
    let tables = &file[file.len() - 16 - length..file.len() - 16];
    let mut forged = [&file[..6], data].concat();
    let mut end = forged.len() as u64;
    // The first number of the tables is the end of the root.
    let begin = forged.len();
    while end >= 0x80 {
        forged.push(end as u8 | 0x80);
        end >>= 7;
    }
    forged.push(end as u8);
    let old = tables.iter().position(|byte| *byte < 0x80).unwrap() + 1;
    forged.extend_from_slice(&tables[old..]);
    let length = forged.len() - begin;
    let total = forged.len() + 16;
    forged.extend_from_slice(&(length as u64).to_le_bytes());
    forged.extend_from_slice(&(total as u64).to_le_bytes());
    forged
}

/// An entry of a forged type table. Names and types are numbers.
#[derive(Clone, Debug)]
pub enum Entry {
    Seq(u64),
    Array(u64, u64),
    Tuple(Vec<u64>),
    Map(u64),
    Option(u64),
    Class(u64, Vec<(u64, u64)>),
    Enum(u64, Vec<(u64, Option<u64>)>),
    Pointer(u64),
}

/// The first id of a type in the table.
pub const FIRST: u64 = 32;

/// A varint.
pub fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_all(out: &mut Vec<u8>, numbers: impl IntoIterator<Item = u64>) {
    numbers.into_iter().for_each(|number| put(out, number));
}

fn put_list(out: &mut Vec<u8>, numbers: &[u64]) {
    put(out, numbers.len() as u64);
    put_all(out, numbers.iter().copied());
}

impl Entry {
    fn put(&self, out: &mut Vec<u8>) {
        match self {
            Entry::Seq(item) => put_all(out, [1, *item]),
            Entry::Array(item, len) => put_all(out, [2, *item, *len]),
            Entry::Tuple(items) => {
                out.push(3);
                put_list(out, items);
            }
            Entry::Map(entry) => put_all(out, [4, *entry]),
            Entry::Option(value) => put_all(out, [5, *value]),
            Entry::Class(name, members) => {
                put_all(out, [6, *name, 0, members.len() as u64]);
                members.iter().for_each(|(name, kind)| put_all(out, [*name, *kind]));
            }
            Entry::Enum(name, variants) => {
                put_all(out, [7, *name, variants.len() as u64]);
                let payload = |kind: Option<u64>| kind.map_or(0, |kind| kind + 1);
                variants.iter().for_each(|(name, kind)| put_all(out, [*name, payload(*kind)]));
            }
            Entry::Pointer(pointee) => put_all(out, [8, *pointee]),
        }
    }
}

/// The content of a file.
#[derive(Clone, Debug, Default)]
pub struct Forged {
    /// The root, and objects after it.
    pub data: Vec<u8>,
    /// How long the root is.
    pub root_len: u64,
    pub names: Vec<String>,
    pub types: Vec<Entry>,
    /// The type of the root; not used in packets.
    pub root: u64,
    pub layouts: Vec<u64>,
    /// Registered ids, as numbers of names, and types.
    pub pointees: Vec<(Option<u64>, u64)>,
    /// By id from 1 on: the number of the object's type and the offset of the object in the data,
    /// if there is one.
    pub objects: Vec<Option<(u64, i64)>>,
}

impl Forged {
    /// Data and types. All of the data is the root.
    pub fn new(data: &[u8], types: &[Entry], root: u64) -> Self {
        let (data, root_len) = (data.to_vec(), data.len() as u64);
        Forged { data, root_len, types: types.to_vec(), root, ..Forged::default() }
    }

    pub fn names(self, names: &[&str]) -> Self {
        Forged { names: names.iter().map(|name| name.to_string()).collect(), ..self }
    }

    /// With objects that are all of one type, at these places.
    pub fn objects(self, kind: u64, places: impl IntoIterator<Item = i64>) -> Self {
        let objects = places.into_iter().map(|at| Some((0, at))).collect();
        Forged { pointees: vec![(None, kind)], objects, ..self }
    }

    /// A file with tables.
    pub fn file(&self) -> Vec<u8> {
        let mut out = [b"\x8bARC\x02\x00", self.data.as_slice()].concat();
        let tables = out.len();
        put(&mut out, 6 + self.root_len);
        self.put_types(&mut out);
        put(&mut out, self.root);
        self.put_pointees(&mut out, 6);
        let length = (out.len() - tables) as u64;
        let total = (out.len() + 16) as u64;
        out.extend_from_slice(&length.to_le_bytes());
        out.extend_from_slice(&total.to_le_bytes());
        out
    }

    /// A packet, in which these types come after those that follow from the root's.
    pub fn packet(&self, fingerprint: &[u8]) -> Vec<u8> {
        let mut out = [fingerprint, &[1]].concat();
        put(&mut out, self.root_len);
        put(&mut out, self.data.len() as u64 - self.root_len);
        out.extend_from_slice(&self.data);
        self.put_types(&mut out);
        self.put_pointees(&mut out, 0);
        out
    }

    /// The types of rows.
    pub fn row_types(&self) -> Vec<u8> {
        let mut out = vec![1];
        self.put_types(&mut out);
        put(&mut out, self.root);
        out
    }

    fn put_types(&self, out: &mut Vec<u8>) {
        put(out, self.names.len() as u64);
        for name in &self.names {
            put(out, name.len() as u64);
            out.extend_from_slice(name.as_bytes());
        }
        put(out, self.types.len() as u64);
        self.types.iter().for_each(|entry| entry.put(out));
    }

    fn put_pointees(&self, out: &mut Vec<u8>, start: i64) {
        put_list(out, &self.layouts);
        put(out, self.pointees.len() as u64);
        for (name, kind) in &self.pointees {
            put_all(out, [name.map_or(0, |name| name + 1), *kind]);
        }
        put(out, self.objects.len() as u64);
        let mut last = if start == 0 { 0 } else { -start };
        for object in &self.objects {
            match object {
                None => put_all(out, [0, 1]),
                Some((kind, at)) => {
                    put(out, kind + 1);
                    let distance = at.wrapping_sub(last);
                    put(out, ((distance << 1) ^ (distance >> 63)) as u64);
                    last = *at;
                }
            }
        }
    }
}
