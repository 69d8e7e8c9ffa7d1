//! Parses `#[archive(...)]`.

use proc_macro2::{Ident, Span, TokenTree};
use syn::meta::ParseNestedMeta;
use syn::parse::ParseStream;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, LitStr, Path, Token, Type, WherePredicate, parse_quote};

use crate::case::Case;
use crate::error::Errors;
use crate::facts::Facts;
use crate::from_serde;
use crate::value::{case, flag, path, predicates, preset, skip, string, target, value, version};

/// The attributes of a type. Attributes that are not valid for every type keep their span, for
/// errors.
#[derive(Default)]
pub(crate) struct OnType {
    pub(crate) name: Option<String>,
    pub(crate) rename_all: Option<(Case, Span)>,
    pub(crate) rename_all_fields: Option<(Case, Span)>,
    pub(crate) version: Option<(u32, Span)>,
    pub(crate) transparent: Option<Span>,
    pub(crate) mut_only: bool,
    pub(crate) bound: Option<Vec<WherePredicate>>,
    pub(crate) default: Option<Preset>,
    pub(crate) after_load: Option<Path>,
    pub(crate) required: Option<Span>,
    pub(crate) tag: Option<LitStr>,
    pub(crate) content: Option<LitStr>,
    pub(crate) krate: Option<Path>,
}

impl OnType {
    /// Returns the module that generated code refers to.
    pub(crate) fn private(&self) -> Path {
        let krate = self.krate.clone().unwrap_or_else(|| parse_quote!(::archive));
        parse_quote!(#krate::__private)
    }
}

/// The attributes of a field.
#[derive(Default)]
pub(crate) struct OnField {
    pub(crate) rename: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) skip: Option<Span>,
    /// `skip(keep)`.
    pub(crate) keep: bool,
    pub(crate) skip_if_default: Option<Span>,
    pub(crate) skip_if: Option<Path>,
    pub(crate) default: Option<Preset>,
    pub(crate) required: Option<Span>,
    pub(crate) flatten: Option<Span>,
    pub(crate) base: Option<Span>,
    pub(crate) with: Option<Type>,
    pub(crate) serde: Option<Span>,
    pub(crate) bytes: Option<Span>,
    pub(crate) as_object: Option<Span>,
    pub(crate) unordered: Option<Span>,
    pub(crate) unknown: Option<Span>,
    pub(crate) facts: Facts,
}

/// The initial value of a blank value or a field.
pub(crate) enum Preset {
    /// `Default::default()`; the span is that of the attribute.
    Default(Span),
    /// The expression.
    Expr(Box<Expr>),
}

/// The attributes of a variant.
#[derive(Default)]
pub(crate) struct OnVariant {
    pub(crate) rename: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) rename_all: Option<(Case, Span)>,
    pub(crate) other: Option<Span>,
    pub(crate) default: bool,
}

impl OnType {
    const KNOWN: &[&str] = &[
        "rename",
        "name",
        "rename_all",
        "rename_all_fields",
        "version",
        "transparent",
        "mut_only",
        "bound",
        "default",
        "after_load",
        "required",
        "tag",
        "content",
        "crate",
    ];

    pub(crate) fn parse(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut on = OnType::default();
        each(attributes, ("type", Self::KNOWN), errors, |name, meta| {
            let span = meta.path.span();
            match name {
                "rename" | "name" if on.name.is_some() => {
                    return Err(meta.error("`name` and `rename` are the same: give one of them"));
                }
                "rename" | "name" => on.name = Some(string(meta)?.value()),
                "rename_all" => on.rename_all = Some((case(meta)?, span)),
                "rename_all_fields" => on.rename_all_fields = Some((case(meta)?, span)),
                "version" => on.version = Some((version(meta)?, span)),
                "transparent" => on.transparent = flag(meta)?,
                "mut_only" => on.mut_only = flag(meta)?.is_some(),
                "bound" => on.bound = Some(predicates(meta)?),
                "default" => on.default = Some(preset(meta)?),
                "after_load" => on.after_load = Some(path(meta)?),
                "required" => on.required = flag(meta)?,
                "tag" => on.tag = Some(string(meta)?),
                "content" => on.content = Some(string(meta)?),
                _ => on.krate = Some(value(meta, "path")?.call(Path::parse_mod_style)?),
            }
            Ok(())
        });
        on
    }
}

