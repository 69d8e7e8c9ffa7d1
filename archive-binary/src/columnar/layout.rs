//! [`Layout`]: the columns of the entries of a list as one sequence, in the order in which the
//! function of a type visits a value.
//!
//! Classes, tuples and values without bytes have no entry of their own. A value that follows another
//! one in the visit has the next column, except after an item, a missing value or a payload.

use archive_core::Limits;
use archive_core::shape::Primitive;
use rustc_hash::FxHashMap;

use super::ints::Int;
use super::splits::{Kind, Splits};
use crate::types::{Type, TypeId};

/// The largest number of variants of the enums in all layouts of a file, where a column counts as
/// [`EACH`] variants. Values of types with more of them are turned into rows first.
const MOST: usize = 1 << 15;
/// The number of variants that a column counts as.
const EACH: usize = 8;

/// The number of columns that a file of any length may have.
const FEW: usize = 64;

/// The columns of the entries of the lists that may become blocks.
pub(crate) struct Layouts {
    /// By the types of the entries.
    of: FxHashMap<TypeId, Layout>,
    /// The number of columns of the longest layout.
    columns: usize,
    /// The nesting of values, and the items of their tuples and arrays.
    sizes: Sizes,
}

/// Bounds of all values of some types.
struct Sizes {
    /// The number of types in the longest chain, in which each type contains the next one.
    depth: usize,
    /// The largest number of items that the tuples and arrays of a value have, without those inside of
    /// lists.
    items: u64,
}

/// The columns of the entries of a list.
pub(crate) type Layout = Vec<Column>;

/// A column.
pub(crate) struct Column {
    pub(crate) form: Form,
    /// The index after the columns inside this one.
    pub(crate) next: usize,
}

/// The values of a column.
pub(crate) enum Form {
    /// Integers, and the number of bytes that each takes in memory.
    Int(Int, usize),
    /// Truth values.
    Bool,
    /// The same number of bytes for each value.
    Fixed(usize),
    /// Texts, or bytes if the flag is not set.
    Text(bool),
    /// Integers of 128 bits, as in rows.
    Wide,
    /// Whether there is a value.
    Option,
    /// The variants, and for each one the first column of its payload, or 0 if it has none.
    Enum(Box<[u32]>),
    /// Arrays of that length.
    Array(u64),
    /// The lengths of lists.
    List,
}

impl Layouts {
    /// Returns the layouts for all lists of those types, or `None` if values must be turned into rows. The types
    /// are those of a file of `len` bytes, or those of the program.
    pub(crate) fn new(
        types: &[Type<&str, TypeId>],
        splits: &Splits,
        len: Option<usize>,
    ) -> Option<Self> {
        let mut layouts = FxHashMap::default();
        let mut left = len.map_or(MOST, |len| MOST.min(EACH * FEW + len));
        for described in types {
            if let Type::Seq(item) | Type::Map(item) = described
                && splits.become_blocks(*item)
                && !layouts.contains_key(item)
            {
                let mut columns = Vec::new();
                add(splits, *item, &mut Vec::new(), &mut columns, &mut left)?;
                layouts.insert(*item, columns);
            }
        }
        let columns = layouts.values().map(Layout::len).max().unwrap_or(0);
        Some(Layouts { of: layouts, columns, sizes: Sizes::of(types)? })
    }

    /// Returns whether no value can nest too deep, and whether the columns take little memory beside a file of
    /// that length. It may be only the types that do not fit.
    pub(crate) fn fit(&self, len: usize, limits: &Limits) -> bool {
        /// The levels of nesting that a value can have for each type around it.
        const LEVELS: usize = 2;
        /// The number of bytes of a file for each column beyond these [`FEW`]: a column that is being loaded
        /// takes about 650 bytes.
        const BYTES: usize = 16;
        self.sizes.depth.saturating_mul(LEVELS) <= limits.depth
            && self.columns <= FEW.saturating_add(len / BYTES)
    }

    /// Returns whether no file of that length can have more elements than allowed.
    pub(crate) fn allow(&self, len: usize, limits: &Limits) -> bool {
        // A value in a column takes at least a bit.
        let values = (len as u64).saturating_mul(8).saturating_add(limits.empty_elements);
        values.saturating_mul(self.sizes.items.saturating_add(3)) <= limits.elements
    }

    /// Returns the layout for lists with entries of that type, if these become blocks.
    pub(crate) fn get(&self, item: TypeId) -> Option<&Layout> {
        self.of.get(&item)
    }
}

