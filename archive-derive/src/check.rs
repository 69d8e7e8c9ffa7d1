//! Errors in an input whose syntax is valid.

use std::collections::HashSet;

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::{
    DeriveInput, Expr, ExprLit, GenericArgument, Lit, LitStr, Member, PathArguments, Type,
    TypeArray, TypeParamBound, TypePath, TypeSlice, Variant,
};

use crate::attributes::{OnField, OnType, OnVariant};
use crate::error::Errors;
use crate::model::{self, Body, Field, Fields, Form, Name, Role, Style};

/// Reports attributes that the type cannot have, and variants that exclude each other.
pub(crate) fn type_attributes(on: &OnType, input: &DeriveInput, body: &Body, errors: &mut Errors) {
    let mut refuse = |span: Option<Span>, message: &str| {
        if let Some(span) = span {
            errors.push(syn::Error::new(span, message));
        }
    };
    let span = |case: Option<(crate::case::Case, Span)>| case.map(|(_, span)| span);
    let version = on.version.map(|(_, span)| span);
    match body {
        Body::Struct(Fields { style, .. }) => {
            refuse(
                span(on.rename_all_fields),
                "`rename_all_fields` is for enums; use `rename_all`",
            );
            if *style != Style::Named {
                refuse(span(on.rename_all), "`rename_all` does nothing here: no member has a name");
                refuse(
                    version,
                    "a version is stored with an object, and this type is not saved as one",
                );
            }
        }
        Body::Enum(_) => {
            refuse(
                on.transparent,
                "an enum cannot be `transparent`: its variants need their names",
            );
            refuse(version, "a version is stored with an object, and an enum is not saved as one");
        }
    }
    refuse(
        on.required.filter(|_| on.default.is_some()),
        "a type with a `default` may lack members in the file; remove one of the two",
    );
    let groups: Vec<&Fields> = match body {
        Body::Struct(fields) => vec![fields],
        Body::Enum(variants) => variants.iter().map(|variant| &variant.fields).collect(),
    };
    refuse(
        on.required.filter(|_| groups.iter().all(|fields| fields.style != Style::Named)),
        "`required` does nothing here: no member has a name",
    );
    if let Body::Enum(variants) = body {
        if variants.is_empty() && matches!(input.data, syn::Data::Enum(_)) {
            errors.at(&input.ident, "an enum without variants has no values to save");
        }
        let names = variants.iter().map(|variant| &variant.name);
        let names = names.flat_map(|Name { text, aliases }| std::iter::once(text).chain(aliases));
        unique(names, "variant", errors);
        only_one(variants.iter().filter(|it| it.other), "`other`", errors);
        only_one(variants.iter().filter(|it| it.default), "`#[default]`", errors);
    }
}

/// Returns whether every value of the type contains one of the type with that name: directly, or
/// behind a pointer that is never null.
fn holds(ty: &Type, name: &Ident) -> bool {
    const HOLDERS: [&str; 12] = [
        "Box",
        "Rc",
        "Arc",
        "Pin",
        "RefCell",
        "Cell",
        "Mutex",
        "RwLock",
        "Wrapping",
        "Saturating",
        "Reverse",
        "Range",
    ];
    match ty {
        Type::Path(TypePath { qself: None, path, .. }) => {
            if path.is_ident("Self") {
                return true;
            }
            match path.segments.last() {
                Some(last) if last.ident == *name => path.segments.len() == 1,
                Some(last) if HOLDERS.iter().any(|holder| last.ident == holder) => {
                    match &last.arguments {
                        PathArguments::AngleBracketed(arguments) => match arguments.args.first() {
                            Some(GenericArgument::Type(inner)) => holds(inner, name),
                            _ => false,
                        },
                        _ => false,
                    }
                }
                _ => false,
            }
        }
        Type::Array(array) => is_not_zero(&array.len) && holds(&array.elem, name),
        Type::Tuple(tuple) => tuple.elems.iter().any(|item| holds(item, name)),
        Type::Paren(inner) => holds(&inner.elem, name),
        Type::Group(inner) => holds(&inner.elem, name),
        _ => false,
    }
}

/// Returns whether the length of an array is a literal other than 0; a constant may be 0.
fn is_not_zero(len: &Expr) -> bool {
    let Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) = len else { return false };
    number.base10_parse::<usize>().is_ok_and(|number| number != 0)
}

