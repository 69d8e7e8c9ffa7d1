//! The corpora that runs and tests start from. Only inputs that once failed are in the repository, as `found-…`; the rest is
//! written by [`write()`].

use std::io::Result;
use std::path::{Path, PathBuf};

use archive::binary::Binary;
use archive::binary::bare::Bare;
use archive::bins::Bins;
use archive::blob::Blob;
use archive::format::Backend;
use archive::json::Json;
use archive::msgpack::MessagePack;
use archive::serde_formats::{SerdeBackend, SerdeFormat};

use crate::seeds::seeds;
use crate::serde_join::{Cbor, Postcard, RmpArrays, RmpNamed, Ron, SerdeJson};

const PACKAGE: &str = env!("CARGO_MANIFEST_DIR");

/// Returns the folder of the inputs of a target.
pub fn folder(target: &str) -> PathBuf {
    Path::new(PACKAGE).join("corpus").join(target)
}

/// Writes the seeds of every target.
///
/// # Errors
/// Those of the file system.
pub fn write() -> Result<()> {
    format::<Json>()?;
    format::<Binary>()?;
    format::<Blob>()?;
    format::<MessagePack>()?;
    format::<Bins>()?;
    exact()?;
    serde()?;
    law()?;
    values()
}

/// Writes one input.
fn input(target: &str, name: &str, bytes: &[u8]) -> Result<()> {
    std::fs::create_dir_all(folder(target))?;
    std::fs::write(folder(target).join(name), bytes)
}

/// For a format: the values, and the files that pin its layout.
fn format<F: Backend>() -> Result<()> {
    for (name, bytes) in seeds::<F>() {
        input(F::NAME, &format!("seed-{name}"), &bytes)?;
    }
    let golden = Path::new(PACKAGE).join("../tests/golden").join(F::NAME);
    for version in std::fs::read_dir(golden)? {
        let version = version?;
        for file in std::fs::read_dir(version.path())? {
            let file = file?;
            let [version, name] = [version.file_name(), file.file_name()];
            let name = format!("golden-{}-{}", version.display(), name.display());
            input(F::NAME, &name, &std::fs::read(file.path())?)?;
        }
    }
    Ok(())
}

/// For the profiles without types: the data of each type.
fn exact() -> Result<()> {
    for (name, bytes) in seeds::<Bare>() {
        input("exact", &format!("seed-{name}"), &bytes)?;
    }
    Ok(())
}

/// For serde's formats: after a byte that chooses the format, a file of each value.
fn serde() -> Result<()> {
    fn each<F: SerdeFormat>(choice: u8) -> Result<()> {
        for (name, bytes) in seeds::<SerdeBackend<F>>() {
            let name = format!("seed-{}-{name}", F::NAME.replace(' ', "-"));
            input("serde", &name, &[&[choice], &bytes[..]].concat())?;
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

/// A byte that chooses the format, then a file of it.
fn law() -> Result<()> {
    for (number, bytes) in crate::law::seeds().into_iter().enumerate() {
        input("law", &format!("seed-{number:02}"), &bytes)?;
    }
    Ok(())
}

/// For values that are made of bytes: pseudo-random bytes.
fn values() -> Result<()> {
    let mut state = 1_u32;
    for len in [64, 128, 256, 512, 768, 1024, 1536, 2048] {
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // Small numbers and text are more useful than others.
            let byte = (state >> 24) as u8;
            if state & 0x10_0000 == 0 { byte & 0x7 } else { byte }
        };
        let bytes: Vec<u8> = (0..len).map(|_| next()).collect();
        input("roundtrip", &format!("seed-{len}"), &bytes)?;
    }
    Ok(())
}
