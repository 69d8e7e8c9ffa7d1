//! Converts syntax to the [`model`](crate::model).

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, LitStr, Member, Type, parse_quote, parse_quote_spanned};

use crate::attributes::{OnField, OnType, OnVariant};
use crate::case::Case;
use crate::check;
use crate::error::Errors;
use crate::facts;
use crate::model::{
    Definition, Field, Fields, Form, Input, Name, Role, SkipIf, Style, Tag, Variant,
};

/// Parses the type, or returns all errors in it.
pub(crate) fn read(input: &DeriveInput) -> syn::Result<Input> {
    let mut errors = Errors::default();
    let on = OnType::parse(&input.attrs, &mut errors);
    let definition = match &input.data {
        Data::Struct(data) => Definition::Struct(structure(&on, &data.fields, &mut errors)),
        Data::Enum(data) => {
            Definition::Enum(data.variants.iter().map(|it| variant(&on, it, &mut errors)).collect())
        }
        Data::Union(data) => {
            let message = "a union cannot be saved: it does not say which of its fields is valid; use an enum";
            errors.at(data.union_token, message);
            Definition::Enum(Vec::new())
        }
    };
    check::preset(on.default.as_ref(), None, &mut errors);
    check::type_attributes(&on, input, &definition, &mut errors);
    check::endless(input, &definition, &mut errors);
    check::tag(&on, &definition, &mut errors);
    errors.finish(Input {
        ident: input.ident.clone(),
        generics: input.generics.clone(),
        path: on.private(),
        krate: parse_quote!(__a),
        doc: facts::doc(&input.attrs),
        name: on.name.unwrap_or_else(|| input.ident.unraw().to_string()),
        version: on.version.map_or(0, |(version, _)| version),
        mut_only: on.mut_only,
        bound: on.bound,
        preset: on.default,
        after_load: on.after_load,
        tag: on.tag.map(|name| Tag { name, content: on.content }),
        definition,
    })
}

fn structure(on: &OnType, fields: &syn::Fields, errors: &mut Errors) -> Fields {
    let case = on.rename_all.map(|(case, _)| case);
    let list = self::list(case, fields, (on, on.transparent.is_some()), errors);
    let mut style = style(fields, &list);
    if let Some(span) = on.transparent {
        check::transparent(span, &list, errors);
        style = Style::Newtype;
    }
    if style != Style::Newtype {
        check::names(&list, errors);
    }
    Fields { style, list }
}

fn variant(on_type: &OnType, variant: &syn::Variant, errors: &mut Errors) -> Variant {
    let on = OnVariant::parse(&variant.attrs, errors);
    let ident = variant.ident.unraw().to_string();
    let spelled = match on_type.rename_all {
        Some((case, _)) => case.variant(&ident),
        None => ident,
    };
    let case = on.rename_all.or(on_type.rename_all_fields).map(|(case, _)| case);
    let list = list(case, &variant.fields, (on_type, false), errors);
    check::names(&list, errors);
    check::variant_fields(&list, errors);
    check::variant_attributes(&on, variant, errors);
    Variant {
        ident: variant.ident.clone(),
        doc: facts::doc(&variant.attrs),
        name: name(spelled, &variant.ident, on.rename, on.aliases),
        fields: Fields { style: style(&variant.fields, &list), list },
        other: on.other.is_some(),
        default: on.default,
    }
}

fn style(fields: &syn::Fields, list: &[Field]) -> Style {
    match fields {
        syn::Fields::Unit => Style::Unit,
        syn::Fields::Named(_) => Style::Named,
        syn::Fields::Unnamed(_) => match list {
            [only] if !only.role.is_skipped() => Style::Newtype,
            _ => Style::Tuple,
        },
    }
}

fn list(
    case: Option<Case>,
    fields: &syn::Fields,
    of: (&OnType, bool),
    errors: &mut Errors,
) -> Vec<Field> {
    let fields = fields.members().zip(fields);
    fields.map(|(member, field)| self::field(case, member, field, of, errors)).collect()
}

fn field(
    case: Option<Case>,
    member: Member,
    field: &syn::Field,
    (on_type, transparent): (&OnType, bool),
    errors: &mut Errors,
) -> Field {
    let on = OnField::parse(&field.attrs, errors);
    check::preset(on.default.as_ref(), Some(&field.ty), errors);
    check::field_attributes(&on, &member, transparent, errors);
    let role = match (on.skip, on.flatten, on.unknown) {
        (Some(_), _, _) if on.keep => Role::Kept,
        (Some(_), _, _) => Role::Skipped,
        (None, Some(_), _) => Role::Flattened,
        (None, None, Some(_)) => Role::Unknown,
        (None, None, None) => Role::Stored,
    };
    let with = on.with.or_else(|| on.serde.map(|span| serde(on_type, &field.ty, span)));
    let form = match with {
        Some(target) => Form::With(Box::new(target)),
        None if on.bytes.is_some() => Form::Bytes,
        None if on.as_object.is_some() => Form::Object { sort: on.unordered.is_none() },
        None if on.unordered.is_some() => Form::Unordered,
        None => Form::Own,
    };
    if !role.is_skipped() && !matches!(form, Form::With(_)) {
        check::field_type(&field.ty, errors);
    }
    let name = match &member {
        Member::Named(ident) if on.base.is_some() => {
            name(own_name(&field.ty), ident, None, on.aliases)
        }
        Member::Named(ident) => {
            let plain = ident.unraw().to_string();
            let spelled = case.map_or(plain.clone(), |case| case.field(&plain));
            name(spelled, ident, on.rename, on.aliases)
        }
        Member::Unnamed(index) => {
            let text = LitStr::new(&index.index.to_string(), index.span);
            Name { text, aliases: Vec::new() }
        }
    };
    let preset = on.default;
    let skip_if = match (on.skip_if, on.skip_if_default) {
        (Some(test), _) => Some(SkipIf { span: test.span(), test: Some(test) }),
        (None, Some(span)) => Some(SkipIf { span, test: None }),
        (None, None) => None,
    };
    let required = on.required.or(on_type.required).is_some();
    let base = on.base;
    let facts = on.facts.with_doc(&field.attrs);
    let ty = field.ty.clone();
    Field { facts, member, ty, name, role, form, preset, skip_if, required, base }
}

/// Returns the name of a type as written, without module and arguments.
fn own_name(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.unraw().to_string()),
        Type::Paren(inner) => Some(own_name(&inner.elem)),
        Type::Group(inner) => Some(own_name(&inner.elem)),
        _ => None,
    }
    .unwrap_or_default()
}

/// Returns the type that saves and loads a field of a serde type.
fn serde(on: &OnType, ty: &Type, span: Span) -> Type {
    let krate = on.krate.clone().unwrap_or_else(|| parse_quote_spanned!(span=> ::archive));
    parse_quote_spanned!(span=> #krate::serde_formats::Serde<#ty>)
}

fn name(spelled: String, ident: &Ident, rename: Option<LitStr>, aliases: Vec<LitStr>) -> Name {
    let text = rename.unwrap_or_else(|| LitStr::new(&spelled, ident.span()));
    Name { text, aliases }
}
