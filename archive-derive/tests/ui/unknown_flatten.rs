use std::collections::BTreeMap;

use archive::{Archive, Result, Serialize, Value};

#[derive(Serialize)]
struct Keeps {
    known: u8,
    #[archive(unknown)]
    rest: BTreeMap<String, Value>,
}

#[derive(Serialize)]
struct Outer {
    #[archive(flatten)]
    inner: Keeps,
}

#[derive(Serialize)]
struct Boxed {
    #[archive(flatten)]
    inner: Box<Keeps>,
}

#[derive(Default, Clone)]
struct ByHand {
    x: u8,
}

impl Serialize for ByHand {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("x", &mut self.x)
    }
}
archive::save_by_clone!(ByHand);
archive::blank!(ByHand);

#[derive(Serialize)]
struct Beside {
    #[archive(flatten)]
    inner: ByHand,
    #[archive(unknown)]
    rest: BTreeMap<String, Value>,
}

fn main() {}
