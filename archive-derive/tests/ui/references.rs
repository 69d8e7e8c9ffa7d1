use archive::Serialize;

#[derive(Serialize)]
struct Label<'a> {
    text: &'a str,
}

#[derive(Serialize)]
struct Handle {
    target: *const u32,
}

fn main() {}
