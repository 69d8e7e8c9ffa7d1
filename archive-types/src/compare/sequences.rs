//! Lists, sets, arrays, tuples and maps that became others: all of them are sequences in a file.

use archive_core::{ErrorKind, Primitive};

use super::{Compare, Place};
use crate::parse::Content;
use crate::spelling::Spelling;

/// The items of a sequence.
enum Items<'c> {
    Any(&'c Spelling),
    Exactly(Vec<&'c Spelling>),
    Pairs(&'c Spelling, &'c Spelling),
    Bytes,
}

fn items(ty: &Spelling) -> Option<Items<'_>> {
    Some(match ty {
        Spelling::List(item) | Spelling::Set(item, _) => Items::Any(item),
        Spelling::Array(item, len) => Items::Exactly(vec![item; *len]),
        Spelling::Tuple(types) => Items::Exactly(types.iter().collect()),
        Spelling::Map(key, value, _) => Items::Pairs(key, value),
        Spelling::Primitive(Primitive::Bytes) => Items::Bytes,
        _ => return None,
    })
}

impl<'c> Compare<'c, '_> {
    pub(super) fn sequences(&mut self, place: Place<'_>, old: &'c Spelling, new: &'c Spelling) {
        let inside = Place(place.0, false);
        if let (Spelling::Named(name), Spelling::Map(key, value, _)) = (old, new)
            && let (Some(Content::Struct(members)), Spelling::Primitive(Primitive::Str)) =
                (self.old.get(name.as_str()).map(|it| &it.content), &**key)
        {
            for (_, ty) in members {
                self.types(place, ty, value);
            }
            return;
        }
        if let Spelling::Set(..) = new
            && !matches!(old, Spelling::Set(..))
        {
            self.noted(place, format_args!("`{old}` became `{new}`: equal elements are repeated"));
        }
        let (Some(from), Some(to)) = (items(old), items(new)) else {
            return self.wrong(place, old, new);
        };
        match (from, to) {
            (Items::Bytes, Items::Bytes) => {}
            (Items::Any(old), Items::Any(new)) => self.types(inside, old, new),
            (Items::Pairs(key, value), Items::Pairs(new_key, new_value)) => {
                self.types(inside, key, new_key);
                self.types(inside, value, new_value);
            }
            (Items::Exactly(old), Items::Exactly(new)) if old.len() == new.len() => {
                old.into_iter().zip(new).for_each(|(old, new)| self.types(place, old, new));
            }
            (Items::Exactly(from), Items::Exactly(to)) => {
                let message = format_args!("{} items became {}", from.len(), to.len());
                self.fails(place, ErrorKind::WrongLength, message);
            }
            (Items::Exactly(old), Items::Any(new)) => {
                old.into_iter().for_each(|old| self.types(place, old, new));
            }
            (Items::Any(item), Items::Exactly(to)) => {
                let message = format_args!("`{old}` became `{new}`");
                self.may_fail(place, ErrorKind::WrongLength, message);
                to.into_iter().for_each(|new| self.types(inside, item, new));
            }
            (Items::Pairs(key, value), Items::Any(Spelling::Tuple(pair))) if pair.len() == 2 => {
                self.types(inside, key, &pair[0]);
                self.types(inside, value, &pair[1]);
            }
            (Items::Any(Spelling::Tuple(pair)), Items::Pairs(key, value)) if pair.len() == 2 => {
                let message = format_args!("`{old}` became `{new}`");
                self.may_fail(place, ErrorKind::DuplicateMember, message);
                self.types(inside, &pair[0], key);
                self.types(inside, &pair[1], value);
            }
            (Items::Bytes, Items::Any(Spelling::Primitive(item))) => {
                self.scalars(inside, Primitive::U8, *item);
            }
            (Items::Any(Spelling::Primitive(item)), Items::Bytes) => {
                self.scalars(inside, *item, Primitive::U8);
            }
            _ => self.fails(inside, ErrorKind::WrongType, format_args!("`{old}` became `{new}`")),
        }
    }
}
