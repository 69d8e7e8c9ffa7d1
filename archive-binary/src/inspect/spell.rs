//! [`spell`]: formats the types of a file as text.

use std::collections::HashMap;
use std::fmt;

use archive_describe::{Carried, Content, Text, Types as _};

use super::types::FileTypes;
use super::{MemberInfo, PayloadInfo, RegisteredType, TypeContent, TypeInfo, VariantInfo};
use crate::read_tables::Tables;
use crate::types::{Type, TypeId};

/// The types of a file as text.
pub(super) struct Spelled<'a> {
    pub(super) types: Vec<TypeInfo<'a>>,
    pub(super) root: String,
    pub(super) registered: Vec<RegisteredType<'a>>,
}

/// Formats the types of a file.
///
/// # Errors
/// An error if the text exceeds the limit.
pub(super) fn spell<'a>(
    tables: &Tables<'a>,
    types: &FileTypes<'_, 'a>,
) -> Result<Spelled<'a>, fmt::Error> {
    let mut text = Text::new(types, true);
    let names: Vec<String> = types.named().map(|id| text.refer(id)).collect::<Result<_, _>>()?;
    let mut layouts = HashMap::new();
    for (number, class) in tables.layouts.iter().enumerate() {
        layouts.entry(*class).or_insert(number);
    }
    let mut infos = Vec::with_capacity(names.len());
    let mut speller = Speller { tables, types, text };
    for (id, name) in types.named().zip(names) {
        let content = match tables.get(id) {
            Some(Type::Enum { variants, .. }) => {
                TypeContent::Enum { variants: speller.variants(id, variants)? }
            }
            Some(Type::Class { version, members, .. }) => TypeContent::Class {
                version: *version,
                members: speller.members(members)?,
                layout: layouts.get(&id).copied(),
            },
            _ => continue,
        };
        infos.push(TypeInfo { name, content, signature: None });
    }
    let mut text = speller.text;
    let root = text.of(tables.root)?;
    let registered =
        tables.pointee_types.iter().filter_map(|pointee| Some((pointee.name?, pointee.kind)));
    let registered = registered
        .map(|(id, kind)| {
            types.spend(id.len());
            Ok(RegisteredType { id, ty: text.of(kind)? })
        })
        .collect::<Result<_, _>>()?;
    Ok(Spelled { types: infos, root, registered })
}

/// Formats the members and variants of classes and enums.
struct Speller<'s, 't, 'a> {
    tables: &'s Tables<'a>,
    types: &'s FileTypes<'t, 'a>,
    text: Text<'s, FileTypes<'t, 'a>>,
}

impl<'a> Speller<'_, '_, 'a> {
    fn members(
        &mut self,
        members: &[(&'a str, TypeId)],
    ) -> Result<Vec<MemberInfo<'a>>, fmt::Error> {
        let info = |(name, id): &(&'a str, TypeId)| {
            self.types.spend(name.len());
            Ok(MemberInfo { name, ty: self.text.of(*id)? })
        };
        members.iter().map(info).collect()
    }

    fn variants(
        &mut self,
        id: TypeId,
        variants: &[(&'a str, Option<TypeId>)],
    ) -> Result<Vec<VariantInfo<'a>>, fmt::Error> {
        let Content::Enum(carried) = self.types.content(id) else { return Ok(Vec::new()) };
        let info = |((name, payload), (_, carried)): (&(&'a str, Option<TypeId>), _)| {
            let payload = match (carried, payload.and_then(|id| self.tables.get(id))) {
                (Carried::Nothing, _) => PayloadInfo::Unit,
                (Carried::Members(_), Some(Type::Class { members, .. })) => {
                    PayloadInfo::Members(self.members(members)?)
                }
                (Carried::Members(_), _) => PayloadInfo::Members(Vec::new()),
                (Carried::Tuple(items), _) => PayloadInfo::Values(self.text.of_tuple(&items)?),
                (Carried::Value(value), _) => {
                    PayloadInfo::Values(format!("({})", self.text.of(value)?))
                }
            };
            Ok(VariantInfo { name, payload })
        };
        variants.iter().zip(carried).map(info).collect()
    }
}
