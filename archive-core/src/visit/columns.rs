//! Saves parts of several values at once in [`Columns`](crate::model::columns::Columns).
// Why: docs/decisions/binary.md#columns-are-a-second-form-of-rows

use crate::model::columns::GROUP;
use crate::model::error::Result;
use crate::model::reserved::check_name;
use crate::model::shape::Shape;
use crate::visit::archive::Archive;
use crate::visit::serialize::Save;
use crate::visit::serialize::bodies::columns;

/// Saves a part of each value of a group, which has at most [`GROUP`] values.
#[inline(always)]
pub fn part_of<S, T: Save, A: Archive>(
    group: &[&S],
    part: impl Fn(&S) -> &T,
    ar: &mut A,
) -> Result {
    let Some(first) = group.first() else { return Ok(()) };
    let mut parts = [part(first); GROUP];
    parts.iter_mut().zip(group).for_each(|(to, value)| *to = part(value));
    T::save_group(&parts[..group.len().min(GROUP)], ar)
}

/// Saves any number of parts of values, and moves to the column `end`.
#[inline]
pub fn all_of<'t, T: Save + 't, A: Archive>(
    mut parts: impl Iterator<Item = &'t T>,
    end: usize,
    ar: &mut A,
) -> Result {
    let start = columns(ar)?.at;
    let save = |group: &[&T], ar: &mut A| {
        columns(ar)?.at = start;
        T::save_group(group, ar)
    };
    if let Some(first) = parts.next() {
        let (mut group, mut len) = ([first; GROUP], 1);
        for part in parts {
            if len == GROUP {
                save(&group, ar)?;
                len = 0;
            }
            group[len] = part;
            len += 1;
        }
        save(&group[..len], ar)?;
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
    session.enter(options)?;
    session.count_all(sum, options)?;
    all_items(lists, end, ar)?;
    ar.session_mut().leave();
    Ok(())
}

/// Saves the items of lists, and moves to the column `end`.
#[inline]
pub fn all_items<'t, T: Save + 't, A: Archive>(
    lists: impl Iterator<Item = &'t [T]>,
    end: usize,
    ar: &mut A,
) -> Result {
    let Shape::Primitive(number, _) = T::SHAPE else { return all_of(lists.flatten(), end, ar) };
    let start = columns(ar)?.at;
    for list in lists {
        columns(ar)?.at = start;
        match T::block_of(list) {
            Some(block) => columns(ar)?.block(block, *number),
            None => all_of(list.iter(), end, ar)?,
        }
    }
    columns(ar)?.at = end;
    Ok(())
}

/// Saves the members of objects.
#[inline]
pub fn group_of<T: Save, A: Archive>(ar: &mut A, save: impl FnOnce(&mut A) -> Result) -> Result {
    let Shape::Class(class) = T::SHAPE else { return save(ar) };
    for member in class.members.unwrap_or_default() {
        check_name(member.name)?;
    }
    let (session, options) = ar.parts_mut();
    session.enter_object(class, options)?;
    save(ar)?;
    ar.session_mut().leave_object(class);
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
    let count = (items * group) as u64;
    let (session, options) = ar.parts_mut();
    session.enter(options)?;
    session.count_all(count, options)?;
    save(ar)?;
    ar.session_mut().leave();
    Ok(())
}
