//! Random tables of types, classes and objects, and random objects: no load in any profile panics
//! or takes more memory than a small multiple of its input and its value.

mod forged_rows;
mod make;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use crate::common::Binary;
use crate::common::forged::{Entry, FIRST, Forged};
use allocation_counter::measure;
use archive_binary::bare::Bare;
use archive_binary::fingerprint::Fingerprint;
use archive_core::{Backend, Blank, Options, Serialize, Value};
use archive_derive::Serialize;
use archive_test_support::search::{cases, seed};
use make::Maker;

#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Packet {
    #[archive(bytes)]
    blob: Vec<u8>,
    shared: Vec<Rc<Vec<u8>>>,
    number: u32,
    list: Vec<Option<u16>>,
    unit: ((), [(); 2]),
    cell: Option<Rc<RefCell<Packet>>>,
    weak: Weak<RefCell<Packet>>,
    text: String,
}

const NAMES: [&str; 9] =
    ["Packet", "blob", "shared", "number", "list", "unit", "cell", "weak", "text"];

/// The types of a packet, as they follow from it.
fn packet() -> Vec<Entry> {
    let kinds = [16, FIRST + 1, 4, FIRST + 4, FIRST + 6, FIRST + 8, 18, 15];
    vec![
        Entry::Class(0, (1..).zip(kinds).collect()),
        Entry::Seq(FIRST + 2),
        Entry::Pointer(FIRST + 3),
        Entry::Seq(2),
        Entry::Seq(FIRST + 5),
        Entry::Option(3),
        Entry::Tuple(vec![0, FIRST + 7]),
        Entry::Array(0, 2),
        Entry::Option(FIRST + 9),
        Entry::Pointer(FIRST),
    ]
}

/// The same members in another order, some of them missing, some new.
#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Later {
    weak: Weak<RefCell<Later>>,
    cell: Option<Rc<RefCell<Later>>>,
    list: Vec<u64>,
    unit: ((), ()),
    shared: Vec<Rc<String>>,
    fresh: BTreeMap<String, u8>,
}

/// Keeps unknown members as trees.
#[derive(Debug, Default, Serialize)]
#[archive(crate = archive_core)]
struct Keeps {
    number: u8,
    #[archive(unknown)]
    rest: Vec<(String, Value)>,
}

fn options() -> Options<'static> {
    Options::new().max_empty_elements(256)
}

/// The results of many loads.
#[derive(Default)]
struct Tally {
    loads: usize,
    loaded: usize,
}

impl Tally {
    /// Loads, and returns the peak of allocated bytes without the value.
    fn load<F: Backend, T: Serialize + Blank>(&mut self, file: &[u8]) -> usize {
        let options = options();
        let mut loaded = None;
        let taken = measure(|| loaded = F::from_slice_with::<T>(file, &options).ok());
        self.loads += 1;
        self.loaded += usize::from(loaded.is_some());
        let value = if loaded.is_some() { taken.bytes_current } else { 0 };
        usize::try_from(taken.bytes_max as i64 - value).unwrap_or(0)
    }

    /// Checks that the peak is at most a fixed multiple of the file.
    fn check<F: Backend, T: Serialize + Blank>(&mut self, file: &[u8], times: usize, seed: u64) {
        let peak = self.load::<F, T>(file);
        let allowed = (64 << 10) + times * file.len();
        let what = std::any::type_name::<T>();
        assert!(peak <= allowed, "{}, {what}, {seed}: {peak} for {} bytes", F::NAME, file.len());
    }
}

