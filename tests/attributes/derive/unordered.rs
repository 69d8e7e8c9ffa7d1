//! `unordered`: hash maps and hash sets in their own order.

use super::*;
use std::hash::{BuildHasherDefault, Hasher};

/// A hash that puts numbers in descending order, most of the time.
#[derive(Default, Clone)]
struct Backwards(u64);

impl Hasher for Backwards {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) | u64::from(*byte).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }
}

type State = BuildHasherDefault<Backwards>;

#[derive(Serialize, Debug, PartialEq, Default)]
struct Loose {
    #[archive(unordered)]
    map: HashMap<u32, u8, State>,
    #[archive(unordered)]
    set: HashSet<u32, State>,
    #[archive(unordered, as_object)]
    object: HashMap<u32, u8, State>,
}

#[derive(Serialize, Debug, PartialEq, Default)]
struct Sorted {
    map: HashMap<u32, u8, State>,
    set: HashSet<u32, State>,
    #[archive(as_object)]
    object: HashMap<u32, u8, State>,
}

fn loose() -> Loose {
    Loose {
        map: (0..50).map(|key| (key, 1)).collect(),
        set: (0..50).collect(),
        object: (0..50).map(|key| (key, 2)).collect(),
    }
}

#[test]
fn in_the_order_of_iteration() {
    let mut value = loose();
    let list = |keys: &mut dyn Iterator<Item = String>| keys.collect::<Vec<_>>().join(",");
    let map = list(&mut value.map.iter().map(|(key, value)| format!("[{key},{value}]")));
    let set = list(&mut value.set.iter().map(u32::to_string));
    let object = list(&mut value.object.iter().map(|(key, value)| format!("\"{key}\":{value}")));
    let text = format!(r#"{{"map":[{map}],"set":[{set}],"object":{{{object}}}}}"#);
    assert_eq!(json::to_string(&value).unwrap(), text);
    assert_eq!(json::to_string(&mut value).unwrap(), text);
    assert_eq!(json::to_string(&mut Erased(&mut value)).unwrap(), text);

    let Loose { map, set, object } = loose();
    let sorted = Sorted { map, set, object };
    assert_ne!(json::to_string(&sorted).unwrap(), text, "the hash sorts by chance");
    for format in formats() {
        let bytes = format.to_vec(&value).unwrap();
        assert_eq!(format.from_slice::<Loose>(&bytes).unwrap(), value, "{format}");
        assert_eq!(format.from_slice::<Sorted>(&bytes).unwrap(), sorted, "{format}");
    }
}

#[derive(Serialize, Debug, PartialEq)]
struct Maybe {
    #[archive(unordered)]
    set: Option<HashSet<u8>>,
    #[archive(unordered)]
    map: Option<HashMap<u8, u8>>,
}

#[derive(Serialize, Debug, PartialEq)]
enum Either {
    Set(#[archive(unordered)] HashSet<u8>),
    Map(u8, #[archive(unordered)] HashMap<u8, u8>),
}

#[test]
fn everywhere() {
    check(&Maybe { set: None, map: Some([(1, 2)].into()) }, r#"{"set":null,"map":[[1,2]]}"#);
    check(&Maybe { set: Some([1].into()), map: None }, r#"{"set":[1],"map":null}"#);
    check(&Either::Set([1].into()), r#"{"Set":[1]}"#);
    check(&Either::Map(1, [(2, 3)].into()), r#"{"Map":[1,[[2,3]]]}"#);
}
