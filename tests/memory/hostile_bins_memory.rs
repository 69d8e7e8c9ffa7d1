//! Hostile Bins files reserve no more than a small multiple of their size.

use archive::bins::{self, Collection, Object};
use archive::{Options, Value};

use super::law::memory_law::peak_of;

/// The maximum allocation for each byte of a file, and the constant part.
const EACH: usize = 64;
const BASE: usize = 128 << 10;

fn check(what: &str, bytes: &[u8]) {
    let options = Options::new().max_depth(usize::MAX);
    let object = peak_of(&mut || drop(Object::from_bytes_with(bytes, &options)));
    let value = peak_of(&mut || drop(bins::from_slice::<Value>(bytes)));
    let collection = peak_of(&mut || drop(Collection::recover(bytes)));
    for (way, peak) in [("object", object), ("value", value), ("collection", collection)] {
        let allowed = EACH * bytes.len() + BASE;
        assert!(peak <= allowed, "{what}, {way}: {peak} bytes for {} of input", bytes.len());
        println!("{what}, {way}: {} times the input", peak / bytes.len());
    }
}

#[test]
fn no_more_than_a_small_multiple_of_the_input() {
    let long = "n".repeat(100_000);
    let mut names = Object::list(&*long);
    let mut empty = Object::list("");
    let mut bases = Object::new("Top");
    let mut many = Object::new("Top");
    let mut chain = Object::new("");
    for index in 0..20_000_u32 {
        names.push_value(&0_u8).unwrap();
        empty.push(Object::new("")).unwrap();
        let mut parent = Object::new("");
        parent.add("", chain).unwrap();
        chain = parent;
        if index < 2000 {
            bases.export(index.to_string(), &long[..10_000], &0_u8).unwrap();
            many.export("Top", index.to_string(), &0_u8).unwrap();
        }
    }
    let options = Options::new().max_depth(usize::MAX);
    for (what, object) in [
        ("a long name", &names),
        ("empty objects", &empty),
        ("a base for each variable", &bases),
        ("many names", &many),
        ("a chain", &chain),
    ] {
        check(what, &object.to_bytes_with(&options).unwrap());
    }

    // Counts and sizes that exceed the file.
    let good = many.to_bytes().unwrap();
    for at in (8..40).step_by(4) {
        for word in [u32::MAX, u32::MAX / 20, 1 << 24] {
            let mut bytes = good.clone();
            bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
            let checksum = crc32(&bytes[..52]);
            bytes[52..56].copy_from_slice(&checksum.to_le_bytes());
            check("forged", &bytes);
        }
    }
}

/// CRC-32, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}
