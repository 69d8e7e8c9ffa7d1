//! Errors in an input whose syntax is valid.

mod facts;
mod field;
mod preset;

use std::collections::HashSet;

pub(crate) use field::{field_attributes, field_type};
pub(crate) use preset::preset;

use proc_macro2::{Ident, Span};
use syn::{
    DeriveInput, Expr, ExprLit, GenericArgument, Lit, LitStr, PathArguments, Type, TypePath,
    Variant,
};

use crate::attributes::{OnType, OnVariant};
use crate::error::Errors;
use crate::model::{self, Definition, Field, Fields, Form, Name, Role, Style};

/// Reports attributes that the type cannot have, and variants that exclude each other.
pub(crate) fn type_attributes(
    on: &OnType,
    input: &DeriveInput,
    definition: &Definition,
    errors: &mut Errors,
) {
    let mut refuse = |span: Option<Span>, message: &str| {
        if let Some(span) = span {
            errors.push(syn::Error::new(span, message));
        }
    };
    let span = |case: Option<(crate::case::Case, Span)>| case.map(|(_, span)| span);
    let version = on.version.map(|(_, span)| span);
    match definition {
        Definition::Struct(Fields { style, .. }) => {
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
        Definition::Enum(_) => {
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
    let groups: Vec<&Fields> = match definition {
        Definition::Struct(fields) => vec![fields],
        Definition::Enum(variants) => variants.iter().map(|variant| &variant.fields).collect(),
    };
    refuse(
        on.required.filter(|_| groups.iter().all(|fields| fields.style != Style::Named)),
        "`required` does nothing here: no member has a name",
    );
    if let Definition::Enum(variants) = definition {
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

/// Returns whether every value of the type contains a value of the type with that name: directly,
/// or in a pointer that is never null.
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

/// Reports a type that contains itself in such a way that no value of it could be created: a
/// struct, or an enum in all its variants.
pub(crate) fn endless(input: &DeriveInput, definition: &Definition, errors: &mut Errors) {
    let name = &input.ident;
    let itself = |fields: &'_ Fields| {
        let holds = |field: &&Field| !field.role.is_skipped() && holds(&field.ty, name);
        fields.list.iter().filter(holds).map(|field| field.ty.clone()).collect::<Vec<_>>()
    };
    let (found, or) = match definition {
        Definition::Struct(fields) => (itself(fields), String::new()),
        Definition::Enum(variants) => {
            let found: Vec<_> = variants.iter().map(|variant| itself(&variant.fields)).collect();
            if found.iter().any(Vec::is_empty) {
                return;
            }
            (found.concat(), format!(", or add a variant without `{name}`"))
        }
    };
    for ty in found {
        let message = format!(
            "`{name}` contains itself, so it has no finite value: use `Option<Box<{name}>>` or \
             `Vec<{name}>`{or}"
        );
        errors.at(&ty, message);
    }
}

/// Reports misuse of `tag` and `content`, and variants that they do not support.
pub(crate) fn tag(on: &OnType, definition: &Definition, errors: &mut Errors) {
    let Some(tag) = &on.tag else {
        if let Some(content) = &on.content {
            errors.at(
                content,
                "`content` goes with a `tag`, which names the variant: `tag = \"type\"`",
            );
        }
        return;
    };
    let Definition::Enum(variants) = definition else {
        errors.at(tag, "`tag` is for enums: it names the member that has the name of the variant");
        return;
    };
    unique([tag].into_iter().chain(&on.content), "member", errors);
    let is_tag = |name: &&LitStr| name.value() == tag.value();
    for model::Variant { name, fields, other, .. } in variants {
        let names = [&name.text].into_iter().chain(&name.aliases);
        if on.content.is_some() {
            // `{"type": ...}` could have either form.
            for name in names.filter(is_tag) {
                errors.at(name, "a variant has the name of the tag");
            }
            continue;
        }
        match fields.style {
            Style::Tuple => {
                let message = "an internally tagged variant cannot be a tuple: name its members, or give the enum a `content`, as in \
                               `#[archive(tag = \"type\", content = \"value\")]`";
                errors.at(&name.text, message);
            }
            Style::Newtype if !other => {
                for field in fields.visited().filter(|field| !matches!(field.form, Form::Own)) {
                    let message = "the members of this type are in the object of the tag, so no attribute can change how it is saved; give the enum a `content`";
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
        let message = "`other` is for unknown names: the variant carries nothing, \
                       or the name, as in `Other(String)`";
        errors.push(syn::Error::new(span, message));
    }
}

/// Reports attributes that the fields of a variant cannot have.
pub(crate) fn variant_fields(fields: &[Field], errors: &mut Errors) {
    facts::of_variant(fields, errors);
    for span in fields.iter().filter_map(|field| field.base) {
        let message = "a variant cannot have a base: only a struct can";
        errors.push(syn::Error::new(span, message));
    }
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

/// Reports a mark that more than one variant has.
fn only_one<'a>(marked: impl Iterator<Item = &'a model::Variant>, mark: &str, errors: &mut Errors) {
    for variant in marked.skip(1) {
        errors.at(&variant.ident, format_args!("only one variant can be {mark}"));
    }
}