/// Files that consist mostly of tables, with the smallest possible entries.
fn large_tables() -> impl Iterator<Item = Forged> {
    let most = 30_000;
    let file = Forged::new(&[], &[Entry::Seq(2)], 0);
    let types = |entry: Entry| Forged { types: vec![entry; most as usize], ..file.clone() };
    let names = || (0..most).map(|i| format!("{i:x}")).collect();
    let nested = (0..most).map(|i| Entry::Tuple(vec![FIRST + (i + 1) % most; 2])).collect();
    let objects = || (0..most as i64).map(|i| Some((0, 2 + i)));
    let tables = [
        types(Entry::Seq(2)),
        types(Entry::Option(FIRST)),
        types(Entry::Tuple(Vec::new())),
        types(Entry::Class(0, Vec::new())).names(&["a"]),
        types(Entry::Enum(0, Vec::new())).names(&["a"]),
        types(Entry::Class(0, vec![(0, 2)])).names(&["a"]),
        types(Entry::Enum(0, vec![(0, None)])).names(&["a"]),
        Forged { types: nested, ..file.clone() },
        Forged { types: vec![Entry::Tuple(vec![2; most as usize])], ..file.clone() },
        Forged { names: vec![String::new(); most as usize], ..file.clone() },
        Forged {
            types: vec![Entry::Class(0, (0..most).map(|name| (name, 0)).collect())],
            names: names(),
            root: FIRST,
            ..file.clone()
        },
        Forged {
            types: vec![Entry::Class(0, Vec::new())],
            layouts: vec![FIRST; most as usize],
            ..file.clone()
        }
        .names(&["a"]),
        Forged { pointees: vec![(None, 2); most as usize], ..file.clone() },
        Forged { pointees: vec![(None, 2)], objects: objects().collect(), ..file.clone() },
        Forged {
            data: (0..most).map(|i| (i % 100) as u8).collect(),
            pointees: vec![(None, 2)],
            objects: objects().collect(),
            ..file.clone()
        },
    ];
    tables.into_iter()
}

#[test]
fn random_files() {
    let tally = &mut Tally::default();
    for (number, forged) in (0..).zip(large_tables()) {
        for file in [forged.file(), forged.packet(&[])] {
            tally.check::<Binary, Packet>(&file, 64, number);
            tally.check::<Binary, Keeps>(&file, 64, number);
            tally.check::<Bare, Packet>(&file, 64, number);
        }
    }
    let fingerprint = Fingerprint::to_vec(&Packet::default()).unwrap();
    let implied = packet();
    let (mut tables, mut packets, mut trees) = <(Tally, Tally, Tally)>::default();
    let first = seed();
    for seed in first..first + u64::from(cases(1_200)) {
        let room = [40, 400, 400, if seed % 64 == 3 { 40_000 } else { 4_000 }][seed as usize % 4];
        let mut maker = Maker::new(seed, &NAMES, &implied, room, seed % 8 < 4);
        let more = maker.random.below(30);
        maker.add_types(more);
        if seed % 2 == 0 {
            maker.fill(FIRST);
            let mut rest = maker.file.clone();
            rest.types.drain(..implied.len());
            let (bare, known) = (rest.packet(&[]), rest.packet(&fingerprint[..8]));
            packets.check::<Bare, Packet>(&bare, 64, seed);
            packets.check::<Fingerprint, Packet>(&known, 64, seed);
        } else {
            let changes = maker.random.below(3);
            (0..changes).for_each(|_| maker.change_types());
            if maker.random.one_in(3) {
                maker.file.root = FIRST + maker.random.below(maker.file.types.len()) as u64;
            }
            maker.fill(maker.file.root);
        }
        let file = maker.file.file();
        tables.check::<Binary, Packet>(&file, 64, seed);
        tables.check::<Binary, Later>(&file, 64, seed);
        // In trees, one byte may be several values with names.
        trees.check::<Binary, Keeps>(&file, 1024, seed);
        trees.check::<Binary, Value>(&file, 1024, seed);
        // Signatures may take some time.
        if seed % 16 == 1 {
            let _ = archive_binary::inspect_with(&file, &options());
        }
    }
    // Enough of them are valid for long enough.
    for (what, tally) in [("tables", tables), ("packets", packets), ("trees", trees)] {
        let Tally { loads, loaded } = tally;
        println!("{what}: {loaded} of {loads}");
        assert!(loaded * 20 > loads, "{what}: {loaded} of {loads}");
    }
}
