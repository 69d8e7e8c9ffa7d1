//! The maximum memory of any input, in every format.

#[allow(missing_docs)] // the names say it
#[path = "../../tests/memory/law/forge.rs"]
mod forge;
#[allow(missing_docs, dead_code)] // the names say it; a test uses all
#[path = "../../tests/memory/law/memory_law.rs"]
mod memory_law;

use std::cell::Cell;

use archive::Format;
use archive::binary::Binary;
use archive::bins::Bins;
use archive::blob::Blob;
use archive::json::Json;
use archive::msgpack::MessagePack;
use archive::serde_formats::SerdeBackend;

use crate::serde_join::{Cbor, Postcard, RmpNamed, Ron, SerdeJson};

fn formats() -> [Format; 10] {
    [
        Format::of::<Json>(),
        Format::of::<Binary>(),
        Format::of::<Blob>(),
        Format::of::<MessagePack>(),
        Format::of::<Bins>(),
        Format::of::<SerdeBackend<SerdeJson>>(),
        Format::of::<SerdeBackend<RmpNamed>>(),
        Format::of::<SerdeBackend<Ron>>(),
        Format::of::<SerdeBackend<Cbor>>(),
        Format::of::<SerdeBackend<Postcard>>(),
    ]
}

fn chosen(data: &[u8]) -> Option<(Format, &[u8])> {
    let (first, file) = data.split_first()?;
    let formats = formats();
    Some((formats[usize::from(*first) % formats.len()], file))
}

thread_local! {
    /// Whether the values that are created once exist.
    static WARM: Cell<bool> = const { Cell::new(false) };
}

/// The first byte chooses the format, the others are a file of it.
pub fn law(data: &[u8]) {
    let Some((format, file)) = chosen(data) else { return };
    let mut law = memory_law::Law::new();
    if !WARM.replace(true) {
        formats().into_iter().for_each(|format| law.warm_up(format));
    }
    law.check(format, "the input", file);
    law.conclude();
}

/// Changes lengths, ids, names and tables, and adjusts their frames; otherwise calls `change`.
pub fn mutate_law(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    change: fn(&mut [u8], usize, usize) -> usize,
) -> usize {
    if !seed.is_multiple_of(4)
        && let Some((format, file)) = chosen(&data[..size])
        && !file.is_empty()
    {
        let forged = forge::forge(format, file, seed.into());
        if forged.len() < max_size {
            data[1..=forged.len()].copy_from_slice(&forged);
            return forged.len() + 1;
        }
    }
    change(data, size, max_size)
}

/// Files that the corpus starts from, in every format.
pub fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = Vec::new();
    for (number, format) in formats().into_iter().enumerate() {
        for file in [
            format.to_vec(&memory_law::Lists::default()),
            format.to_vec(&vec![memory_law::Plain::default(), memory_law::Plain::default()]),
            format
                .to_vec(&memory_law::Nest(vec![memory_law::Nest(vec![memory_law::Nest(vec![])])])),
            format.to_vec_with(&memory_law::things(), &memory_law::saving()),
        ] {
            let mut seed = vec![number as u8];
            seed.extend(file.unwrap_or_default());
            seeds.push(seed);
        }
    }
    seeds
}
