//! How the value of a field is saved and loaded if an attribute changes that: its shape, and the
//! body that visits it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{PathArguments, Type};

use crate::model::{self, Field, Form, Input};
use crate::visit::Access;

/// Returns the shape of the field as a function.
pub(crate) fn shape_fn(input: &Input, field: &Field) -> TokenStream {
    let krate = field.locate(&input.krate);
    let ty = &field.ty;
    match &field.form {
        Form::Own => quote_spanned!(field.span()=> __P::<#ty>::SHAPE_FN),
        Form::Bytes => {
            quote_spanned!(field.span()=> #krate::shape::ShapeOf::Type(#krate::bytes_shape::<#ty>, __P::<#ty>::INFO))
        }
        Form::Object { sort: true } => {
            quote_spanned!(field.span()=> #krate::shape::ShapeOf::Type(#krate::object_shape::<#ty>, __P::<#ty>::INFO))
        }
        Form::Object { sort: false } => {
            quote_spanned!(field.span()=> #krate::shape::ShapeOf::Type(#krate::unordered_object_shape::<#ty>, __P::<#ty>::INFO))
        }
        Form::Unordered => {
            quote_spanned!(field.span()=> #krate::shape::ShapeOf::Type(#krate::unordered_shape::<#ty>, __P::<#ty>::INFO))
        }
        Form::With(target) => {
            let with = with(input, field, target);
            quote!(#with.shape_fn())
        }
    }
}

/// Returns the shape of the field.
pub(crate) fn shape(input: &Input, field: &Field) -> TokenStream {
    let krate = field.locate(&input.krate);
    let ty = &field.ty;
    match &field.form {
        Form::Own => quote!(__P::<#ty>::SHAPE),
        Form::Bytes => {
            quote_spanned!(field.span()=> <#ty as #krate::BytesField>::SHAPE)
        }
        Form::Unordered => {
            quote_spanned!(field.span()=> #krate::unordered_shape::<#ty>())
        }
        Form::Object { sort: true } => {
            quote_spanned!(field.span()=> #krate::object_shape::<#ty>())
        }
        Form::Object { sort: false } => {
            quote_spanned!(field.span()=> #krate::unordered_object_shape::<#ty>())
        }
        Form::With(target) => {
            let with = with(input, field, target);
            quote!(#with.shape())
        }
    }
}

/// Returns whether the field may be null.
pub(crate) fn nullable(input: &Input, field: &Field) -> TokenStream {
    let krate = &input.krate;
    let ty = &field.ty;
    match &field.form {
        Form::Bytes => {
            quote_spanned!(field.span()=> <#ty as #krate::BytesField>::NULLABLE)
        }
        Form::With(target) => {
            let with = with(input, field, target);
            quote!(#with.nullable())
        }
        _ => quote!(__P::<#ty>::NULLABLE),
    }
}

/// Returns whether the field is null, for a type that is saved as that field.
pub(crate) fn saves_null(input: &Input, field: &Field, value: &TokenStream) -> TokenStream {
    let krate = &input.krate;
    let ty = &field.ty;
    match &field.form {
        Form::Bytes => {
            quote_spanned!(field.span()=> <#ty as #krate::BytesField>::saves_null(#value))
        }
        Form::With(target) => {
            let with = with(input, field, target);
            quote!(#with.saves_null(#value, __o, __levels))
        }
        _ => quote!(__P::<#ty>::saves_null(#value, __o, __levels)),
    }
}

/// An expression with the body that visits a field.
pub(crate) struct BodyOf {
    tokens: TokenStream,
    /// The span to which rustc's messages should point: the field's type, or the attribute.
    pub(crate) span: Span,
}

impl BodyOf {
    /// Returns the tokens with the span of the body.
    pub(crate) fn locate(&self, tokens: impl ToTokens) -> TokenStream {
        model::locate(tokens, self.span)
    }
}

impl ToTokens for BodyOf {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.tokens.to_tokens(tokens);
    }
}

/// Returns the body that visits the field, or `None` if the field's type visits itself. With
/// `members`, the body visits the members of the object as which the field is saved.
pub(crate) fn body(
    input: &Input,
    field: &Field,
    value: &TokenStream,
    access: Access,
    members: bool,
) -> Option<BodyOf> {
    let span = field.span();
    let shared = access == Access::Shared;
    let (tokens, span) = match &field.form {
        Form::Own => return None,
        Form::With(target) => {
            let span = Span::call_site().located_at(target.span());
            let with = with(input, field, target);
            let value = model::locate(value, span);
            let tokens = match (access, members) {
                (Access::Mut, false) => quote_spanned!(span=> #with.of(#value)),
                (Access::Mut, true) => quote_spanned!(span=> #with.members_of(#value)),
                (Access::Shared, false) => quote_spanned!(span=> #with.saved(#value)),
                (Access::Shared, true) => quote_spanned!(span=> #with.saved_members(#value)),
            };
            (tokens, span)
        }
        form => {
            let body = match form {
                Form::Bytes => "bytes_of",
                Form::Object { sort: true } => "object_of",
                Form::Object { sort: false } => "unordered_object_of",
                _ => "unordered_of",
            };
            let body = Ident::new(&format!("{}{body}", if shared { "saved_" } else { "" }), span);
            let ty = &field.ty;
            (quote_spanned!(span=> __P::<#ty>::#body(#value)), span)
        }
    };
    Some(BodyOf { tokens, span })
}

/// Returns the functions of a module, for the type of the field. Their span is that of the
/// attribute in every use, so that rustc reports each problem only once.
fn with(input: &Input, field: &Field, target: &Type) -> TokenStream {
    let span = Span::call_site().located_at(target.span());
    let function = |name: &str| {
        let name = Ident::new(name, span);
        match target {
            Type::Path(path) if path.qself.is_none() && is_plain(&path.path) => {
                quote_spanned!(span=> #target::#name)
            }
            _ => quote_spanned!(span=> <#target>::#name),
        }
    };
    let krate = model::locate(&input.krate, span);
    let ty = &field.ty;
    if is_time(&input.path, target) {
        return quote_spanned!(span=> #krate::with_time::<#ty>());
    }
    let (save, load) = (function("save"), function("load"));
    quote_spanned!(span=> #krate::with::<#ty, _, _, _, _>(#save, #load))
}

/// Returns whether the path has no generic arguments, so that it may be a module.
fn is_plain(path: &syn::Path) -> bool {
    path.segments.iter().all(|segment| matches!(segment.arguments, PathArguments::None))
}

/// Returns whether the module is `archive::time`.
fn is_time(krate: &syn::Path, target: &Type) -> bool {
    let words = |path: &syn::Path| -> Vec<_> {
        path.segments.iter().map(|segment| segment.ident.to_string()).collect()
    };
    let Type::Path(target) = target else { return false };
    // `krate` is the module of the crate that generated code refers to.
    let mut time = words(krate);
    time.pop();
    time.push("time".to_owned());
    target.qself.is_none() && is_plain(&target.path) && words(&target.path) == time
}
