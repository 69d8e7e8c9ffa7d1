//! Every file of the corpora, without a sanitizer, on any toolchain. The seeds are written first.

use std::sync::LazyLock;

use arbitrary::{Arbitrary, Unstructured};
use archive::binary::Binary;
use archive::bins::Bins;
use archive::blob::Blob;
use archive::json::Json;
use archive::msgpack::MessagePack;
use archive_fuzz::round_trip::Input;
use archive_fuzz::{corpus, exact, files, hostile, round_trip, serde_formats};

/// Writes the seeds, once for all tests.
static SEEDS: LazyLock<()> = LazyLock::new(|| corpus::write().unwrap());

fn each(target: &str, run: impl Fn(&[u8])) {
    LazyLock::force(&SEEDS);
    let mut count = 0;
    for file in std::fs::read_dir(corpus::folder(target)).unwrap() {
        let path = file.unwrap().path();
        println!("{}", path.display());
        run(&std::fs::read(path).unwrap());
        count += 1;
    }
    assert!(count > 4, "{target} has {count} inputs");
}

#[test]
fn json() {
    each("json", hostile::<Json>);
}

#[test]
fn binary() {
    each("binary", hostile::<Binary>);
}

#[test]
fn profiles() {
    each("exact", exact);
}

#[test]
fn blob() {
    each("blob", |data| {
        files::blobs(data);
        hostile::<Blob>(data);
    });
}

#[test]
fn msgpack() {
    each("msgpack", hostile::<MessagePack>);
}

#[test]
fn bins() {
    each("bins", |data| {
        files::bins(data);
        hostile::<Bins>(data);
    });
}

#[test]
fn serde() {
    each("serde", serde_formats);
}

#[test]
fn law() {
    each("law", archive_fuzz::law);
}

#[test]
fn roundtrip() {
    each("roundtrip", |data| {
        let input = Input::arbitrary_take_rest(Unstructured::new(data)).unwrap();
        round_trip::<Json>(&input);
        round_trip::<Binary>(&input);
        round_trip::<Blob>(&input);
        round_trip::<MessagePack>(&input);
        round_trip::<Bins>(&input);
    });
}
