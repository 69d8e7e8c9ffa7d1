//! Ranges and steps of values that are not numbers, empty ranges, lines of values that are not
//! text, and colors of other values.

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

#[derive(Default, Serialize)]
struct Words {
    #[archive(multiline)]
    words: Vec<String>,
}

#[derive(Default, Serialize)]
struct Letter {
    #[archive(multiline)]
    letter: Option<char>,
}

#[derive(Default, Serialize)]
struct Raw {
    #[archive(bytes, multiline)]
    raw: Vec<u8>,
}

#[derive(Default, Serialize)]
struct Gray {
    #[archive(color)]
    gray: f32,
}

#[derive(Default, Serialize)]
struct Two {
    #[archive(color)]
    two: Option<[u8; 2]>,
}

#[derive(Default, Serialize)]
struct Point {
    x: f32,
    y: f32,
}

#[derive(Default, Serialize)]
struct Place {
    #[archive(color)]
    place: Point,
}

#[derive(Default, Serialize)]
struct Length {
    #[archive(with = length, multiline)]
    length: String,
}

mod length {
    pub fn save(text: &String) -> archive::Result<u64> {
        Ok(text.len() as u64)
    }
    pub fn load(length: u64) -> archive::Result<String> {
        Ok(" ".repeat(length as usize))
    }
}

#[derive(Default, Serialize)]
struct Counted {
    #[archive(get = Counted::count, multiline)]
    count: (),
}

impl Counted {
    fn count(&self) -> u32 {
        0
    }
}

fn main() {}
