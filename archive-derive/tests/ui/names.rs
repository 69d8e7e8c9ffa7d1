use archive::Serialize;

#[derive(Serialize)]
struct Rect {
    x: u8,
    #[archive(rename = "x")]
    y: u8,
    #[archive(alias = "x")]
    z: u8,
    #[archive(rename = "$id")]
    id: u8,
}

#[derive(Serialize)]
enum State {
    Idle,
    #[archive(alias = "Idle")]
    Waiting,
}

fn main() {}
