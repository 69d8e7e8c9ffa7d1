//! What save files cost, beside the same written by hand. By hand:
//! `cargo run --release --no-default-features --features saves --bin saves [DIRECTORY]`.
//!
//! Each time is the median of several, and the sides of a ratio take turns, so that a busy disk slows
//! both.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use archive::save::{Compression, Saves};
use archive::{Format, Options, Result, binary};
use archive_bench::world::{generate, indices};

/// How many times each is measured.
const TIMES: usize = 31;

/// Milliseconds of each run.
#[derive(Default)]
struct Times(Vec<f64>);

impl Times {
    fn run<R>(&mut self, run: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let done = run();
        self.0.push(start.elapsed().as_secs_f64() * 1e3);
        done
    }

    fn median(&self) -> f64 {
        let mut all = self.0.clone();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    }
}

/// Writes a file beside the target, syncs it, renames it, and syncs the folder.
fn replace(path: &Path, bytes: &[u8]) {
    let new = path.with_extension("new");
    let mut file = File::create(&new).unwrap();
    file.write_all(bytes).unwrap();
    file.sync_all().unwrap();
    fs::rename(&new, path).unwrap();
    File::open(path.parent().unwrap()).unwrap().sync_all().unwrap();
}

fn line(what: &str, ours: &Times, than: &str, other: f64, wanted: Option<f64>) {
    let (ours, ratio) = (ours.median(), ours.median() / other);
    let wanted = match wanted {
        Some(wanted) if ratio > wanted => format!("≤ {wanted:.2} **missed**"),
        Some(wanted) => format!("≤ {wanted:.2}"),
        None => String::new(),
    };
    println!("| {what} | {ours:.2} | {than} | {other:.2} | {ratio:.2} | {wanted} |");
}

/// Saves and loads of the world of `skirmish` with 20,000 units.
fn measure_world(dir: &Path, options: &Options<'_>) -> Result {
    let file = binary::to_vec_with(&generate(), options)?;
    // As in the other benchmarks: a world that was loaded, so its objects are in order.
    let world: skirmish::World = binary::from_slice_with(&file, options)?;
    let rival = indices::World::of(&world);
    let saves = Saves::in_folder(dir.join("slots"))?;
    let plain = Saves::in_folder(dir.join("plain"))?.compression(Compression::None);
    let (slot, plain) = (saves.slot("campaign")?, plain.slot("campaign")?);
    let (hand, bincode) = (dir.join("hand.sav"), dir.join("bincode.sav"));
    let [mut save, mut by_hand, mut save_plain, mut serde] = [const { Times(Vec::new()) }; 4];
    let [mut stall, mut to_vec, mut load, mut load_hand] = [const { Times(Vec::new()) }; 4];
    let mut load_serde = Times::default();
    let configuration = bincode::config::standard();
    for round in 0..TIMES {
        save.run(|| slot.save_with(&world, Format::Binary, options))?;
        by_hand.run(|| {
            let bytes = binary::to_vec_with(&world, options).unwrap();
            replace(&hand, &lz4_flex::compress_prepend_size(&bytes));
        });
        save_plain.run(|| plain.save_with(&world, Format::Binary, options))?;
        serde.run(|| {
            let bytes = bincode::encode_to_vec(&rival, configuration).unwrap();
            replace(&bincode, &bytes);
        });
        let job = stall.run(|| slot.save_in_background_with(&world, Format::Binary, options))?;
        job.wait()?;
        to_vec.run(|| drop(black_box(binary::to_vec_with(&world, options).unwrap())));
        // The second one reuses the memory of the first.
        for is_hand in [round.is_multiple_of(2), !round.is_multiple_of(2)] {
            if is_hand {
                let loaded = load_hand.run(|| {
                    let file = fs::read(&hand).unwrap();
                    let bytes = lz4_flex::decompress_size_prepended(&file).unwrap();
                    binary::from_slice_with::<skirmish::World>(&bytes, options)
                })?;
                drop(loaded);
            } else {
                drop(load.run(|| slot.load_with::<skirmish::World>(options))?);
            }
        }
        drop(load_serde.run(|| {
            let bytes = fs::read(&bincode).unwrap();
            bincode::decode_from_slice::<indices::World, _>(&bytes, configuration).unwrap()
        }));
    }
    let size = |path: &Path| fs::metadata(path).unwrap().len() as f64 / 1e6;
    println!(
        "the world of `skirmish` with 20,000 units: {:.1} MB in binary, {:.1} MB in the slot, {:.1} MB \
         in bincode\n",
        file.len() as f64 / 1e6,
        size(slot.path()),
        size(&bincode)
    );
    println!("| | ms | against | ms | ratio | wanted |\n|---|---:|---|---:|---:|---|");
    let hand = "encode, lz4, write, two syncs by hand";
    line("save to a slot", &save, hand, by_hand.median(), Some(1.15));
    let hand = "bincode of indices, write, two syncs by hand";
    line("save to a slot", &save, hand, serde.median(), None);
    line("the same without compression", &save_plain, hand, serde.median(), None);
    line("stall of `save_in_background`", &stall, "`to_vec`", to_vec.median(), Some(1.1));
    line("load from a slot", &load, "read, lz4, `from_slice`", load_hand.median(), Some(1.15));
    line("load from a slot", &load, "read, bincode of indices", load_serde.median(), None);
    Ok(())
}

