//! [`FileTypes`]: the types of a file, for the code that formats descriptions.

use std::borrow::Cow;
use std::cell::Cell;

use archive_core::__private::plain_name;
use archive_describe::{Carried, Content, Form, Members, Types};

use crate::read_tables::Tables;
use crate::types::{Type, TypeId};

/// The cost of a query in addition to the cost of its result.
const QUESTION: u64 = 8;

/// The types of a file. Queries are counted, because a few bytes can refer to a long name any
/// number of times.
pub(super) struct FileTypes<'t, 'a> {
    tables: &'t Tables<'a>,
    /// For each type, whether it only contains the members of a variant.
    inline: Vec<bool>,
    /// The number of names, letters and components that may still be queried.
    left: Cell<u64>,
    /// Whether a type was encountered whose members the tables do not list.
    open: Cell<bool>,
}

impl<'t, 'a> FileTypes<'t, 'a> {
    /// The types in a file's tables.
    pub(super) fn new(tables: &'t Tables<'a>) -> Self {
        let inline = inline(tables);
        FileTypes { tables, inline, left: Cell::new(0), open: Cell::new(false) }
    }

    /// Sets the number of names, letters and components that may be queried.
    pub(super) fn allow(&self, parts: u64) {
        self.left.set(parts);
    }

    /// Returns and resets whether an object was encountered whose members are stored only with the
    /// object.
    pub(super) fn take_open(&self) -> bool {
        self.open.replace(false)
    }

    /// Returns the classes and enums in the order of their numbers, except members of variants.
    pub(super) fn named(&self) -> impl Iterator<Item = TypeId> {
        let named = |(index, inline): (usize, &bool)| {
            let id = TypeId::at_index(index);
            let named = matches!(self.tables.get(id), Some(Type::Class { .. } | Type::Enum { .. }));
            (named && !inline).then_some(id)
        };
        self.inline.iter().enumerate().filter_map(named)
    }

    /// Counts a query, and the letters or components in its result.
    pub(super) fn spend(&self, parts: usize) {
        self.left.set(self.left.get().saturating_sub(QUESTION + parts as u64));
    }

    fn members(&self, members: &'t [(&'a str, TypeId)]) -> Members<'t, TypeId> {
        members.iter().for_each(|(name, _)| self.spend(name.len()));
        let list = members.iter().map(|(name, id)| (Cow::Borrowed(*name), *id)).collect();
        Members { list, whole: true }
    }

    fn carried(&self, payload: TypeId) -> Carried<'t, TypeId> {
        match self.tables.get(payload) {
            Some(Type::Class { members, .. }) if self.is_inline(payload) => {
                Carried::Members(self.members(members))
            }
            Some(Type::Tuple(items)) => {
                self.spend(items.len());
                Carried::Tuple(items.clone())
            }
            _ => Carried::Value(payload),
        }
    }

    fn is_inline(&self, id: TypeId) -> bool {
        id.index().and_then(|index| self.inline.get(index)).copied().unwrap_or(false)
    }
}

impl Types for FileTypes<'_, '_> {
    type Type = TypeId;
    type Key = TypeId;

    fn form(&self, id: TypeId) -> Form<TypeId> {
        self.spend(0);
        if let Some(primitive) = id.primitive().or_else(|| id.wide()) {
            return Form::Simple(primitive.name());
        }
        match self.tables.get(id) {
            Some(Type::Seq(item)) => Form::Generic("Vec", vec![*item]),
            Some(Type::Option(value)) => Form::Generic("Option", vec![*value]),
            Some(Type::Pointer(pointee)) => Form::Generic("Pointer", vec![*pointee]),
            Some(Type::Map(entry)) => match self.tables.get(*entry) {
                Some(Type::Tuple(pair)) => {
                    self.spend(pair.len());
                    Form::Generic("Map", pair.clone())
                }
                _ => Form::Generic("Map", vec![*entry]),
            },
            Some(Type::Array(item, len)) => Form::Array(*item, *len),
            Some(Type::Tuple(items)) => {
                self.spend(items.len());
                Form::Tuple(items.clone())
            }
            Some(Type::Class { name, .. } | Type::Enum { name, .. }) => {
                self.spend(name.len());
                Form::Named
            }
            None => Form::Simple(match id {
                TypeId::POINTER => "Pointer<dyn>",
                TypeId::WEAK => "Weak",
                TypeId::DYN => "dyn",
                TypeId::ANY => "any",
                _ => {
                    self.open.set(true);
                    "object"
                }
            }),
        }
    }

    fn key(&self, id: TypeId) -> TypeId {
        id
    }

    fn name(&self, id: TypeId) -> String {
        match self.tables.get(id) {
            Some(Type::Class { name, .. } | Type::Enum { name, .. }) => {
                self.spend(name.len());
                // Names come from the file, and the text may be shown in a terminal.
                let plain = plain_name(name);
                match plain.contains(char::is_control) {
                    true => plain.escape_debug().to_string(),
                    false => plain,
                }
            }
            _ => String::new(),
        }
    }

    fn content(&self, id: TypeId) -> Content<'_, TypeId> {
        match self.tables.get(id) {
            Some(Type::Class { version, members, .. }) => {
                Content::Class(*version, self.members(members))
            }
            Some(Type::Enum { variants, .. }) => {
                variants.iter().for_each(|(name, _)| self.spend(name.len()));
                let carried = |payload: &Option<TypeId>| match payload {
                    Some(payload) => self.carried(*payload),
                    None => Carried::Nothing,
                };
                Content::Enum(variants.iter().map(|(name, of)| (*name, carried(of))).collect())
            }
            _ => Content::Enum(Vec::new()),
        }
    }

    fn exhausted(&self) -> bool {
        self.left.get() == 0
    }
}

/// Returns for each type whether it only contains the members of a variant: a class with the
/// variant's name that is used nowhere else.
fn inline(tables: &Tables<'_>) -> Vec<bool> {
    let mut inline = vec![false; tables.types()];
    let mut elsewhere = vec![false; tables.types()];
    let roots =
        tables.layouts.iter().chain(tables.pointee_types.iter().map(|pointee| &pointee.kind));
    let roots = roots.chain([&tables.root]).copied();
    let mut note = |id: TypeId, variant: Option<&str>| {
        let Some(index) = id.index() else { return };
        match (tables.get(id), variant) {
            (Some(Type::Class { name, .. }), Some(variant)) if *name == variant => {
                inline[index] = true;
            }
            _ => elsewhere[index] = true,
        }
    };
    roots.for_each(|root| note(root, None));
    for index in 0..tables.types() {
        match tables.get(TypeId::at_index(index)) {
            Some(Type::Enum { variants, .. }) => {
                for (name, payload) in variants {
                    payload.iter().for_each(|payload| note(*payload, Some(name)));
                }
            }
            Some(described) => described.split().1.into_iter().for_each(|part| note(part, None)),
            None => {}
        }
    }
    inline.into_iter().zip(elsewhere).map(|(inline, elsewhere)| inline && !elsewhere).collect()
}
