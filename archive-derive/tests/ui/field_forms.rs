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
    #[archive(as_object)]
    lists: Box<Vec<Option<u8>>>,
    #[archive(unordered)]
    map: BTreeMap<String, u8>,
    #[archive(unordered, as_object)]
    fine: HashMap<String, u8>,
    #[archive(unordered, as_object)]
    sorted: BTreeMap<String, u8>,
    #[archive(as_object)]
    fine_inside: Vec<Option<Box<[HashMap<String, u8>; 2]>>>,
}

fn main() {}