impl OnField {
    const KNOWN: &[&str] = &[
        "rename",
        "alias",
        "skip",
        "skip_if_default",
        "skip_if",
        "default",
        "required",
        "flatten",
        "base",
        "with",
        "serde",
        "bytes",
        "as_object",
        "unordered",
        "unknown",
        "label",
        "group",
        "unit",
        "range",
        "step",
        "multiline",
        "color",
        "read_only",
        "hidden",
        "show_if",
        "get",
        "set",
    ];

    pub(crate) fn parse(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut on = OnField::default();
        each(attributes, ("field", Self::KNOWN), errors, |name, meta| {
            match name {
                "rename" => on.rename = Some(string(meta)?),
                "alias" => on.aliases.push(string(meta)?),
                "skip" => (on.skip, on.keep) = skip(meta)?,
                "skip_if_default" => on.skip_if_default = flag(meta)?,
                "skip_if" => on.skip_if = Some(path(meta)?),
                "required" => on.required = flag(meta)?,
                "flatten" => on.flatten = flag(meta)?,
                "base" => on.base = flag(meta)?,
                "with" => on.with = Some(target(meta)?),
                "serde" => on.serde = flag(meta)?,
                "bytes" => on.bytes = flag(meta)?,
                "as_object" => on.as_object = flag(meta)?,
                "unordered" => on.unordered = flag(meta)?,
                "unknown" => on.unknown = flag(meta)?,
                _ if on.facts.parse(name, meta)? => {}
                _ => on.default = Some(preset(meta)?),
            }
            Ok(())
        });
        // properties are computed
        on.skip = on.skip.or_else(|| on.facts.get.as_ref().map(Spanned::span));
        on
    }
}

impl OnVariant {
    const KNOWN: &[&str] = &["rename", "alias", "rename_all", "other"];

    pub(crate) fn parse(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let default = attributes.iter().any(|attribute| attribute.path().is_ident("default"));
        let mut on = OnVariant { default, ..OnVariant::default() };
        each(attributes, ("variant", Self::KNOWN), errors, |name, meta| {
            match name {
                "rename" => on.rename = Some(string(meta)?),
                "alias" => on.aliases.push(string(meta)?),
                "rename_all" => on.rename_all = Some((case(meta)?, meta.path.span())),
                _ => on.other = flag(meta)?,
            }
            Ok(())
        });
        on
    }
}

/// Calls `take` with every known `name …` in the `#[archive(...)]` attributes of one item.
/// Continues after errors.
fn each(
    attributes: &[Attribute],
    (place, known): (&str, &[&str]),
    errors: &mut Errors,
    mut take: impl FnMut(&str, &ParseNestedMeta<'_>) -> syn::Result<()>,
) {
    let mut seen = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("archive")) {
        let parsed = attribute.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(Ident::to_string).unwrap_or_default();
            let taken = if !known.contains(&name.as_str()) {
                Err(meta.error(unknown(&name, place, known)))
            } else if name != "alias" && seen.contains(&name) {
                Err(meta.error(format_args!("`{name}` is given twice")))
            } else {
                take(&name, &meta)
            };
            seen.push(name);
            if let Err(error) = taken {
                errors.push(error);
                to_comma(meta.input)?;
            }
            Ok(())
        });
        if let Err(error) = parsed {
            errors.push(error);
        }
    }
}

/// Returns the message for a name that is not an attribute.
fn unknown(name: &str, place: &str, known: &[&str]) -> String {
    let list = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if let Some(refusal) = from_serde::refusal(name) {
        return refusal;
    }
    let nearest = known.iter().min_by_key(|candidate| distance(name, candidate));
    match nearest {
        Some(nearest) if distance(name, nearest) <= 2 => {
            format!("unknown attribute `{name}`, did you mean `{nearest}`? A {place} takes {list}")
        }
        _ => format!("unknown attribute `{name}`: a {place} takes {list}"),
    }
}

/// Returns the number of single-character edits between two names.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.bytes().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.bytes().enumerate() {
            let change = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = change.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// Skips the rest of an attribute that was not understood.
fn to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    Ok(())
}
