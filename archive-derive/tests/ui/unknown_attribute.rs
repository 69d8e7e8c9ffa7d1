use archive::Serialize;

#[derive(Serialize)]
#[archive(rename_al = "camelCase", tag = "t")]
struct Rect {
    #[archive(skipp)]
    x: u8,
    #[archive(deserialize_with = module, rename = "z")]
    y: u8,
}

#[derive(Serialize)]
enum State {
    #[archive(skip)]
    Idle,
}

fn main() {}
