use archive::Serialize;

#[derive(Serialize)]
struct Label<'a> {
    text: &'a str,
}

#[derive(Serialize)]
struct Window<'a> {
    labels: Vec<Label<'a>>,
}

fn main() {
    let window = Window { labels: vec![] };
    let _ = archive::json::to_string(&window);
}
