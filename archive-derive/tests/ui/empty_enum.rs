use archive::Serialize;

#[derive(Serialize)]
enum Never {}

fn main() {}
