//! Loads the defaults of members, in an order in which each finds the defaults that it contains.

use std::collections::BTreeSet;

use archive_core::{Error, ErrorKind, Options, Value};

use crate::errors::Found;
use crate::file::MemberFile;
use crate::make::Made;
use crate::object;
use crate::parse::{Carried, Content, Definition, Definitions, Members};
use crate::plan::{Carries, ClassPlan, Form, MemberPlan};
use crate::spelling::Spelling;

/// Loads all defaults.
pub(crate) fn load(types: &Definitions<'_>, made: &Made, found: &mut Found) {
    let mut reaches: Vec<_> = types.keys().map(|name| (reached(types, name), *name)).collect();
    // A type that another one contains, and not the other way round, reaches fewer types.
    reaches.sort_by_key(|(reached, _)| reached.len());
    for (_, name) in reaches {
        let (Some(definition), Some(plan)) = (types.get(name), made.get(name)) else { continue };
        let at = |error: Error| error.in_member(name).in_member("types");
        let own = Own { types, name };
        match (&definition.content, &plan.get().form) {
            (Content::Struct(members), Form::Class(class)) => {
                own.members(members, class, found, &at)
            }
            (Content::Enum(variants), Form::Enum(of)) => {
                for (index, pair) in variants.iter().zip(of.variants).enumerate() {
                    if let (Carried::Members(members), Carries::Members(class)) = pair {
                        let at = |error: Error| at(error.in_item(index).in_member("variants"));
                        own.members(members, class, found, &at);
                    }
                }
            }
            _ => {}
        }
    }
}

/// The type whose defaults are loaded.
struct Own<'t, 'f> {
    types: &'t Definitions<'f>,
    name: &'t str,
}

impl Own<'_, '_> {
    fn members(
        &self,
        members: &Members<'_>,
        class: &ClassPlan,
        found: &mut Found,
        at: &dyn Fn(Error) -> Error,
    ) {
        for (index, ((file, ty), plan)) in members.iter().zip(class.members).enumerate() {
            if let Err(error) = self.member((*file, ty), plan) {
                let error = error.in_member("default").in_item(index).in_member("members");
                found.add(file.default.mark, at(error));
            }
        }
    }

    fn member(&self, (file, ty): (&MemberFile, &Spelling), plan: &MemberPlan) -> Result<(), Error> {
        if file.default.is_null() || is_empty(ty, &file.default) {
            return Ok(());
        }
        let mut contains = None;
        ty.each(&mut |part| {
            if let Spelling::Named(name) = part
                && reached(self.types, name).contains(self.name)
            {
                contains = Some(name.clone());
            }
        });
        if let Some(name) = contains {
            let message = format_args!(
                "a `{name}` contains a `{}`, whose defaults are not known yet: start with an empty value",
                self.name
            );
            return Err(Error::new(ErrorKind::Endless, message));
        }
        let options = object::unchecked(&Options::new().strict(true));
        let slot = plan.plan.get().load(&file.default, &options)?;
        let _ = plan.start.set(slot);
        Ok(())
    }
}

/// Returns whether the value is an empty container, which is the blank value.
fn is_empty(ty: &Spelling, value: &Value) -> bool {
    let empty = match value {
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    };
    empty && matches!(ty, Spelling::List(_) | Spelling::Set(..) | Spelling::Map(..))
}

/// Returns the types that a type mentions, directly or in others, and itself.
fn reached<'t>(types: &'t Definitions<'_>, name: &'t str) -> BTreeSet<&'t str> {
    let (mut reached, mut open) = (BTreeSet::from([name]), vec![name]);
    while let Some(definition) = open.pop().and_then(|name| types.get(name)) {
        mentioned(definition, &mut |name| {
            if reached.insert(name) {
                open.push(name);
            }
        });
    }
    reached
}

fn mentioned<'t>(definition: &'t Definition<'_>, visit: &mut dyn FnMut(&'t str)) {
    let mut parts = Vec::new();
    definition.collect(&mut parts);
    parts.into_iter().for_each(|ty| names(ty, visit));
}

fn names<'t>(ty: &'t Spelling, visit: &mut dyn FnMut(&'t str)) {
    match ty {
        Spelling::Primitive(_) | Spelling::Any | Spelling::Object(_) => {}
        Spelling::Named(name) => visit(name),
        Spelling::List(item)
        | Spelling::Set(item, _)
        | Spelling::Array(item, _)
        | Spelling::Shared(item, _)
        | Spelling::Option(item) => names(item, visit),
        Spelling::Map(key, value, _) => {
            names(key, visit);
            names(value, visit);
        }
        Spelling::Tuple(items) => items.iter().for_each(|item| names(item, visit)),
    }
}
