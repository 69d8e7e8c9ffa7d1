use archive::Serialize;

#[derive(Serialize, Default)]
struct Login {
    #[archive(required, default = 3)]
    tries: u8,
    #[archive(required, skip)]
    cache: u8,
    #[archive(required, skip_if_default)]
    token: String,
    #[archive(required, flatten)]
    at: Place,
}

#[derive(Serialize, Default)]
#[archive(required, default)]
struct Place {
    x: u8,
}

#[derive(Serialize, Default)]
struct Pair(#[archive(required)] u8, u8);

#[derive(Serialize, Default)]
#[archive(required)]
struct Meters(f32);

fn main() {}