impl Sizes {
    /// Returns the bounds, or `None` if a type contains itself.
    fn of(types: &[Type<&str, TypeId>]) -> Option<Self> {
        let mut parts: Vec<Vec<usize>> = Vec::with_capacity(types.len());
        let mut holders = vec![0; types.len()];
        for described in types {
            let inner: Vec<_> = described.split().1.into_iter().filter_map(TypeId::index).collect();
            inner.iter().for_each(|part| holders[*part] += 1);
            parts.push(inner);
        }
        // Each type comes after all types that contain it.
        let mut order: Vec<usize> = (0..types.len()).filter(|at| holders[*at] == 0).collect();
        let mut depths = vec![1; types.len()];
        let mut next = 0;
        while let Some(at) = order.get(next).copied() {
            next += 1;
            for part in &parts[at] {
                depths[*part] = depths[*part].max(depths[at] + 1);
                holders[*part] -= 1;
                if holders[*part] == 0 {
                    order.push(*part);
                }
            }
        }
        if next < types.len() {
            return None;
        }
        let mut items = vec![0_u64; types.len()];
        for at in order.into_iter().rev() {
            let inner = |items: &[u64]| {
                parts[at].iter().fold(0_u64, |sum, part| sum.saturating_add(items[*part]))
            };
            items[at] = match &types[at] {
                Type::Seq(_) | Type::Map(_) => 0,
                Type::Tuple(own) => inner(&items).saturating_add(own.len() as u64),
                Type::Array(_, len) => inner(&items).saturating_add(1).saturating_mul(*len),
                _ => inner(&items),
            };
        }
        let (depth, items) = (depths.into_iter().max(), items.into_iter().max());
        Some(Sizes { depth: depth.unwrap_or(0), items: items.unwrap_or(0) })
    }
}

/// Returns whether values contain lists of items that take no bytes. Their lengths are limited, so each is
/// counted.
pub(crate) fn has_hollow_lists(layout: &Layout) -> bool {
    let mut columns = layout.iter().enumerate();
    columns.any(|(at, column)| matches!(column.form, Form::List) && column.next == at + 1)
}

impl Form {
    /// Returns the first column of the payload of a variant, if it has columns.
    #[inline]
    pub(crate) fn payload(&self, variant: usize) -> Option<usize> {
        let Form::Enum(payloads) = self else { return None };
        payloads.get(variant).filter(|first| **first > 0).map(|first| *first as usize)
    }
}

/// Returns the variants of an enum that have columns for their payloads, with the first of these
/// columns and the one after the last. `end` is the one after the last payload.
pub(crate) fn each_payload(
    payloads: &[u32],
    end: usize,
) -> impl Iterator<Item = (usize, usize, usize)> + Clone {
    let starts = payloads.iter().map(|first| *first as usize).enumerate();
    let starts = starts.filter(|(_, first)| *first > 0);
    let ends = starts.clone().map(|(_, first)| first).skip(1).chain([end]);
    starts.zip(ends).map(|((variant, first), end)| (variant, first, end))
}

/// Appends the columns of a type inside of other types. Returns `None` if there are too many, or values
/// that are stored as rows.
fn add(
    splits: &Splits,
    id: TypeId,
    around: &mut Vec<TypeId>,
    columns: &mut Layout,
    left: &mut usize,
) -> Option<()> {
    let (id, kind) = splits.kind(id, around);
    let at = columns.len();
    let variants = usize::try_from(splits.variants(id)).ok()?;
    *left = left.checked_sub(variants.checked_add(EACH)?)?;
    let form = match kind {
        Kind::Nothing => return Some(()),
        Kind::Int(int) => integer(id, int)?,
        Kind::Fixed(len) => Form::Fixed(len as usize),
        Kind::Text => Form::Text(id == TypeId::of(Primitive::Str)),
        Kind::Option => Form::Option,
        Kind::Enum if variants == 0 => return None,
        Kind::Enum => Form::Enum(vec![0; variants].into()),
        Kind::Array(len) => Form::Array(len),
        Kind::List => Form::List,
        Kind::Row if matches!(id.primitive(), Some(Primitive::U128 | Primitive::I128)) => {
            Form::Wide
        }
        Kind::Pointer | Kind::Row => return None,
        Kind::Group => {
            around.push(id);
            for (_, part) in splits.parts(id) {
                add(splits, *part, around, columns, left)?;
            }
            around.pop();
            return Some(());
        }
    };
    columns.push(Column { form, next: 0 });
    around.push(id);
    for (variant, part) in splits.parts(id) {
        let first = columns.len();
        add(splits, *part, around, columns, left)?;
        if let Form::Enum(payloads) = &mut columns[at].form {
            *payloads.get_mut(*variant as usize)? = first as u32;
        }
    }
    around.pop();
    columns[at].next = columns.len();
    Some(())
}

/// Returns the form of integers of a type.
fn integer(id: TypeId, int: Int) -> Option<Form> {
    Some(match id.wide().or(id.primitive())? {
        Primitive::Bool => Form::Bool,
        Primitive::U8 | Primitive::I8 => Form::Int(int, 1),
        Primitive::U16 | Primitive::I16 => Form::Int(int, 2),
        Primitive::U32 | Primitive::I32 | Primitive::Char => Form::Int(int, 4),
        Primitive::U64 | Primitive::I64 => Form::Int(int, 8),
        _ => return None,
    })
}
