//! The same records a week later: the most frequent class got a member, and loads files that lack
//! it.

use std::hint::black_box;

use archive::{Serialize, binary};

use super::Address;
use crate::entry::{Entry, Operation};
use crate::peer::Group;

/// The name in the tables.
pub const NAME: &str = "binary, one member added";

/// The value of the new member for old files.
const SECURE: bool = true;

#[derive(Serialize)]
struct Log {
    address: Address,
    identity: String,
    userid: String,
    date: String,
    request: String,
    code: u16,
    #[archive(default = SECURE)]
    secure: bool,
    size: u64,
}

#[derive(Serialize)]
struct Logs {
    logs: Vec<Log>,
}

impl Logs {
    fn is(&self, old: &super::Logs) -> bool {
        let is = |(new, old): (&Log, &super::Log)| {
            new.secure == SECURE
                && (&new.address, &new.identity, &new.userid)
                    == (&old.address, &old.identity, &old.userid)
                && (&new.date, &new.request, new.code, new.size)
                    == (&old.date, &old.request, old.code, old.size)
        };
        self.logs.len() == old.logs.len() && self.logs.iter().zip(&old.logs).all(is)
    }
}

/// Loads the old records as new ones.
pub fn entry(old: &super::Logs) -> Entry {
    let bytes = binary::to_vec(old).expect("it can be saved");
    let load =
        |bytes: &[u8]| -> Logs { binary::from_slice(bytes).expect("what is absent is fine") };
    assert!(load(&bytes).is(old));
    Entry::new(NAME, Group::Variant)
        .with(Operation::Load, move || drop(black_box(load(black_box(&bytes)))))
}
