//! Parses the values of attributes.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Lit, LitStr, Path, Token, Type, WherePredicate};

use crate::attributes::Preset;
use crate::case::{CASES, Case};
use crate::from_serde;

/// Parses an attribute without a value, and returns its span.
pub(crate) fn flag(meta: &ParseNestedMeta<'_>) -> syn::Result<Option<Span>> {
    if meta.input.is_empty() || meta.input.peek(Token![,]) {
        return Ok(Some(meta.path.span()));
    }
    let name = meta.path.require_ident()?;
    Err(meta.input.error(format_args!("`{name}` takes no value")))
}

/// Returns the input after `=`.
pub(crate) fn value<'a>(meta: &ParseNestedMeta<'a>, what: &str) -> syn::Result<ParseStream<'a>> {
    if meta.input.peek(Token![=]) {
        return meta.value();
    }
    if meta.input.peek(syn::token::Paren) {
        return Err(meta.error(from_serde::two_values(meta, what)?));
    }
    let name = meta.path.require_ident()?;
    Err(meta.error(format_args!("`{name}` needs a value: `{name} = {what}`")))
}

/// Parses `skip` or `skip(keep)`. Returns the span, and whether it is `skip(keep)`.
pub(crate) fn skip(meta: &ParseNestedMeta<'_>) -> syn::Result<(Option<Span>, bool)> {
    if !meta.input.peek(syn::token::Paren) {
        return Ok((flag(meta)?, false));
    }
    let mut keep = false;
    meta.parse_nested_meta(|inner| {
        keep = inner.path.is_ident("keep");
        if keep { Ok(()) } else { Err(inner.error("expected `skip` or `skip(keep)`")) }
    })?;
    if !keep {
        return Err(meta.error("expected `skip` or `skip(keep)`"));
    }
    Ok((Some(meta.path.span()), keep))
}

/// Parses `default`, with or without `= expr`.
pub(crate) fn preset(meta: &ParseNestedMeta<'_>) -> syn::Result<Preset> {
    if meta.input.peek(Token![=]) {
        return Ok(Preset::Expr(Box::new(meta.value()?.parse()?)));
    }
    flag(meta)?;
    Ok(Preset::Default(meta.path.span()))
}

/// Parses the function after `=`.
pub(crate) fn path(meta: &ParseNestedMeta<'_>) -> syn::Result<Path> {
    let input = value(meta, "function")?;
    unquoted(meta, input)?;
    input.parse()
}

/// Checks that the path is not in quotes, as it is in serde.
fn unquoted(meta: &ParseNestedMeta<'_>, input: ParseStream<'_>) -> syn::Result<()> {
    if !input.peek(LitStr) {
        return Ok(());
    }
    let (name, text) = (meta.path.require_ident()?, input.parse::<LitStr>()?);
    let message = format_args!("a path without quotes: `{name} = {}`", text.value());
    Err(syn::Error::new(text.span(), message))
}

/// Parses the module or the type after `=`.
pub(crate) fn target(meta: &ParseNestedMeta<'_>) -> syn::Result<Type> {
    let input = value(meta, "module")?;
    unquoted(meta, input)?;
    let mut target = input.parse()?;
    // an argument of a macro arrives in an invisible group
    while let Type::Group(group) = target {
        target = *group.elem;
    }
    Ok(target)
}

/// Parses the expression after `=`, which should be a literal.
fn literal(meta: &ParseNestedMeta<'_>, what: &str) -> syn::Result<Expr> {
    let mut expr = value(meta, what)?.parse()?;
    // an argument of a macro arrives in an invisible group
    while let Expr::Group(group) = expr {
        expr = *group.expr;
    }
    Ok(expr)
}

/// Parses the text after `=`.
pub(crate) fn string(meta: &ParseNestedMeta<'_>) -> syn::Result<LitStr> {
    match literal(meta, "\"...\"")? {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(text),
        other => Err(syn::Error::new_spanned(other, "expected text in quotes: `\"...\"`")),
    }
}

/// Parses the number after `=`.
pub(crate) fn version(meta: &ParseNestedMeta<'_>) -> syn::Result<u32> {
    let message = "expected a whole number below 2³²: `version = 1`";
    match literal(meta, "1")? {
        Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) => {
            number.base10_parse().map_err(|_| syn::Error::new_spanned(number, message))
        }
        other => Err(syn::Error::new_spanned(other, message)),
    }
}

/// Parses the spelling rule after `=`.
pub(crate) fn case(meta: &ParseNestedMeta<'_>) -> syn::Result<Case> {
    let text = string(meta)?;
    Case::find(&text.value()).ok_or_else(|| {
        let list = CASES.map(|(name, _)| format!("`{name}`")).join(", ");
        syn::Error::new_spanned(text, format_args!("expected one of {list}"))
    })
}

/// Parses the bounds after `=`, as in a `where` clause.
pub(crate) fn predicates(meta: &ParseNestedMeta<'_>) -> syn::Result<Vec<WherePredicate>> {
    type Predicates = Punctuated<WherePredicate, Token![,]>;
    let parsed = string(meta)?.parse_with(Predicates::parse_terminated)?;
    Ok(parsed.into_iter().collect())
}
