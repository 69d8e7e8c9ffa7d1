//! [`StoredTypes`]: the types of a file as text, for a tool that reads it value by value.

use std::borrow::Cow;

use archive_describe::Text;

use super::SPELLED;
use super::types::FileTypes;
use crate::read_tables::Tables;
use crate::types::TypeId;

/// The types of a file as text, by their numbers.
pub(crate) struct StoredTypes(Vec<String>);

/// Formats the types of a file. Types after the limit of the work have no text.
pub(crate) fn stored_types(tables: &Tables<'_>) -> StoredTypes {
    let types = FileTypes::new(tables);
    // A byte of a table is part of one type, or names one.
    types.allow(SPELLED.0 * tables.types() as u64 + SPELLED.1);
    let mut text = Text::new(&types, true);
    // In the same order as `spell`, so that classes have the same names in both.
    for id in types.named() {
        if text.refer(id).is_err() {
            break;
        }
    }
    let all = (0..tables.types()).map(TypeId::at_index);
    StoredTypes(all.map(|id| text.of(id).unwrap_or_default()).collect())
}

impl StoredTypes {
    /// Returns the text of a type, unless its values are self-describing.
    pub(crate) fn of(&self, id: TypeId) -> Option<Cow<'_, str>> {
        if let Some(primitive) = id.primitive().or_else(|| id.wide()) {
            return Some(primitive.name().into());
        }
        match id {
            TypeId::POINTER => Some("Pointer<dyn>".into()),
            TypeId::WEAK => Some("Weak".into()),
            TypeId::DYN => Some("dyn".into()),
            id => self.0.get(id.index()?).filter(|text| !text.is_empty()).map(|text| text.into()),
        }
    }
}
