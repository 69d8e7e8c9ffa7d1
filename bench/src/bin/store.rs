//! What an object store costs, beside the database that it uses and one binary file of all objects.
//! By hand: `cargo run --release --no-default-features --features store --bin store`.

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use archive::binary::rows::Writer;
use archive::store::storage::{Changes, Redb, Storage};
use archive::store::{Pool, Ref, Store};
use archive::{Options, Result, Serialize, binary};

/// A unit of a strategy game. Its row has about 150 bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Unit {
    owner: u64,
    position: [f32; 3],
    heading: f32,
    health: u16,
    leader: Ref<Unit>,
    enabled: bool,
    mode: u8,
    experience: u32,
    name: String,
    story: String,
    orders: Vec<u32>,
}

#[derive(Default, Serialize)]
struct World {
    tick: u64,
    units: Pool<Unit>,
}
archive::persistent!(World = "world", Unit = "unit");

fn unit(index: u64) -> Unit {
    let at = index as f32;
    Unit {
        owner: index % 7 + 1,
        position: [at * 0.5, 3.0, 1000.0 - at],
        heading: at * 0.01,
        health: (index % 300) as u16,
        leader: Ref::new(index / 2),
        enabled: index.is_multiple_of(2),
        mode: (index % 4) as u8,
        experience: (index * 13 % 5000) as u32,
        name: format!("unit {index}"),
        story: format!("it came from the hills in the year {index} and never left them again; {index}"),
        orders: (0..index as u32 % 8).collect(),
    }
}

/// Milliseconds that a function takes.
fn time<T>(f: impl FnOnce() -> Result<T>) -> Result<(f64, T)> {
    let start = Instant::now();
    let value = f()?;
    Ok((start.elapsed().as_secs_f64() * 1e3, value))
}

fn open(path: &Path) -> Result<(Store, World)> {
    let store = Store::open(path)?;
    let mut world = World::default();
    store.attach(&mut world)?;
    store.finish_load()?;
    Ok((store, world))
}

fn measure(folder: &Path, n: u64) -> Result {
    let path = folder.join(format!("{n}.store"));
    let (store, mut world) = open(&path)?;
    (0..n).for_each(|index| drop(world.units.insert(unit(index))));
    let all: Vec<Unit> = world.units.iter().map(|(_, unit)| unit.clone()).collect();
    let (full, saved) = time(|| store.save(&world))?;
    println!("\n{n} objects of {} bytes", saved.bytes / saved.written);

    let mut rows = Vec::new();
    store.storage().scan(&[3], &[4], &mut |key, value| {
        rows.push((key.to_vec(), value.to_vec()));
        Ok(true)
    })?;
    let raw = Redb::open(folder.join(format!("{n}.raw")))?;
    let (encode, _) = time(|| {
        let (mut writer, mut row, options) = (Writer::new(), Vec::new(), Options::new());
        all.iter().try_for_each(|unit| {
            row.clear();
            writer.append(black_box(&mut row), unit, &options)
        })
    })?;
    let (insert, _) = time(|| {
        let mut changes = Changes::new();
        rows.iter().for_each(|(key, value)| changes.put(key, value));
        raw.commit(&changes)
    })?;
    let line = |what: &str, ms: f64, of: f64| println!("{what:44} {ms:9.2} ms  {:6.2}", ms / of);
    line("full save / encoding and raw insert", full, encode + insert);

    let mut change = |world: &mut World, marked: bool| {
        for (at, unit) in world.units.iter_mut() {
            if at.key() % 100 == 0 {
                if marked { unit.health += 1 } else { unit.unmarked().health += 1 }
            }
        }
    };
    change(&mut world, true);
    let (part, _) = time(|| store.save(&world))?;
    line("save of 1 % / full save", part, full);
    let (nothing, _) = time(|| store.save(&world))?;
    line("save of nothing / full save", nothing, full);
    change(&mut world, false);
    let (compared, _) = time(|| store.save_all(&world))?;
    line("save_all of 1 % / 1.5 encoding and save of 1 %", compared, 1.5 * encode + part);

    let keys = || (0..10_000_u64).map(|index| index * 7 % n + 1);
    let (read, _) = time(|| keys().try_for_each(|key| store.read(Ref::<Unit>::new(key)).map(drop)))?;
    let (get, _) = time(|| {
        keys().try_for_each(|key| {
            let row = &rows[(key as usize).min(rows.len() - 1)];
            raw.get(&row.0, &mut |value| Ok(drop(black_box(value.len())))).map(drop)
        })
    })?;
    line("10,000 reads by key / raw gets", read, get);
    drop((store, world));

    let (opening, store) = time(|| Store::open(&path))?;
    let mut world = World::default();
    let (attach, _) = time(|| store.attach(&mut world))?;
    let (finish, loaded) = time(|| store.finish_load())?;
    assert_eq!((world.units.len() as u64, loaded.rows), (n, n + 1));
    let file = binary::to_vec(&all)?;
    let (load, _) = time(|| binary::from_slice::<Vec<Unit>>(&file))?;
    let (scan, _) = time(|| store.storage().scan(&[3], &[4], &mut |_, value| Ok(black_box(value.len()) > 0)))?;
    line("attach / loading one binary file", attach, load);
    line("a scan of all rows / loading one binary file", scan, load);
    println!("{:44} {opening:9.2} ms\n{:44} {finish:9.2} ms", "open", "finish_load");
    store.compact()?;
    drop(store);
    let size = std::fs::metadata(&path).map_err(archive::Error::io)?.len();
    println!("{:44} {size:9}     {:6.2}", "compacted file / binary file", size as f64 / file.len() as f64);
    Ok(())
}

fn main() -> Result {
    let folder = std::env::temp_dir().join(format!("archive-store-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(archive::Error::io)?;
    let measured = [1_000, 100_000, 1_000_000].into_iter().try_for_each(|n| measure(&folder, n));
    std::fs::remove_dir_all(&folder).map_err(archive::Error::io)?;
    measured
}
