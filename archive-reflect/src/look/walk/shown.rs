//! [`Unshown`]: the members that tools do not show, by the functions of `show_if`.

use std::any::Any;

use archive_core::path::{Path, Step};
use archive_core::shape::{About, Facts, Payload, Shape};

/// The members on a path that tools do not show.
#[derive(Default)]
pub(in crate::look) struct Unshown {
    /// The number of steps to the object, and the name of its member.
    members: Vec<(usize, &'static str)>,
    /// The variant and the name, for the enum that begins.
    of_enum: Vec<(&'static str, &'static str)>,
}

impl Unshown {
    /// Notes the members of a value that begins after that many steps.
    pub(in crate::look) fn enter(
        &mut self,
        steps: usize,
        object: &dyn Any,
        shape: &'static Shape,
        about: &'static About,
    ) {
        let is_hidden = |facts: &Facts| facts.show_if.is_some_and(|test| !test(object));
        match shape {
            Shape::Enum(info) => {
                let variants = info.variants.iter().flat_map(|variant| match &variant.payload {
                    Payload::Struct(class) => {
                        let members = class.members.unwrap_or_default();
                        members.iter().map(|member| (variant.name, member)).collect()
                    }
                    _ => Vec::new(),
                });
                let hidden = variants.filter(|(_, member)| is_hidden(member.field.facts));
                self.of_enum = hidden.map(|(variant, member)| (variant, member.name)).collect();
            }
            Shape::Class(class) => {
                let members = class.members.unwrap_or(about.members).iter();
                let members = members.map(|member| (member.name, member.field.facts));
                let properties = about.properties.iter();
                let all = members.chain(properties.map(|one| (one.name, one.facts)));
                let hidden = all.filter(|(_, facts)| is_hidden(facts));
                self.members.extend(hidden.map(|(name, _)| (steps, name)));
            }
            _ => {}
        }
    }

    /// Notes the variant of the enum that begins. Its members are after that many steps.
    pub(super) fn choose(&mut self, variant: &str, steps: usize) {
        let of_enum = std::mem::take(&mut self.of_enum);
        let of_variant = of_enum.into_iter().filter(|(of, _)| *of == variant);
        self.members.extend(of_variant.map(|(_, name)| (steps, name)));
    }

    /// Keeps the members of a variant of the enum that begins, for a visit that begins at them. An enum may begin twice.
    pub(in crate::look) fn keep_variant(&mut self, variant: &str) {
        let of_enum = self.of_enum.clone();
        self.members.clear();
        self.choose(variant, 0);
        self.of_enum = of_enum;
    }

    /// Forgets the members of values that are further than that many steps away.
    pub(super) fn leave(&mut self, steps: usize) {
        self.members.retain(|(of, _)| *of <= steps);
    }

    /// Returns whether tools show what is at the path.
    pub(super) fn shows(&self, path: &Path) -> bool {
        let is_on_path = |(steps, name): &(usize, &str)| match path.get(*steps) {
            Some(Step::Name(step)) => step.as_str() == *name,
            _ => false,
        };
        !self.members.iter().any(is_on_path)
    }
}
