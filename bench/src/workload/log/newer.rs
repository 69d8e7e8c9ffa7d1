//! The same records a week later: the most frequent class got a member, and loads files that lack
//! it.

use std::hint::black_box;

use archive::format::Backend;
use archive::{Options, Serialize, binary};

use super::Address;
use crate::entry::{Entry, Operation};
use crate::peer::Group;

/// The name in the tables.
pub const NAME: &str = "binary, one member added";
/// The same, of a file with columns.
pub const OF_COLUMNS: &str = "binary, `columns`, one member added";

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

/// Load the old records as new ones, from rows and from columns.
pub fn entries(old: &super::Logs) -> [Entry; 2] {
    [entry::<binary::Binary>(NAME, old), entry::<binary::columns::Columns>(OF_COLUMNS, old)]
}

fn entry<F: Backend>(name: &str, old: &super::Logs) -> Entry {
    let options = Options::new();
    let bytes = F::to_vec_with(old, &options).expect("it can be saved");
    let load = move |bytes: &[u8]| -> Logs {
        F::from_slice_with(bytes, &options).expect("what is absent is fine")
    };
    assert!(load(&bytes).is(old));
    Entry::new(name, Group::Variant)
        .with(Operation::Load, move || drop(black_box(load(black_box(&bytes)))))
}
