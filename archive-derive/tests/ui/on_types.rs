use archive::{Options, Serialize};

#[derive(Serialize)]
#[archive(default)]
struct NoDefault {
    a: u8,
}

#[derive(Serialize)]
#[archive(default = 5)]
struct OtherType {
    a: u8,
}

#[derive(Serialize)]
#[archive(after_load = takes_a_number)]
struct Loaded {
    a: u8,
}

fn takes_a_number(_: &mut u8) {}

#[derive(Serialize)]
#[archive(after_load = Self::finish)]
struct Shared {
    a: u8,
}

impl Shared {
    fn finish(&self, _version: u64, _: &Options<'_>) {}
}

#[derive(Serialize)]
#[archive(after_load = nowhere)]
struct Missing {
    a: u8,
}

fn main() {}
