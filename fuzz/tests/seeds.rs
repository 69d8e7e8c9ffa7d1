//! Every file of the corpora, without a sanitizer, on any toolchain.

use std::path::Path;

use arbitrary::{Arbitrary, Unstructured};
use archive::binary::Binary;
use archive::bins::Bins;
use archive::blob::Blob;
use archive::json::Json;
use archive::msgpack::MessagePack;
use archive_fuzz::round_trip::Input;
use archive_fuzz::{exact, files, hostile, round_trip, serde_formats};

fn each(target: &str, run: impl Fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target);
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        println!("{}", path.display());
        run(&std::fs::read(path).unwrap());
        count += 1;
    }
    assert!(count > 0);
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
