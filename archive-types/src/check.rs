//! Checks what the types of a schema say about each other, before anything is made of them.

use std::collections::BTreeSet;

use archive_core::{Error, ErrorKind, Known, Primitive};

use crate::errors::Found;
use crate::file::{MemberFile, Text};
use crate::keys::check_key;
use crate::limits;
use crate::parse::{Carried, Content, Definition, Definitions, Members, custom};
use crate::sizes::Sizes;
use crate::spelling::{Spelling, known_names};
use crate::tag;

/// Checks all types of a schema.
pub(crate) fn check(types: &Definitions<'_>, found: &mut Found) {
    for (name, definition) in types {
        let at = |error: Error| error.in_member(name).in_member("types");
        tag::check(types, definition, found, &|error| at(error));
        match &definition.content {
            Content::Struct(members) => {
                check_members(types, Some(name), members, found, &|error| at(error));
            }
            Content::Enum(variants) => {
                check_variants(types, definition, variants, found, &|error| at(error));
            }
        }
    }
    if !found.is_empty() {
        return;
    }
    let mut sizes = Sizes::new(types);
    for (name, definition) in types {
        let done = sizes.named(name).and_then(|_| sizes.all(definition));
        if let Err(error) = done {
            let message = Error::new(error.kind(), error.message());
            found.add(0, message.in_member(name).in_member("types"));
            return;
        }
    }
}

/// Checks a type that a program asks for.
pub(crate) fn check_asked(types: &Definitions<'_>, ty: &Spelling) -> Result<(), Error> {
    check_type(types, ty)?;
    Sizes::new(types).inside(ty)
}

/// Adds the place of a type, a member or a variant to an error in it.
pub(crate) type At<'a> = &'a dyn Fn(Error) -> Error;

fn check_members(
    types: &Definitions<'_>,
    own: Option<&str>,
    members: &Members<'_>,
    found: &mut Found,
    at: At<'_>,
) {
    let mut names = BTreeSet::new();
    for (index, (file, ty)) in members.iter().enumerate() {
        let at = |error: Error| at(error.in_item(index).in_member("members"));
        let shown = [&file.name].into_iter().filter(|_| !file.flatten).chain(&file.aliases);
        for text in shown {
            if !names.insert(text.as_str()) {
                let message = format_args!("a second member with the name `{}`", text.as_str());
                let error = Error::new(ErrorKind::DuplicateMember, message);
                found.add(text.mark, at(error.in_member("name")));
            }
        }
        match check_type(types, ty) {
            Err(error) => found.add(file.ty.mark, at(error.in_member("type"))),
            Ok(()) => check_attributes(types, own, (*file, ty), found, &at),
        }
    }
    if let Err((mark, error)) = check_flattened(types, members, &mut names, 0) {
        found.add(mark, at(error));
    }
}

/// Adds the names of the members of flattened members. No name may be there twice.
fn check_flattened<'t>(
    types: &'t Definitions<'_>,
    members: &'t Members<'_>,
    names: &mut BTreeSet<&'t str>,
    depth: usize,
) -> Result<(), (u32, Error)> {
    for (file, ty) in members.iter().filter(|(file, _)| file.flatten) {
        let Some(Content::Struct(inner)) = struct_of(types, ty).map(|it| &it.content) else {
            continue;
        };
        let refuse = |error| Err((file.name.mark, error));
        if depth > limits::NESTING {
            let most = limits::NESTING;
            let message = format_args!("more than {most} structs are flattened into each other");
            return refuse(Error::new(ErrorKind::DepthLimit, message));
        }
        for name in inner.iter().filter(|(it, _)| !it.flatten).map(|(it, _)| it.name.as_str()) {
            if !names.insert(name) {
                let message =
                    format_args!("a second member with the name `{name}`, in a flattened one");
                return refuse(Error::new(ErrorKind::DuplicateMember, message));
            }
        }
        check_flattened(types, inner, names, depth + 1).or_else(|(_, error)| refuse(error))?;
    }
    Ok(())
}

pub(crate) fn struct_of<'f, 't>(
    types: &'t Definitions<'f>,
    ty: &Spelling,
) -> Option<&'t Definition<'f>> {
    let Spelling::Named(name) = ty else { return None };
    types.get(name.as_str()).filter(|it| matches!(it.content, Content::Struct(_)))
}

