use archive::{Serialize, Value};

#[derive(Serialize)]
#[archive(tag = "type")]
enum Number {
    Whole(u32),
}

#[derive(Serialize, Default)]
struct Named {
    #[archive(rename = "type")]
    kind: u8,
}

#[derive(Serialize)]
#[archive(tag = "type")]
enum Clash {
    Named(Named),
}

#[derive(Serialize)]
#[archive(tag = "type")]
enum Flattened {
    Named {
        #[archive(flatten)]
        named: Named,
    },
}

#[derive(Serialize, Default)]
struct Keeps {
    #[archive(unknown)]
    rest: Vec<(String, Value)>,
}

#[derive(Serialize)]
#[archive(tag = "type")]
enum Keeping {
    Keeps(Keeps),
}

struct Missing;

#[derive(Serialize)]
#[archive(tag = "type")]
enum Lacking {
    Missing(Missing),
}

fn main() {}
