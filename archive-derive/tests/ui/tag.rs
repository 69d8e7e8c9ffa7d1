use archive::Serialize;

#[derive(Serialize)]
#[archive(tag = "type")]
struct Unit {
    health: u8,
}

#[derive(Serialize)]
#[archive(content = "value")]
enum Untagged {
    A,
}

#[derive(Serialize)]
#[archive(tag = "type", content = "type")]
enum Same {
    A,
}

#[derive(Serialize)]
#[archive(tag = "$type")]
enum Reserved {
    A,
}

#[derive(Serialize)]
#[archive(tag = "type", rename_all = "lowercase")]
enum Figure {
    Square(f32, f32),
    Circle {
        #[archive(rename = "type")]
        kind: u8,
    },
    Line(#[archive(bytes)] Vec<u8>),
}

#[derive(Serialize)]
#[archive(tag = "t", content = "c")]
enum Either {
    #[archive(rename = "t")]
    Text(String),
}

fn main() {}
