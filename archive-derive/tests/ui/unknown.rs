use std::collections::BTreeMap;

use archive::{Serialize, Value};

type Members = BTreeMap<String, Value>;

#[derive(Serialize)]
struct Two {
    #[archive(unknown)]
    a: Members,
    #[archive(unknown)]
    b: Members,
}

#[derive(Serialize)]
struct Together {
    #[archive(unknown, skip)]
    skipped: Members,
    #[archive(unknown, flatten)]
    flattened: Members,
    #[archive(unknown, rename = "other", alias = "more")]
    renamed: Members,
}

#[derive(Serialize)]
struct Tuple(u8, #[archive(unknown)] Members);

#[derive(Serialize)]
enum Choice {
    Tuple(#[archive(unknown)] Members),
    Struct {
        #[archive(unknown)]
        a: Members,
        #[archive(unknown)]
        b: Members,
    },
}

#[derive(Serialize)]
#[archive(transparent)]
struct Transparent {
    #[archive(unknown)]
    inner: Members,
}

fn main() {}
