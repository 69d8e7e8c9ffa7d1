//! Checks the attributes and the type of a field.

use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{GenericArgument, Member, PathArguments, Type, TypeArray, TypeParamBound, TypeSlice};

use super::facts::facts;
use crate::attributes::OnField;
use crate::error::Errors;

/// Reports `base` on a field that cannot be a base, or next to an attribute that contradicts it.
fn base(on: &OnField, member: &Member, transparent: bool, errors: &mut Errors) {
    let Some(base) = on.base else { return };
    let others = [
        ("skip", on.skip),
        ("flatten", on.flatten),
        ("unknown", on.unknown),
        ("with", on.with.as_ref().map(Spanned::span)),
        ("serde", on.serde),
        ("bytes", on.bytes),
        ("as_object", on.as_object),
        ("unordered", on.unordered),
    ];
    if let Some((name, _)) = others.iter().find(|(_, span)| span.is_some()) {
        let message = format!(
            "`{name}` and `base` exclude each other: a base is a member as its type says; remove one \
             of the two"
        );
        errors.push(syn::Error::new(base, message));
    } else if let Some(text) = &on.rename {
        let message = "the name of a base is the name of its type: set it there with `#[archive(name = ...)]`";
        errors.push(syn::Error::new(text.span(), message));
    } else if matches!(member, Member::Unnamed(_)) {
        let message = "a field of a tuple cannot be a base: the tuple has no members";
        errors.push(syn::Error::new(base, message));
    } else if transparent {
        let message = "`base` does nothing here: a transparent type is saved as its field";
        errors.push(syn::Error::new(base, message));
    }
}

/// Reports attributes that a field cannot have, alone or together.
pub(crate) fn field_attributes(
    on: &OnField,
    member: &Member,
    transparent: bool,
    errors: &mut Errors,
) {
    let mut refuse = |span: Span, message: String| errors.push(syn::Error::new(span, message));
    let renamed = on.rename.iter().map(|text| ("rename", text));
    let aliased = on.aliases.iter().map(|text| ("alias", text));
    let unnamed = match member {
        _ if on.facts.get.is_some() => None,
        _ if on.skip.is_some() => Some("a skipped field"),
        _ if on.flatten.is_some() => Some("a flattened field"),
        _ if on.unknown.is_some() => Some("a field of unknown members"),
        _ if transparent => Some("the field of a transparent type"),
        Member::Unnamed(_) => Some("a field of a tuple"),
        Member::Named(_) => None,
    };
    if let Some(unnamed) = unnamed {
        for (attribute, text) in renamed.chain(aliased) {
            refuse(
                text.span(),
                format!("`{attribute}` does nothing here: {unnamed} has no name in the file"),
            );
        }
    }
    if let Some(unknown) = on.unknown {
        if on.skip.is_some() || on.flatten.is_some() {
            let message = "a field of unknown members is neither skipped nor flattened";
            refuse(unknown, message.to_owned());
        } else if matches!(member, Member::Unnamed(_)) {
            let message = "a tuple has no members, so there are no unknown ones to keep";
            refuse(unknown, message.to_owned());
        } else if transparent {
            let message = "`unknown` does nothing here: a transparent type is saved as its field";
            refuse(unknown, message.to_owned());
        }
    }
    conflicts(on, errors);
    facts(on, member, transparent, errors);
    base(on, member, transparent, errors);
    required(on, member, transparent, errors);
    let mut refuse = |span: Span, message: String| errors.push(syn::Error::new(span, message));
    if let Some((name, skip_if)) = skip_if(on).filter(|_| on.skip.is_none() && on.flatten.is_none())
    {
        let unnamed = match member {
            _ if transparent => Some("a transparent type is saved as its field"),
            Member::Unnamed(_) => Some("the items of a tuple are identified by their position"),
            Member::Named(_) => None,
        };
        if let Some(unnamed) = unnamed {
            refuse(skip_if, format!("`{name}` is for members of an object: {unnamed}"));
        }
    }
    let Some(flatten) = on.flatten else { return };
    if on.skip.is_some() {
        refuse(flatten, "a field is either skipped or flattened".to_owned());
    } else if matches!(member, Member::Unnamed(_)) {
        refuse(
            flatten,
            "a field of a tuple cannot be flattened: the tuple has no members to join".to_owned(),
        );
    } else if transparent {
        refuse(
            flatten,
            "`flatten` does nothing here: a transparent type is saved as its field".to_owned(),
        );
    }
}

/// Returns the attribute that may leave out the member.
fn skip_if(on: &OnField) -> Option<(&'static str, Span)> {
    let test = on.skip_if.as_ref().map(|test| ("skip_if", test.span()));
    on.skip_if_default.map(|span| ("skip_if_default", span)).or(test)
}

