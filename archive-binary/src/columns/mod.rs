//! The binary format with columns: the same values of a long list are next to each other, which
//! makes files smaller, above all compressed ones.
//!
//! A list or a map of at least 64 entries is stored as *blocks*, if that is shorter. A block has a
//! column for each member of its entries: the numbers of all entries with the bits that they need,
//! the lengths of all texts and then the texts, and so on. Everything else is stored as in other
//! files, and so are lists of plain numbers, which are compact already. The file describes its types,
//! so it loads after types have changed, as every file of the [binary format](crate).
//!
//! [`Options::columns`] saves such files with [`crate::to_vec_with`] and all other functions of the
//! binary format. The functions of this module need no option, and
//! `Format::of::<binary::columns::Columns>()` is a format for functions without options. Every
//! function of the binary format that loads a value also loads these files.
//!
//! ```
//! use archive::{binary, Options};
//!
//! #[derive(Clone, Debug, PartialEq, archive::Serialize)]
//! struct Unit { name: String, hp: u16, is_running: bool }
//!
//! let unit = |at: u16| Unit { name: format!("unit {at}"), hp: 90 + at % 10, is_running: at > 50 };
//! let units: Vec<Unit> = (0..100).map(unit).collect();
//!
//! let rows = binary::to_vec(&units)?;
//! let columns = binary::to_vec_with(&units, &Options::new().columns(true))?;
//! assert_eq!(columns, binary::columns::to_vec(&units)?);
//! assert!(columns.len() < rows.len());
//! assert_eq!(binary::from_slice::<Vec<Unit>>(&columns)?, units);
//! # Ok::<(), archive::Error>(())
//! ```
//!
//! The functions of this module save and load columns directly if the root contains no pointers, trait
//! objects, hand-written functions, self-describing values and types that contain themselves, and there is
//! no report. With the feature `columns` of `archive`, they are faster: the derive writes functions for it.
//! A `Vec` whose types have changed is then loaded directly too, except for a few changes such as new
//! fields of a variant; a new member then costs nothing but its value. Everything else, such as
//! [`Options::columns`] and `binary::from_slice`, saves rows and turns them into columns, or turns columns
//! into rows and loads these, which takes several times as long and memory for both forms. The rows are at
//! most 32 times as long as the file, and count as the input where [`Limits`](archive_core::Limits) count
//! bytes of input. The offsets of errors are then those of the rows; otherwise an error inside of a block
//! has the offset of the block. A thread that saves directly keeps up to 4 MiB of memory for its next save.
//!
//! Files with named roots and files whose root has a hand-written function have no columns. A
//! [`Reader`](crate::Reader) reads rows: it refuses a file with columns, as a
//! [`Decoder`](crate::Decoder) does.
// Why: docs/decisions/binary.md#columns-are-a-second-form-of-rows

mod changed;
mod direct;
mod gathered;
mod input;
mod loading;
mod opened;
mod output;
mod place;
mod runs;
mod runs_in;
mod saving;

use archive_core::{Body, Options, Result, Session, Shape, Source};

use crate::Encoder;
use crate::backend::profile;
use crate::columnar::MANY;
#[doc(hidden)]
pub use crate::columnar::from_rows_of;
pub use crate::columnar::{from_rows, has_columns, to_rows};
use crate::container::{self, MAGIC};

profile!(
    /// The binary format with columns, as a [`Backend`](archive_core::Backend).
    ///
    /// It has the name of [`Binary`](crate::Binary), which loads its files.
    Columns = Columns,
    "binary",
    ["bin", "arc"],
    |start| start.starts_with(&MAGIC) && container::has_columns(start),
    save_root,
    {
        fn load_unexpanded<B: Body>(
            input: &[u8],
            shape: &'static Shape,
            body: &mut B,
            session: &mut Session,
            options: &Options<'_>,
        ) -> Result<bool> {
            direct::load_root(input, shape, body, session, options)
        }
    }
);

// Files with named roots have no columns, so there is neither a `Writer` nor a `Reader`.
archive_core::entry_points!(@list [] archive_core::entry_points [@of Columns]);
archive_core::entry_points!(@read);

fn save_root<S: Source>(encoder: &mut Encoder<'_>, value: S, options: &Options<'_>) -> Result {
    save_root_of(MANY, encoder, value, options)
}

/// Saves a value as the one root, with lists of at least that many entries as blocks, even if these are
/// longer. For tests.
#[doc(hidden)]
pub fn save_root_of<S: Source>(
    many: u64,
    encoder: &mut Encoder<'_>,
    value: S,
    options: &Options<'_>,
) -> Result {
    direct::save_root(many, encoder, value, options)
}
