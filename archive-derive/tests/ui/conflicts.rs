use archive::Serialize;
use std::collections::HashMap;

#[derive(Serialize)]
struct Members {
    #[archive(bytes, with = module)]
    a: Vec<u8>,
    #[archive(as_object, bytes)]
    b: HashMap<String, u8>,
    #[archive(flatten, with = module)]
    c: Inner,
    #[archive(flatten, skip_if_default)]
    d: Inner,
    #[archive(skip, bytes)]
    e: Vec<u8>,
    #[archive(skip(keep), skip_if_default)]
    f: u8,
    #[archive(skip(kept))]
    g: u8,
    #[archive(skip())]
    h: u8,
    #[archive(with)]
    i: u8,
    #[archive(skip_if_defualt)]
    j: u8,
    #[archive(unordered = true)]
    k: HashMap<String, u8>,
}

struct Inner {
    x: u8,
}

#[derive(Serialize)]
struct Tuple(#[archive(skip_if_default)] u8, u8);

#[derive(Serialize)]
#[archive(transparent)]
struct Transparent {
    #[archive(skip_if_default)]
    a: u8,
}

#[derive(Serialize)]
enum Variants {
    #[archive(other)]
    Named { name: String },
}

#[derive(Serialize)]
#[archive(after_load)]
struct Loaded {
    a: u8,
}

fn main() {}
