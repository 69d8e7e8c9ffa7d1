//! The size and the time of rows, compared with MessagePack rows and one file of all objects.
//! By hand: `cargo run --release --no-default-features --bin rows`.

use std::hint::black_box;
use std::time::Instant;

use archive::binary::rows::{Reader, RowTypes, Writer};
use archive::{Options, binary, msgpack};

/// How many objects there are.
const N: usize = 10_000;

#[derive(Clone, Debug, Default, PartialEq, archive::Serialize)]
enum State {
    #[default]
    Idle,
    Walking,
    Attacking {
        target: u64,
        since: f64,
    },
}

/// A unit of a strategy game.
#[derive(Clone, Debug, Default, PartialEq, archive::Serialize)]
struct Unit {
    owner: u64,
    position: [f32; 3],
    body_heading: f32,
    look_heading: f32,
    look_pitch: f32,
    health: u16,
    state: State,
    enabled: bool,
    mode: u8,
    fire: u8,
    experience: u32,
    energy: f32,
    name: String,
    orders: Vec<u32>,
}

/// The unit in the next version of the program.
#[derive(Clone, Debug, Default, PartialEq, archive::Serialize)]
struct NewUnit {
    name: String,
    #[archive(alias = "owner")]
    squad: u64,
    position: [f32; 3],
    body_heading: f32,
    look_heading: f32,
    look_pitch: f32,
    health: u32,
    state: State,
    enabled: bool,
    mode: u8,
    fire: u8,
    experience: u32,
    energy: f32,
    orders: Vec<u32>,
    #[archive(default = 3)]
    mood: u8,
}

fn unit(i: u64) -> Unit {
    let f = i as f32;
    Unit {
        owner: i % 7 + 1,
        position: [f * 0.5, 3.0, 1000.0 - f],
        body_heading: f * 0.01,
        look_heading: f * 0.02,
        look_pitch: 0.1,
        health: (i % 300) as u16,
        state: match i % 3 {
            0 => State::Idle,
            1 => State::Walking,
            _ => State::Attacking { target: i / 2 + 1, since: i as f64 * 0.1 },
        },
        enabled: i.is_multiple_of(2),
        mode: (i % 4) as u8,
        fire: 1,
        experience: (i * 13 % 5000) as u32,
        energy: 0.75,
        name: format!("unit {i}"),
        orders: (0..(i % 4) as u32).collect(),
    }
}

/// Returns the best of several times, in nanoseconds for each object.
fn best(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64() * 1e9 / N as f64
    };
    (0..25).map(time).fold(f64::MAX, f64::min)
}

fn print(name: &str, bytes: usize, times: [f64; 4]) {
    let [save, load, over, changed] = times;
    let bytes = bytes as f64 / N as f64;
    println!(
        "{name:24} {bytes:6.1} bytes   save {save:5.0}   load {load:5.0}   in place {over:5.0}   \
         changed type {changed:6.0} ns"
    );
}

fn main() -> archive::Result {
    let units: Vec<Unit> = (0..N as u64).map(unit).collect();
    let options = &Options::new();
    let place = &mut unit(2);

    let packed: Vec<_> = units.iter().map(|unit| msgpack::to_vec(unit).unwrap()).collect();
    let buffer = &mut Vec::new();
    let m = [
        best(|| {
            for unit in &units {
                msgpack::save_into(buffer, unit, &Options::new()).unwrap();
                black_box(&buffer);
            }
        }),
        best(|| packed.iter().for_each(|row| drop(msgpack::from_slice::<Unit>(row).unwrap()))),
        best(|| packed.iter().for_each(|row| msgpack::load_into(place, row).unwrap())),
        best(|| packed.iter().for_each(|row| drop(msgpack::from_slice::<NewUnit>(row).unwrap()))),
    ];
    print("MessagePack rows", packed.iter().map(Vec::len).sum(), m);

    let types = RowTypes::from_bytes(&RowTypes::of::<Unit>()?.to_bytes())?;
    let (mut writer, mut reader) = (Writer::new(), Reader::new(&types));
    let (mut out, mut ends) = (Vec::new(), Vec::new());
    for unit in &units {
        writer.append(&mut out, unit, options)?;
        ends.push(out.len());
    }
    let starts = [0].into_iter().chain(ends.iter().copied());
    let rows: Vec<&[u8]> = starts.zip(&ends).map(|(start, end)| &out[start..*end]).collect();
    for (row, unit) in rows.iter().zip(&units) {
        assert_eq!(&reader.load::<Unit>(row, options)?, unit);
        assert_eq!(reader.load::<NewUnit>(row, options)?.squad, unit.owner);
    }
    let buffer = &mut Vec::new();
    let r = [
        best(|| {
            buffer.clear();
            for unit in &units {
                writer.append(buffer, unit, options).unwrap();
            }
        }),
        best(|| rows.iter().for_each(|row| drop(reader.load::<Unit>(row, options).unwrap()))),
        best(|| rows.iter().for_each(|row| reader.load_into(place, row, options).unwrap())),
        best(|| rows.iter().for_each(|row| drop(reader.load::<NewUnit>(row, options).unwrap()))),
    ];
    print("rows", out.len(), r);
    let reported = &mut NewUnit::default();
    let report = best(|| {
        for row in &rows {
            drop(reader.load_into_report(reported, row, options).unwrap());
        }
    });

    let file = binary::to_vec(&units)?;
    let mut all = units.clone();
    let buffer = &mut Vec::new();
    let f = [
        best(|| binary::save_into(buffer, &units, &Options::new()).unwrap()),
        best(|| drop(binary::from_slice::<Vec<Unit>>(&file).unwrap())),
        best(|| binary::load_into(&mut all, &file).unwrap()),
        best(|| drop(binary::from_slice::<Vec<NewUnit>>(&file).unwrap())),
    ];
    print("one file of all", file.len(), f);
    println!(
        "rows / MessagePack: save {:.2}, load {:.2}, changed {:.2}",
        r[0] / m[0],
        r[1] / m[1],
        r[3] / m[3]
    );
    println!(
        "rows / one file: save {:.2}, load {:.2}, in place {:.2}, changed {:.2}; changed with a \
         report {report:.0} ns",
        r[0] / f[0],
        r[1] / f[1],
        r[2] / f[2],
        r[3] / f[3]
    );
    Ok(())
}
