//! Files for `archive view`: one small world in every format, a folder of saves, and a hostile file.
//!
//! ```text
//! cargo run -p archive-cli --example view_files -- FOLDER
//! cargo run -p archive-cli -- view FOLDER/world.sav
//! ```
//!
//! The pictures `1.png` to `4.png` in FOLDER become the thumbnails of the saves.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::{Rc, Weak};
use std::time::Duration;

use archive::save::{SaveFile, Saves};
use archive::store::{Pool, Store};
use archive::{Format, Options, Serialize, Value, json};

#[derive(Default, Serialize)]
struct World {
    title: String,
    tick: u64,
    units: Vec<Rc<RefCell<Unit>>>,
    inventory: BTreeMap<String, u32>,
    heights: Vec<u16>,
}

#[derive(Default, Serialize)]
struct Unit {
    name: String,
    hp: u16,
    position: [f32; 2],
    order: Order,
    leader: Weak<RefCell<Unit>>,
}

#[derive(Default, Serialize)]
enum Order {
    #[default]
    Rest,
    March([f32; 2]),
    Guard {
        place: String,
        until: u64,
    },
}

/// The same units in an object store, in which each is a row.
#[derive(Default, Serialize)]
struct Roster {
    tick: u64,
    units: Pool<Unit>,
}

archive::store::persistent!(Roster = "roster", Unit = "unit");

const NAMES: [&str; 9] = ["Ann", "Bo", "Chidi", "Dalia", "Edda", "Farid", "Greta", "Hugo", "Ines"];

fn unit(at: usize) -> Unit {
    let place = |number: usize| [number as f32 * 1.5, (number * number % 17) as f32 * 0.25];
    let order = match at % 3 {
        0 => Order::Guard { place: "lighthouse".into(), until: 50_000 + at as u64 },
        1 => Order::March(place(at + 4)),
        _ => Order::Rest,
    };
    let name = NAMES[at % NAMES.len()].to_owned();
    Unit { name, hp: 100 - at as u16 * 4, position: place(at), order, leader: Weak::new() }
}

/// Returns the world at a tick. The first unit is the leader of the others.
fn world(title: &str, tick: u64) -> World {
    let units: Vec<_> = (0..NAMES.len()).map(|at| Rc::new(RefCell::new(unit(at)))).collect();
    let passed = (tick % 50) as u16;
    for follower in &units[1..] {
        let mut unit = follower.borrow_mut();
        unit.leader = Rc::downgrade(&units[0]);
        if let Order::March(_) = unit.order {
            unit.position[0] += f32::from(passed) * 0.25;
        }
    }
    units[3].borrow_mut().hp -= passed;
    let stock = [("arrows", 240 - passed), ("bread", 36), ("lamp oil", 12), ("rope", 5)];
    World {
        title: title.to_owned(),
        tick,
        units,
        inventory: stock.map(|(name, count)| (name.to_owned(), count.into())).into(),
        heights: (0..400).map(|at| (at % 20 * (at / 20)) as u16).collect(),
    }
}

/// Returns a JSON text whose names, values and nesting try to break what shows them.
fn hostile() -> Result<String, archive::Error> {
    let script = "</script><script>alert(1)</script>";
    let image = "\"><img src=x onerror=alert(2)>";
    let names = [script, image, "'; alert(3); //", "bidi \u{202e}txt.exe", "\u{1b}[2J"];
    let texts = names.map(|text| (text.to_owned(), Value::from(text))).to_vec();
    let texts = json::to_string(&Value::Object(texts))?;
    let deep = "[".repeat(10_000) + &"]".repeat(10_000);
    let long = "A".repeat(5_000_000);
    Ok(format!("{{\"texts\": {texts}, \"deep\": {deep}, \"long\": \"{long}\"}}"))
}

/// Writes the slots. The last one is damaged, and its backup is good.
fn write_slots(folder: &Path, picture: impl Fn(u64) -> Vec<u8>) -> Result<(), Box<dyn Error>> {
    let saves = Saves::in_folder(folder)?.game("lighthouse").backups(1);
    let titles = ["Before the storm", "The harbour at night", "Over the pass", "The last lamp"];
    for (number, title) in (1..).zip(titles) {
        let slot = saves.slot(&format!("campaign {number}"))?.title(title);
        let slot = slot.thumbnail(picture(number)).play_time(Duration::from_secs(3_000 * number));
        for tick in [12_000, 12_025] {
            slot.save(&world(title, tick), Format::Binary)?;
        }
    }
    let mut last = fs::read(saves.slot("campaign 4")?.path())?;
    *last.last_mut().ok_or("an empty save")? ^= 1;
    Ok(fs::write(saves.slot("campaign 4")?.path(), last)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("expected a folder")?);
    fs::create_dir_all(&folder)?;
    let picture = |number| fs::read(folder.join(format!("{number}.png"))).unwrap_or_default();

    let now = world("The Lighthouse", 48_213);
    for name in ["world.json", "world.bin", "world.msgpack", "world.blob"] {
        let path = folder.join(name);
        let format = Format::from_path(&path)?;
        fs::write(path, format.to_vec_with(&now, &Options::new().pretty(true))?)?;
    }

    let save = SaveFile::new(folder.join("world.sav")).game("lighthouse").backups(1);
    let save = save.title(&now.title).thumbnail(picture(1)).play_time(Duration::from_secs(9_240));
    for tick in [48_201, now.tick] {
        save.save(&world(&now.title, tick), Format::Binary)?;
    }

    let mut roster = Roster { tick: now.tick, ..Roster::default() };
    (0..NAMES.len()).map(unit).for_each(|unit| _ = roster.units.insert(unit));
    Store::open(folder.join("world.store"))?.save(&roster)?;

    write_slots(&folder.join("saves"), picture)?;
    Ok(fs::write(folder.join("hostile.json"), hostile()?)?)
}
