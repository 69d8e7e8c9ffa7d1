//! What `default = ...` cannot be.

use syn::{Expr, ExprLit, Lit, LitStr, Type};

use crate::attributes::Preset;
use crate::error::Errors;
use crate::from_serde;

/// Reports the name of a function in quotes, as serde has it. For a `String` the compiler would
/// advise to make a text of it, and the function's name would be the default. `ty` is the type of
/// the field, if it is a field. Text in quotes is the value itself only for a reference.
pub(crate) fn preset(preset: Option<&Preset>, ty: Option<&Type>, errors: &mut Errors) {
    let Some(Preset::Expr(expr)) = preset else { return };
    let Some(text) = quoted(expr) else { return };
    if !matches!(ty, Some(Type::Reference(_)))
        && let Some(call) = call(&text.value())
    {
        errors.at(text, from_serde::quoted_default(&call, &text.value()));
    }
}

/// Returns the text, if that is all that the expression is.
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

/// Returns the call of the function that the text may name.
fn call(text: &str) -> Option<String> {
    match syn::parse_str(text).ok()? {
        Expr::Path(_) => Some(format!("{text}()")),
        Expr::Call(_) => Some(text.to_owned()),
        _ => None,
    }
}
