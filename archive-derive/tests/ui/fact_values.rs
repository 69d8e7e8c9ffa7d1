//! Ranges and steps of what is no number, and empty ones.

use archive::Serialize;

#[derive(Default, Serialize)]
struct Text {
    #[archive(range = 0.0..=1.0)]
    name: String,
}

#[derive(Default, Serialize)]
struct Flag {
    #[archive(step = 1)]
    flag: bool,
}

#[derive(Default, Serialize)]
struct Empty {
    #[archive(range = 2.0..=1.0)]
    empty: f32,
}

#[derive(Default, Serialize)]
struct Still {
    #[archive(step = 0.0)]
    still: Option<f32>,
}

#[derive(Default, Serialize)]
struct Optional {
    #[archive(range = 0..)]
    optional: Option<String>,
}

fn main() {}
