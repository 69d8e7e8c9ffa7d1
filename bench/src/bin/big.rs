//! Saves and loads files of more than 4 GiB, where lengths and offsets do not fit 32 bits. It takes
//! 20 GiB of memory, so it is a program of its own: `cargo run --release --bin big`.

use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;

use archive::{Options, Serialize, binary};

/// Something large, with pointers to objects.
#[derive(Default, Serialize)]
struct Shared {
    filler: Vec<u8>,
    one: Rc<RefCell<Unit>>,
    again: Rc<RefCell<Unit>>,
}

/// A large value that is written piece by piece.
#[derive(Default, Serialize)]
struct Plain {
    filler: Vec<u8>,
    unit: Unit,
}

#[derive(Default, Debug, PartialEq, Serialize)]
struct Unit {
    name: String,
    target: Option<Box<Unit>>,
}

/// More than 4 GiB.
const FILLER: usize = (1 << 32) + 12_345;

fn filler() -> Vec<u8> {
    let mut filler = vec![0; FILLER];
    filler[FILLER - 1] = 7;
    filler
}

fn unit() -> Unit {
    Unit { name: "Ann".into(), target: Some(Box::default()) }
}

/// Counts the bytes that it gets, and keeps the last ones.
#[derive(Default)]
struct Counted {
    length: u64,
    end: Vec<u8>,
}

impl Write for Counted {
    fn write(&mut self, part: &[u8]) -> std::io::Result<usize> {
        self.length += part.len() as u64;
        self.end.extend_from_slice(part);
        let keep = self.end.len().saturating_sub(1 << 10);
        self.end.drain(..keep);
        Ok(part.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn main() -> archive::Result {
    // A file may hold 2^32 elements, unless more are expected.
    let options = Options::new().max_elements(1 << 33);
    let plain = Plain { filler: filler(), unit: unit() };
    let mut counted = Counted::default();
    binary::to_writer(&mut counted, &plain)?;
    let file = binary::to_vec(&plain)?;
    assert_eq!(file.len() as u64, counted.length);
    assert!(file.ends_with(&counted.end));
    drop(plain);
    let loaded: Plain = binary::from_slice_with(&file, &options)?;
    assert_eq!((loaded.filler.len(), loaded.filler[FILLER - 1]), (FILLER, 7));
    assert_eq!(loaded.unit, unit());
    println!("plain: {} bytes", file.len());
    drop((file, loaded));

    let one = Rc::new(RefCell::new(unit()));
    let file = binary::to_vec(&Shared { filler: filler(), again: one.clone(), one })?;
    let loaded: Shared = binary::from_slice_with(&file, &options)?;
    assert_eq!((loaded.filler.len(), loaded.filler[FILLER - 1]), (FILLER, 7));
    assert!(Rc::ptr_eq(&loaded.one, &loaded.again));
    assert_eq!(*loaded.one.borrow(), unit());
    println!("shared: {} bytes", file.len());
    Ok(())
}
