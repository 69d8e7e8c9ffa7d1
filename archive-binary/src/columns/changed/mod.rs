//! [`Changed`]: takes the entries of lists from blocks although their types have changed.
//!
//! The file is turned into rows, except for the lists whose columns the program can use. There the rows
//! have a *gap*: nothing follows the length of the list, and the decoder takes its entries from the blocks.
//! If they cannot be taken, for example because a number is too large for its new type, the load begins
//! again with all rows, which have better errors.
// Why: docs/decisions/binary.md#changed-types-are-loaded-from-columns-too

mod arrange;
mod fill;
mod pairs;

use archive_core::columns::{NewItem, TakeRows, Taken};
use archive_core::shape::Shape;
use archive_core::{Body, Element, Loading, Options, Result, Session, Targets, Visitor, Way};
use rustc_hash::FxHashMap;

use arrange::Source;
pub(super) use fill::Missing;
use pairs::{Entries, Pairs};

use super::input::Input;
use super::loading::take_rows;
use crate::Decoder;
use crate::columnar::{Block, Gaps, LeaveOut, expand, not_taken};
use crate::compare::{Rule, same};
use crate::read_tables::Tables;
use crate::shapes::ShapeRef;
use crate::types::TypeId;

/// The blocks of a file whose entries are taken from columns.
struct Changed<'r> {
    input: Input<'r>,
    /// The entries, by their types in the file.
    entries: &'r FxHashMap<TypeId, Entries>,
    /// The first block of each gap in the rows, with the number of entries of all of its blocks.
    gaps: Vec<Block>,
    /// The columns that the blocks lack, with the values of new entries, by their types
    /// in the file and the functions that create them.
    filled: FxHashMap<(TypeId, usize), Vec<Taken<'r>>>,
    /// The type of entries that were not taken.
    refused: Option<TypeId>,
}

/// Loads the one root of a file whose types have changed. Returns `false` if the file must be turned into
/// rows.
pub(super) fn load_root<'r, B: Body>(
    (file, data_end, end): (&'r [u8], usize, usize),
    input: impl Fn() -> Result<Input<'r>>,
    shape: &'static Shape,
    body: &mut B,
    session: &mut Session,
    options: &Options<'_>,
) -> Result<bool> {
    /// How often it may turn out that a type has no function that takes entries.
    const ATTEMPTS: usize = 4;
    let settings = options.settings();
    let asks = settings.strict() || settings.complete() || settings.keep_going();
    // The load may begin again, and what differs is not noted.
    if !B::FACTS.fresh || asks || session.looks() {
        return Ok(false);
    }
    let begin = || Some((Tables::read(file, data_end, end, options).ok()?, input().ok()?));
    let mut begun = begin();
    let mut entries = match &begun {
        Some((tables, input)) if input.takes() => {
            let limits = (file.len(), settings.limits());
            Pairs::find(tables, &input.layouts, ShapeRef::of(shape), limits)
        }
        _ => return Ok(false),
    };
    for _ in 0..ATTEMPTS {
        let Some((mut tables, input)) = begun.take().or_else(begin) else { return Ok(false) };
        let mut changed = Changed::new(input, &entries);
        let splits = || Ok(tables.splits());
        let leave_out: LeaveOut<'_> = &mut |block| changed.leaves_gap(block);
        let rows = expand(&file[..data_end], splits, leave_out);
        let Ok(rows) = rows else { return Ok(false) };
        if changed.gaps.is_empty() {
            return Ok(false);
        }
        let row_end = std::mem::replace(&mut tables.root_end, rows.len());
        let mut decoder = Decoder::over(&rows, tables, options);
        decoder.set_gaps(Box::new(changed));
        let loaded = Loading::new(&mut decoder, session, options).root_by(shape, |general| {
            let (_, session, options) = general.as_parts();
            session.set_input(row_end, options);
            general.value_as::<FromBlocks, B>(body)
        });
        if loaded.and_then(|()| decoder.end()).is_ok() {
            return Ok(true);
        }
        session.renew();
        let refused = decoder.refused_entries();
        drop(decoder);
        match refused {
            Some(entry) => drop(entries.remove(&entry)),
            None => return Ok(false),
        }
    }
    Ok(false)
}

/// The direction of an erased archive that loads and takes the items of lists from blocks.
enum FromBlocks {}

impl Way for FromBlocks {
    const LOADS: Option<bool> = Some(true);
    const GATHERS: bool = true;

    fn take_items<T: Element>(visitor: &mut dyn Visitor, into: &mut Vec<T>) -> Result<bool> {
        let take: &mut TakeRows<'_> = &mut |columns, rows, (session, options)| {
            let missing = Missing::new::<T>(columns, options);
            take_rows(into, rows, (columns, missing), session, options)
        };
        let fresh: fn(&Options<'_>) -> Result<T> = T::fresh;
        visitor.take_columns((T::SHAPE, fresh as usize), take)
    }
}

impl<'r> Changed<'r> {
    fn new(input: Input<'r>, entries: &'r FxHashMap<TypeId, Entries>) -> Self {
        Changed { input, entries, gaps: Vec::new(), filled: FxHashMap::default(), refused: None }
    }

    /// Returns whether the rows of a block are left out.
    fn leaves_gap(&mut self, block: Block) -> bool {
        let leaves = self.entries.contains_key(&block.item);
        if leaves {
            match self.gaps.last_mut() {
                Some(last) if last.row == block.row => last.count += block.count,
                _ => self.gaps.push(block),
            }
        }
        leaves
    }
}

impl Gaps for Changed<'_> {
    fn block_at(&self, row: usize, count: u64) -> Option<usize> {
        let found = self.gaps.binary_search_by_key(&row, |gap| gap.row).ok()?;
        Some(self.gaps[found]).filter(|gap| gap.count == count).map(|gap| gap.at)
    }

    fn refused(&self) -> Option<TypeId> {
        self.refused
    }

    fn take(
        &mut self,
        (at, mut left): (usize, u64),
        (item, fresh): NewItem,
        take: &mut dyn FnMut(&mut [Taken<'_>], usize) -> bool,
    ) -> Result {
        self.input.restore(at..at);
        let Some(entry) = self.input.next_entry() else { return Err(not_taken()) };
        let layouts = self.input.layouts.clone();
        let (Some(entries), Some(layout)) = (self.entries.get(&entry), layouts.get(entry)) else {
            return Err(not_taken());
        };
        self.refused = Some(entry);
        let targets = Targets::default();
        if !same(entries.item, ShapeRef::of(item), Rule::Same, &targets, &mut 0) {
            return Err(not_taken());
        }
        let mut opened = self.input.columns(layout);
        let mut filled = self.filled.remove(&(entry, fresh)).unwrap_or_default();
        while left > 0 {
            let (_, rows) = self.input.open_block(left, &mut opened)?;
            let mut columns = Vec::with_capacity(entries.sources.len());
            let mut known = filled.into_iter();
            for source in &entries.sources {
                let known = if source.is_absent() { known.next() } else { None };
                let column = known.or_else(|| source.column(&mut opened));
                columns.push(column.ok_or_else(not_taken)?);
            }
            if !take(&mut columns, rows as usize) || !Source::are_done(&entries.sources, &columns) {
                return Err(not_taken());
            }
            filled = Source::filled(&entries.sources, columns);
            left -= rows;
        }
        self.filled.insert((entry, fresh), filled);
        self.refused = None;
        opened.clear();
        self.input.keep(opened);
        Ok(())
    }
}
