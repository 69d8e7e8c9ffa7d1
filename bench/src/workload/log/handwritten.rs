//! The same records with `serialize` written by hand, and saved through `&mut`.

use std::hint::black_box;
use std::rc::Rc;

use archive::{Archive, Result, Serialize, binary};

use crate::entry::{Entry, Operation};
use crate::peer::Group;

/// The name in the tables.
pub const NAME: &str = "binary, `serialize` by hand";

#[derive(Clone, Debug, Default, PartialEq)]
struct Address {
    x0: u8,
    x1: u8,
    x2: u8,
    x3: u8,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Log {
    address: Address,
    identity: String,
    userid: String,
    date: String,
    request: String,
    code: u16,
    size: u64,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Logs {
    logs: Vec<Log>,
}

impl Serialize for Address {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("x0", &mut self.x0)?;
        ar.serialize("x1", &mut self.x1)?;
        ar.serialize("x2", &mut self.x2)?;
        ar.serialize("x3", &mut self.x3)
    }
}

impl Serialize for Log {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("address", &mut self.address)?;
        ar.serialize("identity", &mut self.identity)?;
        ar.serialize("userid", &mut self.userid)?;
        ar.serialize("date", &mut self.date)?;
        ar.serialize("request", &mut self.request)?;
        ar.serialize("code", &mut self.code)?;
        ar.serialize("size", &mut self.size)
    }
}

impl Serialize for Logs {
    fn serialize<A: Archive>(&mut self, ar: &mut A) -> Result {
        ar.serialize("logs", &mut self.logs)
    }
}

archive::blank!(Log);
archive::blank!(Logs);

/// Saves and loads these records.
pub fn entry(derived: &super::Logs) -> Entry {
    let bytes = binary::to_vec(derived).expect("it can be saved");
    let mut value: Logs = binary::from_slice(&bytes).expect("the members have the same names");
    let bytes: Rc<[u8]> = binary::to_vec(&mut value).expect("it can be saved").into();
    let mut there: Logs = binary::from_slice(&bytes).expect("it was saved just now");
    assert_eq!(there, value);
    let in_place = Rc::clone(&bytes);
    let mut buffer = Vec::new();
    Entry::new(NAME, Group::Variant)
        .with(Operation::Save, move || {
            binary::save_into(&mut buffer, black_box(&mut value), &archive::Options::new())
                .expect("it can be saved");
            black_box(&buffer);
        })
        .with(Operation::Load, move || {
            let logs: Logs = binary::from_slice(black_box(&bytes)).expect("it was saved just now");
            drop(black_box(logs));
        })
        .with(Operation::InPlace, move || {
            binary::load_into(black_box(&mut there), black_box(&in_place)).expect("as before");
        })
}
