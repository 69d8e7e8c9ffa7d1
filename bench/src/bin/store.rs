//! What the object store costs, beside redb, SQLite and files written by hand:
//! `cargo run --profile default-release --no-default-features --features store --bin store`, then `-- [--write] [OBJECTS]
//! [DIRECTORY]`. With `--write` it writes its section of `docs/BENCHMARKS.md`.
//!
//! Each time is the best of several. Ours and redb by hand take turns, so that a busy disk slows both.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use archive::binary::rows::Writer;
use archive::store::storage::{Changes, Redb, Storage};
use archive::store::{Pool, Ref, Store};
use archive::{Error, Options, Result, binary, json};
use archive_bench::document::Document;
use archive_bench::machine::{self, Profile};
use archive_bench::targets::Target;
use archive_bench::{report, rows};
use redb::{Database, ReadableDatabase, TableDefinition};
use rusqlite::{Connection, params};

/// How many times each is measured.
const TIMES: usize = 5;

/// How many objects there are, unless the arguments say otherwise.
const OBJECTS: u64 = 100_000;

/// A unit of a strategy game, of about 150 bytes.
#[derive(Clone, Debug, Default, PartialEq, archive::Serialize)]
struct Unit {
    owner: u64,
    position: [f32; 3],
    body_heading: f32,
    look_heading: f32,
    look_pitch: f32,
    health: u16,
    enabled: bool,
    mode: u8,
    fire: u8,
    experience: u32,
    energy: f32,
    target: Ref<Unit>,
    name: String,
    story: String,
    orders: Vec<u32>,
}

#[derive(Clone, Default, archive::Serialize)]
struct World {
    tick: u64,
    units: Pool<Unit>,
}

archive::store::persistent!(Unit = "unit", World = "world");

fn unit(i: u64, all: u64) -> Unit {
    let f = i as f32;
    Unit {
        owner: i % 7 + 1,
        position: [f * 0.5, 3.0, 1000.0 - f],
        body_heading: f * 0.01,
        look_heading: f * 0.02,
        look_pitch: 0.1,
        health: (i % 300) as u16,
        enabled: i.is_multiple_of(2),
        mode: (i % 4) as u8,
        fire: 1,
        experience: (i * 13 % 5000) as u32,
        energy: 0.75,
        target: Ref::new(i.wrapping_mul(7919) % all + 1),
        name: format!("unit {i}"),
        story: format!(
            "Was number {i} of the regiment at the river, lost a wheel there, and came home."
        ),
        orders: (0..(i % 4) as u32).collect(),
    }
}

fn world(n: u64) -> World {
    let mut world = World::default();
    for i in 0..n {
        world.units.insert(unit(i, n));
    }
    world
}

/// Changes 1 % of the objects, which are spread over all.
fn change(world: &mut World, round: usize, marks: bool) -> Vec<u64> {
    let mut keys = Vec::new();
    for (index, (at, unit)) in world.units.iter_mut().enumerate() {
        if index % 100 == round * 7 % 100 {
            let unit = if marks { &mut **unit } else { unit.unmarked() };
            unit.health = unit.health.wrapping_add(1);
            unit.experience += 1;
            keys.push(at.key());
        }
    }
    keys
}

/// Returns what `run` returns, and lowers `best` to the milliseconds that it took.
fn time<R>(best: &mut f64, run: impl FnOnce() -> R) -> R {
    let start = Instant::now();
    let done = run();
    let took = start.elapsed().as_secs_f64() * 1e3;
    *best = if *best == 0.0 { took } else { best.min(took) };
    done
}

/// Rows by hand: the key of the object, and what a [`Writer`] writes.
fn encode<'a>(units: impl Iterator<Item = (u64, &'a Unit)>) -> Changes {
    let (mut writer, mut changes, row) = (Writer::new(), Changes::new(), &mut Vec::new());
    let options = Options::new();
    for (key, unit) in units {
        row.clear();
        writer.append(row, unit, &options).unwrap();
        changes.put(&key.to_be_bytes(), row);
    }
    changes
}

/// As `encode`, of all objects of a world.
fn encode_all(world: &World) -> Changes {
    encode(world.units.iter().map(|(at, unit)| (at.key(), unit)))
}

const ROWS: TableDefinition<'static, &[u8], &[u8]> = TableDefinition::new("rows");

/// What was measured, in milliseconds; 0 before.
#[derive(Default)]
struct Times {
    full: f64,
    by_hand: f64,
    changed: f64,
    unchanged: f64,
    changed_by_hand: f64,
    sqlite_full: f64,
    sqlite_changed: f64,
    sqlite_wal_changed: f64,
    unmarked: f64,
    encode: f64,
    read: f64,
    raw_get: f64,
    open: f64,
    attach: f64,
    finish: f64,
    scan: f64,
    write_file: f64,
    load_file: f64,
    files: f64,
}