/// Lists 1,000 saves of 10 MB. Each file contains only the parts that a list reads; the rest is a
/// hole, or the files would take 10 GB.
fn measure_list(dir: &Path) -> Result {
    const SAVES: usize = 1000;
    const PART: usize = 64 << 10;
    let folder = dir.join("many");
    let saves = Saves::in_folder(&folder)?.compression(Compression::None);
    let slot =
        saves.slot("save 0")?.title("Before the boss").metadata(&"The harbour".to_owned())?;
    slot.save(&vec![u32::MAX; 2_000_000], Format::MessagePack)?;
    let mut file = File::open(slot.path()).unwrap();
    let len = file.metadata().unwrap().len();
    let (mut head, mut tail) = (vec![0; PART], vec![0; PART]);
    file.read_exact(&mut head).unwrap();
    file.seek(SeekFrom::End(-(PART as i64))).unwrap();
    file.read_exact(&mut tail).unwrap();
    for number in 1..SAVES {
        let mut file = File::create(folder.join(format!("save {number}.sav"))).unwrap();
        file.set_len(len).unwrap();
        file.write_all(&head).unwrap();
        file.seek(SeekFrom::End(-(PART as i64))).unwrap();
        file.write_all(&tail).unwrap();
    }
    let mut list = Times::default();
    for _ in 0..TIMES {
        let slots = list.run(|| saves.list())?;
        assert!(slots.len() == SAVES && slots.iter().all(|slot| slot.error().is_none()));
    }
    let what = format!("{SAVES} saves of {:.1} MB listed, warm", len as f64 / 1e6);
    line(&what, &list, "ms", 60.0, Some(1.0));
    Ok(())
}

/// A unit with texts and lists.
#[derive(Clone, Debug, Default, archive::Serialize)]
struct Unit {
    id: u64,
    owner: u8,
    position: [f32; 3],
    heading: f32,
    hp: u16,
    energy: f32,
    experience: u32,
    enabled: bool,
    name: String,
    story: String,
    orders_text: String,
    orders: Vec<u32>,
    path: Vec<[f32; 2]>,
    items: Vec<u16>,
}

/// A unit of numbers alone.
#[derive(Clone, Debug, Default, archive::Serialize)]
struct Numbers {
    id: u64,
    position: [f32; 3],
    velocity: [f32; 3],
    hp: u32,
    energy: f32,
}

/// The time for which the game stops for a save in the background, of a value that is encoded or
/// cloned.
fn measure_stops<T>(what: &str, dir: &Path, value: &T) -> Result
where
    T: archive::Save + archive::Serialize + Clone + Send + 'static,
{
    let saves = Saves::in_folder(dir.join("stops"))?;
    let slot = saves.slot("campaign")?;
    let formats =
        [(Format::Binary, "binary"), (Format::MessagePack, "MessagePack"), (Format::Json, "JSON")];
    for (format, name) in formats {
        let [mut encode, mut clone, mut whole] = [const { Times(Vec::new()) }; 3];
        for _ in 0..TIMES {
            encode.run(|| slot.save_in_background(value, format))?.wait()?;
            clone.run(|| slot.save_clone_in_background(value, format))?.wait()?;
            whole.run(|| slot.save(value, format))?;
        }
        let size = format.to_vec(value)?.len() as f64 / 1e6;
        let [encode, clone, whole] = [&encode, &clone, &whole].map(Times::median);
        println!("| {what}, {name} ({size:.1} MB) | {encode:.2} | {clone:.2} | {whole:.1} |");
    }
    Ok(())
}

fn measure_all_stops(dir: &Path) -> Result {
    println!("\nms | encode | clone | the whole save");
    let unit = |id: u64| Unit {
        id,
        name: format!("unit {id}"),
        story: "Came home from the river.".into(),
        orders_text: "hold".into(),
        orders: vec![id as u32; 3],
        path: vec![[id as f32, 1.0]; 2],
        items: vec![7; 3],
        ..Unit::default()
    };
    let number = |id: u64| Numbers { id, position: [id as f32; 3], ..Numbers::default() };
    measure_stops("units with texts", dir, &(0..20_000).map(unit).collect::<Vec<_>>())?;
    measure_stops("numbers", dir, &(0..200_000).map(number).collect::<Vec<_>>())
}

fn main() -> Result {
    let at = std::env::args().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let dir = tempfile::tempdir_in(at).expect("a directory for files");
    measure_world(dir.path(), &skirmish::options())?;
    measure_list(dir.path())?;
    measure_all_stops(dir.path())
}