/// Reports a type that contains itself so that no value of it could be created: a struct, or an
/// enum in all its variants.
pub(crate) fn endless(input: &DeriveInput, body: &Body, errors: &mut Errors) {
    let name = &input.ident;
    let itself = |fields: &'_ Fields| {
        let holds = |field: &&Field| !field.role.is_skipped() && holds(&field.ty, name);
        fields.list.iter().filter(holds).map(|field| field.ty.clone()).collect::<Vec<_>>()
    };
    let (found, ends) = match body {
        Body::Struct(fields) => (itself(fields), "ends"),
        Body::Enum(variants) => {
            let found: Vec<_> = variants.iter().map(|variant| itself(&variant.fields)).collect();
            if found.iter().any(Vec::is_empty) {
                return;
            }
            (found.concat(), "ends, and so does a variant without either")
        }
    };
    for ty in found {
        let message = format!(
            "`{name}` holds itself without end: no value of it could be made; \
             `Option<Box<{name}>>` or `Vec<{name}>` {ends}"
        );
        errors.at(&ty, message);
    }
}

/// Reports misuse of `tag` and `content`, and variants that they do not support.
pub(crate) fn tag(on: &OnType, body: &Body, errors: &mut Errors) {
    let Some(tag) = &on.tag else {
        if let Some(content) = &on.content {
            errors.at(
                content,
                "`content` goes with a `tag`, which names the variant: `tag = \"type\"`",
            );
        }
        return;
    };
    let Body::Enum(variants) = body else {
        errors.at(tag, "`tag` is for enums: it says where the name of the variant stands");
        return;
    };
    unique([tag].into_iter().chain(&on.content), "member", errors);
    let is_tag = |name: &&LitStr| name.value() == tag.value();
    for model::Variant { name, fields, other, .. } in variants {
        let names = [&name.text].into_iter().chain(&name.aliases);
        if on.content.is_some() {
            // `{"type": ...}` would be either form.
            for name in names.filter(is_tag) {
                errors.at(name, "a variant has the name of the tag");
            }
            continue;
        }
        match fields.style {
            Style::Tuple => {
                let message = "what the variant carries has no names to stand beside the tag: name its \
                               members, or give the enum a `content`, as in \
                               `#[archive(tag = \"type\", content = \"value\")]`";
                errors.at(&name.text, message);
            }
            Style::Newtype if !other => {
                for field in fields.visited().filter(|field| !matches!(field.form, Form::Own)) {
                    let message = "the members of this type stand beside the tag, so that nothing else says \
                                   how it is saved; give the enum a `content`";
                    errors.at(&field.ty, message);
                }
            }
            Style::Named => {
                let members = fields.members().filter(|field| field.role == Role::Stored);
                let names = members
                    .flat_map(|field| [&field.name.text].into_iter().chain(&field.name.aliases));
                for name in names.filter(is_tag) {
                    let message =
                        format_args!("a member has the name of the tag, `{}`", tag.value());
                    errors.at(name, message);
                }
            }
            Style::Unit | Style::Newtype => {}
        }
    }
}

/// Reports attributes that a variant cannot have.
pub(crate) fn variant_attributes(on: &OnVariant, variant: &Variant, errors: &mut Errors) {
    let named = matches!(variant.fields, syn::Fields::Named(_));
    if let Some((_, span)) = on.rename_all.filter(|_| !named) {
        let message = "`rename_all` does nothing here: the variant has no named members";
        errors.push(syn::Error::new(span, message));
    }
    let fits = match &variant.fields {
        syn::Fields::Unit => true,
        syn::Fields::Unnamed(fields) => fields.unnamed.len() == 1,
        syn::Fields::Named(_) => false,
    };
    if let Some(span) = on.other.filter(|_| !fits) {
        let message = "`other` stands for names that are not known: the variant carries nothing, \
                       or the name, as in `Other(String)`";
        errors.push(syn::Error::new(span, message));
    }
}

