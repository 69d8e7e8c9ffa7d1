//! Saves parts of several values at once in [`Columns`](crate::model::columns::Columns).
// Why: docs/decisions/binary.md#columns-are-a-second-form-of-rows

use crate::model::columns::GROUP;
use crate::model::error::Result;
use crate::model::reserved::check_name;
use crate::model::shape::Shape;
use crate::visit::archive::Archive;
use crate::visit::serialize::Save;
use crate::visit::serialize::bodies::columns;

/// Saves the values of options that have one, and moves to the column `end`.
#[inline(always)]
pub fn some_of<'t, T: Save + 't, A: Archive>(
    values: impl ExactSizeIterator<Item = Option<&'t T>>,
    end: usize,
    ar: &mut A,
) -> Result {
    // Each is written, and the next one replaces it if it is `None`: no branch depends on it.
    let (mut some, mut len) = ([None; GROUP], 0);
    for value in values {
        some[len % GROUP] = value;
        len += usize::from(value.is_some());
    }
    if let [Some(first), ..] = some {
        T::save_group(&some.map(|value| value.unwrap_or(first))[..len.clamp(1, GROUP)], ar)?;
    }
    columns(ar)?.at = end;
    Ok(())
}

/// Saves the items of lists, after the lengths of the lists.
#[inline]
pub fn items_of<'t, T: Save + 't, A: Archive>(
    lists: impl ExactSizeIterator<Item = &'t [T]> + Clone,
    ar: &mut A,
) -> Result {
    let columns = columns(ar)?;
    let end = columns.end_of(columns.at);
    let sum = columns.lens(lists.clone().map(<[T]>::len)) as u64;
    let (session, options) = ar.parts_mut();
    session.count_all(sum, options)?;
    all_items(lists, end, ar)
}

/// Saves the items of lists, and moves to the column `end`.
#[inline]
pub fn all_items<'t, T: Save + 't, A: Archive>(
    lists: impl Iterator<Item = &'t [T]> + Clone,
    end: usize,
    ar: &mut A,
) -> Result {
    let columns = columns(ar)?;
    let start = columns.at;
    if let Shape::Primitive(number, _) = T::SHAPE
        && lists.clone().all(|list| T::block_of(list).is_some())
    {
        columns.blocks(lists.filter_map(T::block_of), *number);
    } else if let Some(first) = lists.clone().find_map(<[T]>::first) {
        let (mut group, mut len) = ([first; GROUP], 0);
        for mut list in lists {
            while !list.is_empty() {
                let (items, rest) = list.split_at(list.len().min(GROUP - len));
                group[len..].iter_mut().zip(items).for_each(|(to, item)| *to = item);
                (len, list) = (len + items.len(), rest);
                if len == GROUP {
                    self::columns(ar)?.at = start;
                    T::save_group(&group, ar)?;
                    len = 0;
                }
            }
        }
        if len > 0 {
            self::columns(ar)?.at = start;
            T::save_group(&group[..len], ar)?;
        }
    }
    self::columns(ar)?.at = end;
    Ok(())
}

/// Saves the members of objects.
#[inline]
pub fn group_of<T: Save, A: Archive>(ar: &mut A, save: impl FnOnce(&mut A) -> Result) -> Result {
    let Shape::Class(class) = T::SHAPE else { return save(ar) };
    for member in class.members.unwrap_or_default() {
        check_name(member.name)?;
    }
    let outer = ar.session_mut().set_version(class.version);
    save(ar)?;
    ar.session_mut().set_version(outer);
    Ok(())
}

/// Saves the items of tuples.
#[inline]
pub fn tuples<A: Archive>(
    items: usize,
    group: usize,
    ar: &mut A,
    save: impl FnOnce(&mut A) -> Result,
) -> Result {
    let (session, options) = ar.parts_mut();
    session.count_all((items * group) as u64, options)?;
    save(ar)
}
