//! Checks `default = ...`.

use syn::{Expr, ExprLit, Lit, LitStr, Type};

use crate::attributes::Preset;
use crate::error::Errors;
use crate::from_serde;

/// Reports the name of a function in quotes, as serde requires it. For a `String`, the compiler
/// would suggest converting the literal, and the function's name would become the default. `ty` is
/// the type of the field, if the attribute is on a field. Text in quotes is a valid value only for
/// a reference.
pub(crate) fn preset(preset: Option<&Preset>, ty: Option<&Type>, errors: &mut Errors) {
    let Some(Preset::Expr(expr)) = preset else { return };
    let Some(text) = quoted(expr) else { return };
    if !matches!(ty, Some(Type::Reference(_)))
        && let Some(call) = call(&text.value())
    {
        errors.at(text, from_serde::quoted_default(&call, &text.value()));
    }
}

/// Returns the text, if the expression is only a text.
fn quoted(mut expr: &Expr) -> Option<&LitStr> {
    // an argument of a macro arrives in an invisible group
    while let Expr::Group(group) = expr {
        expr = &group.expr;
    }
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text),
        _ => None,
    }
}

/// Returns a call of the function that the text may name.
fn call(text: &str) -> Option<String> {
    match syn::parse_str(text).ok()? {
        Expr::Path(_) => Some(format!("{text}()")),
        Expr::Call(_) => Some(text.to_owned()),
        _ => None,
    }
}
