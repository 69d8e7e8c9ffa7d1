//! Facts that a field cannot have.

use archive::Serialize;

#[derive(Default, Serialize)]
struct Spelled {
    #[archive(range = 1.0)]
    number: f32,
    #[archive(range = 0..10)]
    half_open: u8,
    #[archive(range = ..)]
    boundless: u8,
    #[archive(range(0, 1))]
    list: u8,
    #[archive(label = speed)]
    label: u8,
    #[archive(hidden = true)]
    hidden: bool,
    #[archive(multiline = 5)]
    multiline: String,
    #[archive(color = "red")]
    color: String,
    #[archive(lable = "x")]
    typo: u8,
    #[archive(readonly)]
    other: u8,
}

#[derive(Default, Serialize)]
struct Invisible {
    #[archive(skip, label = "Cache")]
    cache: u8,
    #[archive(skip, multiline)]
    notes: String,
    #[archive(skip, color)]
    tint: u32,
    #[archive(set = Invisible::set)]
    set: u8,
    #[archive(get = Invisible::get, alias = "old")]
    aliased: u8,
}

#[derive(Default, Serialize)]
struct Tuple(#[archive(unit = "m")] f32, #[archive(get = Tuple::get)] u8);

#[derive(Default, Serialize)]
enum Variant {
    #[default]
    Idle,
    Walking {
        #[archive(get = Variant::speed)]
        speed: f32,
    },
}

fn main() {}
