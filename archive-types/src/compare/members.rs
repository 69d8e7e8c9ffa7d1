//! Members and variants that became others.

use std::collections::BTreeSet;

use archive_core::ErrorKind;

use super::{Compare, Place};
use crate::file::{MemberFile, Text, TypeFile};
use crate::parse::{Carried, Content, Definition, Definitions, Members};
use crate::spelling::Spelling;

impl<'c> Compare<'c, '_> {
    /// Returns members with those of flattened ones in their places.
    pub(super) fn all<'m>(
        &self,
        members: &'m Members<'m>,
        types: &'m Definitions<'m>,
    ) -> Vec<(&'m MemberFile, &'m Spelling)> {
        let mut all = Vec::new();
        flatten(members, types, &mut all, 0);
        all
    }

    pub(super) fn members(
        &mut self,
        path: &str,
        old: &[(&'c MemberFile, &'c Spelling)],
        new: &[(&'c MemberFile, &'c Spelling)],
    ) {
        let mut taken = BTreeSet::new();
        for (file, ty) in new {
            let path = format!("{path}.{}", *file.name);
            let find = |name: &str| old.iter().position(|(old, _)| **old.name == *name);
            let found =
                find(&file.name).or_else(|| file.aliases.iter().find_map(|alias| find(alias)));
            match found {
                Some(at) => {
                    taken.insert(at);
                    self.types(Place(&path, true), old[at].1, ty);
                }
                None if file.required => {
                    self.fails(Place(&path, true), ErrorKind::MissingMember, "added, and required");
                }
                None if file.skip_if_default => {}
                None => self
                    .noted(Place(&path, true), "added: absent in old files, so it has its default"),
            }
        }
        for (at, (file, _)) in old.iter().enumerate() {
            if !taken.contains(&at) {
                let path = format!("{path}.{}", *file.name);
                self.noted(Place(&path, true), "removed: unknown in old files, and skipped");
            }
        }
    }

    pub(super) fn variants(
        &mut self,
        path: &str,
        (old, carried): (&'c Definition<'_>, &'c [Carried<'c>]),
        (new, to): (&'c Definition<'_>, &'c [Carried<'c>]),
    ) {
        for (file, carried) in old.file.variants.iter().zip(carried) {
            let path = format!("{path}.{}", *file.name);
            let place = Place(&path, false);
            let by_name = new.file.variants.iter().position(|it| *it.name == *file.name);
            let by_alias = || {
                let has = |aliases: &[Text]| aliases.iter().any(|it| **it == **file.name);
                new.file.variants.iter().position(|it| has(&it.aliases))
            };
            match by_name.or_else(by_alias) {
                Some(at) => self.carried(place, carried, &to[at]),
                None if new.file.variants.iter().any(|it| it.other) => {
                    self.noted(
                        place,
                        "removed: unknown in old files, and the variant of other names",
                    );
                }
                None => self.fails(place, ErrorKind::UnknownVariant, "removed"),
            }
        }
    }

    /// A tag that is added is read in both forms. Binary files have no tags.
    pub(super) fn tags(&mut self, path: &str, old: &TypeFile, new: &TypeFile) {
        let (from, to) = ((&old.tag, &old.content), (&new.tag, &new.content));
        if !old.tag.is_empty() && from != to {
            let message = "the tag changed, which text files have";
            self.may_fail(Place(path, false), ErrorKind::UnknownVariant, message);
        }
    }

    fn carried(&mut self, place: Place<'_>, old: &'c Carried<'c>, new: &'c Carried<'c>) {
        let old_types = self.old;
        let new_types = self.new;
        match (old, new) {
            (Carried::Nothing, Carried::Nothing) => {}
            (Carried::Nothing, _) => self.noted(place, "got a value: absent in old files"),
            (_, Carried::Nothing) => {
                self.noted(place, "lost its value: unknown in old files, and skipped")
            }
            (Carried::One(old), Carried::One(new)) => self.types(place, old, new),
            (Carried::Several(old), Carried::Several(new)) => {
                if old.len() == new.len() {
                    old.iter().zip(new).for_each(|(old, new)| self.types(place, old, new));
                } else {
                    self.fails(place, ErrorKind::WrongLength, "has another number of values");
                }
            }
            _ => match (members_of(old, old_types), members_of(new, new_types)) {
                (Some(old), Some(new)) => {
                    let (old, new) = (self.all(old, old_types), self.all(new, new_types));
                    self.members(place.0, &old, &new);
                }
                _ => self.fails(place, ErrorKind::WrongType, "carries something else"),
            },
        }
    }
}

/// Returns the members of a variant, or those of the struct that it carries.
fn members_of<'c>(carried: &'c Carried<'c>, types: &'c Definitions<'c>) -> Option<&'c Members<'c>> {
    match carried {
        Carried::Members(members) => Some(members),
        Carried::One(Spelling::Named(name)) => match types.get(name.as_str()).map(|it| &it.content)
        {
            Some(Content::Struct(members)) => Some(members),
            _ => None,
        },
        _ => None,
    }
}

fn flatten<'m>(
    members: &'m Members<'m>,
    types: &'m Definitions<'m>,
    into: &mut Vec<(&'m MemberFile, &'m Spelling)>,
    depth: usize,
) {
    for (file, ty) in members {
        let inner = match ty {
            Spelling::Named(name) if file.flatten => types.get(name.as_str()).map(|it| &it.content),
            _ => None,
        };
        match inner {
            Some(Content::Struct(inner)) if depth < crate::limits::NESTING => {
                flatten(inner, types, into, depth + 1);
            }
            _ => into.push((file, ty)),
        }
    }
}
