use std::collections::{BTreeMap, HashMap};

use archive::Serialize;

#[derive(Serialize)]
struct Bytes {
    #[archive(bytes)]
    text: String,
    #[archive(bytes)]
    numbers: Vec<u16>,
}

#[derive(Serialize)]
struct Maps {
    #[archive(as_object)]
    list: Vec<(String, u8)>,
    #[archive(unordered)]
    map: BTreeMap<String, u8>,
    #[archive(unordered, as_object)]
    fine: HashMap<String, u8>,
}

fn main() {}
