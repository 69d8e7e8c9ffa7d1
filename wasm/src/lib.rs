//! Saves and loads in a browser, without other packages. `./run.mjs` is the page.
//!
//! A call gets its argument as bytes in the memory of the module: the page asks for [`room`], writes, and calls. The call
//! leaves its result in the same place and returns the length of it, or the length of an error's text as a negative number.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use archive::bins::Bins;
use archive::path::Path;
use archive::reflect::{self, Edit};
use archive::save::testing::PowerCuts;
use archive::save::{SaveFile, Saves};
use archive::{Error, Format, Options, Result, Serialize, Value, json};

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    hp: u16,
}

#[derive(Default, Serialize)]
enum Weather {
    #[default]
    Clear,
    Rain {
        strength: f32,
    },
}

#[derive(Default, Serialize)]
struct World {
    tick: u64,
    /// One of the units.
    leader: Option<Rc<RefCell<Unit>>>,
    units: Vec<Rc<RefCell<Unit>>>,
    weather: Weather,
    scores: BTreeMap<String, i64>,
}

thread_local! {
    static WORLD: RefCell<World> = RefCell::default();
    static BYTES: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Makes room for an argument of so many bytes, and returns where it is.
#[unsafe(no_mangle)]
extern "C" fn room(len: usize) -> *mut u8 {
    BYTES.with_borrow_mut(|bytes| {
        bytes.clear();
        bytes.resize(len, 0);
        bytes.as_mut_ptr()
    })
}

/// Returns where the result of the last call is.
#[unsafe(no_mangle)]
extern "C" fn result() -> *const u8 {
    BYTES.with_borrow(|bytes| bytes.as_ptr())
}

/// Runs a call with its argument.
fn call(run: impl FnOnce(&mut World, &[u8]) -> Result<Vec<u8>>) -> i32 {
    let argument = BYTES.take();
    let (bytes, sign) = match WORLD.with_borrow_mut(|world| run(world, &argument)) {
        Ok(bytes) => (bytes, 1),
        Err(error) => (error.to_string().into_bytes(), -1),
    };
    let len = bytes.len() as i32;
    BYTES.set(bytes);
    sign * len
}

fn formats() -> Vec<Format> {
    Format::all().chain([Format::of::<Bins>()]).collect()
}

fn format(number: usize) -> Result<Format> {
    formats().get(number).copied().ok_or_else(|| Error::custom("there is no such format"))
}

fn text(argument: &[u8]) -> Result<&str> {
    std::str::from_utf8(argument).map_err(Error::custom)
}

fn file() -> SaveFile {
    SaveFile::new("campaign").game("wasm").title("Before the boss").formats([Format::of::<Bins>()])
}

/// Lists the formats, one a line. Other calls have their numbers.
#[unsafe(no_mangle)]
extern "C" fn names() -> i32 {
    call(|_, _| {
        let names: Vec<&str> = formats().iter().map(|format| format.name()).collect();
        Ok(names.join("\n").into())
    })
}

/// Begins a new world.
#[unsafe(no_mangle)]
extern "C" fn begin() -> i32 {
    call(|world, _| {
        let unit = |name: &str| Rc::new(RefCell::new(Unit { name: name.into(), hp: 100 }));
        let units = vec![unit("Ann"), unit("Bob")];
        *world = World {
            tick: 1 << 40,
            leader: Some(units[1].clone()),
            units,
            weather: Weather::Rain { strength: 0.5 },
            scores: [("north".into(), -1), ("south".into(), i64::MAX)].into(),
        };
        Ok(Vec::new())
    })
}

/// Saves the world in a format.
#[unsafe(no_mangle)]
extern "C" fn save(number: usize) -> i32 {
    call(|world, _| format(number)?.to_vec(&*world))
}

/// Loads the world from the argument. A world that fails to load leaves the present one as it is.
#[unsafe(no_mangle)]
extern "C" fn load(number: usize) -> i32 {
    call(|world, bytes| {
        *world = format(number)?.from_slice(bytes)?;
        Ok(Vec::new())
    })
}

/// Saves the world as the bytes of a save file: compressed, with checksums and a title.
#[unsafe(no_mangle)]
extern "C" fn save_file(number: usize) -> i32 {
    call(|world, _| file().to_bytes(&*world, format(number)?))
}

/// Loads the world from the bytes of a save file, whichever format is in it. Returns the title.
#[unsafe(no_mangle)]
extern "C" fn load_file() -> i32 {
    call(|world, bytes| {
        let loaded = file().from_bytes(bytes)?;
        *world = loaded.value;
        Ok(loaded.meta.title.into())
    })
}

/// Returns the value at a path, as JSON.
#[unsafe(no_mangle)]
extern "C" fn get() -> i32 {
    call(|world, path| {
        let value = reflect::get(world, &Path::parse(text(path)?)?, &Options::new())?;
        json::to_vec(&value)
    })
}

/// Sets the value at a path: `units[0].hp=7`.
#[unsafe(no_mangle)]
extern "C" fn set() -> i32 {
    call(|world, argument| {
        let (path, value) = text(argument)?.split_once('=').unwrap_or_default();
        let edit = Edit::new().set(Path::parse(path)?, json::from_str::<Value>(value)?);
        reflect::apply(world, &edit, &Options::new())?;
        Ok(Vec::new())
    })
}

/// Functions that a browser lacks: each call is an error, and none panics. The answer is one line
/// for each.
#[unsafe(no_mangle)]
extern "C" fn files() -> i32 {
    call(|world, _| {
        let slot = || Saves::in_folder("saves")?.slot("campaign");
        let calls: [(&str, Result); 8] = [
            ("SaveFile::save", file().save(&*world, Format::Binary).map(drop)),
            ("SaveFile::load", file().load::<World>().map(drop)),
            ("SaveFile::load_in_background", file().load_in_background::<u8>().map(drop)),
            ("SaveFile::peek", SaveFile::peek("campaign").map(drop)),
            ("Saves::in_data_dir", Saves::in_data_dir("wasm").map(drop)),
            ("Saves::list", Saves::in_folder("saves").and_then(|saves| saves.list()).map(drop)),
            ("Slot::save", slot().and_then(|slot| slot.save(&*world, Format::Binary)).map(drop)),
            (
                "Slot::save_in_background",
                slot()
                    .and_then(|slot| slot.save_in_background(&*world, Format::Binary)?.wait())
                    .map(drop),
            ),
        ];
        let line = |(name, result): (&str, Result)| match result {
            Ok(()) => format!("{name}: ok"),
            Err(error) => format!("{name}: {:?}: {error}", error.kind()),
        };
        Ok(calls.map(line).join("\n").into())
    })
}

/// Saves twice over a file system of the page's own, here one in memory, and loads the newest save and its backup.
#[unsafe(no_mangle)]
extern "C" fn storage() -> i32 {
    call(|_, _| {
        let system = PowerCuts::new();
        let slot = Saves::over(system.clone(), "saves")?.slot("campaign")?;
        slot.save(&1, Format::Binary)?;
        slot.save(&2, Format::Binary)?;
        let newest = slot.load::<u32>()?.value;
        system.put("saves/campaign.sav", "damaged");
        let backup = slot.load::<u32>()?.value;
        Ok(format!("{newest} {backup}").into())
    })
}