/// Reports attributes that the fields of a variant cannot have.
pub(crate) fn variant_fields(fields: &[Field], errors: &mut Errors) {
    for span in fields.iter().filter_map(|field| field.base) {
        let message = "a variant has no base: only a struct has";
        errors.push(syn::Error::new(span, message));
    }
}

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
        let message =
            "a base has the name of its type, which is set there: `#[archive(name = ...)]`";
        errors.push(syn::Error::new(text.span(), message));
    } else if matches!(member, Member::Unnamed(_)) {
        let message = "a field of a tuple is no base: the tuple has no members";
        errors.push(syn::Error::new(base, message));
    } else if transparent {
        let message = "`base` does nothing here: a transparent type is saved as its field";
        errors.push(syn::Error::new(base, message));
    }
}

/// Reports attributes that a field cannot have, or not together.
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
    base(on, member, transparent, errors);
    required(on, member, transparent, errors);
    let mut refuse = |span: Span, message: String| errors.push(syn::Error::new(span, message));
    if let Some((name, skip_if)) = skip_if(on).filter(|_| on.skip.is_none() && on.flatten.is_none())
    {
        let unnamed = match member {
            _ if transparent => Some("a transparent type is saved as its field"),
            Member::Unnamed(_) => Some("the items of a tuple are told apart by their places"),
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

/// Returns the attribute by which a member may be left out.
fn skip_if(on: &OnField) -> Option<(&'static str, Span)> {
    let test = on.skip_if.as_ref().map(|test| ("skip_if", test.span()));
    on.skip_if_default.map(|span| ("skip_if_default", span)).or(test)
}

/// Reports `required` on a field whose absence is no error or cannot be detected.
fn required(on: &OnField, member: &Member, transparent: bool, errors: &mut Errors) {
    let Some(required) = on.required else { return };
    let reason = match member {
        _ if on.skip.is_some() => "the field is skipped",
        _ if on.flatten.is_some() => {
            "a flattened field is no member itself; put it on the members of its type"
        }
        _ if on.unknown.is_some() => "the field holds members, and is none itself",
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
                format!("`{name}` does nothing here: the field holds members, and is none itself"),
            );
        } else if on.flatten.is_some() {
            refuse(
                span,
                format!(
                    "`{name}` and `flatten` exclude each other: the members of a flattened field \
                     stand in its place; remove one of the two"
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
    it does, such as an enum or a registered type behind `Box<dyn Trait>`, or leave the field out with \
    `#[archive(skip)]`";

/// Returns whether a bound is one of the traits of closures.
fn is_fn(bound: &TypeParamBound) -> bool {
    let TypeParamBound::Trait(bound) = bound else { return false };
    let last = bound.path.segments.last();
    last.is_some_and(|last| ["Fn", "FnMut", "FnOnce"].iter().any(|name| last.ident == name))
}

/// Checks `transparent` on a struct with these fields.
pub(crate) fn transparent(span: Span, fields: &[Field], errors: &mut Errors) {
    let count = fields.iter().filter(|field| !field.role.is_skipped()).count();
    if count != 1 {
        let message = format_args!(
            "a transparent type is saved as its only field, but this one has {count}; \
             `#[archive(skip)]` leaves fields out"
        );
        errors.push(syn::Error::new(span, message));
    }
}

/// Checks the names of the members of one object.
pub(crate) fn names(fields: &[Field], errors: &mut Errors) {
    let stored = fields.iter().filter(|field| field.role == Role::Stored);
    let names = stored.flat_map(|field| {
        // the name of a base is its type's name, which the derive does not know
        let text = field.base.is_none().then_some(&field.name.text);
        text.into_iter().chain(&field.name.aliases)
    });
    unique(names, "member", errors);
    for field in fields.iter().filter(|field| field.role == Role::Unknown).skip(1) {
        errors.at(&field.member, "only one field can keep the unknown members");
    }
}

/// Reports names, aliases included, that occur twice or are reserved.
fn unique<'a>(names: impl Iterator<Item = &'a LitStr>, what: &str, errors: &mut Errors) {
    let mut seen = HashSet::new();
    for name in names {
        let text = name.value();
        if text.starts_with('$') {
            errors.at(name, format_args!("`{text}`: names that start with `$` are reserved"));
        }
        if seen.contains(&text) {
            errors.at(name, format_args!("two {what}s have the name `{text}`"));
        }
        seen.insert(text);
    }
}

/// Reports a mark on more than one variant.
fn only_one<'a>(marked: impl Iterator<Item = &'a model::Variant>, mark: &str, errors: &mut Errors) {
    for variant in marked.skip(1) {
        errors.at(&variant.ident, format_args!("only one variant can be {mark}"));
    }
}
