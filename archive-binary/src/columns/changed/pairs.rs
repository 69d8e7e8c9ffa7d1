//! [`Pairs`]: finds the lists of a file whose columns the program can use, although types have changed.

use archive_core::Limits;
use archive_core::shape::{Absence, Class, Shape};
use rustc_hash::{FxHashMap, FxHashSet};

use super::arrange::{Side, Source, arranged};
use crate::columnar::{Layout, Layouts, has_hollow_lists};
use crate::implied::Implied;
use crate::read_tables::Tables;
use crate::shapes::{Described, ShapeRef};
use crate::types::{Type, TypeId};

/// The entries of lists in the program.
pub(super) struct Entries {
    pub(super) item: ShapeRef,
    /// Where the program's columns are in the file.
    pub(super) sources: Vec<Source>,
}

/// The types of a file and of the program, side by side.
pub(super) struct Pairs<'t, 'a> {
    tables: &'t Tables<'a>,
    /// The columns of the file.
    layouts: &'t Layouts,
    /// The length of the file, and the limits of the load.
    limits: (usize, &'t Limits),
    /// The entries of the lists that were found; `None` if the program has several types for them.
    found: FxHashMap<TypeId, Option<Entries>>,
}

impl<'t, 'a> Pairs<'t, 'a> {
    /// Returns the entries of all lists inside a root whose columns the program can use, by their types in
    /// the file.
    pub(super) fn find(
        tables: &'t Tables<'a>,
        layouts: &'t Layouts,
        root: ShapeRef,
        limits: (usize, &'t Limits),
    ) -> FxHashMap<TypeId, Entries> {
        // The entries of maps have the types of items, but no gaps.
        let maps = tables.all_types().0.iter().filter_map(|it| match it {
            Type::Map(entry) => Some((*entry, None)),
            _ => None,
        });
        let mut pairs = Pairs { tables, layouts, limits, found: maps.collect() };
        let (mut open, mut seen) = (vec![(tables.root, root)], FxHashSet::default());
        while let Some((file, own)) = open.pop() {
            if seen.insert((file, own)) {
                pairs.open(file, own, &mut open);
            }
        }
        let found = pairs.found.into_iter();
        found.filter_map(|(item, entries)| Some((item, entries?))).collect()
    }

    /// Adds the components that are loaded from each other.
    fn open(&mut self, file: TypeId, own: ShapeRef, open: &mut Vec<(TypeId, ShapeRef)>) {
        let Described::Compound(described) = own.describe() else { return };
        match (self.tables.get(file), described) {
            (Some(Type::Seq(item)), Type::Seq(own_item)) => {
                if let ShapeRef::Shape(list) = own {
                    self.add(*item, own_item, list);
                }
                open.push((*item, own_item));
            }
            (Some(Type::Map(item)), Type::Map(own))
            | (Some(Type::Option(item)), Type::Option(own))
            | (Some(Type::Array(item, _)), Type::Array(own, _)) => open.push((*item, own)),
            (_, Type::Option(own)) => open.push((file, own)),
            (Some(Type::Tuple(items)), Type::Tuple(own)) => {
                open.extend(items.iter().copied().zip(own));
            }
            (Some(Type::Class { members, .. }), Type::Class { members: own_members, .. }) => {
                let ShapeRef::Class(class) = own else { return };
                let Some(found) = members_of(members, class, own_members.len()) else { return };
                for (at, (_, own)) in found.into_iter().zip(own_members) {
                    open.extend(at.map(|at| (members[at].1, own)));
                }
            }
            (Some(Type::Enum { variants, .. }), Type::Enum { variants: own_variants, .. }) => {
                let ShapeRef::Shape(Shape::Enum(info)) = own else { return };
                for (name, payload) in variants {
                    let own = info.find(name).and_then(|index| own_variants.get(index)?.1);
                    open.extend(payload.zip(own));
                }
            }
            _ => {}
        }
    }

    /// Adds the entries of a list.
    fn add(&mut self, item: TypeId, own: ShapeRef, list: &'static Shape) {
        let Some(layout) = self.layouts.get(item) else { return };
        match self.found.get(&item) {
            Some(Some(known)) if known.item == own => {}
            Some(_) => drop(self.found.insert(item, None)),
            None => {
                let entries = self.entries(item, own, (list, layout));
                self.found.insert(item, entries);
            }
        }
    }

    fn entries(
        &self,
        item: TypeId,
        own: ShapeRef,
        (list, layout): (&'static Shape, &Layout),
    ) -> Option<Entries> {
        let types = Implied::of(list);
        let Type::Seq(own_item) = types.types.get(types.root.index()?)? else { return None };
        let (len, limits) = self.limits;
        let layouts = types.layouts()?;
        if !layouts.fit(len, limits) || !layouts.allow(len, limits) {
            return None;
        }
        let own_layout = layouts.get(*own_item)?;
        if has_hollow_lists(layout) || has_hollow_lists(own_layout) {
            return None;
        }
        let (all, takes_bytes) = self.tables.all_types();
        let file = Side { types: all, takes_bytes, layout };
        let own_side =
            Side { types: &types.types, takes_bytes: &types.takes_bytes, layout: own_layout };
        let sources = arranged((file, item), (own_side, *own_item), own)?;
        Some(Entries { item: own, sources })
    }
}

/// Returns the indices in the file of the members of a class. Returns `None` if the members of a class cannot
/// be found once and for all.
pub(super) fn members_of(
    members: &[(&str, TypeId)],
    class: &'static Class,
    own: usize,
) -> Option<Vec<Option<usize>>> {
    let all = class.members.filter(|all| all.len() == own)?;
    let mut found: Vec<Option<usize>> = Vec::with_capacity(own);
    for member in all {
        let of = |name: &str| members.iter().position(|(member, _)| *member == name);
        let at = of(member.name).or_else(|| member.aliases.iter().find_map(|name| of(name)));
        let is_lost = at.is_none() && member.absence == Absence::Refused;
        if is_lost || member.flatten || at.is_some() && found.contains(&at) {
            return None;
        }
        found.push(at);
    }
    Some(found)
}