fn check_attributes(
    types: &Definitions<'_>,
    own: Option<&str>,
    (file, ty): (&MemberFile, &Spelling),
    found: &mut Found,
    at: At<'_>,
) {
    let mut wrong = |name: &str, message: &str| {
        found.add(file.name.mark, at(custom(message).in_member(name)));
    };
    let is_struct = struct_of(types, ty).is_some();
    if file.flatten && !is_struct {
        wrong("flatten", "only a struct can be flattened");
    }
    if file.flatten && (file.skip_if_default || file.base || !file.aliases.is_empty()) {
        wrong("flatten", "a flattened member is neither a base nor left out, and has no aliases");
    }
    let is_base = matches!(ty, Spelling::Named(name) if *name == **file.name);
    if file.base && !(is_struct && is_base && own.is_some()) {
        wrong("base", "a base is a struct, under the name of its type, in another struct");
    }
    let is_number = matches!(ty, Spelling::Primitive(of) if of.block_size().is_some() && *of != Primitive::Bool);
    if (file.range.is_some() || file.step.is_some()) && !is_number {
        wrong("range", "only numbers have a range and a step");
    }
    if let Some((Some(min), Some(max))) = file.range
        && (min > max || min.is_nan() || max.is_nan())
    {
        wrong("range", "the range is empty");
    }
    if file.step.is_some_and(|step| step <= 0.0 || step.is_nan()) {
        wrong("step", "a step is greater than 0");
    }
    if file.multiline && *ty != Spelling::Primitive(Primitive::Str) {
        wrong("multiline", "only text has several lines");
    }
}

fn check_variants(
    types: &Definitions<'_>,
    definition: &Definition<'_>,
    variants: &[Carried<'_>],
    found: &mut Found,
    at: At<'_>,
) {
    let mut names = BTreeSet::new();
    let (mut defaults, mut others) = (0, 0);
    for (index, (file, carried)) in definition.file.variants.iter().zip(variants).enumerate() {
        let at = |error: Error| at(error.in_item(index).in_member("variants"));
        for text in [&file.name].into_iter().chain(&file.aliases) {
            if !names.insert(text.as_str()) {
                let message = format_args!("a second variant with the name `{}`", text.as_str());
                found.add(text.mark, at(custom(message).in_member("name")));
            }
        }
        let items: &[Spelling] = match carried {
            Carried::Nothing | Carried::Members(_) => &[],
            Carried::One(one) => std::slice::from_ref(one),
            Carried::Several(several) => several,
        };
        for (item, ty) in items.iter().enumerate() {
            if let Err(error) = check_type(types, ty) {
                let mark = file.items.get(item).map_or(0, |text: &Text| text.mark);
                found.add(mark, at(error.in_item(item).in_member("items")));
            }
        }
        if let Carried::Members(members) = carried {
            check_members(types, None, members, found, &|error| at(error));
        }
        (defaults, others) =
            (defaults + usize::from(file.default), others + usize::from(file.other));
        let text = matches!(carried, Carried::One(Spelling::Primitive(Primitive::Str)));
        if file.other && !(text || matches!(carried, Carried::Nothing)) {
            let message = "the variant for other names carries nothing, or a `String`";
            found.add(file.name.mark, at(custom(message).in_member("other")));
        }
    }
    if defaults > 1 || others > 1 {
        found.add(0, at(custom("at most one variant is the default, and one that of other names")));
    }
}

/// Checks that the names in a type are known, and that keys can be compared.
fn check_type(types: &Definitions<'_>, ty: &Spelling) -> Result<(), Error> {
    let mut done = Ok(());
    ty.each(&mut |part| {
        let checked = match part {
            Spelling::Named(name) if !types.contains_key(name.as_str()) => {
                Err(unknown(types, name))
            }
            Spelling::Set(key, _) | Spelling::Map(key, ..) => {
                check_key(types, key, &mut BTreeSet::new())
            }
            _ => Ok(()),
        };
        if done.is_ok() {
            done = checked;
        }
    });
    done
}

#[cold]
fn unknown(types: &Definitions<'_>, name: &str) -> Error {
    let own: Vec<&str> = types.keys().copied().take(100).collect();
    let mut all = own;
    known_names().for_each(|name| all.push(name));
    // The list has the types of the schema; those of every schema are only suggested.
    let known = Known::new(name, &all, "there are:").to_string();
    let near = known.split("? There are").next().filter(|near| near.len() < known.len());
    let message = format_args!(
        "there is no type `{name}`{}",
        near.map_or(String::new(), |near| format!("{near}?"))
    );
    Error::new(ErrorKind::NotFound, message)
}
