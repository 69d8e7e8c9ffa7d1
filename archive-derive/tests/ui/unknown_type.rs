use std::collections::BTreeMap;

use archive::Serialize;

#[derive(Serialize)]
struct Wrong {
    known: u8,
    #[archive(unknown)]
    rest: u32,
}

#[derive(Serialize)]
struct WrongValues {
    #[archive(unknown)]
    rest: BTreeMap<String, u32>,
}

fn main() {}
