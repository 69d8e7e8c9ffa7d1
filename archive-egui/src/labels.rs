//! [`Labels`]: the members whose labels contain a text. Paths have names, and people see labels.

use std::collections::{BTreeSet, HashSet};

use archive::reflect::{MemberMeta, Meta, Metas};
use archive::{Options, Polymorphic, Registry};

use crate::search::contains;

/// The number of types that are looked at: some programs make types without end.
const MOST: usize = 10_000;

/// The names of the members whose labels contain a text.
#[derive(Debug, Default)]
pub(crate) struct Labels(BTreeSet<String>);

impl Labels {
    /// Looks at the labels in the type of the value, and in those of the registry.
    pub(crate) fn containing(query: &str, value: &dyn Polymorphic, options: &Options<'_>) -> Self {
        let registry = options.settings().registry().cloned().or_else(Registry::installed);
        let mut types: Vec<Meta> = match &registry {
            Some(registry) => registry.metas().into_iter().map(|(_, meta)| meta).collect(),
            None => Vec::new(),
        };
        types.push(Meta::of_value(value));
        let (mut known, mut labels) = (HashSet::new(), Labels::default());
        while let Some(meta) = types.pop() {
            if known.len() >= MOST || !known.insert(meta.name()) {
                continue;
            }
            let variants = meta.variants();
            let members = meta.members().into_iter();
            for member in members.chain(variants.iter().flat_map(|one| one.members())) {
                labels.look(&member, query);
                types.push(member.meta().clone());
            }
            for property in meta.properties() {
                if contains(property.label(), query) {
                    labels.0.insert(property.name().to_owned());
                }
            }
            types.extend(variants.iter().flat_map(|one| one.items()));
            types.extend(meta.item().into_iter().chain(meta.items()));
        }
        labels
    }

    fn look(&mut self, member: &MemberMeta, query: &str) {
        if contains(member.label(), query) {
            self.0.insert(member.name().to_owned());
        }
    }

    pub(crate) fn contain(&self, name: &str) -> bool {
        self.0.contains(name)
    }
}
