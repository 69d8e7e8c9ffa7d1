//! Hostile input reserves no more than a small multiple of its own size, and saving a shared object
//! takes few bytes, wherever the object is.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::rc::Rc;

use archive::{Format, Serialize, Value, binary};

use super::law::memory_law::peak_of;

#[derive(Default, Serialize)]
struct Everything {
    list: Vec<u64>,
    units: Vec<()>,
    text: String,
    nested: Vec<Vec<Vec<[u64; 4]>>>,
    queue: VecDeque<String>,
    map: HashMap<u32, u64>,
    tree: BTreeMap<String, Vec<u8>>,
    set: HashSet<u8>,
    array: [u32; 16],
    shared: Vec<Rc<RefCell<Everything>>>,
}

fn everything() -> Everything {
    Everything {
        list: (0..20).collect(),
        units: vec![(); 5],
        text: "some text".into(),
        nested: vec![vec![vec![[1, 2, 3, 4]]]],
        queue: ["a".to_owned(), "b".to_owned()].into(),
        map: [(1, 2), (3, 4)].into(),
        tree: [("key".to_owned(), vec![1, 2, 3])].into(),
        set: [1, 2, 3].into(),
        array: [7; 16],
        shared: vec![Rc::default(), Rc::default()],
    }
}

#[test]
fn no_more_than_a_small_multiple_of_the_input() {
    for format in Format::all() {
        let good = format.to_vec(&everything()).unwrap();
        // The intact file is the measure; the allowance for a hostile one is fixed.
        let intact = peak_of(&mut || drop(format.from_slice::<Everything>(&good).unwrap()));
        let allowed = 4 * intact + 64 * good.len() + (64 << 10);
        let mut worst = 0;
        let mut bytes = good.clone();
        for at in 0..bytes.len() {
            let old = bytes[at];
            // Every length becomes a huge one: in text by digits, in bytes by set bits.
            for new in [0xff, 0x7f, 0xfe, b'9', b'['] {
                bytes[at] = new;
                worst = worst.max(peak_of(&mut || drop(format.from_slice::<Everything>(&bytes))));
                worst = worst.max(peak_of(&mut || drop(format.from_slice::<Value>(&bytes))));
            }
            bytes[at] = old;
            // A run of ten bytes that makes the largest number.
            if at + 10 <= bytes.len() {
                let saved = bytes[at..at + 10].to_vec();
                bytes[at..at + 10]
                    .copy_from_slice(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0]);
                worst = worst.max(peak_of(&mut || drop(format.from_slice::<Everything>(&bytes))));
                bytes[at..at + 10].copy_from_slice(&saved);
            }
        }
        assert!(worst <= allowed, "{format}: {worst} bytes for {} of input", good.len());
        println!("{format}: at most {worst} bytes, intact {intact}, input {}", good.len());
    }
}

#[test]
fn saving_takes_few_bytes_for_each_shared_object() {
    const COUNT: usize = 20_000;
    for apart in [0, 600, 5000] {
        let mut between = Vec::new();
        let objects: Vec<Rc<RefCell<u32>>> = (0..COUNT as u32)
            .map(|n| {
                between.push(Vec::<u8>::with_capacity(apart));
                Rc::new(RefCell::new(n))
            })
            .collect();
        let mut output = Vec::new();
        binary::save_into(&mut output, &objects, &archive::Options::new()).unwrap();
        let beside = peak_of(&mut || {
            binary::save_into(&mut output, &objects, &archive::Options::new()).unwrap()
        }) / COUNT;
        println!("{apart} bytes apart: {beside} bytes for each object");
        // A pointer, a position in the file and one in a table, which has a page for it if it is
        // far away.
        let allowed = if apart < 4096 { 128 } else { 288 };
        assert!(beside <= allowed, "{beside} bytes for each of the objects {apart} bytes apart");
    }
}
