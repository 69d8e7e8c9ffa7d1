//! Every truncation and every flipped bit is noticed, in every format.

use std::time::Duration;

use archive::Format;
use archive::save::{Compression, SaveFile};

use crate::proof::power_cuts;
use crate::saved_worlds::{World, world};

const PATH: &str = "a.sav";

fn compressions() -> Vec<Compression> {
    vec![
        Compression::None,
        Compression::Lz4,
        #[cfg(feature = "zstd")]
        Compression::Zstd,
    ]
}

/// A small save.
fn small(format: Format, compression: Compression) -> Vec<u8> {
    let system = power_cuts();
    SaveFile::over(system.clone(), PATH)
        .title("Before the boss")
        .play_time(Duration::from_secs(60))
        .thumbnail([1, 2, 3])
        .metadata(&("chapter".to_owned(), 3))
        .unwrap()
        .compression(compression)
        .save(&world(1, 4), format)
        .unwrap();
    system.get(PATH).unwrap()
}

/// Returns how many bytes come before the frames.
fn head_len(bytes: &[u8]) -> usize {
    let len = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    32 + len(12) + len(16) + len(20) + 8
}

/// Returns whether a load notices the damage. A list notices it in the head and the tail.
fn is_noticed(bytes: Vec<u8>, is_of_head_or_tail: bool) -> bool {
    let system = power_cuts();
    system.put(PATH, bytes);
    let file = SaveFile::over(system, PATH);
    let is_peeked = file.meta().is_ok();
    assert!(!(is_peeked && is_of_head_or_tail), "a list does not notice it");
    assert!(file.verify().is_err());
    file.load::<World>().is_err()
}

#[test]
fn every_bit_and_every_cut_is_noticed() {
    for format in Format::all() {
        for compression in compressions() {
            let bytes = small(format, compression);
            let head = head_len(&bytes);
            for bit in 0..bytes.len() * 8 {
                let at = bit / 8;
                let mut flipped = bytes.clone();
                flipped[at] ^= 1 << (bit % 8);
                let is_outer = at < head || at >= bytes.len() - 32;
                assert!(is_noticed(flipped, is_outer), "{format}, {compression:?}: bit {bit}");
            }
            for cut in 0..bytes.len() {
                assert!(is_noticed(bytes[..cut].to_vec(), true), "{format}: cut at {cut}");
            }
            let mut longer = bytes.clone();
            longer.push(0);
            assert!(is_noticed(longer, true));
        }
    }
}

/// A frame in the place of another one, or of another save.
#[test]
fn frames_have_their_place() {
    let system = power_cuts();
    let file = SaveFile::over(system.clone(), PATH).compression(Compression::None);
    let save = |value: u8| {
        file.save(&vec![value; 200_000], Format::Json).unwrap();
        system.get(PATH).unwrap()
    };
    let (first, second) = (save(1), save(2));
    let length = 12 + (128 << 10) + 8;
    let frame = |number: usize| {
        let start = head_len(&first) + number * length;
        start..start + length
    };

    let mut swapped = first.clone();
    swapped[frame(0)].copy_from_slice(&first[frame(1)]);
    swapped[frame(1)].copy_from_slice(&first[frame(0)]);
    assert!(is_noticed(swapped, false));
    let mut mixed = first.clone();
    mixed[frame(0)].copy_from_slice(&second[frame(0)]);
    assert!(is_noticed(mixed, false));
}

/// A byte that moves from the record to the metadata: both lengths change, and no other byte.
#[test]
fn lengths_of_sections_are_under_a_checksum() {
    let mut bytes = small(Format::Json, Compression::Lz4);
    bytes[12] -= 1;
    bytes[16] += 1;
    let system = power_cuts();
    system.put(PATH, bytes);
    let error = SaveFile::over(system, PATH).meta().unwrap_err();
    assert_eq!(error.message(), "a.sav is damaged: the checksum of the head differs");
}
