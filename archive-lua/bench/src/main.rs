//! `cargo run --release`: the time of a read and of a write of a member by a script, beside those of a getter and a setter of
//! `mlua`'s `UserData`. Ratios of the same loop in one run: the median of several rounds, and their range.

use std::time::Instant;

use archive::Serialize;
use archive_lua::{Arguments, Limits, Sandbox};
use mlua::{Function, Lua, UserData, UserDataFields};

#[derive(Default, Serialize)]
struct At {
    x: i32,
    y: i32,
}

#[derive(Default, Serialize)]
struct Unit {
    id: u32,
    name: String,
    kind: String,
    hp: u16,
    speed: f32,
    alive: bool,
    at: At,
    words: Vec<String>,
}

impl UserData for Unit {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_field_method_get("hp", |_, this| Ok(this.hp));
        fields.add_field_method_set("hp", |_, this, hp: u16| {
            this.hp = hp;
            Ok(())
        });
        fields.add_field_method_get("name", |_, this| Ok(this.name.clone()));
        fields.add_field_method_get("alive", |_, this| Ok(this.alive));
        fields.add_field_method_get("speed", |_, this| Ok(this.speed));
    }
}

/// How often a loop runs in one call.
const LOOPS: u32 = 1_000;
const CALLS: u32 = 20;
const ROUNDS: usize = 15;

fn main() {
    println!("{:<28} {:>9} {:>9} {:>7}   range", "a loop of", "mlua, ns", "ours, ns", "ratio");
    for what in [
        "local v = unit.hp",
        "local v = unit.speed",
        "local v = unit.alive",
        "local v = unit.name",
        "unit.hp = i",
    ] {
        compare(what);
    }
    for what in
        ["local v = unit.at.x", "local v = unit.words[1]", "unit.at.x = i", "local v = #unit.words"]
    {
        let ours = ours(what);
        let time = (0..ROUNDS).map(|_| ours()).fold(f64::MAX, f64::min);
        println!("{what:<28} {:>9} {time:>9.0}", "-");
    }
}

fn unit() -> Unit {
    Unit {
        name: "Ann of the hills".into(),
        hp: 50,
        words: vec!["a word".into()],
        ..Unit::default()
    }
}

fn source(what: &str) -> String {
    format!("function run(unit) for i = 1, {LOOPS} do {what} end end")
}

/// The nanoseconds of one loop.
fn time(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..CALLS).for_each(|_| call());
    start.elapsed().as_secs_f64() * 1e9 / f64::from(LOOPS * CALLS)
}

fn ours(what: &str) -> impl Fn() -> f64 {
    let limits = Limits::default().instructions(u64::MAX);
    let script = Sandbox::new(limits).and_then(|sandbox| sandbox.load("bench.lua", &source(what)));
    let script = script.expect("a script");
    move || {
        let mut unit = unit();
        time(|| {
            script.call("run", Arguments::new().edit(&mut unit)).expect("a run");
        })
    }
}

fn theirs(what: &str) -> impl Fn() -> f64 {
    let lua = Lua::new();
    lua.load(source(what)).exec().expect("a script");
    let run: Function = lua.globals().get("run").expect("a function");
    let unit = lua.create_userdata(unit()).expect("an object");
    move || {
        let _lua = &lua;
        time(|| run.call::<()>(&unit).expect("a run"))
    }
}

fn compare(what: &str) {
    let (ours, theirs) = (ours(what), theirs(what));
    let mut rounds: Vec<(f64, f64)> = (0..ROUNDS).map(|_| (theirs(), ours())).collect();
    rounds.sort_by(|one, other| (one.1 / one.0).total_cmp(&(other.1 / other.0)));
    let (theirs, ours) = rounds[ROUNDS / 2];
    let ratio = |(theirs, ours): &(f64, f64)| ours / theirs;
    let (least, most) = (ratio(&rounds[0]), ratio(&rounds[ROUNDS - 1]));
    println!(
        "{what:<28} {theirs:>9.0} {ours:>9.0} {:>7.2}   {least:.2} to {most:.2}",
        ours / theirs
    );
}
