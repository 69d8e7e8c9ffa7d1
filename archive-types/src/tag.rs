//! Enums whose variant is named in a member: `tag` and `content`.

use archive_core::shape::{Class, ClassOf, NameOf, Tag};

use crate::check::{At, struct_of};
use crate::errors::Found;
use crate::file::{Text, TypeFile};
use crate::make::leak;
use crate::parse::{Carried, Content, Definition, Definitions, Members, custom};
use crate::spelling::Spelling;

/// Checks that the variants fit the tag of their enum.
pub(crate) fn check(
    types: &Definitions<'_>,
    definition: &Definition<'_>,
    found: &mut Found,
    at: At<'_>,
) {
    let TypeFile { tag, content, .. } = definition.file;
    let mut wrong = |text: &Text, key: &str, message: &str| {
        found.add(text.mark, at(custom(message).in_member(key)));
    };
    if tag.is_empty() {
        if !content.is_empty() {
            wrong(content, "content", "`content` needs a `tag`, which has the name of the variant");
        }
        return;
    }
    let Content::Enum(variants) = &definition.content else {
        return wrong(tag, "tag", "only an enum has a tag");
    };
    if **tag == **content {
        wrong(content, "content", "the tag and the content have the same name");
    }
    for (file, carried) in definition.file.variants.iter().zip(variants) {
        let mut names = [&file.name].into_iter().chain(&file.aliases);
        if !content.is_empty() {
            if names.any(|name| **name == **tag) {
                wrong(tag, "tag", "a variant has the name of the tag");
            }
            continue;
        }
        let members = match carried {
            Carried::Nothing => continue,
            Carried::One(_) if file.other => continue,
            Carried::Members(members) => Some(members),
            Carried::One(ty) => match struct_of(types, ty).map(|it| &it.content) {
                Some(Content::Struct(members)) => Some(members),
                _ => None,
            },
            Carried::Several(_) => None,
        };
        match members {
            None => wrong(
                &file.name,
                "tag",
                "without `content`, a variant has members, one struct, or nothing",
            ),
            Some(members) if has(types, members, tag, 0) => {
                wrong(tag, "tag", "a member has the name of the tag");
            }
            Some(_) => {}
        }
    }
}

/// Returns whether a member has that name, also in a flattened member.
fn has(types: &Definitions<'_>, members: &Members<'_>, name: &str, depth: usize) -> bool {
    members.iter().any(|(file, ty)| match struct_of(types, ty).map(|it| &it.content) {
        Some(Content::Struct(inner)) if file.flatten => {
            depth > crate::limits::NESTING || has(types, inner, name, depth + 1)
        }
        _ => [&file.name].into_iter().chain(&file.aliases).any(|it| **it == *name),
    })
}

/// Makes the tag of an enum, if it has one.
pub(crate) fn make(
    types: &Definitions<'_>,
    name: &'static str,
    of: &Definition<'_>,
    carried: &[Carried<'_>],
) -> Option<&'static Tag> {
    let TypeFile { tag, content, variants, .. } = of.file;
    if tag.is_empty() {
        return None;
    }
    let class = |name: &str, version| {
        let name = leak(name);
        Class::new(name, NameOf::Data(name), version)
    };
    // An object with the members of a struct has the version of the struct.
    let classes = variants.iter().zip(carried).map(|(file, carried)| {
        let class = match carried {
            Carried::One(Spelling::Named(name)) if content.is_empty() => {
                class(name, types.get(name.as_str()).map_or(0, |it| it.file.version))
            }
            _ => class(&file.name, 0),
        };
        ClassOf::Data(Box::leak(Box::new(class)))
    });
    let classes = classes.collect::<Vec<_>>().leak();
    let content = (!content.is_empty()).then(|| leak(content));
    Some(Box::leak(Box::new(Tag { name: leak(tag), content, classes, class: class(name, 0) })))
}
