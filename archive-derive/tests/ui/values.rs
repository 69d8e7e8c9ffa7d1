use archive::Serialize;

#[derive(Serialize)]
#[archive(rename_all, version = "1")]
struct Rect {
    #[archive(rename)]
    x: u8,
    #[archive(rename = 3)]
    y: u8,
    #[archive(skip = true)]
    z: u8,
    #[archive(rename = "a", rename = "b")]
    w: u8,
}

#[derive(Serialize)]
#[archive(rename_all = "Camel")]
struct Point {
    x: u8,
}

fn main() {}
