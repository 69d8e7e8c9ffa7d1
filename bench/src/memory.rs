//! Peak memory: the maximum that saving and loading take, above the memory of the result.

use std::hint::black_box;

use archive::{Element, Options, Save, binary};

use crate::targets::Target;
use crate::{report, rows, workload};

/// An allocator that counts bytes.
pub trait Gauge {
    /// How many are in use.
    fn current(&self) -> usize;
    /// How many were in use at most, since [`reset`](Gauge::reset).
    fn peak(&self) -> usize;
    /// Resets the peak.
    fn reset(&self);
}

/// How much memory was in use.
#[derive(Clone, Copy, Debug)]
pub struct Usage {
    /// By the value.
    pub value: usize,
    /// By its bytes.
    pub bytes: usize,
    /// At most by `to_vec`, beside the value.
    pub to_vec: usize,
    /// At most by `to_writer`, beside the value.
    pub to_writer: usize,
    /// At most while loading, input and value included.
    pub load: usize,
    /// How many shared objects the value has.
    pub objects: usize,
}

/// Measures one value in the binary format.
pub fn usage<T: Save + Element>(made: T, options: &Options<'_>, gauge: &dyn Gauge) -> Usage {
    const GOOD: &str = "the value can be saved and loaded";
    let mut bytes = binary::to_vec_with(&made, options).expect(GOOD);
    bytes.shrink_to_fit();
    drop(made);
    let objects = binary::inspect(&bytes).expect(GOOD).objects;

    let before = gauge.current() - bytes.len();
    gauge.reset();
    let value: T = binary::from_slice_with(&bytes, options).expect(GOOD);
    let load = gauge.peak() - before;
    let size = gauge.current() - before - bytes.len();

    let before = gauge.current();
    gauge.reset();
    drop(black_box(binary::to_vec_with(&value, options).expect(GOOD)));
    let to_vec = gauge.peak() - before;
    gauge.reset();
    binary::to_writer_with(std::io::sink(), &value, options).expect(GOOD);
    let to_writer = gauge.peak() - before;
    Usage { value: size, bytes: bytes.len(), to_vec, to_writer, load, objects }
}

/// Measures all workloads and prints a line for each, which [`section`] reads.
pub fn main(gauge: &dyn Gauge) {
    for workload in workload::ALL {
        let Usage { value, bytes, to_vec, to_writer, load, objects } = (workload.memory)(gauge);
        println!("{} {value} {bytes} {to_vec} {to_writer} {load} {objects}", workload.name);
    }
}

/// The section of the page.
pub fn section(printed: &str) -> String {
    let mut text = "Bytes in use at most, in the binary format: saving beside the value, loading with input and value.\n\n"
        .to_owned();
    text += &report::head(1, &rows::MEMORY);
    let mut targets = String::new();
    for line in printed.lines() {
        let mut words = line.split(' ');
        let Some(name) = words.next() else { continue };
        let numbers: Vec<usize> = words.filter_map(|word| word.parse().ok()).collect();
        let [value, bytes, to_vec, to_writer, load, objects] = numbers[..] else { continue };
        let cells = [value, bytes, to_vec, to_writer, load].map(report::thousands);
        text += &(report::line([name.to_owned()].into_iter().chain(cells)) + "\n");
        let target = |what, found: usize, limit, whole: usize, of| {
            Target::ratio(what, Some(found as f64), limit, Some(whole as f64), of)
        };
        let to_vec = |limit, whole, of| target("peak of `to_vec`", to_vec, limit, whole, of);
        let both = [
            match objects {
                0 => to_vec(1.1, bytes, "the output"),
                // 24 bytes are allowed for each of them.
                _ => to_vec(1.5, bytes + 16 * objects, "the output + 16 bytes per shared object"),
            },
            target("peak of loading", load, 1.1, value + bytes, "value + input"),
        ];
        let rows = report::targets(name, &both.into_iter().flatten().collect::<Vec<Target>>());
        let rows = if targets.is_empty() {
            rows
        } else {
            rows.lines().skip(2).map(|l| format!("{l}\n")).collect()
        };
        targets += &rows;
    }
    text + "\n" + &targets
}