/// The sizes of the files, in bytes.
#[derive(Default)]
struct Sizes {
    rows: usize,
    store: u64,
    compact: u64,
    binary: u64,
}

/// Saves of a world, which leave it in the file `world.store`.
fn measure_saves(dir: &Path, n: u64, t: &mut Times, sizes: &mut Sizes) -> Result<World> {
    let (path, hand) = (dir.join("world.store"), dir.join("hand.redb"));
    let mut world = world(n);
    for _ in 0..TIMES {
        let _ = fs::remove_file(&path);
        let _ = fs::remove_file(&hand);
        let by_hand = Redb::open(&hand)?;
        time(&mut t.by_hand, || by_hand.commit(&encode_all(&world)))?;
        // The clone counts as never saved.
        world = world.clone();
        let store = Store::open(&path)?;
        let saved = time(&mut t.full, || store.save(&world))?;
        assert_eq!(saved.written, n + 1);
        sizes.rows = saved.bytes as usize;
    }
    sizes.store = fs::metadata(&path).unwrap().len();

    let _ = fs::remove_file(&path);
    let (store, by_hand) = (Store::open(&path)?, Redb::open(&hand)?);
    world = world.clone();
    store.save(&world)?;
    for round in 0..TIMES * 4 {
        let keys = change(&mut world, round, true);
        let saved = time(&mut t.changed, || store.save(&world))?;
        assert_eq!(saved.written, keys.len() as u64);
        time(&mut t.changed_by_hand, || {
            by_hand.commit(&encode(keys.iter().map(|key| (*key, &world.units[Ref::new(*key)]))))
        })?;
        time(&mut t.unchanged, || store.save(&world))?;
    }
    for round in 0..TIMES * 4 {
        let keys = change(&mut world, round, false);
        let saved = time(&mut t.unmarked, || store.save_all(&world))?;
        assert_eq!(saved.written, keys.len() as u64);
        time(&mut t.encode, || drop(black_box(encode_all(&world))));
    }
    Ok(world)
}

/// The same rows in SQLite.
fn measure_sqlite(dir: &Path, world: &mut World, t: &mut Times) -> rusqlite::Result<()> {
    let path = dir.join("rows.sqlite");
    let open = || -> rusqlite::Result<Connection> {
        let connection = Connection::open(&path)?;
        connection.execute_batch("PRAGMA synchronous = FULL")?;
        Ok(connection)
    };
    fn put<'a>(
        connection: &mut Connection,
        units: impl Iterator<Item = (u64, &'a Unit)>,
    ) -> rusqlite::Result<()> {
        let (mut writer, row, options) = (Writer::new(), &mut Vec::new(), Options::new());
        let transaction = connection.transaction()?;
        let mut insert = transaction.prepare("INSERT OR REPLACE INTO rows VALUES (?, ?)")?;
        for (key, unit) in units {
            row.clear();
            writer.append(row, unit, &options).unwrap();
            insert.execute(params![key as i64, &*row])?;
        }
        drop(insert);
        transaction.commit()
    }
    for _ in 0..TIMES {
        let _ = fs::remove_file(&path);
        let mut connection = open()?;
        connection.execute_batch("CREATE TABLE rows (key INTEGER PRIMARY KEY, row BLOB)")?;
        let units = world.units.iter().map(|(at, unit)| (at.key(), unit));
        time(&mut t.sqlite_full, || put(&mut connection, units))?;
    }
    for (mode, best) in [("DELETE", &mut t.sqlite_changed), ("WAL", &mut t.sqlite_wal_changed)] {
        let mut connection = open()?;
        connection.query_row(&format!("PRAGMA journal_mode = {mode}"), [], |_| Ok(()))?;
        for round in 0..TIMES * 4 {
            let keys = change(world, round, false);
            let units = keys.iter().map(|key| (*key, &world.units[Ref::new(*key)]));
            time(best, || put(&mut connection, units))?;
        }
    }
    Ok(())
}

/// Loads the file of all objects; returns the milliseconds too.
fn load_file(file: &Path) -> Result<(Vec<Unit>, f64)> {
    let mut ms = 0.0;
    let units = time(&mut ms, || binary::from_slice(&fs::read(file).unwrap()))?;
    Ok((units, ms))
}

/// Opens a store and loads its world; returns the milliseconds of each step too.
fn attach(path: &Path) -> Result<(World, [f64; 3])> {
    let ([mut open, mut attach, mut finish], mut world) = ([0.0; 3], World::default());
    let store = time(&mut open, || Store::open(path))?;
    time(&mut attach, || store.attach(&mut world))?;
    assert!(time(&mut finish, || store.finish_load())?.is_clean());
    Ok((world, [open, attach, finish]))
}

