//! The time of saving and loading 100 records of 10 members, compared with the compiled type
//! through trait objects (`erased`) and compiled for the format (`static`). Each time is the
//! shortest of many runs. The factors compare a row with the erased type: `cargo run --release
//! --no-default-features --features types --bin types`.

use std::hint::black_box;
use std::time::Instant;

use archive::types::{Record, Schema};
use archive::{Format, Options, Result, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Ten {
    a: u32,
    b: u32,
    c: f32,
    d: f32,
    e: String,
    f: bool,
    g: i32,
    h: u16,
    i: u8,
    j: u64,
}

/// Returns the shortest time of a run in nanoseconds.
fn time(mut run: impl FnMut()) -> f64 {
    const RUNS: usize = 30;
    const CALLS: u32 = 300;
    let one = |run: &mut dyn FnMut()| {
        let start = Instant::now();
        (0..CALLS).for_each(|_| run());
        start.elapsed().as_nanos() as f64 / f64::from(CALLS)
    };
    (0..RUNS).map(|_| one(&mut run)).fold(f64::MAX, f64::min)
}

fn print(what: &str, times: &[(&str, f64)]) {
    let erased = times[0].1;
    for (name, time) in times {
        println!("{what:16} {name:24} {:8.1} ns each  {:5.2} ×", time / 100.0, time / erased);
    }
}

fn main() -> Result {
    let ty = Schema::of::<Vec<Ten>>()?;
    let ten = Ten {
        a: 1,
        b: 70_000,
        c: 1.5,
        d: -2.0,
        e: "a name".into(),
        f: true,
        g: -5,
        h: 999,
        i: 7,
        j: 1 << 40,
    };
    let list = vec![ten; 100];
    let options = Options::new().provide(ty);
    for format in [Format::Json, Format::MessagePack, Format::Binary] {
        let bytes = format.to_vec(&list)?;
        let records: Record = format.from_slice_with(&bytes, &options)?;
        assert_eq!(format.to_vec(&records)?, bytes, "{format}");
        let erased = format.erased();
        let mut buffer = Vec::new();
        let times = [
            ("compiled, erased", time(|| erased.save_into(&mut buffer, &list, &options).unwrap())),
            ("records", time(|| format.save_into(&mut buffer, &records, &options).unwrap())),
            (
                "records, erased",
                time(|| erased.save_into(&mut buffer, &records, &options).unwrap()),
            ),
            ("compiled, static", time(|| format.save_into(&mut buffer, &list, &options).unwrap())),
        ];
        print(&format!("save {format}"), &times);
        let times = [
            (
                "compiled, erased",
                time(|| {
                    drop(black_box(erased.from_slice_with::<Vec<Ten>>(&bytes, &options).unwrap()))
                }),
            ),
            (
                "records",
                time(|| {
                    drop(black_box(format.from_slice_with::<Record>(&bytes, &options).unwrap()))
                }),
            ),
            (
                "records, erased",
                time(|| {
                    drop(black_box(erased.from_slice_with::<Record>(&bytes, &options).unwrap()))
                }),
            ),
            (
                "compiled, static",
                time(|| {
                    drop(black_box(format.from_slice_with::<Vec<Ten>>(&bytes, &options).unwrap()))
                }),
            ),
        ];
        print(&format!("load {format}"), &times);
    }
    Ok(())
}
