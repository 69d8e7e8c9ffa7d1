//! How the value of a field is saved and loaded where an attribute says so: its shape, and the body
//! that visits it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{PathArguments, Type};

use crate::model::{self, Field, Form, Input};
use crate::visit::Access;

/// The shape of the field as a function.
pub(crate) fn shape_fn(input: &Input, field: &Field) -> TokenStream {
    let krate = field.locate(&input.krate);
    let ty = &field.ty;
    match &field.form {
        Form::Own => quote_spanned!(field.span()=> #krate::__private::Probe::<#ty>::SHAPE_FN),
        Form::Bytes => {
            quote_spanned!(field.span()=> #krate::shape::ShapeOf::Type(#krate::__private::bytes_shape::<#ty>))
        }
        Form::Object { sort: true } => {
            quote_spanned!(field.span()=> #krate::shape::ShapeOf::Type(#krate::__private::object_shape::<#ty>))
        }
        Form::Object { sort: false } => {
            quote_spanned!(field.span()=> #krate::shape::ShapeOf::Type(#krate::__private::unordered_object_shape::<#ty>))
        }
        Form::Unordered => {
            quote_spanned!(field.span()=> #krate::shape::ShapeOf::Type(#krate::__private::unordered_shape::<#ty>))
        }
        Form::With(target) => {
            let with = with(input, field, target);
            quote!(#with.shape_fn())
        }
    }
}

/// The shape of the field.
pub(crate) fn shape(input: &Input, field: &Field) -> TokenStream {
    let krate = field.locate(&input.krate);
    let ty = &field.ty;
    match &field.form {
        Form::Own => quote!(#krate::__private::Probe::<#ty>::SHAPE),
        Form::Bytes => {
            quote_spanned!(field.span()=> <#ty as #krate::__private::BytesField>::SHAPE)
        }
        Form::Unordered => {
            quote_spanned!(field.span()=> #krate::__private::unordered_shape::<#ty>())
        }
        Form::Object { sort: true } => {
            quote_spanned!(field.span()=> #krate::__private::object_shape::<#ty>())
        }
        Form::Object { sort: false } => {
            quote_spanned!(field.span()=> #krate::__private::unordered_object_shape::<#ty>())
        }
        Form::With(target) => {
            let with = with(input, field, target);
            quote!(#with.shape())
        }
    }
}

/// Whether the field may be null.
pub(crate) fn nullable(input: &Input, field: &Field) -> TokenStream {
    let krate = &input.krate;
    let ty = &field.ty;
    match &field.form {
        Form::Bytes => {
            quote_spanned!(field.span()=> <#ty as #krate::__private::BytesField>::NULLABLE)
        }
        Form::With(target) => {
            let with = with(input, field, target);
            quote!(#with.nullable())
        }
        _ => quote!(#krate::__private::Probe::<#ty>::NULLABLE),
    }
}

/// Whether the field is null, for a type that is saved as it.
pub(crate) fn saves_null(input: &Input, field: &Field, value: &TokenStream) -> TokenStream {
    let krate = &input.krate;
    let ty = &field.ty;
    match &field.form {
        Form::Bytes => {
            quote_spanned!(field.span()=> <#ty as #krate::__private::BytesField>::saves_null(#value))
        }
        Form::With(target) => {
            let with = with(input, field, target);
            quote!(#with.saves_null(#value, __options, __levels))
        }
        _ => quote!(#krate::__private::Probe::<#ty>::saves_null(#value, __options, __levels)),
    }
}

/// The expression of a body that visits a field.
pub(crate) struct BodyOf {
    tokens: TokenStream,
    /// Where rustc shall point to: to the field's type, or to the attribute.
    pub(crate) span: Span,
}

impl BodyOf {
    /// Tokens from elsewhere, for code with the span of the body.
    pub(crate) fn locate(&self, tokens: impl ToTokens) -> TokenStream {
        model::locate(tokens, self.span)
    }
}

impl ToTokens for BodyOf {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.tokens.to_tokens(tokens);
    }
}

/// The body that visits the field; nothing if its type does. `members` asks for what stands inside
/// of the object that the field is saved as.
pub(crate) fn body(
    input: &Input,
    field: &Field,
    value: &TokenStream,
    access: Access,
    members: bool,
) -> Option<BodyOf> {
    let krate = field.locate(&input.krate);
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
            (quote_spanned!(span=> #krate::__private::Probe::<#ty>::#body(#value)), span)
        }
    };
    Some(BodyOf { tokens, span })
}

/// The functions of a module, for the type of the field. What rustc says of them points to the
/// attribute, and is the same wherever they are used, so that it says it once.
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
    if is_time(&input.krate, target) {
        return quote_spanned!(span=> #krate::__private::with_time::<#ty>());
    }
    let (save, load) = (function("save"), function("load"));
    quote_spanned!(span=> #krate::__private::with::<#ty, _, _, _, _>(#save, #load))
}

/// Whether the path has no arguments, and so may be that of a module.
fn is_plain(path: &syn::Path) -> bool {
    path.segments.iter().all(|segment| matches!(segment.arguments, PathArguments::None))
}

/// Whether the module is `archive::time`.
fn is_time(krate: &syn::Path, target: &Type) -> bool {
    let words = |path: &syn::Path| -> Vec<_> {
        path.segments.iter().map(|segment| segment.ident.to_string()).collect()
    };
    let Type::Path(target) = target else { return false };
    let mut time = words(krate);
    time.push("time".to_owned());
    target.qself.is_none() && is_plain(&target.path) && words(&target.path) == time
}