/// Reports `required` on a field whose absence is not an error or cannot be detected.
fn required(on: &OnField, member: &Member, transparent: bool, errors: &mut Errors) {
    let Some(required) = on.required else { return };
    let reason = match member {
        _ if on.skip.is_some() => "the field is skipped",
        _ if on.flatten.is_some() => {
            "a flattened field is not itself a member; put it on the members of its type"
        }
        _ if on.unknown.is_some() => "the field contains members and is not a member itself",
        _ if on.default.is_some() => {
            "a member with a `default` may be absent; remove one of the two"
        }
        _ if skip_if(on).is_some() => {
            "a member that may be left out may be absent; remove one of the two"
        }
        _ if transparent => "a transparent type is saved as its field",
        Member::Unnamed(_) => "a tuple needs all of its items anyway",
        Member::Named(_) => return,
    };
    errors.push(syn::Error::new(required, format!("`required` does nothing here: {reason}")));
}

/// Reports attributes of one field that exclude each other.
fn conflicts(on: &OnField, errors: &mut Errors) {
    let with = on.with.as_ref().map(Spanned::span);
    let forms = [
        ("with", with),
        ("serde", on.serde),
        ("bytes", on.bytes),
        ("as_object", on.as_object),
        ("unordered", on.unordered),
        ("skip_if_default", on.skip_if_default),
        ("skip_if", on.skip_if.as_ref().map(Spanned::span)),
    ];
    let given = || forms.iter().filter_map(|(name, span)| Some((*name, (*span)?)));
    let mut refuse = |span: Span, message: String| errors.push(syn::Error::new(span, message));
    for (name, span) in given() {
        if on.skip.is_some() {
            refuse(
                span,
                format!("`{name}` does nothing here: the field is skipped; remove one of the two"),
            );
        } else if on.unknown.is_some() {
            refuse(
                span,
                format!(
                    "`{name}` does nothing here: the field contains members and is not a member itself"
                ),
            );
        } else if on.flatten.is_some() {
            refuse(
                span,
                format!(
                    "`{name}` and `flatten` exclude each other: the members of a flattened field take its place; remove one of the two"
                ),
            );
        }
    }
    if let (Some(span), Some(_)) = (on.skip_if_default, &on.skip_if) {
        let message = "`skip_if_default` and `skip_if` exclude each other: each says when the member is \
                       left out; remove one of the two";
        refuse(span, message.to_owned());
    }
    let mut first = None;
    for (name, span) in given().filter(|(name, _)| !name.starts_with("skip_if")) {
        match first {
            None => first = Some(name),
            Some("as_object") if name == "unordered" => {}
            Some(other) => {
                refuse(
                    span,
                    format!(
                        "`{other}` and `{name}` exclude each other: each says how the field is \
                         saved; remove one of the two"
                    ),
                );
            }
        }
    }
}

/// Reports types that can never be saved.
pub(crate) fn field_type(ty: &Type, errors: &mut Errors) {
    match ty {
        Type::Reference(_) => errors.at(
            ty,
            "a reference cannot be loaded: use `Box`, `Rc` or `Arc` for a value that the field owns \
             or shares, `Weak` for one that it refers to, `String` for text, `Cow` for what is borrowed \
             only when it is saved",
        ),
        Type::Ptr(_) => errors.at(
            ty,
            "a raw pointer cannot be saved: use `Box`, `Rc` or `Arc` for a value that the field owns \
             or shares, `Weak` for one that it refers to",
        ),
        Type::FnPtr(_) => errors.at(ty, FUNCTION),
        Type::TraitObject(object) if object.bounds.iter().any(is_fn) => errors.at(ty, FUNCTION),
        Type::Paren(inner) => field_type(&inner.elem, errors),
        Type::Group(inner) => field_type(&inner.elem, errors),
        Type::Array(TypeArray { elem, .. }) | Type::Slice(TypeSlice { elem, .. }) => {
            field_type(elem, errors);
        }
        Type::Tuple(tuple) => tuple.elems.iter().for_each(|item| field_type(item, errors)),
        Type::Path(path) => {
            let arguments = path.path.segments.iter().flat_map(|segment| match &segment.arguments {
                PathArguments::AngleBracketed(arguments) => Some(&arguments.args),
                _ => None,
            });
            for argument in arguments.flatten() {
                if let GenericArgument::Type(inner) = argument {
                    field_type(inner, errors);
                }
            }
        }
        _ => {}
    }
}

const FUNCTION: &str = "a function cannot be saved: it is an address in the running program; save the name of what \
    it does, such as an enum or a registered type in a `Box<dyn Trait>`, or leave the field out with \
    `#[archive(skip)]`";

/// Returns whether a bound is one of the traits of closures.
fn is_fn(bound: &TypeParamBound) -> bool {
    let TypeParamBound::Trait(bound) = bound else { return false };
    let last = bound.path.segments.last();
    last.is_some_and(|last| ["Fn", "FnMut", "FnOnce"].iter().any(|name| last.ident == name))
}
