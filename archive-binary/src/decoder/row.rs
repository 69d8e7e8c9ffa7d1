//! Decoders of rows, which are many and short. A decoder passes its results for the types to the
//! next one.

use archive_core::{Options, Result};

use super::Decoder;
use super::frame::{Frame, List};
use super::object::MemberSeen;
use super::plan::Plans;
use super::tagged::Searched;
use crate::compare::Equality;
use crate::container::Profile;
use crate::implied::Implied;
use crate::profile::Opened;
use crate::read_tables::Tables;
use crate::rows::RowTypes;
use crate::types::TypeId;

/// The results of a decoder for the types of a file, compared with those of the program, and its
/// working memory.
pub(crate) struct Learned {
    pub(super) equality: Equality,
    pub(super) plans: Plans,
    pub(super) frames: Vec<Frame>,
    pub(super) lists: Vec<List>,
    pub(super) passed: Vec<MemberSeen>,
    pub(super) searches: Vec<Searched>,
}

impl Learned {
    /// Returns no results, for that many types.
    pub(crate) fn new(types: usize) -> Self {
        Learned {
            equality: Equality::new(types),
            plans: Plans::default(),
            frames: Vec::new(),
            lists: Vec::new(),
            passed: Vec::new(),
            searches: Vec::new(),
        }
    }
}

impl<'a> Decoder<'a> {
    /// Creates a decoder of a row of these types.
    ///
    /// # Errors
    /// An error if the row is incomplete or has malformed tables.
    pub(crate) fn of_row(row: &'a [u8], types: &RowTypes, options: &Options<'_>) -> Result<Self> {
        let mut decoder = Decoder::of_next_row(row, types.implied(), options, &mut None)?;
        decoder.row_types = Some(types.clone());
        Ok(decoder)
    }

    /// Creates a decoder of a row, with the results of earlier decoders of such rows.
    ///
    /// # Errors
    /// An error if the row is incomplete or has malformed tables. The results are then not taken.
    pub(crate) fn of_next_row(
        row: &'a [u8],
        implied: &Implied,
        options: &Options<'_>,
        learned: &mut Option<Learned>,
    ) -> Result<Self> {
        let opened = Profile::Rows.open(row)?;
        opened.check_flag()?;
        let tables = Tables::implied(row, implied, &opened, options.settings().limits().pointers)?;
        let learned = learned.take().unwrap_or_else(|| Learned::new(implied.types.len()));
        Ok(Decoder::knowing(learned, &row[..opened.end], tables, options))
    }

    /// Creates a decoder of a row without tables.
    pub(crate) fn of_plain_row(row: &'a [u8], implied: &Implied, options: &Options<'_>) -> Self {
        Decoder::over(row, Tables::known(implied, &Opened::plain(row)), options)
    }

    /// Returns the results for the types of all rows. There are `types` of them.
    pub(crate) fn learned(self, types: usize) -> Learned {
        let Decoder { tables, equality, plans, frames, lists, passed, searches, .. } = self;
        let mut learned = Learned { equality, plans, frames, lists, passed, searches };
        if tables.types() > types {
            let first = TypeId::at_index(types);
            learned.equality.forget_from(first);
            learned.plans.forget_from(first);
        }
        // These lists are empty unless the load failed.
        learned.frames.clear();
        learned.lists.clear();
        learned.passed.clear();
        learned.searches.clear();
        learned
    }
}
