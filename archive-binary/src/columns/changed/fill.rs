//! [`Missing`]: the values of columns that a block lacks, from a new value of the program.

use std::ops::Range;
use std::sync::Arc;

use archive_core::__private::Fresh;
use archive_core::columns::{Column, Fill, Ints, Taken};
use archive_core::shape::Shape;
use archive_core::{Element, Options, Save, Serialize, Session};

use crate::Encoder;
use crate::columnar::{self, Form, Layout, each_payload};
use crate::columns::output::Output;
use crate::columns::saving::Gathering;
use crate::container::Profile;
use crate::implied::Implied;
use crate::types::{Type, TypeId};

/// Finds the values of columns that a block lacks. `None` if it lacks none.
#[derive(Clone, Copy)]
pub(in crate::columns) struct Missing<'o>(Option<(&'static Shape, &'o Options<'o>)>);

impl<'o> Missing<'o> {
    /// No column is missing.
    pub(in crate::columns) const NONE: Self = Missing(None);

    /// Finds the values of the columns of a list of `T`.
    pub(super) fn new<T: Element>(columns: &[Taken<'_>], options: &'o Options<'o>) -> Self {
        let is_any = columns.iter().any(|column| column.is_absent);
        Missing(is_any.then_some((<[T]>::SHAPE, options)))
    }
}

impl Fill for Missing<'_> {
    #[inline(always)]
    fn lacks(self) -> bool {
        self.0.is_some()
    }

    fn fill<T: Save + Fresh>(self, columns: &mut [Taken<'_>]) -> Option<()> {
        if !columns.iter().any(|column| column.is_absent) {
            return Some(());
        }
        let (list, options) = self.0?;
        let types = Implied::of(list);
        let (Type::Seq(item), layouts) = (types.types.get(types.root.index()?)?, types.layouts()?)
        else {
            return None;
        };
        let layout = layouts.get(*item)?;
        let start = layout.len().checked_sub(columns.len())?;
        let new = || new_columns::<T>((layout, start), &types, options);
        let (values, end) = new()?;
        // New values may differ, for example if each has an id of its own.
        let (others, _) = new()?;
        let is_same = |(one, other): (&Column, &Column)| {
            (&one.ints, &one.bytes) == (&other.ints, &other.bytes)
        };
        values.iter().zip(&others).all(is_same).then_some(())?;
        let (values, layout) = (values.get(start..end)?, layout.get(start..end)?);
        Filling { columns, values, layout, start }.fill(0..end - start, 1)
    }
}

/// Saves a new value in the columns from `start` on. Also returns the end of its columns.
fn new_columns<T: Save + Fresh>(
    (layout, start): (&Layout, usize),
    types: &Arc<Implied>,
    options: &Options<'_>,
) -> Option<(Vec<Column>, usize)> {
    let value = T::fresh(options).ok()?;
    let mut output = Output::new(types.clone(), usize::MAX, options.settings().limits())?;
    let mut encoder = Encoder::for_profile(Profile::Embedded, Vec::new(), options);
    let (mut session, mut rows) = (Session::new(), Vec::new());
    let list = output.list(&mut rows, (TypeId::NONE, 1));
    let one = Gathering::new(layout, list, &mut encoder, (&mut session, options));
    one.save_at(start, &value).ok()
}

/// Fills the columns of a new value.
struct Filling<'c, 'r, 'v> {
    columns: &'c mut [Taken<'r>],
    /// The values that a new value has in these columns.
    values: &'v [Column],
    layout: &'v [columnar::Column],
    /// The index of the first of these columns among all columns.
    start: usize,
}

impl Filling<'_, '_, '_> {
    /// Fills the columns in a range, each with `count` values. Returns `None` if they are not all the same.
    fn fill(&mut self, range: Range<usize>, count: usize) -> Option<()> {
        let mut at = range.start;
        while at < range.end {
            let (values, column) = (&self.values[at], &self.layout[at]);
            let next = column.next.checked_sub(self.start)?;
            let inner = at + 1..next;
            if !self.columns.get(at)?.is_absent {
                // A value that is in a list, an option or a variant in the file starts from a new value of
                // its own type.
                let is_absent = |at: usize| self.columns[at].is_absent;
                let starts_here = |mut range: Range<usize>| {
                    range.any(|at| is_absent(at) && !is_empty(&self.values[at]))
                };
                let starts_here = match &column.form {
                    Form::List => false,
                    // If all columns of a variant are absent, the file does not have it.
                    Form::Enum(payloads) => {
                        each_payload(payloads, column.next).any(|(_, first, end)| {
                            let range = first - self.start..end - self.start;
                            !range.clone().all(is_absent) && starts_here(range)
                        })
                    }
                    _ => starts_here(inner),
                };
                if starts_here {
                    return None;
                }
            } else if let Form::Array(len) = column.form {
                self.fill(inner, count.checked_mul(usize::try_from(len).ok()?)?)?;
            } else if !is_empty(values) {
                let number = repeat(&mut self.columns[at], (values, count), &column.form)?;
                match column.form {
                    Form::List if number > 0 => return None,
                    Form::Option | Form::Enum(_) => self.fill(inner, count)?,
                    _ => {}
                }
            }
            at = next;
        }
        Some(())
    }
}

fn is_empty(values: &Column) -> bool {
    values.ints.is_empty() && values.bytes.is_empty()
}

/// Lets all rows have the value that a column has `count` times. Returns it if it is a number. Returns `None` if
/// there is no such value.
fn repeat(column: &mut Taken<'_>, (values, count): (&Column, usize), form: &Form) -> Option<u64> {
    let (size, sign) = match form {
        Form::Bool | Form::Option => (1, 0),
        Form::Int(int, size) => (*size, u64::from(int.is_signed()) << (8 * size - 1)),
        Form::Enum(_) | Form::List | Form::Text(_) => (if values.is_long { 8 } else { 4 }, 0),
        Form::Fixed(_) => (0, 0),
        _ => return None,
    };
    let mut word = [0; 8];
    word[..size].copy_from_slice(only(&values.ints, count).filter(|int| int.len() == size)?);
    let bytes = only(&values.bytes, count)?;
    if matches!(form, Form::Fixed(size) if bytes.len() != *size) {
        return None;
    }
    let number = u64::from_le_bytes(word) ^ sign;
    let ints = Ints::repeat(number);
    *column = Taken { ints, repeated: bytes.into(), ..Taken::default() };
    Some(number)
}

/// Returns the bytes whose `count` copies are all bytes.
fn only(bytes: &[u8], count: usize) -> Option<&[u8]> {
    let part = &bytes[..bytes.len().checked_div(count)?];
    (part.repeat(count) == bytes).then_some(part)
}
