//! The rows: the calls that run under callgrind.

use std::hint::black_box;

use archive::format::{Backend, Session};
use archive::{Element, Format, Options, Registry, Result, Save, Serialize, binary, json, msgpack};

use crate::workload::army::{self, Army};
use crate::workload::{log, minecraft, mk48};

/// The name of [`measured`] in the program.
pub const MEASURED: &str = "instructions::rows::measured";

/// The row for the fixed cost of every save and load.
const SESSION: &str = "a session, created and dropped";

/// What the names of rows begin with.
pub const GROUPS: [&str; 5] = ["a session, ", "army, ", "log, ", "minecraft_savedata, ", "mk48, "];

/// How many units the army has.
const UNITS: u32 = 5_000;

/// Runs the rows that have all of the words in their names, each once as it is and once as
/// [`measured`], and prints the name of each.
pub fn run(words: &[String]) {
    let asked = Asked { words };
    asked.row(SESSION, || drop(black_box(Session::new())));

    let mut registry = Registry::new();
    army::register(&mut registry).expect("each is registered once");
    let options = &Options::new().registry(Box::leak(Box::new(registry)));
    let value = &Army::new(UNITS);
    Subject { name: "army", value, options, same: Army::is_like }.run(&asked);

    let options = &Options::new();
    let value = &log::generate();
    Subject { name: "log", value, options, same: PartialEq::eq }.run(&asked);
    let value = &minecraft::generate();
    Subject { name: "minecraft_savedata", value, options, same: PartialEq::eq }.run(&asked);
    let value = &mk48::generate();
    Subject { name: "mk48", value, options, same: PartialEq::eq }.run(&asked);
}

/// Runs it. Its name is what callgrind looks for.
#[inline(never)]
fn measured(run: &mut dyn FnMut()) {
    run();
}

/// The requested rows.
struct Asked<'a> {
    words: &'a [String],
}

impl Asked<'_> {
    fn is(&self, row: &str) -> bool {
        self.words.iter().all(|word| row.contains(word.as_str()))
    }

    /// Runs the warm-up once, and then the measured call.
    fn row(&self, row: &str, mut run: impl FnMut()) {
        if self.is(row) {
            run();
            measured(&mut run);
            println!("{row}");
        }
    }
}

/// A value that is saved and loaded.
struct Subject<'a, T> {
    name: &'static str,
    value: &'a T,
    options: &'a Options<'static>,
    same: fn(&T, &T) -> bool,
}

impl<T: Save + Element + Serialize> Subject<'_, T> {
    fn run(&self, asked: &Asked<'_>) {
        self.compiled::<binary::Binary>("binary", asked);
        self.compiled::<msgpack::MessagePack>("msgpack", asked);
        self.compiled::<json::Json>("json", asked);
        let erased = Format::of::<binary::Binary>();
        self.rows(
            "binary, erased",
            asked,
            |bytes, value, options| erased.save_into(bytes, value, options),
            |bytes, options| erased.from_slice_with(bytes, options),
            |value, bytes, options| erased.load_into_with(value, bytes, options),
        );
    }

    /// The rows of a format that is known when the program is compiled.
    fn compiled<F: Backend>(&self, name: &str, asked: &Asked<'_>) {
        self.rows(
            name,
            asked,
            |bytes, value, options| F::save_into(bytes, value, options),
            |bytes, options| F::from_slice_with(bytes, options),
            |value, bytes, options| F::load_into(value, bytes, options),
        );
    }

    /// The rows of a format, which is its three functions.
    fn rows(
        &self,
        format: &str,
        asked: &Asked<'_>,
        save: impl Fn(&mut Vec<u8>, &T, &Options<'static>) -> Result,
        load: impl Fn(&[u8], &Options<'static>) -> Result<T>,
        load_into: impl Fn(&mut T, &[u8], &Options<'static>) -> Result,
    ) {
        let [saves, loads, in_place] =
            ["save", "load", "in place"].map(|does| format!("{}, {format}, {does}", self.name));
        if ![&saves, &loads, &in_place].into_iter().any(|row| asked.is(row)) {
            return;
        }
        let options = self.options;
        let mut bytes = Vec::new();
        save(&mut bytes, self.value, options).expect("the value can be saved");
        asked.row(&saves, || {
            save(black_box(&mut bytes), black_box(self.value), options).expect("it was saved");
        });
        let mut there = load(&bytes, options).expect("it was saved just now");
        assert!((self.same)(self.value, &there), "{format} loads another value than was saved");
        asked.row(&loads, || drop(black_box(load(black_box(&bytes), options))));
        asked.row(&in_place, || {
            load_into(black_box(&mut there), black_box(&bytes), options).expect("it was loaded");
        });
    }
}
