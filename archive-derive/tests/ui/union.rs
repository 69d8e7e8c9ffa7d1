use archive::Serialize;

#[derive(Serialize)]
union Bits {
    float: f32,
    int: u32,
}

fn main() {}
