//! Saving to a writer: data is written early if possible.

use allocation_counter::measure;
use archive::{ErrorKind, Format, Options, Serialize, binary, json};
use std::io::{self, Write};
use std::rc::Rc;

#[derive(Clone, Default, Debug, PartialEq, Serialize)]
struct Terrain {
    name: String,
    heights: Vec<f32>,
    cells: Vec<Cell>,
    notes: Vec<String>,
}

/// With padding, so that a vector of it is not a copy.
#[derive(Clone, Copy, Default, Debug, PartialEq, Serialize)]
struct Cell {
    kind: u8,
    level: u16,
    owner: u32,
    open: bool,
}

fn terrain(size: u32) -> Terrain {
    Terrain {
        name: "valley".into(),
        heights: (0..size).map(|n| n as f32).collect(),
        cells: (0..size).map(|n| Cell { owner: n, ..Cell::default() }).collect(),
        notes: (0..size / 10).map(|n| format!("note {n}")).collect(),
    }
}

/// Records the parts that it gets.
#[derive(Default)]
struct Parts {
    bytes: Vec<u8>,
    largest: usize,
    count: usize,
}

impl Write for Parts {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        self.bytes.extend_from_slice(part);
        self.largest = self.largest.max(part.len());
        self.count += 1;
        Ok(part.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
#[cfg_attr(not(feature = "static-formats"), ignore = "holds for formats compiled for the type")]
fn plain_types_go_out_in_parts() {
    let value = terrain(100_000);
    let mut parts = Parts::default();
    binary::to_writer(&mut parts, &value).unwrap();
    assert_eq!(parts.bytes, binary::to_vec(&value).unwrap());
    assert!(parts.count > 10 && parts.largest < 1 << 18, "{} of {}", parts.count, parts.largest);
    assert_eq!(binary::from_slice::<Terrain>(&parts.bytes).unwrap(), value);
    // Through a trait object it is the same file, with any number of parts.
    let mut again = Parts::default();
    Format::of::<binary::Binary>().to_writer(&mut again, &value).unwrap();
    assert_eq!(again.bytes, parts.bytes);
}

#[test]
#[cfg_attr(not(feature = "static-formats"), ignore = "holds for formats compiled for the type")]
fn memory_does_not_grow_with_the_output() {
    let most = |size| {
        let value = terrain(size);
        measure(|| binary::to_writer(io::sink(), &value).unwrap()).bytes_max
    };
    let (small, large) = (most(100_000), most(1_000_000));
    assert!(large <= small + 1024, "{small}, then {large}");
}

#[test]
fn text_goes_out_in_parts_however_it_is_laid_out() {
    let layouts = [Options::new(), Options::new().pretty(true), Options::new().width(80)];
    for options in layouts {
        let value = terrain(50_000);
        let mut parts = Parts::default();
        json::to_writer_with(&mut parts, &value, &options).unwrap();
        assert_eq!(parts.bytes, json::to_vec_with(&value, &options).unwrap());
        assert!(
            parts.count > 10 && parts.largest < 1 << 17,
            "{} of {}",
            parts.count,
            parts.largest
        );
        let most = |size| {
            let value = terrain(size);
            let save = || json::to_writer_with(io::sink(), &value, &options).unwrap();
            measure(save).bytes_max
        };
        let (small, large) = (most(50_000), most(200_000));
        assert!(large <= small + 1024, "{small}, then {large}");
    }
}

/// Objects may be moved or extended until the end, so nothing is written before.
#[test]
fn shared_objects_wait_for_the_end() {
    let value = (terrain(100_000).notes, Rc::new(5_u8));
    let mut parts = Parts::default();
    binary::to_writer(&mut parts, &value).unwrap();
    assert_eq!(parts.count, 1);
    assert_eq!(parts.bytes, binary::to_vec(&value).unwrap());
}

/// Full after this many bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(part.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(part.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_writer_that_fails_ends_the_save() {
    let value = terrain(100_000);
    for room in [0, 1 << 16, 1 << 19] {
        let error = binary::to_writer(Full(room), &value).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io, "{error}");
    }
}

/// Types with a version are loaded from a reader without keeping the text.
#[test]
fn versions_do_not_keep_the_text_of_a_reader() {
    #[derive(Default, Serialize)]
    #[archive(version = 1)]
    struct Versioned {
        number: u32,
    }
    let list: Vec<Versioned> = (0..200_000).map(|number| Versioned { number }).collect();
    let today = json::to_string(&list).unwrap();
    let before = today.replace("\"$version\":1,", "");
    for text in [&today, &before] {
        let mut loaded = Vec::new();
        let taken =
            measure(|| loaded = json::from_reader::<Vec<Versioned>>(text.as_bytes()).unwrap());
        assert_eq!(loaded.len(), list.len());
        // A list of unknown length takes three times its items while it grows.
        let items = 3 * (loaded.capacity() * size_of::<Versioned>()) as u64;
        assert!(taken.bytes_max < items + (512 << 10), "{} bytes", taken.bytes_max);
    }
}