/// Runs this program with these arguments and returns the times that it prints: a game loads when
/// its memory is new, and what a program has freed before decides how long its next load takes.
fn in_new_process<const N: usize>(mode: &str, path: &Path) -> [f64; N] {
    let program = std::env::current_exe().expect("the program has a path");
    let output = Command::new(program).arg(mode).arg(path).output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).expect("the program prints numbers");
    let times: Vec<f64> = printed.split_whitespace().map(|word| word.parse().unwrap()).collect();
    times.try_into().expect("the program prints as many numbers as steps")
}

/// Loads and reads of `world.store`.
fn measure_loads(dir: &Path, world: &World, t: &mut Times, sizes: &mut Sizes) -> Result {
    let (path, file) = (dir.join("world.store"), dir.join("units.bin"));
    let n = world.units.len() as u64;
    let units: Vec<Unit> = world.units.iter().map(|(_, unit)| unit.clone()).collect();
    for _ in 0..TIMES {
        time(&mut t.write_file, || {
            fs::write(&file, binary::to_vec(&units).unwrap()).unwrap();
            fs::File::open(&file).unwrap().sync_all().unwrap();
        });
        let [load_file] = in_new_process("--load-file", &file);
        let [open, attach, finish] = in_new_process("--attach", &path);
        for (best, found) in [
            (&mut t.load_file, load_file),
            (&mut t.open, open),
            (&mut t.attach, attach),
            (&mut t.finish, finish),
        ] {
            *best = if *best == 0.0 { found } else { best.min(found) };
        }
    }
    assert_eq!(load_file(&file)?.0, units);
    assert!(attach(&path)?.0.units == world.units);
    sizes.binary = fs::metadata(&file).unwrap().len();

    let keys: Vec<u64> = (0..n).map(|i| i * 7919 % n + 1).collect();
    let store = Store::open(&path)?;
    let database = Database::create(dir.join("hand.redb")).unwrap();
    let transaction = database.begin_read().unwrap();
    let table = transaction.open_table(ROWS).unwrap();
    for _ in 0..TIMES {
        time(&mut t.raw_get, || {
            for key in &keys {
                // Copied, so that its bytes are fetched into the cache of the processor, as by a load.
                black_box(table.get(&key.to_be_bytes()[..]).unwrap().unwrap().value().to_vec());
            }
        });
        time(&mut t.read, || {
            for key in &keys {
                black_box(store.read::<Unit>(Ref::new(*key)).unwrap().unwrap());
            }
        });
        time(&mut t.scan, || store.rows::<Unit>().for_each(|row| drop(black_box(row.unwrap()))));
    }
    store.compact()?;
    drop(store);
    sizes.compact = fs::metadata(&path).unwrap().len();
    Ok(())
}

/// How many snapshots a store has.
const SNAPSHOTS: usize = 200;

/// Snapshots of a store, each followed by a save of 1 %: the size of the file before and after, the best time of such a save, and
/// the time of a restore of the first one.
fn measure_snapshots(dir: &Path, n: u64) -> Result<(u64, u64, f64, f64)> {
    let path = dir.join("snapshots.store");
    let (store, mut world) = (Store::open(&path)?, world(n));
    store.save(&world)?;
    store.compact()?;
    let size = || fs::metadata(&path).unwrap().len();
    let (before, mut save, mut restore) = (size(), 0.0, 0.0);
    for round in 0..SNAPSHOTS {
        store.snapshot(&format!("autosave {round}"))?;
        change(&mut world, round, true);
        time(&mut save, || store.save(&world))?;
    }
    store.compact()?;
    let after = size();
    time(&mut restore, || store.restore("autosave 0"))?;
    Ok((before, after, save, restore))
}

/// One file of JSON for each object, written without `fsync`: the time of 10,000 at most, scaled.
fn measure_files(dir: &Path, world: &World, t: &mut Times) {
    let dir = dir.join("files");
    fs::create_dir(&dir).unwrap();
    let few = world.units.len().min(10_000);
    time(&mut t.files, || {
        for (at, unit) in world.units.iter().take(few) {
            fs::write(dir.join(format!("{}.json", at.key())), json::to_vec(unit).unwrap()).unwrap();
        }
    });
    t.files *= world.units.len() as f64 / few as f64;
    fs::remove_dir_all(dir).unwrap();
}

