use archive::{Options, Result, Serialize};

#[derive(Default, Serialize)]
#[archive(after_load = Self::migrate)]
enum State {
    #[default]
    Idle,
    Walk { to: u8 },
}

impl State {
    fn migrate(&mut self, _version: u32) {}
}

#[derive(Default, Serialize)]
#[archive(after_load = check)]
struct Pair(u8, u8);

fn check(_: &Pair, _version: u32, _: &Options<'_>) -> Result {
    Ok(())
}

#[derive(Default, Serialize)]
#[archive(after_load = takes_a_number)]
struct Newtype(u8);

fn takes_a_number(_: &mut u8) {}

fn main() {}
