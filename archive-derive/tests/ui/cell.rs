use std::cell::Cell;
use std::rc::Rc;

use archive::Serialize;

#[derive(Serialize)]
struct Unit {
    name: Cell<String>,
}

#[derive(Serialize)]
struct Shared {
    name: Rc<Cell<String>>,
}

#[derive(Serialize)]
#[archive(mut_only)]
struct Mutable {
    name: Cell<String>,
}

fn main() {}