/// For each of the measures of [`rows::STORE_MEASURES`]: ours, the ratio that is asked for, the other side, and what it is.
fn sides(t: &Times, sizes: &Sizes) -> [(f64, f64, f64, &'static str); rows::STORE_MEASURES.len()] {
    let mega = |bytes: u64| bytes as f64 / 1e6;
    let (by_hand, load) = ("rows by hand and one commit of redb", "the load of one binary file");
    let opened = t.open + t.attach + t.finish;
    let sum = 1.5 * t.encode + t.changed;
    let (file, one_file) = (mega(sizes.binary), "one binary file");
    let (rollback, wal) = ("SQLite with a rollback journal", "SQLite with a write-ahead log");
    [
        (t.full, 1.3, t.by_hand, by_hand),
        (t.full, 1.0, t.sqlite_full, rollback),
        (t.full, 1.0, t.files, "a JSON file for each object, not synced"),
        (t.changed, 0.1, t.full, "a full save"),
        (t.changed, 1.0, t.sqlite_changed, rollback),
        (t.changed, 1.0, t.sqlite_wal_changed, wal),
        (t.changed, 1.3, t.changed_by_hand, by_hand),
        (t.unmarked, 1.0, sum, "(1.5 × all rows by hand + a save of 1 %)"),
        (t.read, 2.0, t.raw_get, "`get` of redb, copied"),
        (opened, 2.0, t.load_file, load),
        (t.attach, 2.0, t.load_file, load),
        (mega(sizes.compact), 1.3, file, one_file),
        (mega(sizes.store), 2.0, file, one_file),
    ]
}

/// The profile of this program.
fn profile() -> Profile {
    Profile::of(&std::env::args().next().unwrap_or_default())
}

/// The section of the page.
fn section(n: u64, t: &Times, sizes: &Sizes) -> String {
    let bytes = sizes.rows as u64 / n;
    let mut text = format!(
        "## Stores\n\n{} objects, {bytes} bytes a row: saves of all and of 1 % of them, a load in a new process, reads by \
         key. Times are in milliseconds, the least of {TIMES} or more; that of the JSON files is of one run over 10,000 \
         of them, scaled. Sizes are in megabytes. Times depend on the disk.\n\n",
        report::thousands(n as usize)
    );
    text += &report::head(1, &rows::STORE);
    let mut targets = Vec::new();
    for (what, (ours, limit, other, whose)) in rows::STORE_MEASURES.into_iter().zip(sides(t, sizes))
    {
        let cells = [what, &format!("{ours:.1}"), &format!("{other:.1}"), whose];
        text += &(report::line(cells) + "\n");
        targets.extend(Target::ratio(what, Some(ours), limit, Some(other), whose));
    }
    let targets = report::targets("store", &targets);
    let rest = format!(
        "In milliseconds also: all rows by hand {:.1}, one binary file written and synced {:.1}, `Store::open` {:.2}, \
         `attach` {:.2}, `finish_load` {:.2}, a save of nothing {:.2}, `rows` {:.1}.",
        t.encode, t.write_file, t.open, t.attach, t.finish, t.unchanged, t.scan
    );
    let line = machine::line_of(profile());
    format!("{text}\n{rest}\n\n{targets}\n<sub>{line}</sub>\n")
}

fn main() -> Result {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["--load-file", path] => {
            return load_file(path.as_ref()).map(|(_, ms)| println!("{ms}"));
        }
        ["--attach", path] => {
            return attach(path.as_ref())
                .map(|(_, [open, attach, finish])| println!("{open} {attach} {finish}"));
        }
        _ => {}
    }
    let write = args.iter().any(|arg| arg == "--write");
    args.retain(|arg| arg != "--write");
    let mut args = args.into_iter();
    let n: u64 = args.next().map_or(OBJECTS, |n| n.parse().expect("a number of objects"));
    if write && (n, profile()) != (OBJECTS, Profile::Default) {
        return Err(Error::custom(
            "the page has the figures of 100,000 objects in Cargo's default profile",
        ));
    }
    let at = args.next().map_or_else(std::env::temp_dir, PathBuf::from);
    let dir = tempfile::tempdir_in(at).expect("a directory for files");
    let dir = dir.path();
    let (t, sizes) = (&mut Times::default(), &mut Sizes::default());
    let mut world = measure_saves(dir, n, t, sizes)?;
    measure_loads(dir, &world, t, sizes)?;
    measure_sqlite(dir, &mut world, t).expect("SQLite works");
    measure_files(dir, &world, t);
    let section = section(n, t, sizes);
    println!("{section}");
    let (before, after, save, restore) = measure_snapshots(dir, n)?;
    println!(
        "{SNAPSHOTS} snapshots, each followed by a save of 1 %: file {:.1} MB, before {:.1} MB, ratio {:.2}; a save {save:.1}, \
         {:.2} of one without snapshots; restore of the first {restore:.1}",
        after as f64 / 1e6,
        before as f64 / 1e6,
        after as f64 / before as f64,
        save / t.changed
    );
    let difference = rows::difference(rows::BENCHMARKS, "Stores", &section);
    if write {
        let document = Document::open(Profile::Default).and_then(|mut document| {
            document.set("store", section);
            document.write()
        });
        document.map_err(Error::custom)?;
    }
    rows::agree(difference.as_slice()).map_err(Error::custom)
}
