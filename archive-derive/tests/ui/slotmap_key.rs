use archive::Serialize;

slotmap::new_key_type! {
    struct UnitKey;
}

#[derive(Default, Serialize)]
struct Squad {
    leader: UnitKey,
}

fn main() {}
