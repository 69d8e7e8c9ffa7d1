//! Writes the seeds of every decoder's corpus: `cargo run --example seeds`.

use std::path::Path;

use archive::binary::Binary;
use archive::binary::bare::Bare;
use archive::bins::Bins;
use archive::blob::Blob;
use archive::format::Backend;
use archive::json::Json;
use archive::msgpack::MessagePack;
use archive::serde_formats::{SerdeBackend, SerdeFormat};
use archive_fuzz::seeds::seeds;
use archive_fuzz::serde_join::{Cbor, Postcard, RmpArrays, RmpNamed, Ron, SerdeJson};

fn main() -> std::io::Result<()> {
    write::<Json>()?;
    write::<Binary>()?;
    write::<Blob>()?;
    write::<MessagePack>()?;
    write::<Bins>()?;
    exact()?;
    serde()?;
    law()?;
    values()
}

/// A byte that chooses the format, then a file of it.
fn law() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/law");
    std::fs::create_dir_all(&corpus)?;
    for (number, bytes) in archive_fuzz::law::seeds().into_iter().enumerate() {
        std::fs::write(corpus.join(format!("seed-{number:02}")), bytes)?;
    }
    Ok(())
}

/// For the profiles without types: the data of each type.
fn exact() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/exact");
    std::fs::create_dir_all(&corpus)?;
    for (name, bytes) in seeds::<Bare>() {
        std::fs::write(corpus.join(format!("seed-{name}")), bytes)?;
    }
    Ok(())
}

/// For serde's formats: after a byte that chooses the format, a file of each value.
fn serde() -> std::io::Result<()> {
    fn each<F: SerdeFormat>(choice: u8) -> std::io::Result<()> {
        let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/serde");
        std::fs::create_dir_all(&corpus)?;
        for (name, bytes) in seeds::<SerdeBackend<F>>() {
            let name = format!("seed-{}-{name}", F::NAME.replace(' ', "-"));
            std::fs::write(corpus.join(name), [&[choice], &bytes[..]].concat())?;
        }
        Ok(())
    }
    each::<SerdeJson>(0)?;
    each::<RmpNamed>(1)?;
    each::<RmpArrays>(2)?;
    each::<Ron>(3)?;
    each::<Cbor>(4)?;
    each::<Postcard>(5)
}

/// For values that are made of bytes: bytes that look random.
fn values() -> std::io::Result<()> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/roundtrip");
    std::fs::create_dir_all(&corpus)?;
    let mut state = 1_u32;
    for len in [64, 128, 256, 512, 768, 1024, 1536, 2048] {
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Small numbers and text are more telling than others.
            let byte = (state >> 24) as u8;
            if state & 0x10_0000 == 0 { byte & 0x7 } else { byte }
        };
        let bytes: Vec<u8> = (0..len).map(|_| next()).collect();
        std::fs::write(corpus.join(format!("seed-{len}")), bytes)?;
    }
    Ok(())
}

fn write<F: Backend>() -> std::io::Result<()> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = package.join("corpus").join(F::NAME);
    std::fs::create_dir_all(&corpus)?;
    for (name, bytes) in seeds::<F>() {
        std::fs::write(corpus.join(format!("seed-{name}")), bytes)?;
    }
    // The files that pin the layout are seeds as well.
    let golden = package.join("../tests/golden").join(F::NAME);
    for version in std::fs::read_dir(golden).into_iter().flatten().flatten() {
        for file in std::fs::read_dir(version.path())?.flatten() {
            let name = format!("golden-{}", file.file_name().to_string_lossy());
            std::fs::copy(file.path(), corpus.join(name))?;
        }
    }
    Ok(())
}
