use archive::Serialize;

#[derive(Serialize)]
struct Inner {
    x: u8,
}

#[derive(Serialize)]
struct Pair(#[archive(flatten)] Inner, #[archive(rename = "b")] u8);

#[derive(Serialize)]
#[archive(version = 1, rename_all = "camelCase")]
enum State {
    Idle,
    #[archive(other)]
    Unknown(String, u8),
    #[archive(rename_all = "camelCase")]
    Tuple(u8),
}

#[derive(Serialize)]
#[archive(version = 2)]
struct Meters(f32);

#[derive(Serialize)]
struct Both {
    #[archive(skip, flatten)]
    inner: Inner,
    #[archive(skip, rename = "i")]
    index: u8,
}

fn main() {}
